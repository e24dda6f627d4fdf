//! The network in a model's `am/final.mdl`: its layers, read from the file and written back into
//! it.
//!
//! The file is Kaldi's (nnet3). All of it but the weights and biases of the layers is left as it
//! is.

use std::ops::Range;

use ndarray::{Array1, Array2, Axis};

use super::mel::BINS;

/// The share of a layer's input that goes past it.
pub(super) const SKIP: f32 = 0.66;
/// Answers are given for every third frame.
pub(super) const STRIDE: usize = 3;

/// What keeps a file from being tuned: what is missing in it, or is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the network cannot be tuned: {0}")]
pub struct NotTunable(pub String);

/// Weights and bias of a layer, with one row of weights for each value that comes out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Affine {
    pub(super) weights: Array2<f32>,
    pub(super) bias: Array1<f32>,
}

/// A pair of layers with few values between them, and how many answers before and after its own it
/// looks at.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) narrow: Affine,
    pub(super) wide: Affine,
}

/// A network with its layers in the order in which they are applied.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    pub(super) first: Affine,
    pub(super) pairs: Vec<Pair>,
    pub(super) last: Affine,
    pub(super) out: Affine,
}

impl Network {
    /// How many frames to both sides of its own the first layer sees.
    pub(super) fn reach(&self) -> usize {
        (self.first.weights.ncols() / BINS).saturating_sub(1) / 2
    }

    pub(super) fn layers(&self) -> impl Iterator<Item = (String, &Affine)> {
        let pairs = self.pairs.iter().enumerate().flat_map(|(number, pair)| {
            [
                (format!("narrow{number}"), &pair.narrow),
                (format!("wide{number}"), &pair.wide),
            ]
        });
        let first = std::iter::once(("first".to_owned(), &self.first));
        let ends = [("last", &self.last), ("out", &self.out)];
        first
            .chain(pairs)
            .chain(ends.map(|(name, it)| (name.to_owned(), it)))
    }

    /// Says what does not fit together in it.
    fn check(&self, outputs: usize) -> Result<(), NotTunable> {
        let size = self.first.bias.len();
        let reach = self.reach();
        let is_window = self.first.weights.ncols() == (2 * reach + 1) * BINS;
        let fits = self.pairs.iter().all(|pair| {
            let narrow = pair.narrow.weights.dim();
            narrow.1 == 3 * size && pair.wide.weights.dim() == (size, narrow.0)
        });
        let ends = self.last.weights.ncols() == size
            && self.out.weights.dim() == (outputs, self.last.weights.nrows());
        if is_window && fits && ends {
            Ok(())
        } else {
            Err(NotTunable("its layers do not fit together".to_owned()))
        }
    }
}

/// The networks of a file that answers with the mean of theirs, each with what its layers' names
/// begin with. Each gives so many `outputs`.
pub(super) fn read(file: &[u8], outputs: usize) -> Result<Vec<(String, Network)>, NotTunable> {
    let is_joined = position(file, b"<ComponentName> a_narrow0 ").is_some();
    let prefixes: &[&str] = if is_joined { &["a_", "b_"] } else { &[""] };
    let read = |prefix: &&str| {
        let network = network(file, prefix)?;
        network.check(outputs)?;
        Ok(((*prefix).to_owned(), network))
    };
    prefixes.iter().map(read).collect()
}

/// The file with these networks instead of its own, with weights of 16 bits.
pub(super) fn written(file: &[u8], networks: &[(String, Network)]) -> Result<Vec<u8>, NotTunable> {
    let mut parts: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
    for (prefix, network) in networks {
        for (name, affine) in network.layers() {
            let place = Place::find(file, &format!("{prefix}{name}"))?;
            parts.push((place.span(), bytes(affine)));
        }
    }
    parts.sort_by_key(|(span, _)| span.start);
    let mut new = Vec::new();
    let mut at = 0;
    for (span, bytes) in parts {
        new.extend_from_slice(file.get(at..span.start).unwrap_or_default());
        new.extend(bytes);
        at = span.end;
    }
    new.extend_from_slice(file.get(at..).unwrap_or_default());
    Ok(new)
}

