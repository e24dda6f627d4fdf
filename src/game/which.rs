//! What somebody is asked about words that were not certain. First which of two he means: a part of
//! one of them is enough, the square, the file, "short". If a player's words are not certain again,
//! whether he means the likeliest: yes or no.

use std::time::Duration;

use super::Game;
use super::effect::{Earcon, Effect, Priority};
use super::expectation::Form;
use super::phase::Phase;
use annexd_laws::moment::Moment;
use annexd_laws::notation::{Announcement, Command, Part, Said};
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, PhraseKey};
use shakmaty::{ByColor, Color};

/// How long words that were not certain wait to be said again, and a question for its answer.
const AGAIN: Duration = Duration::from_secs(20);

/// How long a yes or no may come too late for what is not asked any more.
const LATE: Duration = Duration::from_secs(10);

/// How many readings a player is asked about, one at a time.
const READINGS_MAX: usize = 4;

/// What is asked about words that were not certain.
#[derive(Clone, Debug, Default)]
pub(super) struct Which {
    asked: Option<Asked>,
    /// What each player may have said into his own microphone.
    doubts: ByColor<Option<(Doubt, Since)>>,
    /// When what each player was asked by yes and no had lapsed, unanswered.
    lapsed: ByColor<Option<Moment>>,
}

/// The two readings between which somebody is to choose.
#[derive(Clone, Debug)]
struct Asked {
    person: Person,
    readings: [Said; 2],
    at: Stage,
}

/// How far the game had come when it was asked. Later nobody answers it any more.
pub(super) type Stage = (Phase, usize);

/// What a player may have said, as long as it is not certain, and what it was not.
#[derive(Clone, Debug, Default)]
struct Doubt {
    /// The readings of his last words.
    last: Vec<Said>,
    /// Those of all his words that he has not denied since, the likeliest first.
    readings: Vec<Said>,
    denied: Vec<Said>,
    /// Whether he is asked about the first reading alone.
    is_asked: bool,
    /// Whether he has denied the last reading that there was.
    was_asked: bool,
    /// His "ja", as long as that is not certain either.
    answer: Option<Command>,
}

/// When a player was asked.
#[derive(Clone, Debug)]
struct Since {
    moment: Moment,
    wanted: Wanted,
    /// How many of his words and acts were taken until then.
    acts: u32,
}

/// What is wanted of a player. Once that changes, nothing is asked about his words any more.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    phase: Phase,
    form: Form,
    /// What the opponent has announced last, which may be to repeat.
    announced: Option<Announcement>,
    /// "Nein" is an answer to that too.
    is_offered_draw: bool,
}

impl Which {
    /// Somebody is asked which of the first two he means, if they are told to him.
    fn ask(&mut self, person: Person, readings: &[Said], at: Stage) {
        let asked = match readings {
            [one @ Said::Move(_), other @ Said::Move(_), ..]
            | [one @ Said::Square(_), other @ Said::Square(_), ..] => Some(Asked {
                person,
                readings: [one, other].map(Clone::clone),
                at,
            }),
            _ => None,
        };
        self.forget(person);
        self.asked = asked.or(self.asked.take());
    }

    /// He has said something else, or done something.
    pub(super) fn forget(&mut self, person: Person) {
        self.asked.take_if(|it| it.person == person);
    }

    /// A player's words were not heeded, and he is told so. That is no answer to a question.
    pub(super) fn was_unheeded(&mut self, side: Color) {
        if let Some((doubt, since)) = self.doubts.get_mut(side)
            && doubt.is_asked
        {
            since.acts = since.acts.saturating_add(1);
            doubt.is_said_between();
        }
    }

    /// Nobody remembers what players may have said.
    pub(super) fn forget_doubts(&mut self) {
        self.doubts = ByColor::default();
    }

    /// Who is asked, and which of the two he means if he names this part.
    fn chosen(&self, part: Part, at: Stage) -> Option<(Person, &Said)> {
        let asked = self.asked.as_ref().filter(|it| it.at == at)?;
        Some((asked.person, part.chosen(&asked.readings)?))
    }
}

