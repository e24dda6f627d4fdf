//! Which pieces stand on a board that cannot tell them apart.

use shakmaty::{Bitboard, Board, uci::UciMove};

use super::path::Path;
use super::{Reading, Readings, placement_after};

/// The result of identifying the pieces.
pub(super) enum Identified {
    /// The board tells its pieces apart, or the assumed placement may be right.
    AsShown,
    /// This placement stands there: it was announced, or no other move fits.
    Known(Board),
    /// This placement stands there, and an earlier promotion was to another piece.
    Otherwise(Box<Path>, Board),
    /// These moves look the same.
    Ambiguous(Vec<UciMove>),
}

/// What the sensors read, and what is known besides.
pub(super) struct Sight<'a> {
    pub(super) path: &'a Path,
    pub(super) sensors: &'a Readings,
    /// The assumed placement, by the order in which pieces were lifted and placed.
    pub(super) shown: &'a Board,
    pub(super) announced: &'a [UciMove],
    /// Squares that have changed since a known position stood there.
    pub(super) disturbed: Bitboard,
    /// Whether the clock was pressed, so that a move has been made.
    pub(super) is_pressed: bool,
}

impl Sight<'_> {
    /// Identifies the pieces by the announcement, or else by the only legal move that fits. A
    /// capture that looks like another one fits only if its square was emptied, or on a press if no
    /// other was.
    pub(super) fn identify(&self) -> Identified {
        let knows_all = |reading| matches!(reading, Reading::Piece(_) | Reading::Empty);
        if self.sensors.iter().all(|(_, reading)| knows_all(reading)) {
            return Identified::AsShown;
        }
        let tip = self.path.tip();
        if let Some(witnessed) = self.witnessed() {
            return Identified::Known(witnessed);
        }
        let is_child = tip.children().any(|(_, board)| board == *self.shown);
        if self.sensors.fit(self.shown) && (is_child || self.shown == tip.board()) {
            return Identified::AsShown;
        }
        if self.sensors.fit(tip.board()) {
            return Identified::Known(tip.board().clone());
        }
        self.only_move()
    }

    fn witnessed(&self) -> Option<Board> {
        let nodes = [Some(self.path.tip()), self.path.before_tip()];
        self.announced.iter().rev().find_map(|&announced| {
            let mut after = nodes
                .into_iter()
                .flatten()
                .filter_map(|node| placement_after(node.board(), announced));
            after.find(|after| self.sensors.fit(after))
        })
    }

    fn only_move(&self) -> Identified {
        let fitting = self.fitting(self.path);
        let sure = self.sure(self.path, &fitting);
        // A completely seen move is likelier than another.
        if sure.is_empty()
            && let Some(otherwise) = self.promoted_otherwise()
        {
            return otherwise;
        }
        match (&sure[..], &fitting[..]) {
            ([(_, board)], _) => Identified::Known(board.clone()),
            ([], [(_, board)]) if self.is_pressed => Identified::Known(board.clone()),
            ([], []) => Identified::AsShown,
            (several, _) if self.is_pressed => {
                let several = if several.is_empty() {
                    &fitting
                } else {
                    several
                };
                let moves = several.iter().map(|(played, _)| *played).collect();
                Identified::Ambiguous(moves)
            }
            _ => Identified::AsShown,
        }
    }

    /// Checks whether an unannounced promotion shows only now which piece it was to.
    fn promoted_otherwise(&self) -> Option<Identified> {
        self.path.promoted_otherwise().find_map(|path| {
            let fitting = self.fitting(&path);
            let sure = self.sure(&path, &fitting);
            let [(_, board)] = &sure[..] else { return None };
            Some(Identified::Otherwise(Box::new(path), board.clone()))
        })
    }

    /// The legal moves that fit the readings.
    fn fitting(&self, path: &Path) -> Vec<(UciMove, Board)> {
        let children = path.tip().children();
        children
            .filter(|(_, board)| self.sensors.fit(board))
            .collect()
    }

    /// Those of them that were seen completely.
    fn sure(&self, path: &Path, fitting: &[(UciMove, Board)]) -> Vec<(UciMove, Board)> {
        let is_emptied = |(played, _): &&(UciMove, Board)| {
            let UciMove::Normal { to, .. } = played else {
                return false;
            };
            path.tip().board().piece_at(*to).is_none() || self.disturbed.contains(*to)
        };
        fitting.iter().filter(is_emptied).cloned().collect()
    }
}
