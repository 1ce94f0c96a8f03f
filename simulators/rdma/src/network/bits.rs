//! Sets of small numbers as words of bits, with round-robin search.

#[inline]
pub fn insert(set: &mut [u64], bit: u32) {
    set[(bit / 64) as usize] |= 1 << (bit % 64);
}

#[inline]
pub fn remove(set: &mut [u64], bit: u32) {
    set[(bit / 64) as usize] &= !(1 << (bit % 64));
}

/// The first member of a set of one word from `start` on, around, that is accepted.
#[inline]
pub fn find_in_word(word: u64, start: u32, mut accept: impl FnMut(u32) -> bool) -> Option<u32> {
    let below = (1_u64 << start) - 1;
    for mut members in [word & !below, word & below] {
        while members != 0 {
            let bit = members.trailing_zeros();
            if accept(bit) {
                return Some(bit);
            }
            members &= members - 1;
        }
    }
    None
}

/// The first member from `start` on, around, that is accepted.
#[inline]
pub fn find(set: &[u64], start: u32, mut accept: impl FnMut(u32) -> bool) -> Option<u32> {
    let words = set.len();
    let (first, below) = ((start / 64) as usize, (1_u64 << (start % 64)) - 1);
    for i in 0..=words {
        let word = if first + i < words { first + i } else { first + i - words };
        let mut members = set[word];
        if i == 0 {
            members &= !below;
        } else if i == words {
            members &= below;
        }
        while members != 0 {
            let bit = word as u32 * 64 + members.trailing_zeros();
            if accept(bit) {
                return Some(bit);
            }
            members &= members - 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_goes_around_and_meets_every_member_once() {
        let mut set = [0; 2];
        for bit in [3, 64, 100] {
            insert(&mut set, bit);
        }
        for start in [0, 3, 4, 64, 70, 101, 127] {
            let mut met = Vec::new();
            assert_eq!(
                find(&set, start, |bit| {
                    met.push(bit);
                    false
                }),
                None
            );
            let mut expected = vec![3, 64, 100];
            let turn = expected.iter().filter(|&&bit| bit < start).count();
            expected.rotate_left(turn);
            assert_eq!(met, expected);
        }
        assert_eq!(find(&set, 65, |bit| bit < 70), Some(3));
    }
}
