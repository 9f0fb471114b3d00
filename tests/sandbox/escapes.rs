//! Functions that try to get out; each says whether it did.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;

pub fn delete(path: &str) -> bool {
    fs::remove_file(path).is_ok()
}

pub fn write(path: &str) -> bool {
    fs::write(path, "escaped").is_ok()
}

pub fn read(path: &str) -> bool {
    fs::read_to_string(path).is_ok()
}

pub fn list(path: &str) -> bool {
    fs::read_dir(path).is_ok()
}

pub fn lock(path: &str) -> bool {
    fs::set_permissions(path, fs::Permissions::from_mode(0)).is_ok()
}

pub fn listen(address: &str) -> bool {
    TcpListener::bind((address, 0)).is_ok()
}

pub fn listen_here(name: &str) -> bool {
    UnixListener::bind(name).is_ok()
}

pub fn connect(port: &str) -> bool {
    TcpStream::connect(("127.0.0.1", port.parse().unwrap_or(0))).is_ok()
}

pub fn spawn(seconds: &str) -> bool {
    std::process::Command::new("/bin/sleep").arg(seconds).spawn().is_ok()
}

extern "C" {
    fn fork() -> i32;
    fn getppid() -> i32;
    fn kill(process: i32, signal: i32) -> i32;
    fn truncate(path: *const u8, length: i64) -> i32;
    fn syscall(number: i64, ...) -> i64;
    fn _exit(code: i32) -> !;
}

/// Without any library in between.
pub fn split(count: &str) -> bool {
    let _ = count;
    match unsafe { fork() } {
        0 => unsafe { _exit(0) },
        -1 => false,
        _ => true,
    }
}

/// A signal that does nothing, to whoever started the worker.
pub fn signal(number: &str) -> bool {
    unsafe { kill(getppid(), number.parse().unwrap_or(0)) == 0 }
}

pub fn empty(path: &str) -> bool {
    let path = format!("{path}\0");
    unsafe { truncate(path.as_ptr(), 0) == 0 }
}

/// Another way to sockets and files: `io_uring_setup` has the same number on every machine.
pub fn ring(entries: &str) -> bool {
    let mut parameters = [0_u8; 256];
    let entries: i64 = entries.parse().unwrap_or(1);
    unsafe { syscall(425, entries, parameters.as_mut_ptr()) >= 0 }
}

pub fn variable(name: &str) -> bool {
    std::env::var_os(name).is_some()
}

/// A mutant without the guard deletes any file.
pub fn tidy(path: &str) -> bool {
    if path.ends_with(".tmp") {
        return fs::remove_file(path).is_ok();
    }
    false
}

/// What a function may do: a temporary file, and threads.
pub fn scratch(text: &str) -> bool {
    let path = std::env::temp_dir().join("scratch.txt");
    let own = text.to_owned();
    let written = std::thread::spawn(move || fs::write(path, own).is_ok()).join();
    written.unwrap_or(false)
}
