//! Writes merged results to disk: whole files, with the same bytes for the same results.

use std::fs::{self, File};
use std::path::Path;

use super::database;
use super::error::{SweepError, reading, writing};
use super::folder::{Folder, sync};
use super::manifest::Manifest;
use super::merge::{self, MergeCounts, MissingUnits};
use super::parquet;
use super::tables::Table;
use crate::executions::ExistingFile;
use crate::executions::file::TemporaryFile;

/// Whether the database contains the timings of units, which are never the same twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timings {
    /// Timings go into a database of their own.
    Apart,
    /// Timings go into the same database.
    Within,
}

/// Options of a merge.
#[derive(Clone, Copy, Debug)]
pub struct MergeSettings {
    /// What to do if units have no result.
    pub missing: MissingUnits,
    /// Which database gets the timings of units.
    pub timings: Timings,
    /// What to do with existing files whose content differs.
    pub existing: ExistingFile,
}

/// Merges the results in some folders into an SQLite database.
///
/// # Errors
/// When a result is missing or cannot be read, or the database cannot be written.
pub fn to_sqlite(
    manifest: &Manifest,
    folders: &[Folder],
    path: &Path,
    merging: &MergeSettings,
) -> Result<MergeCounts, SweepError> {
    let tables: &[Table] = match merging.timings {
        Timings::Apart => &Table::RESULTS,
        Timings::Within => &Table::ALL,
    };
    place(path, merging.existing, |path| {
        database::write(path, tables, &mut |sink| {
            let merged = merge::results(manifest, folders, merging.missing, sink)?;
            if merging.timings == Timings::Within {
                merge::timings(manifest, folders, sink)?;
            }
            Ok(merged)
        })
    })
}

/// Writes the timings of units into a database of their own. It depends on machines and clocks, so it always
/// replaces the old one.
///
/// # Errors
/// When a journal cannot be read, or the database cannot be written.
pub fn timings_to_sqlite(
    manifest: &Manifest,
    folders: &[Folder],
    path: &Path,
) -> Result<(), SweepError> {
    place(path, ExistingFile::Replace, |path| {
        database::write(path, &[Table::Timings], &mut |sink| {
            merge::timings(manifest, folders, sink)
        })
    })
}

/// Writes each table that is the same however the sweep was run into a Parquet file with the table's name.
///
/// # Errors
/// When a result is missing or cannot be read, or a file cannot be written.
pub fn to_parquet(
    manifest: &Manifest,
    folders: &[Folder],
    folder: &Path,
    merging: &MergeSettings,
) -> Result<MergeCounts, SweepError> {
    fs::create_dir_all(folder).map_err(writing(folder))?;
    let places = Table::RESULTS.map(|table| folder.join(format!("{}.parquet", table.name())));
    let unfinished = places.iter().map(|path| beside(path));
    let unfinished = unfinished.collect::<Result<Vec<TemporaryFile>, SweepError>>()?;
    let paths: Vec<&Path> = unfinished.iter().map(|file| file.0.as_path()).collect();
    let merged = parquet::write(&Table::RESULTS, &paths, &mut |sink| {
        merge::results(manifest, folders, merging.missing, sink)
    })?;
    // Move all files or, as far as the system allows, none.
    for (file, path) in unfinished.iter().zip(&places) {
        file.check(path, merging.existing)?;
    }
    for (file, path) in unfinished.iter().zip(&places) {
        file.move_to(path)?;
    }
    Ok(merged)
}

fn beside(path: &Path) -> Result<TemporaryFile, SweepError> {
    TemporaryFile::beside(path).map_err(writing(path))
}

impl TemporaryFile {
    /// Fails if another file with other content has this name and may not be replaced.
    fn check(&self, path: &Path, existing: ExistingFile) -> Result<(), SweepError> {
        let is_same = match fs::read(path) {
            Ok(there) => there == fs::read(&self.0).map_err(reading(&self.0))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
            Err(error) => return Err(reading(path)(error)),
        };
        if is_same || existing == ExistingFile::Replace {
            Ok(())
        } else {
            Err(SweepError::Exists(path.to_owned()))
        }
    }

    fn move_to(&self, path: &Path) -> Result<(), SweepError> {
        File::open(&self.0).and_then(|file| file.sync_all()).map_err(writing(&self.0))?;
        fs::rename(&self.0, path).map_err(writing(path))?;
        match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => sync(folder),
            _ => sync(Path::new(".")),
        }
    }
}

fn place<T>(
    path: &Path,
    existing: ExistingFile,
    write: impl FnOnce(&Path) -> Result<T, SweepError>,
) -> Result<T, SweepError> {
    let file = beside(path)?;
    // Remove what a killed merge with the same process id left behind.
    let _ = fs::remove_file(&file.0);
    let written = write(&file.0)?;
    file.check(path, existing)?;
    file.move_to(path)?;
    Ok(written)
}
