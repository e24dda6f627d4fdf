//! Mutations of bytes, the same for the same seed.

/// Changes what it was given, a little or much.
pub(crate) struct Mutator {
    state: u64,
    stock: Vec<Vec<u8>>,
}

/// Bytes that readers take for something special.
const SPECIAL: &[u8] = b"\0\xff\x7f\x80\n\r\t \"'\\{}[]()<>#:;,.=-+*/0189eExXaA";

/// Larger than any real input, so that growth has an end.
const LENGTH_MAX: usize = 64 << 10;

impl Mutator {
    pub(crate) fn new(seed: u64, stock: Vec<Vec<u8>>) -> Self {
        assert!(!stock.is_empty(), "something to mutate");
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            stock,
        }
    }

    fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.random() % limit.max(1) as u64) as usize
    }

    /// The next input.
    pub(crate) fn next(&mut self) -> Vec<u8> {
        let which = self.below(self.stock.len());
        let mut bytes = self.stock[which].clone();
        // Mostly few changes, that go deep into a reader; sometimes many.
        let changes = match self.below(10) {
            0 => self.below(64),
            1 | 2 => self.below(12),
            _ => 1 + self.below(3),
        };
        for _ in 0..changes {
            self.change(&mut bytes);
        }
        bytes.truncate(LENGTH_MAX);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        let end = (at + 1 + self.below(24)).min(bytes.len());
        let start = at.min(end);
        match self.below(11) {
            0 if !bytes.is_empty() => bytes[at.min(end - 1)] ^= 1 << (self.random() % 8),
            1 if !bytes.is_empty() => bytes[at.min(end - 1)] = self.random() as u8,
            2 => {
                bytes.drain(start..end);
            }
            3 => {
                let part = bytes[start..end].to_vec();
                let to = self.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            4 => {
                let special = SPECIAL[self.below(SPECIAL.len())];
                bytes.insert(at, special);
            }
            5 => bytes.truncate(at),
            6 => self.splice(bytes, at),
            7 => self.change_number(bytes, at),
            8 => self.swap_lines(bytes),
            9 => {
                let byte = SPECIAL[self.below(SPECIAL.len())];
                let count = 1 << self.below(12);
                bytes.splice(at..at, std::iter::repeat_n(byte, count));
            }
            _ => {
                let length = self.below(9);
                let random: Vec<u8> = (0..length).map(|_| self.random() as u8).collect();
                bytes.splice(start..end, random);
            }
        }
    }

    /// Puts a part of another input in.
    fn splice(&mut self, bytes: &mut Vec<u8>, at: usize) {
        let which = self.below(self.stock.len());
        let start = self.below(self.stock[which].len());
        let length = self.below(200);
        let other = &self.stock[which];
        let part = other[start..(start + length).min(other.len())].to_vec();
        bytes.splice(at..at, part);
    }

    /// Makes the next number after a place another one.
    fn change_number(&mut self, bytes: &mut Vec<u8>, at: usize) {
        const NUMBERS: [&str; 9] = [
            "0",
            "-1",
            "255",
            "65536",
            "4294967295",
            "18446744073709551615",
            "1e308",
            "00000000000000000000000000000001",
            "",
        ];
        let Some(from) = bytes[at..].iter().position(u8::is_ascii_digit) else {
            return;
        };
        let from = at + from;
        let digits = bytes[from..].iter().take_while(|it| it.is_ascii_digit());
        let to = from + digits.count();
        let number = NUMBERS[self.below(NUMBERS.len())];
        bytes.splice(from..to, number.bytes());
    }

    fn swap_lines(&mut self, bytes: &mut Vec<u8>) {
        let mut lines: Vec<Vec<u8>> = bytes.split(|it| *it == b'\n').map(<[u8]>::to_vec).collect();
        let (one, other) = (self.below(lines.len()), self.below(lines.len()));
        match self.below(3) {
            0 => lines.swap(one, other),
            1 => lines[one] = lines[other].clone(),
            _ => {
                lines.remove(one);
            }
        }
        *bytes = lines.join(&b'\n');
    }
}
