//! A place at the table for somebody who needs no console: a program that plays a side.

use std::fmt::Debug;

use crate::game::Game;
use crate::shell::table::Outlet;
use crate::shell::table::inbox::Reports;

/// Somebody who plays without a console. He takes part as everybody does: he sees the game after
/// each thing that happened, and what he does he reports.
pub trait Guest: Debug + Send + Sync {
    /// He sits down to this game, at a table to which this is the way.
    fn sit_down(&self, game: &Game, reports: &Reports) -> Box<dyn Outlet>;

    /// Whether somebody may want to go on with a game that is left, or to look at it.
    fn keeps_game(&self) -> bool {
        true
    }
}
