//! The transcript: plain lines of time, person, channel, words.
//!
//! Everything that happens at the table is described in German, the language of the table.

use std::io;

use shakmaty::Color;

use annexd::moment::Moment;
use annexd::persons::{Channel, Person};
use annexd::phrases::Language;
use annexd::shell::consoles::text_outlet::TextOutlet;
use annexd::shell::consoles::words::Labels;
use annexd::shell::table::Seat;
use annexd::show;

/// How a person acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    /// Speaks into the microphone.
    Microphone,
    /// Types, or presses a key.
    Keys,
    /// Handles the pieces on the board.
    Board,
}

/// Prints what a person does.
pub(crate) fn tell(now: Moment, who: Person, means: Means, words: &str) {
    show!("{}", line(now, who, means, words));
}

fn line(now: Moment, who: Person, means: Means, words: &str) -> String {
    let name = match who {
        Person::Player(Color::White) => "Weiß",
        Person::Player(Color::Black) => "Schwarz",
        Person::Assistant(_) => "Assistenz",
        Person::Arbiter => "Schiedsrichter",
    };
    let channel = match (means, who) {
        (Means::Microphone, _) => "Mikrofon",
        (Means::Keys, _) => "Tastatur",
        (Means::Board, Person::Player(Color::White)) => "Steckbrett",
        (Means::Board, _) => "DGT-Brett",
    };
    format!("{now} {name}, {channel}: {words}")
}

/// How the words of a channel are labelled.
pub(crate) fn of_annexd(label: &str) -> String {
    format!("annexd, {label}")
}

/// Shows what annexd says and shows, on all channels.
pub(crate) fn outlet(language: Language, labels: Labels) -> TextOutlet {
    let of_annexd = |label: String| of_annexd(&label);
    let labels = Labels {
        table: of_annexd(labels.table),
        ear_white: of_annexd(labels.ear_white),
        ear_black: of_annexd(labels.ear_black),
        assistant_white: of_annexd(labels.assistant_white),
        assistant_black: of_annexd(labels.assistant_black),
        arbiter: of_annexd(labels.arbiter),
        remark: of_annexd(labels.remark),
        clock: of_annexd(labels.clock),
        r#move: of_annexd(labels.r#move),
        ended: of_annexd(labels.ended),
        proposal: of_annexd(labels.proposal),
        because: of_annexd(labels.because),
        otherwise: of_annexd(labels.otherwise),
        ..labels
    };
    let channels = vec![
        Channel::Table,
        Channel::Ear(Color::White),
        Channel::Ear(Color::Black),
        Channel::Assistant(Color::White),
        Channel::Assistant(Color::Black),
        Channel::Arbiter,
    ];
    let seat = Seat::Of(Person::Arbiter);
    TextOutlet::new(Box::new(io::stdout()), seat, channels, language, labels, 0)
        .with_time()
        .with_clock()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_the_time_who_the_channel_and_the_words() {
        let white = Person::Player(Color::White);
        assert_eq!(
            line(Moment::from_ms(12_340), white, Means::Microphone, "Zeit"),
            "0:00:12.340 Weiß, Mikrofon: Zeit"
        );
        let black = Person::Player(Color::Black);
        assert_eq!(
            line(Moment::START, black, Means::Board, "hebt e7, setzt e5"),
            "0:00:00.000 Schwarz, DGT-Brett: hebt e7, setzt e5"
        );
    }
}
