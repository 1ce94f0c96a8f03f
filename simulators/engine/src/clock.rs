//! Clocks and memory: CPU time of one thread, peak memory of the process, UTC as text.

#![expect(unsafe_code, reason = "asks the system")]

use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A clock of CPU time.
#[derive(Debug, Clone, Copy)]
pub struct Clock(libc::clockid_t);

/// The clock of the calling thread, which other threads may read as well.
pub fn thread_clock() -> Clock {
    let mut clock = libc::CLOCK_THREAD_CPUTIME_ID;
    // SAFETY: the thread exists, and `clock` is valid for writes. If the call fails, `clock` keeps the
    // clock of whichever thread reads it.
    unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
    Clock(clock)
}

impl Clock {
    /// CPU seconds that the thread has used; 0 if it has ended.
    pub fn seconds(self) -> f64 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a valid timespec that the call only writes.
        unsafe { libc::clock_gettime(self.0, &mut time) };
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    }
}

/// What a computation used.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Usage {
    pub cpu_s: f64,
    pub peak_rss_bytes: u64,
}

impl Usage {
    /// What all threads of this process have used so far, without its children.
    pub fn of_process() -> Self {
        let usage = rusage();
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
        let cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
        Self { cpu_s, peak_rss_bytes: peak_rss_bytes() }
    }
}

/// The largest resident memory of this program so far.
///
/// Linux keeps the `ru_maxrss` of `getrusage` across `exec`, so that a large launcher would hide a small
/// engine. `VmHWM` begins anew with each program.
pub fn peak_rss_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = peak.and_then(|text| text.trim().trim_end_matches("kB").trim().parse().ok());
    kibibytes.map_or_else(largest_rusage_bytes, |kibibytes: u64| kibibytes * 1024)
}

fn largest_rusage_bytes() -> u64 {
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    rusage().ru_maxrss as u64 * unit
}

fn rusage() -> libc::rusage {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is valid for writes, and all-zero bytes are a valid rusage.
    unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    }
}

/// Now, in ISO 8601 with milliseconds.
pub fn utc_now() -> String {
    utc(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO))
}

/// Computes the civil date from the days since 1970, in eras of 400 years that begin in March.
fn utc(since_epoch: Duration) -> String {
    let seconds = since_epoch.as_secs();
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let milliseconds = since_epoch.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peak_memory_grows_with_what_is_used() {
        let before = peak_rss_bytes();
        let used = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(peak_rss_bytes() >= before.max(used.len() as u64));
    }

    #[test]
    fn dates_are_civil_dates_across_leap_years() {
        let date = |seconds| utc(Duration::from_secs(seconds));
        assert_eq!(date(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(date(951_827_696), "2000-02-29T12:34:56.000Z");
        assert_eq!(date(4_107_542_399), "2100-02-28T23:59:59.000Z");
        assert_eq!(date(4_107_542_400), "2100-03-01T00:00:00.000Z");
    }
}
