//! The time before a game: an opponent is searched for, challenged or waited for. Pure: events of
//! the server and the player go in, phrases and requests come out.

use std::collections::{BTreeSet, VecDeque};

use annexd::clock::TimeControl;
use annexd::phrases::{Argument, Phrase, PhraseKey};
use annexd::set_up::Reply;
use annexd::shell::practice::elsewhere::Meeting;
use shakmaty::Color;

use super::net::Answer;
use super::pace::when_busy;
use super::wire::{self, Challenge, Event, Going, Request};

/// How many units after the end of a search a game may still begin.
const STILL_BEGINS: u32 = 5;

/// An order of the lobby.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LobbyAction {
    /// Say this.
    Say(Phrase),
    /// Send one request.
    Ask(Request),
    /// Read the player's events from now on.
    Listen,
    /// Keep a search or challenge open.
    Search(Request),
    /// Try the same again after so many units. Without a number the server is lost, and that is
    /// said.
    Again(Asked, Option<u32>),
    /// Take up the game that was found.
    Meet(Going),
    /// Leave, with the reason if it is not the player's wish.
    Leave(Option<Fail>),
}

/// Why it cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fail {
    /// The server refuses the key.
    NotLetIn,
    /// There is no such player.
    NoSuchPlayer,
}

/// The request that an answer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Account,
    Events,
    Search,
    Another,
}

/// The state while an opponent is waited for.
#[derive(Debug)]
pub(super) struct Lobby {
    meeting: Meeting,
    /// The server's id of this player.
    own: String,
    is_listening: bool,
    is_searching: bool,
    /// Whether a yes searches again.
    may_search_again: bool,
    /// Whether the event stream was lost and is not open again.
    is_lost: bool,
    /// The challengers who wait for an answer. The first was asked about.
    challenges: VecDeque<Challenge>,
    answered: BTreeSet<String>,
    /// Whether a challenge is being accepted. Its game is about to begin.
    is_accepting: bool,
    is_over: bool,
}

impl Lobby {
    /// Makes a lobby in which nothing has happened.
    pub(super) fn new(meeting: Meeting) -> Self {
        Self {
            meeting,
            own: String::new(),
            is_listening: false,
            is_searching: false,
            may_search_again: false,
            is_lost: false,
            challenges: VecDeque::new(),
            answered: BTreeSet::new(),
            is_accepting: false,
            is_over: false,
        }
    }

    /// Returns the first orders.
    pub(super) fn begin(&self) -> Vec<LobbyAction> {
        vec![
            say(PhraseKey::LobbyConnects, []),
            LobbyAction::Ask(Request::Account),
        ]
    }

    /// Handles the opening of the event stream. Only now can no game be missed.
    pub(super) fn on_stream_open(&mut self) -> Vec<LobbyAction> {
        let was_lost = std::mem::take(&mut self.is_lost);
        let mut actions = Vec::new();
        if was_lost {
            actions.push(say(PhraseKey::ServerBack, []));
        }
        if !std::mem::replace(&mut self.is_listening, true) || was_lost {
            actions.extend(self.search());
        }
        actions
    }

    /// Begins a search, and says for what.
    fn search(&mut self) -> Vec<LobbyAction> {
        self.may_search_again = false;
        let request = self.request();
        let mut actions = self.ask_for_answer();
        if let Some(request) = request.filter(|_| !self.is_searching) {
            self.is_searching = true;
            actions.push(LobbyAction::Search(request));
        }
        actions
    }

    fn waits_for(&self) -> Phrase {
        let time = Argument::Allotment(self.meeting.time.clone());
        match &self.meeting.friend {
            Some(friend) => {
                let friend = Argument::Text(friend.clone());
                Phrase::new(PhraseKey::LobbyChallenges, [friend, time])
            }
            None if self.meeting.seeks => Phrase::new(PhraseKey::LobbySeeks, [time]),
            None => PhraseKey::LobbyWaits.into(),
        }
    }

    fn request(&self) -> Option<Request> {
        let period = self.meeting.time.periods().first()?;
        let (time, bonus) = (period.time.as_secs(), period.bonus.time().as_secs());
        let color = match self.meeting.colour {
            Some(Color::White) => "white",
            Some(Color::Black) => "black",
            None => "random",
        };
        let mut form = vec![("rated", "false".to_owned())];
        if let Some(friend) = &self.meeting.friend {
            form.extend([
                ("clock.limit", time.to_string()),
                ("clock.increment", bonus.to_string()),
                ("color", color.to_owned()),
                ("variant", "standard".to_owned()),
                ("keepAliveStream", "true".to_owned()),
            ]);
            return Some(Request::Challenge(friend.clone(), form));
        }
        if !self.meeting.seeks {
            return None;
        }
        form.extend([
            ("time", (time / 60).to_string()),
            ("increment", bonus.to_string()),
            ("variant", "standard".to_owned()),
        ]);
        if self.meeting.colour.is_some() {
            form.push(("color", color.to_owned()));
        }
        Some(Request::Seek(form))
    }

