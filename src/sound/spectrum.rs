//! The powers of a sound's frequencies.

use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

/// Computes the spectra of windows of one length.
pub struct Spectrum {
    transform: Arc<dyn RealToComplex<f32>>,
    parts: Vec<Complex<f32>>,
}

impl Spectrum {
    /// For windows of this many samples.
    pub fn of_windows(length: usize) -> Self {
        let transform = RealFftPlanner::new().plan_fft_forward(length);
        let parts = transform.make_output_vec();
        Self { transform, parts }
    }

    /// The powers of the frequencies from 0 to half the sample rate, one more than half the samples
    /// of a window. What is missing in the window counts as silence, and what is too much as not
    /// there. The samples are used up.
    pub fn powers(&mut self, mut window: Vec<f32>) -> impl Iterator<Item = f32> {
        window.resize(self.transform.len(), 0.0);
        // Both have the length that the transform asks for, so this cannot fail.
        let _ = self.transform.process(&mut window, &mut self.parts);
        self.parts.iter().map(|part| part.norm_sqr())
    }
}
