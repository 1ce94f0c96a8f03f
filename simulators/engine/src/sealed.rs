//! What a point's process hands to the one that started it: its program shares that process and can write
//! to every open file of it. So each piece has a seal, made with a key that only the two engines were
//! given, and no file of the results is open where a program runs.

use hmac_sha256::HMAC;
use std::fs::File;
use std::io::{self, Read};

/// Bytes of a seal.
pub const SEAL_BYTES: usize = 32;
/// Bytes of a key.
const KEY_BYTES: usize = 32;

/// What both processes know.
#[derive(Clone)]
pub struct Key([u8; KEY_BYTES]);

impl Key {
    /// A new one.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; KEY_BYTES];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// The key as text, for the pipe between the two.
    pub fn text(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The key of a text; nothing if it is none.
    pub fn of(text: &str) -> Option<Self> {
        let digits = text.trim_end().as_bytes();
        if digits.len() != 2 * KEY_BYTES {
            return None;
        }
        let mut bytes = [0; KEY_BYTES];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

/// Seals pieces of one kind in their order, or checks them: none can be left out, repeated or moved.
pub struct Seals {
    key: Key,
    kind: &'static str,
    number: u64,
}

impl Seals {
    pub fn new(key: &Key, kind: &'static str) -> Self {
        Self { key: key.clone(), kind, number: 0 }
    }

    /// The seal of the next piece, whose content is given in parts.
    pub fn next(&mut self, parts: &[&[u8]]) -> [u8; SEAL_BYTES] {
        let mut mac = HMAC::new(self.key.0);
        mac.update(self.kind);
        mac.update(self.number.to_le_bytes());
        self.number += 1;
        for part in parts {
            mac.update((part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        mac.finalize()
    }

    /// Whether the next piece has this seal.
    pub fn fits(&mut self, parts: &[&[u8]], seal: &[u8]) -> bool {
        self.next(parts) == seal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_of_one_piece_at_one_place_of_one_kind() {
        let key = Key::random().unwrap();
        let first = Seals::new(&key, "a").next(&[b"x", b"yz"]);
        assert!(Seals::new(&key, "a").fits(&[b"x", b"yz"], &first));
        assert!(!Seals::new(&key, "b").fits(&[b"x", b"yz"], &first));
        assert!(!Seals::new(&key, "a").fits(&[b"xy", b"z"], &first));
        assert!(!Seals::new(&Key::random().unwrap(), "a").fits(&[b"x", b"yz"], &first));
        let mut later = Seals::new(&key, "a");
        later.next(&[]);
        assert!(!later.fits(&[b"x", b"yz"], &first));
    }

    #[test]
    fn a_key_survives_as_text() {
        let key = Key::random().unwrap();
        assert_eq!(Key::of(&format!("{}\n", key.text())).map(|key| key.0), Some(key.0));
        for text in ["", "zz", &"g".repeat(64), &"0".repeat(63)] {
            assert!(Key::of(text).is_none());
        }
    }
}