fn network(file: &[u8], prefix: &str) -> Result<Network, NotTunable> {
    let layer = |name: &str| Place::find(file, &format!("{prefix}{name}"))?.affine(file);
    let mut pairs = Vec::new();
    loop {
        let name = format!("{prefix}narrow{}", pairs.len());
        let component = format!("<ComponentName> {name} ");
        if position(file, component.as_bytes()).is_none() {
            break;
        }
        let [before, after] = looks(file, &name)?;
        pairs.push(Pair {
            before,
            after,
            narrow: layer(&format!("narrow{}", pairs.len()))?,
            wide: layer(&format!("wide{}", pairs.len()))?,
        });
    }
    if pairs.is_empty() {
        return Err(NotTunable("it is none of annexd's".to_owned()));
    }
    Ok(Network {
        first: layer("first")?,
        pairs,
        last: layer("last")?,
        out: layer("out")?,
    })
}

/// No layer looks further than this, in frames.
const FURTHEST: isize = 100;

/// How many answers before and after its own a layer looks at, from the line that joins them:
/// `Append(Offset(x, -3), x, Offset(x, 6))`, in frames.
fn looks(file: &[u8], name: &str) -> Result<[usize; 2], NotTunable> {
    let unknown = || NotTunable(format!("what {name} looks at"));
    let start = format!("component-node name={name} ");
    let at = position(file, start.as_bytes()).ok_or_else(unknown)?;
    let line = file.get(at..).unwrap_or_default();
    let end = line
        .iter()
        .position(|&it| it == b'\n')
        .unwrap_or(line.len());
    let line = String::from_utf8_lossy(line.get(..end).unwrap_or_default());
    let numbers = line.split(['(', ',', ')', ' ']);
    let numbers: Vec<isize> = numbers.filter_map(|it| it.parse().ok()).collect();
    match numbers[..] {
        [before, after] if (-FURTHEST..0).contains(&before) && (1..=FURTHEST).contains(&after) => {
            Ok([before, after].map(|it| it.unsigned_abs() / STRIDE))
        }
        _ => Err(unknown()),
    }
}

/// Where the weights and the bias of a layer stand in a file.
struct Place {
    /// Of the matrix with its head.
    matrix: Range<usize>,
    bits: usize,
    rows: usize,
    columns: usize,
    least: f32,
    spread: f32,
    /// Of the numbers of the bias.
    bias: Range<usize>,
}

/// The length of a matrix' head behind its name: the least value, the spread, rows and columns.
const HEAD: usize = 16;
const NAME: usize = 4;
const BIAS: &[u8] = b"<BiasParams> FV \x04";

impl Place {
    fn find(file: &[u8], name: &str) -> Result<Self, NotTunable> {
        let odd = || NotTunable(format!("layer {name}"));
        let component = format!("<ComponentName> {name} ");
        let at = position(file, component.as_bytes()).ok_or_else(odd)?;
        let weights = b"<LinearParams> ";
        let within = position(file.get(at..).ok_or_else(odd)?, weights).ok_or_else(odd)?;
        let start = at + within + weights.len();
        let bits = match file.get(start..start + NAME) {
            Some(b"CM3 ") => 8,
            Some(b"CM2 ") => 16,
            _ => return Err(odd()),
        };
        let number = |place: usize| {
            let bytes = file.get(place..place + 4).ok_or_else(odd)?;
            Ok(<[u8; 4]>::try_from(bytes).unwrap_or_default())
        };
        let size = |place: usize| {
            let size = i32::from_le_bytes(number(place)?);
            usize::try_from(size).map_err(|_| odd())
        };
        let head = start + NAME;
        let (rows, columns) = (size(head + 8)?, size(head + 12)?);
        let numbers = rows.checked_mul(columns).ok_or_else(odd)?;
        let end = numbers
            .checked_mul(bits / 8)
            .and_then(|it| it.checked_add(head + HEAD))
            .filter(|&it| it <= file.len())
            .ok_or_else(odd)?;
        if file.get(end..end + BIAS.len()) != Some(BIAS) || size(end + BIAS.len())? != rows {
            return Err(odd());
        }
        let bias = end + BIAS.len() + 4;
        let place = Self {
            matrix: start..end,
            bits,
            rows,
            columns,
            least: f32::from_le_bytes(number(head)?),
            spread: f32::from_le_bytes(number(head + 4)?),
            bias: bias..bias + 4 * rows,
        };
        let are_numbers = place.least.is_finite() && place.spread.is_finite();
        if are_numbers && place.bias.end <= file.len() {
            Ok(place)
        } else {
            Err(odd())
        }
    }

