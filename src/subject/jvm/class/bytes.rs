//! Big-endian numbers in and out of bytes. Knows nothing of what they mean.

use super::ClassError;

/// Reads from the beginning of bytes.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    /// How many bytes have been read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Whether all bytes have been read.
    pub(super) fn is_done(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], ClassError> {
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..count).ok_or(ClassError::Truncated)?;
        self.at += count;
        Ok(taken)
    }

    pub(super) fn u8(&mut self) -> Result<u8, ClassError> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn u16(&mut self) -> Result<u16, ClassError> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn u32(&mut self) -> Result<u32, ClassError> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(super) fn i16(&mut self) -> Result<i16, ClassError> {
        Ok(self.u16()?.cast_signed())
    }

    pub(super) fn i32(&mut self) -> Result<i32, ClassError> {
        Ok(self.u32()?.cast_signed())
    }
}

/// Appends numbers in the byte order of class files, the highest byte first.
pub(super) trait Write {
    fn u8(&mut self, value: u8);
    fn u16(&mut self, value: u16);
    fn u32(&mut self, value: u32);
}

impl Write for Vec<u8> {
    fn u8(&mut self, value: u8) {
        self.push(value);
    }

    fn u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_be_bytes());
    }
}