    /// Handles an event of the server.
    pub(super) fn on_event(&mut self, event: Event) -> Vec<LobbyAction> {
        if self.is_over {
            return Vec::new();
        }
        match event {
            Event::GameGoesOn(going) if going.is_for_boards => {
                self.is_over = true;
                vec![LobbyAction::Meet(going)]
            }
            Event::Challenge(challenge) => self.is_challenged(challenge),
            Event::Withdrawn(id) => self.is_withdrawn(&id),
            Event::Declined(by) => self.is_declined(&by),
            _ => Vec::new(),
        }
    }

    /// Handles a declined challenge. It is told even if the player himself has declined it.
    fn is_declined(&mut self, by: &str) -> Vec<LobbyAction> {
        let friend = self.meeting.friend.as_ref();
        let Some(friend) = friend.filter(|it| it.eq_ignore_ascii_case(by)) else {
            return Vec::new();
        };
        self.is_searching = false;
        self.may_search_again = true;
        vec![say(
            PhraseKey::LobbyDeclines,
            [Argument::Text(friend.clone())],
        )]
    }

    fn is_challenged(&mut self, challenge: Challenge) -> Vec<LobbyAction> {
        let is_own = challenge.by == self.own;
        if is_own || !self.answered.insert(challenge.id.clone()) {
            return Vec::new();
        }
        if !challenge.is_playable || time_of(&challenge).is_none() {
            let by = Argument::Text(challenge.name);
            return vec![say(PhraseKey::LobbyNotPlayed, [by])];
        }
        self.challenges.push_back(challenge);
        match self.challenges.len() {
            1 if !self.is_accepting => self.ask_for_answer(),
            _ => Vec::new(),
        }
    }

    fn ask_for_answer(&self) -> Vec<LobbyAction> {
        let Some(challenge) = self.challenges.front() else {
            return vec![LobbyAction::Say(self.waits_for())];
        };
        let mut actions = Vec::new();
        if challenge.is_rated {
            actions.push(say(PhraseKey::LobbyRated, []));
        }
        let by = Argument::Text(challenge.name.clone());
        let time = time_of(challenge).map(Argument::Allotment);
        let said = [Some(by), time].into_iter().flatten();
        actions.push(say(PhraseKey::LobbyAsks, said));
        actions
    }

    fn is_withdrawn(&mut self, id: &str) -> Vec<LobbyAction> {
        let was_asked = self.challenges.front().is_some_and(|it| it.id == id);
        self.challenges.retain(|it| it.id != id);
        if !was_asked {
            return Vec::new();
        }
        let mut actions = vec![say(PhraseKey::LobbyWithdrawn, [])];
        actions.extend(self.ask_for_answer());
        actions
    }

    /// Handles an answer of the player.
    pub(super) fn answered(&mut self, reply: &Reply) -> Vec<LobbyAction> {
        if self.is_over {
            return Vec::new();
        }
        if self.is_accepting && *reply != Reply::No {
            // The next challenge was not asked about yet.
            return vec![say(PhraseKey::LobbyAccepted, [])];
        }
        let asked = self.challenges.pop_front();
        match (reply, asked.filter(|_| !self.is_accepting)) {
            (Reply::Yes | Reply::Next, Some(challenge)) => {
                self.is_accepting = true;
                vec![
                    say(PhraseKey::LobbyAccepted, []),
                    LobbyAction::Ask(Request::AcceptChallenge(challenge.id)),
                ]
            }
            (Reply::No, Some(challenge)) => {
                let mut actions = vec![LobbyAction::Ask(Request::DeclineChallenge(challenge.id))];
                actions.extend(self.ask_for_answer());
                actions
            }
            (_, Some(challenge)) => {
                self.challenges.push_front(challenge);
                self.ask_for_answer()
            }
            (Reply::Yes | Reply::Next, None) if self.may_search_again => self.search(),
            (Reply::No, None) => {
                self.is_over = true;
                vec![LobbyAction::Leave(None)]
            }
            (_, None) => vec![LobbyAction::Say(self.waits_for())],
        }
    }