impl Doubt {
    /// With what he may have said now. What he has denied comes last: the denial may have been
    /// heard wrong.
    fn with(self, last: Vec<Said>) -> Self {
        let Self {
            readings: before,
            denied,
            was_asked,
            ..
        } = self;
        let moves = || last.iter().filter(|it| is_of_move(it));
        let is_first = before.is_empty() && !was_asked && !moves().any(|it| denied.contains(it));
        let mut all = before.iter().chain(&denied).chain(last.first());
        if is_first || !all.all(is_of_move) {
            let readings = match last.first().is_some_and(is_of_move) {
                true => moves().cloned().collect(),
                false => last.clone(),
            };
            return Self {
                last,
                readings,
                denied,
                ..Self::default()
            };
        }
        // A square behind moves is a part of one of them, which is likelier then, and no move.
        let is_kind = |it: &&Said| match before.first() {
            Some(Said::Move(_)) => matches!(it, Said::Move(_)),
            _ => true,
        };
        let parts: Vec<Part> = match before.first() {
            Some(Said::Move(_)) => last.iter().filter_map(Part::of).collect(),
            _ => Vec::new(),
        };
        let undenied = moves().chain(&before).filter(|it| !denied.contains(it));
        let mut readings: Vec<Said> = Vec::new();
        for reading in undenied.chain(moves()).filter(is_kind) {
            if !readings.contains(reading) && readings.len() < READINGS_MAX {
                readings.push(reading.clone());
            }
        }
        readings.sort_by_key(|it| !parts.iter().any(|part| part.is_of(it)));
        Self {
            is_asked: !readings.is_empty(),
            last,
            readings,
            denied,
            ..Self::default()
        }
    }

    /// Something else was said. Nothing that was not certain counts by being said again then.
    fn is_said_between(&mut self) {
        self.last.clear();
        self.answer = None;
    }

    /// The readings that a part of a move leaves.
    fn with_part(&self, part: Part) -> Vec<Said> {
        let readings = self.readings.iter();
        readings.filter(|it| part.is_of(it)).cloned().collect()
    }
}

impl Game {
    /// Who is being asked which of some moves he means, and the one that this part chooses. `None`
    /// if it chooses none.
    pub fn chosen_by(&self, part: Part) -> Option<(Person, Said)> {
        if let Some((person, said)) = self.docket.which.chosen(part, self.stage()) {
            return Some((person, said.clone()));
        }
        Color::ALL.into_iter().find_map(|side| {
            let (doubt, _) = self.docket.which.doubts.get(side).as_ref()?;
            let mut readings = doubt.with_part(part).into_iter();
            let only = readings
                .next()
                .filter(|_| doubt.is_asked && readings.next().is_none());
            Some((Person::Player(side), only?))
        })
    }

    /// Takes words that were not certain, and asks about them. Returns what counts without a
    /// question: what a player says again into his own microphone, nothing else said in between,
    /// if it has the same only reading as before. If it is a move that has others, he is asked
    /// about one at a time.
    ///
    /// That holds for what is wanted of him next, his announcement, his repetition, and his press
    /// where nothing else is left to do; for "repeat", which changes nothing; and for his answer to
    /// that question. It does not hold for other answers, offers, claims and the like.
    pub(super) fn take_unclear(
        &mut self,
        now: Moment,
        person: Person,
        own: Option<Color>,
        readings: Vec<Said>,
        begun: Option<Moment>,
    ) -> Option<Said> {
        let Some(side) = own.filter(|_| self.holds("said_again")) else {
            self.ask_which(person, &readings);
            return None;
        };
        *self.docket.which.lapsed.get_mut(side) = None;
        let before = match (self.take_doubt(now, side), answer_in(&readings)) {
            (Some((doubt, since)), Some(answer)) if doubt.is_asked => {
                let answer = answer.filter(|_| begun.is_none_or(|begun| begun >= since.moment));
                // "Nein" takes nothing, and needs no certainty.
                if let Some(it) = answer
                    && (it == Command::No || doubt.answer == answer)
                {
                    return self.answered_whether(now, side, it, doubt);
                }
                let last = Vec::new();
                // What is no answer gives no more time.
                let now = if answer.is_some() { now } else { since.moment };
                self.ask_about(
                    now,
                    side,
                    Doubt {
                        answer,
                        last,
                        ..doubt
                    },
                );
                return None;
            }
            (before, _) => before.map(|(doubt, _)| doubt),
        };
        let mut told = readings.iter().take(2);
        if !told.all(|it| self.is_wanted(side, it)) {
            self.ask_which(person, &readings);
            return None;
        }
        let is_same = |doubt: &Doubt| {
            let is_denied = readings.iter().any(|it| doubt.denied.contains(it));
            let is_among = readings.iter().all(|it| doubt.readings.contains(it));
            readings.len() == 1 && doubt.last == readings && is_among && !is_denied
        };
        if before.as_ref().is_some_and(is_same) {
            return readings.into_iter().next();
        }
        let mut doubt = before.unwrap_or_default().with(readings);
        doubt.is_asked &= self.may_ask_whether(side);
        self.ask_about(now, side, doubt);
        None
    }

