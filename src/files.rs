//! Reading and writing of files that may be anything: never waits for a pipe that nobody writes, never reads without
//! end, never leaves half a file.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The most bytes of a file that are read, and how to have more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Bytes.
    pub bytes: u64,
    /// What raises the limit, or what to do instead: `raise it with --limit file-size=SIZE`.
    pub advice: &'static str,
}

impl Limit {
    /// As much as any file may have, since places are kept in 32 bits.
    pub const LARGEST: Limit = Limit { bytes: u32::MAX as u64, advice: "split the file" };
    /// For configurations and policies, which people write.
    pub const SETTINGS: Limit = Limit { bytes: 16 << 20, advice: "no settings need more, split the file" };
    /// For baselines.
    pub const BASELINE: Limit = Limit { bytes: 256 << 20, advice: "fix or suppress findings first" };

    /// What is said of a larger file.
    pub fn exceeded(&self) -> io::Error {
        let message = format!("larger than the limit of {}; {}", size(self.bytes), self.advice);
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    }
}

/// A number of bytes as people write it: `64 MiB`.
pub fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let fits = units.into_iter().find(|(shift, _)| bytes >= 1 << shift && bytes.trailing_zeros() >= *shift);
    fits.map_or_else(|| format!("{bytes} bytes"), |(shift, unit)| format!("{} {unit}", bytes >> shift))
}

/// Reads a file as a whole.
///
/// # Errors
/// What the operating system says; what [`open`] refuses; a file larger than the limit.
pub fn read(path: &Path, limit: &Limit) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fill(open(path)?, limit, &mut bytes)?;
    Ok(bytes)
}

/// Reads all of `from` into `buffer`, up to the limit.
///
/// # Errors
/// What the operating system says, and more bytes than the limit; the buffer is empty then.
pub fn fill(from: impl Read, limit: &Limit, buffer: &mut Vec<u8>) -> io::Result<()> {
    from.take(limit.bytes.saturating_add(1)).read_to_end(buffer)?;
    if buffer.len() as u64 > limit.bytes {
        buffer.clear();
        return Err(limit.exceeded());
    }
    Ok(())
}

/// Opens a file for reading. Named pipes, sockets and devices are refused, since reading one may never end; those that
/// the process was started with (`/dev/stdin`, `/dev/fd/3`, as shells write `<(…)`) and `/dev/null` are read.
///
/// # Errors
/// What the operating system says, and the kind of file that is refused.
pub fn open(path: &Path) -> io::Result<File> {
    if is_inherited(path) {
        return File::open(path);
    }
    verify(&fs::metadata(path)?, path)?;
    let file = open_without_waiting(path)?;
    // The path may lead elsewhere by now.
    verify(&file.metadata()?, path)?;
    Ok(file)
}

fn verify(metadata: &Metadata, path: &Path) -> io::Result<()> {
    match special_kind(metadata).filter(|_| path != Path::new("/dev/null")) {
        None => Ok(()),
        Some(what) => Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{what}, not a file"))),
    }
}

/// What a path is that is no file to read: `a named pipe`.
pub fn special_kind(metadata: &Metadata) -> Option<&'static str> {
    if metadata.is_file() {
        return None;
    }
    if metadata.is_dir() {
        return Some("a folder");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    Some("a device")
}

/// Whether a path names what the process was started with rather than a file.
pub fn is_inherited(path: &Path) -> bool {
    let Some(text) = path.to_str().filter(|_| cfg!(unix)) else { return false };
    let number = ["/dev/fd/", "/proc/self/fd/"].iter().find_map(|folder| text.strip_prefix(folder));
    text == "/dev/stdin" || number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Writes a file so that a reader sees the old content or the new, never a part: beside it, then renamed. A link is
/// followed, permissions stay as they are. A pipe or a device such as `/dev/stderr` is written to.
///
/// # Errors
/// What the operating system says; the old content is untouched then. A named pipe that nobody reads is refused.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = target(path)?;
    let known = fs::metadata(&target).ok();
    if known.as_ref().is_some_and(|meta| !meta.is_file()) {
        return write_into(&target, bytes);
    }
    let (beside, mut file) = create_beside(&target)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| known.map_or(Ok(()), |meta| fs::set_permissions(&beside, meta.permissions())))
        .and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Where links lead, also one whose file is not there yet.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(target) => Ok(target),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Err(_) => match fs::read_link(path) {
            Ok(link) => Ok(path.parent().unwrap_or(Path::new("")).join(link)),
            Err(_) => Ok(path.to_owned()),
        },
    }
}

fn write_into(target: &Path, bytes: &[u8]) -> io::Result<()> {
    // A pipe without a reader refuses this one; with one, the next does not wait.
    #[cfg(unix)]
    let _reader = {
        use std::os::unix::fs::OpenOptionsExt;
        let opened = OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(target);
        opened.map_err(|error| match error.raw_os_error() {
            Some(libc::ENXIO) => io::Error::new(io::ErrorKind::NotConnected, "a pipe or socket that nobody reads"),
            _ => error,
        })?
    };
    OpenOptions::new().write(true).open(target)?.write_all(bytes)
}

/// A new file in the folder of another, whose name says whose it is.
fn create_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    if target.file_name().is_none() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let beside = target.with_file_name(format!(".sandbox-lint.{}.{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Limit = Limit { bytes: 4, advice: "raise it" };

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "four").unwrap();
        assert_eq!(read(&path, &SMALL).unwrap(), b"four");
        fs::write(&path, "five!").unwrap();
        assert_eq!(read(&path, &SMALL).unwrap_err().to_string(), "larger than the limit of 4 bytes; raise it");
    }

    #[test]
    fn sizes_read_well() {
        for (bytes, text) in [(64 << 20, "64 MiB"), (1 << 30, "1 GiB"), (1536 << 10, "1536 KiB"), (1000, "1000 bytes")]
        {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        write(&path, b"one").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions.clone()).unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions(), permissions);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_name_as_long_as_can_be_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x".repeat(255));
        write(&path, b"one").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_when_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("real", at("link")).unwrap();
        std::os::unix::fs::symlink("loop", at("loop")).unwrap();
        write(&at("link"), b"one").unwrap();
        write(&at("link"), b"two").unwrap();
        assert_eq!(fs::read(at("real")).unwrap(), b"two");
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert!(write(&at("loop"), b"one").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for (path, words) in [
            (socket.as_path(), "a socket, not a file"),
            (folder.path(), "a folder, not a file"),
            (Path::new("/dev/zero"), "a device, not a file"),
        ] {
            assert_eq!(read(path, &SMALL).unwrap_err().to_string(), words);
        }
        assert_eq!(read(Path::new("/dev/null"), &SMALL).unwrap(), b"");
        assert!(is_inherited(Path::new("/dev/fd/63")) && !is_inherited(Path::new("/dev/fd/../zero")));
    }
}