    /// Handles an answer of the server, or the end of a stream.
    pub(super) fn ended(&mut self, asked: Asked, answer: Answer) -> Vec<LobbyAction> {
        if self.is_over {
            return Vec::new();
        }
        match (asked, answer) {
            (_, Answer::NotLetIn) => self.fails(Fail::NotLetIn),
            (Asked::Account, Answer::Done(body)) => {
                let Some((own, name)) = wire::account(&body) else {
                    return self.is_lost(asked, &Answer::Lost);
                };
                self.own = own;
                let said = say(PhraseKey::LobbyConnected, [Argument::Text(name)]);
                vec![said, LobbyAction::Listen]
            }
            (Asked::Account | Asked::Events, answer) => self.is_lost(asked, &answer),
            (Asked::Search, Answer::Unknown) => self.fails(Fail::NoSuchPlayer),
            (Asked::Search, Answer::Done(_)) => {
                self.is_searching = false;
                vec![LobbyAction::Again(asked, Some(STILL_BEGINS))]
            }
            (Asked::Search, Answer::Refused(why)) => {
                self.is_searching = false;
                self.may_search_again = true;
                vec![say(PhraseKey::LobbyRefused, [Argument::Text(why)])]
            }
            (Asked::Search, Answer::Busy(wait)) => {
                self.is_searching = false;
                self.may_search_again = true;
                is_busy(asked, wait)
            }
            (Asked::Search, Answer::Lost) => {
                self.is_searching = false;
                self.may_search_again = true;
                vec![LobbyAction::Again(asked, None)]
            }
            (Asked::Another, Answer::Busy(wait)) => is_busy(asked, wait),
            (Asked::Another, Answer::Refused(_)) => self.is_gone(PhraseKey::ServerRefuses),
            (Asked::Another, Answer::Unknown) => self.is_gone(PhraseKey::LobbyWithdrawn),
            (Asked::Another, Answer::Lost) => vec![LobbyAction::Again(asked, None)],
            (Asked::Another, Answer::Done(_)) => Vec::new(),
        }
    }

    /// Handles that the answered challenge is no longer open, and goes on to the next.
    fn is_gone(&mut self, said: PhraseKey) -> Vec<LobbyAction> {
        self.is_accepting = false;
        let mut actions = vec![say(said, [])];
        actions.extend(self.ask_for_answer());
        actions
    }

    fn fails(&mut self, why: Fail) -> Vec<LobbyAction> {
        self.is_over = true;
        vec![LobbyAction::Leave(Some(why))]
    }

    fn is_lost(&mut self, asked: Asked, answer: &Answer) -> Vec<LobbyAction> {
        // A search is useless while nobody would learn of its success.
        self.is_lost = asked == Asked::Events;
        match answer {
            Answer::Busy(wait) => is_busy(asked, *wait),
            _ => vec![LobbyAction::Again(asked, None)],
        }
    }

    /// Handles the end of a wait: nobody was found, or the search is repeated.
    pub(super) fn on_wait_over(&mut self) -> Vec<LobbyAction> {
        if self.is_over || self.is_searching || !self.challenges.is_empty() {
            return Vec::new();
        }
        if self.may_search_again {
            return self.search();
        }
        self.may_search_again = true;
        vec![say(PhraseKey::LobbyNobody, [])]
    }

    /// Returns what is said when the server is lost for so many seconds.
    pub(super) fn lost(seconds: u32) -> Phrase {
        Phrase::new(PhraseKey::ServerLost, [Argument::Number(seconds)])
    }
}

fn is_busy(asked: Asked, wait: Option<u32>) -> Vec<LobbyAction> {
    let seconds = when_busy(wait);
    let said = say(PhraseKey::ServerBusy, [Argument::Number(seconds)]);
    vec![said, LobbyAction::Again(asked, Some(seconds))]
}

fn say(key: PhraseKey, arguments: impl IntoIterator<Item = Argument>) -> LobbyAction {
    LobbyAction::Say(Phrase::new(key, arguments))
}

fn time_of(challenge: &Challenge) -> Option<TimeControl> {
    let (time, bonus) = challenge.clock?;
    control(time.as_secs(), bonus.as_secs())
}

/// Makes a time control from a time and an increment, in seconds.
pub(super) fn control(time: u64, bonus: u64) -> Option<TimeControl> {
    let time = match time % 60 {
        0 => format!("{}m", time / 60),
        _ => format!("{time}s"),
    };
    let control = match bonus {
        0 => time,
        bonus => format!("{time}+{bonus}s"),
    };
    control.parse().ok()
}

#[cfg(test)]
mod tests;