    /// Asks a player about what he may have said, and remembers it.
    fn ask_about(&mut self, now: Moment, side: Color, doubt: Doubt) {
        *self.docket.which.lapsed.get_mut(side) = None;
        // He is about to repeat: nobody reminds him of that now.
        if self.form_for(side) == Form::Repetition
            && let Some(words) = self.words_of_mut(!side)
        {
            words.wait_again(now);
        }
        let person = Person::Player(side);
        match doubt.readings.first().filter(|_| doubt.is_asked) {
            Some(said) => {
                self.docket.which.forget(person);
                self.ask_whether(self.channel_of(person), said);
            }
            None => self.ask_which(person, &doubt.readings),
        }
        self.keep_doubt(now, side, doubt);
    }

    /// An announcement was taken back as heard wrong, or as a slip. What is understood as the same
    /// again is asked about, even if it is clear.
    pub(super) fn was_rejected(&mut self, now: Moment, side: Color, said: &Announcement) {
        let doubt = Doubt {
            denied: vec![Said::Move(said.clone())],
            ..Doubt::default()
        };
        self.keep_doubt(now, side, doubt);
    }

    fn keep_doubt(&mut self, moment: Moment, side: Color, doubt: Doubt) {
        let since = Since {
            moment,
            wanted: self.wanted_of(side),
            acts: self.act_count(side),
        };
        *self.docket.which.doubts.get_mut(side) = Some((doubt, since));
    }

    /// Takes what a player may have said before, if he has said and pressed nothing else since.
    fn take_doubt(&mut self, now: Moment, side: Color) -> Option<(Doubt, Since)> {
        let (doubt, since) = self.docket.which.doubts.get_mut(side).take()?;
        let is_next = since.acts.saturating_add(1) == self.act_count(side);
        (is_next && now <= since.moment + AGAIN).then_some((doubt, since))
    }

    /// Asks no player any more about what is not wanted of him now, or what he has left.
    pub(super) fn drop_doubts(&mut self, now: Moment) {
        for side in Color::ALL {
            let (wanted, acts) = (self.wanted_of(side), self.act_count(side));
            let is_over = |since: &Since| {
                since.wanted != wanted || since.acts != acts || since.moment + AGAIN < now
            };
            let doubt = self.docket.which.doubts.get_mut(side);
            let dropped = doubt.take_if(|(_, since)| is_over(since));
            // What he has done himself he knows of.
            if dropped.is_some_and(|(doubt, since)| doubt.is_asked && since.acts == acts) {
                *self.docket.which.lapsed.get_mut(side) = Some(now);
            }
        }
    }

    /// Whether a player can be asked by yes and no what he has said. Others would answer too if
    /// they heard the question. "Nein" is also an answer to a draw offer.
    fn may_ask_whether(&self, side: Color) -> bool {
        let is_alone = self.is_alone_with(side) || self.profile.side_of_guest() == Some(!side);
        let is_private = is_alone || !self.holds("whether_alone");
        is_private && !self.is_offered_draw(side) && self.holds("whether")
    }

    /// Takes a yes or no that comes too late for what was asked. Else a "nein" would take back an
    /// announcement that stands.
    fn is_late_answer(&mut self, now: Moment, side: Color, said: &Said) -> bool {
        let lapsed = self.docket.which.lapsed.get_mut(side).take();
        let is_recent = lapsed.is_some_and(|lapsed| now <= lapsed + LATE);
        let is_answer = matches!(said, Said::Command(Command::Yes | Command::No));
        let is_asked_else = self.form_for(side) == Form::Confirmation || self.is_offered_draw(side);
        is_recent && is_answer && self.is_playing() && !is_asked_else
    }

    /// Whether a player is asked by yes and no what he has said.
    pub(super) fn is_asked_whether(&self, side: Color) -> bool {
        let doubt = self.docket.which.doubts.get(side).as_ref();
        doubt.is_some_and(|(doubt, _)| doubt.is_asked)
    }

    fn wanted_of(&self, side: Color) -> Wanted {
        Wanted {
            phase: self.phase,
            form: self.form_for(side),
            announced: self.announced(!side).cloned(),
            is_offered_draw: self.is_offered_draw(side),
        }
    }