    const fn span(&self) -> Range<usize> {
        self.matrix.start..self.bias.end
    }

    fn affine(&self, file: &[u8]) -> Result<Affine, NotTunable> {
        let packed = file.get(self.matrix.clone()).unwrap_or_default();
        let packed = packed.get(NAME + HEAD..).unwrap_or_default();
        let step = self.spread / ((1_u32 << self.bits) - 1) as f32;
        let value = |steps: u16| self.least + step * f32::from(steps);
        let weights: Vec<f32> = if self.bits == 8 {
            packed.iter().map(|&it| value(it.into())).collect()
        } else {
            let pairs = packed.as_chunks::<2>().0.iter();
            pairs.map(|&it| value(u16::from_le_bytes(it))).collect()
        };
        let bias = file.get(self.bias.clone()).unwrap_or_default();
        let bias = bias.as_chunks::<4>().0.iter();
        let bias: Vec<f32> = bias.map(|&it| f32::from_le_bytes(it)).collect();
        if !bias.iter().all(|it| it.is_finite()) {
            return Err(NotTunable("a bias is no number".to_owned()));
        }
        let weights = Array2::from_shape_vec((self.rows, self.columns), weights);
        Ok(Affine {
            weights: weights.map_err(|why| NotTunable(why.to_string()))?,
            bias: bias.into(),
        })
    }
}

/// A layer as it stands in a file, with weights of 16 bits: the steps of the tuning are smaller
/// than those of 8.
fn bytes(affine: &Affine) -> Vec<u8> {
    const STEPS: f32 = 65_535.0;
    let (least, greatest) = affine
        .weights
        .iter()
        .fold((f32::MAX, f32::MIN), |(least, greatest), &it| {
            (least.min(it), greatest.max(it))
        });
    let spread = (greatest - least).max(1e-5);
    let mut bytes = b"CM2 ".to_vec();
    bytes.extend([least, spread].iter().flat_map(|it| it.to_le_bytes()));
    let size = [
        affine.weights.len_of(Axis(0)),
        affine.weights.len_of(Axis(1)),
    ];
    bytes.extend(size.iter().flat_map(|&it| (it as i32).to_le_bytes()));
    bytes.extend(affine.weights.iter().flat_map(|&it| {
        let steps = ((it - least) / spread * STEPS).round();
        (steps as u16).to_le_bytes()
    }));
    bytes.extend(BIAS);
    bytes.extend((affine.bias.len() as i32).to_le_bytes());
    bytes.extend(affine.bias.iter().flat_map(|it| it.to_le_bytes()));
    bytes
}

fn position(bytes: &[u8], part: &[u8]) -> Option<usize> {
    // A part begins with a sign that is rare, so that this is fast enough.
    let first = part.first()?;
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|it| it == first)?;
        if bytes.get(at..)?.starts_with(part) {
            return Some(at);
        }
        at += 1;
    }
}
