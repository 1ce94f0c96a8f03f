//! A lock on an output folder. The system releases it when the process ends, however it ends.

#![expect(unsafe_code, reason = "asks the system")]

use crate::EngineError;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;

/// Errors of file systems without locks; parallel file systems are often mounted without.
const NO_LOCKS: [i32; 3] = [libc::ENOSYS, libc::EOPNOTSUPP, libc::ENOLCK];

/// Locks the folder until it is dropped, if the file system has locks.
pub struct Lock {
    _file: File,
}

impl Lock {
    pub fn take(folder: &Path) -> Result<Self, EngineError> {
        let path = folder.join(".lock");
        let file = File::create(&path).map_err(EngineError::io(&path))?;
        // SAFETY: the descriptor is open for as long as `file` lives.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
            return Ok(Self { _file: file });
        }
        let error = std::io::Error::last_os_error();
        if error.kind() == std::io::ErrorKind::WouldBlock {
            return Err(EngineError::Locked(folder.to_path_buf()));
        }
        if error.raw_os_error().is_some_and(|code| NO_LOCKS.contains(&code)) {
            return Ok(Self { _file: file });
        }
        Err(EngineError::Io { path, source: error })
    }
}