    /// Whether these words are wanted of a player next, or do nothing but say something again.
    fn is_wanted(&self, side: Color, said: &Said) -> bool {
        let form = self.form_for(side);
        self.is_playing()
            && match said {
                Said::Move(_) | Said::Square(_) => {
                    matches!(form, Form::Announcement | Form::Repetition | Form::Origin)
                }
                Said::Command(Command::Press) => self.has_only_to_press(side),
                Said::Command(command) => *command == Command::Repeat,
                _ => false,
            }
    }

    pub(super) const fn stage(&self) -> Stage {
        (self.phase, self.plies())
    }

    /// What somebody means by clear words, who may have been asked about others. `None` if they
    /// were an answer, and nothing is left to do about them. `begun` is when he began to speak.
    pub(super) fn take_answer(
        &mut self,
        now: Moment,
        person: Person,
        own: Option<Color>,
        said: Said,
        begun: Option<Moment>,
    ) -> Option<Said> {
        if said == Said::Command(Command::Stop) {
            return Some(said);
        }
        if let Person::Player(side) = person
            && self.is_late_answer(now, side, &said)
        {
            self.tell(side, PhraseKey::NothingAsked, []);
            return None;
        }
        if let Person::Player(side) = person
            && let Some((doubt, since)) = self.take_doubt(now, side)
        {
            let was_asked = doubt.is_asked || doubt.was_asked;
            let is_answer = matches!(said, Said::Command(Command::Yes | Command::No));
            // What was said before he was asked is no answer to that.
            if was_asked && is_answer && begun.is_some_and(|begun| begun < since.moment) {
                self.keep_doubt(since.moment, side, doubt);
                return None;
            }
            let is_denied = own == Some(side) && doubt.denied.contains(&said);
            if is_denied && self.is_wanted(side, &said) && self.may_ask_whether(side) {
                let mut doubt = doubt.with(vec![said.clone()]);
                doubt.readings.retain(|it| *it != said);
                doubt.readings.insert(0, said);
                self.ask_about(now, side, doubt);
                return None;
            }
            if doubt.is_asked {
                return self.answered(now, side, said, doubt);
            }
        }
        Some(self.said_of_two(person, said))
    }

    /// What a player means by clear words who is asked about the first of some readings.
    fn answered(&mut self, now: Moment, side: Color, said: Said, doubt: Doubt) -> Option<Said> {
        let mut doubt = doubt;
        if !matches!(said, Said::Command(Command::Yes | Command::No)) {
            doubt.is_said_between();
        }
        match said {
            Said::Command(answer @ (Command::Yes | Command::No)) => {
                self.answered_whether(now, side, answer, doubt)
            }
            // What he corrects is what he is asked about.
            Said::Correction(None) => self.answered_whether(now, side, Command::No, doubt),
            Said::Correction(Some(new)) => Some(Said::Move(new)),
            // He has to hear what he is to repeat, and then the question.
            Said::Command(Command::Repeat) => {
                if self.form_for(side) == Form::Repetition {
                    self.command(now, Person::Player(side), Command::Repeat, true);
                }
                self.ask_about(now, side, doubt);
                None
            }
            _ => match (Part::of(&said), doubt.readings.first()) {
                // A part leaves the readings that have it. A square is no part of a square, and a
                // piece is so short a word that it is asked about.
                (Some(part), Some(Said::Move(_))) => {
                    let mut readings = doubt.with_part(part);
                    if readings.len() == 1 && matches!(part, Part::Square(_)) {
                        return readings.pop();
                    }
                    if readings.is_empty() {
                        readings.clone_from(&doubt.readings);
                    }
                    self.ask_about(now, side, Doubt { readings, ..doubt });
                    None
                }
                _ => Some(said),
            },
        }
    }

    /// "Ja" is the first reading. "Nein" asks about the next, and after the last for the words.
    fn answered_whether(
        &mut self,
        now: Moment,
        side: Color,
        answer: Command,
        mut doubt: Doubt,
    ) -> Option<Said> {
        let first = doubt.readings.remove(0);
        if answer == Command::Yes {
            return Some(first);
        }
        doubt.denied.push(first);
        doubt.is_asked = !doubt.readings.is_empty();
        doubt.was_asked = !doubt.is_asked;
        doubt.last.clear();
        doubt.answer = None;
        self.ask_about(now, side, doubt);
        None
    }

