//! A place at the table for a player without a console: a program that plays a side.

use std::fmt::Debug;

use crate::game::Game;
use crate::shell::table::Outlet;
use crate::shell::table::inbox::Reports;

/// A player without a console. Like everybody he sees the game after each event, and reports what
/// he does.
pub trait Guest: Debug + Send + Sync {
    /// Sits down to this game. `reports` is the way to the table.
    fn sit_down(&self, game: &Game, reports: &Reports) -> Box<dyn Outlet>;

    /// Whether somebody may want to resume or look at a game that is left.
    fn keeps_game(&self) -> bool {
        true
    }
}
