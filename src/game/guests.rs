//! Who takes part without sitting at the table: a chess program, a teacher, a player elsewhere.
//! What they watch of the players here, and how far they can be reached.

use shakmaty::Color;

use annexd_laws::persons::Sides;

/// The guests of a game. Nothing of it goes back when a decision is taken back.
#[derive(Clone, Debug, Default)]
pub(super) struct Guests {
    /// How many of each player's words and acts were taken.
    acts: Sides<u32>,
    /// Whether a teacher says what to do, in a lesson.
    is_taught: bool,
    /// Whether the server does not answer through which a player elsewhere plays.
    is_server_lost: bool,
    /// Whether the player elsewhere has been gone so long that the game can be claimed.
    is_gone: bool,
}

impl Guests {
    /// A word or an act of this player was taken, whatever comes of it.
    pub(super) fn note_act(&mut self, side: Color) {
        self.acts[side] += 1;
    }

    /// How many of a player's words and acts were taken.
    pub(super) fn acts(&self, side: Color) -> u32 {
        self.acts[side]
    }

    /// From now on a teacher says what to do.
    pub(super) const fn teach(&mut self) {
        self.is_taught = true;
    }

    /// Whether a teacher says what to do.
    pub(super) const fn is_taught(&self) -> bool {
        self.is_taught
    }

    /// The server does not answer, or lets nobody in.
    pub(super) const fn lose_server(&mut self) {
        self.is_server_lost = true;
    }

    /// The server answers again. Returns whether it was lost.
    pub(super) const fn find_server(&mut self) -> bool {
        std::mem::replace(&mut self.is_server_lost, false)
    }

    /// Whether the server does not answer.
    pub(super) const fn is_server_lost(&self) -> bool {
        self.is_server_lost
    }

    /// Notes whether the player elsewhere has been gone so long that the game can be claimed.
    pub(super) const fn note_gone(&mut self, is_gone: bool) {
        self.is_gone = is_gone;
    }

    /// Whether the player elsewhere has been gone so long that the game can be claimed.
    pub(super) const fn is_gone(&self) -> bool {
        self.is_gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_found_once_after_it_was_lost() {
        let mut guests = Guests::default();
        assert!(!guests.find_server());
        guests.lose_server();
        guests.lose_server();
        assert!(guests.is_server_lost());
        assert!(guests.find_server());
        assert!(!guests.find_server());
    }

    #[test]
    fn what_each_player_does_is_counted_by_itself() {
        let mut guests = Guests::default();
        guests.note_act(Color::White);
        guests.note_act(Color::White);
        guests.note_act(Color::Black);
        assert_eq!(
            [Color::White, Color::Black].map(|it| guests.acts(it)),
            [2, 1]
        );
    }
}