    /// What somebody means who may have been asked which of two. Whatever he says of a move answers
    /// that, and "nein" is neither of them. A question of his own leaves it open.
    fn said_of_two(&mut self, person: Person, said: Said) -> Said {
        let leaves_open = match said {
            Said::Command(command) => command != Command::No,
            Said::Question(_) => true,
            _ => false,
        };
        if leaves_open {
            return said;
        }
        let chosen = Part::of(&said).and_then(|part| self.chosen_by(part));
        let chosen = chosen.filter(|(asked, _)| *asked == person && self.holds("which_of_two"));
        self.docket.which.forget(person);
        chosen.map_or(said, |(_, chosen)| chosen)
    }

    /// Asks which of two somebody has said, or for his words again.
    fn ask_which(&mut self, person: Person, readings: &[Said]) {
        let at = self.stage();
        self.docket.which.ask(person, readings, at);
        self.ask_again(self.channel_of(person), readings);
    }

    /// Asks for the words again, for reasons of sound and grammar only.
    pub(super) fn ask_again(&mut self, channel: Channel, readings: &[Said]) {
        if !self.holds("X1") {
            return;
        }
        self.response.push(Effect::Earcon {
            channel,
            earcon: Earcon::Again,
        });
        match readings {
            [Said::Square(one), Said::Square(other), ..] => {
                let arguments = [*one, *other].map(Argument::Square);
                self.say(channel, PhraseKey::EitherSquare, arguments, Priority::Next);
            }
            [Said::Move(one), Said::Move(other), ..] => {
                let (key, arguments) = match one.differs_in_file(other) {
                    Some(squares) => (PhraseKey::EitherSquare, squares.map(Argument::Square)),
                    None => (
                        PhraseKey::EitherOr,
                        [one, other].map(|it| Argument::Move(it.clone())),
                    ),
                };
                self.say(channel, key, arguments, Priority::Next);
            }
            _ => self.say(channel, PhraseKey::SayAgain, [], Priority::Next),
        }
    }

    /// Asks whether somebody has said this, for the same reasons.
    fn ask_whether(&mut self, channel: Channel, said: &Said) {
        let announced = match said {
            Said::Move(announced) => announced.clone(),
            Said::Square(square) => Announcement::of_square(*square),
            _ => return,
        };
        let earcon = Earcon::Again;
        self.response.push(Effect::Earcon { channel, earcon });
        let asked = [Argument::Move(announced)];
        self.say(channel, PhraseKey::Whether, asked, Priority::Next);
    }
}

/// Whether this is said of a move.
const fn is_of_move(said: &Said) -> bool {
    matches!(said, Said::Move(_) | Said::Square(_))
}

/// The answer to a question that is answered by yes or no, in words that were not certain. `None`
/// if they are of a move, and no answer in them if they are anything else or may be both answers.
fn answer_in(readings: &[Said]) -> Option<Option<Command>> {
    let is_there = |answer| readings.contains(&Said::Command(answer));
    match readings {
        [Said::Command(answer @ (Command::Yes | Command::No)), ..] => {
            let are_both = is_there(Command::Yes) && is_there(Command::No);
            Some((!are_both).then_some(*answer))
        }
        [Said::Correction(None)] => Some(Some(Command::No)),
        [
            Said::Move(_) | Said::Square(_) | Said::Correction(Some(_)),
            ..,
        ] => None,
        _ => Some(None),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, File, Square};

    use super::*;
    use annexd_laws::notation::{Announcement, MoveAnnouncement};

    const WHITE: Person = Person::Player(Color::White);
    const AT: Stage = (Phase::Playing, 4);

    fn rook(from: Square) -> Said {
        Said::Move(Announcement::Move(MoveAnnouncement {
            piece: Some(shakmaty::Role::Rook),
            from: Some(from),
            to: Square::D1,
            capture: false,
            promotion: None,
            mark: None,
        }))
    }

    #[test]
    fn only_who_is_asked_and_only_now_answers() {
        let mut which = Which::default();
        let readings = [rook(Square::A1), rook(Square::H1)];
        let file = Part::File(File::H);
        which.ask(WHITE, &readings, AT);
        let chosen = which
            .chosen(file, AT)
            .map(|(who, said)| (who, said.clone()));
        assert_eq!(chosen, Some((WHITE, rook(Square::H1))));
        assert_eq!(which.chosen(Part::File(File::D), AT), None);
        // A move was made meanwhile.
        assert_eq!(which.chosen(file, (Phase::Playing, 5)), None);
        // What somebody else says does not end the question; other words of his own do.
        which.ask(Person::Arbiter, &[], AT);
        which.forget(Person::Player(Color::Black));
        assert!(which.chosen(file, AT).is_some());
        which.ask(WHITE, &[], AT);
        assert_eq!(which.chosen(file, AT), None);
    }
}
