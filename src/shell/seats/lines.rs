//! Limits how fast lines may be typed in one place.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use super::bucket::Bucket;
use crate::moment::Moment;

/// How many lines may be typed at once: far more than anybody types.
pub(super) const LINES: u32 = 200;

/// The interval after which one more line may be typed.
const ONE_MORE_LINE: Duration = Duration::from_secs(1);

/// A line repeated this often, each time soon after the last, is left out.
const ALIKE: u32 = 4;

/// How soon that is: as fast as a stuck key types, and faster than a person types line by line.
const SOON: Duration = Duration::from_millis(500);

/// The lines typed in one place.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    bucket: Bucket,
    /// A hash of the last line, which may have contained a PIN; when it came, and how many times in
    /// a row.
    last: (u64, Moment, u32),
    left_out: u64,
    /// When anything may be reported about it again.
    due: Moment,
}

impl Lines {
    /// Nothing yet.
    pub(super) const fn new() -> Self {
        Self {
            bucket: Bucket::new(LINES, ONE_MORE_LINE),
            last: (0, Moment::START, 0),
            left_out: 0,
            due: Moment::START,
        }
    }

    /// Whether one more line is taken. Lines left out are counted.
    pub(super) fn may_type(&mut self, now: Moment, line: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        line.hash(&mut hasher);
        let this = hasher.finish();
        let (last, at, times) = self.last;
        let is_again = last == this && now.since(at) < SOON;
        let times = if is_again { times + 1 } else { 1 };
        self.last = (this, now, times);
        let is_taken = times < ALIKE && self.bucket.take(now).is_ok();
        self.left_out += u64::from(!is_taken);
        is_taken
    }

    /// How many lines were left out, if that has to be reported now. The next report comes after a
    /// while.
    pub(super) fn news(&mut self, now: Moment, quiet: Duration) -> Option<u64> {
        if self.left_out == 0 || now < self.due {
            return None;
        }
        self.due = now + quiet;
        Some(std::mem::take(&mut self.left_out))
    }

    /// When there will be news, if anything has to be reported.
    pub(super) fn due(&self) -> Option<Moment> {
        (self.left_out > 0).then_some(self.due)
    }
}
