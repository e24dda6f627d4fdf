//! The way from a device's thread to the table. It never waits.

use crossbeam_channel::{Sender, TrySendError};

use super::table::Report;

/// Sends what one device reports. If the table cannot keep up, reports are left out and counted;
/// the count is reported as soon as there is room.
#[derive(Clone, Debug)]
pub struct Reporter {
    device: String,
    reports: Sender<Report>,
    left_out: u64,
}

impl Reporter {
    /// For a device of this name.
    pub fn new(device: impl Into<String>, reports: Sender<Report>) -> Self {
        Self {
            device: device.into(),
            reports,
            left_out: 0,
        }
    }

    /// Reports something. False if nobody takes reports any more.
    pub fn report(&mut self, report: Report) -> bool {
        if self.left_out > 0 {
            let shed = Report::Shed {
                device: self.device.clone(),
                reports: self.left_out,
            };
            match self.reports.try_send(shed) {
                Ok(()) => self.left_out = 0,
                Err(TrySendError::Full(_)) => {
                    self.left_out += 1;
                    return true;
                }
                Err(TrySendError::Disconnected(_)) => return false,
            }
        }
        match self.reports.try_send(report) {
            Ok(()) => true,
            Err(TrySendError::Full(_)) => {
                self.left_out += 1;
                true
            }
            Err(TrySendError::Disconnected(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_counted_and_told() {
        let (sender, reports) = crossbeam_channel::bounded(2);
        let mut reporter = Reporter::new("board", sender);
        for _ in 0..5 {
            assert!(reporter.report(Report::Leave));
        }
        assert_eq!(reports.try_iter().count(), 2);
        assert!(reporter.report(Report::Leave));
        let told: Vec<Report> = reports.try_iter().collect();
        assert!(
            matches!(&told[..], [Report::Shed { reports: 3, device }, Report::Leave] if device == "board"),
            "{told:?}"
        );
    }
}
