//! `annexd manual`.

use std::fs;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::say::{OneVoice, Through};
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::config::{data, language};
use crate::shell::consoles::folded_output;
use crate::shell::consoles::text_outlet::fold;
use crate::shell::error::{Result, error};
use crate::shell::speech::voice::Extent;
use crate::show;

/// Shows a page of the manual as plain lines, or reads it aloud.
///
/// Without a name it lists the pages.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The page: player, opponent, assistant, arbiter, or another one of the list.
    page: Option<String>,
    /// Reads it aloud with the voice of the system.
    #[arg(long, requires = "page")]
    aloud: bool,
    /// The language of the page: de or en; the other one where a page is not translated.
    #[arg(long)]
    language: Option<String>,
}

/// The pages that most people want, in order. The others follow by name.
const FIRST: [&str; 5] = ["first-game", "player", "opponent", "assistant", "arbiter"];

/// The width of an ordinary terminal.
const LETTERS: usize = 79;

/// Runs the command.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let language = language::asked_or_answering(arguments.language.as_deref());
    let folder = data::folder()?.join("docs");
    let Some(name) = arguments.page else {
        for name in names(&folder) {
            let title = paragraphs(&text(&folder, &language, &name)?).swap_remove(0);
            show!("{name}: {title}");
        }
        return Ok(ExitCode::SUCCESS);
    };
    let names = names(&folder);
    if !names.contains(&name) {
        return Err(error!(
            Usage,
            NoManualPage,
            page = name,
            pages = names.join(", ")
        ));
    }
    let paragraphs = paragraphs(&text(&folder, &language, &name)?);
    let voice = arguments.aloud.then(|| open_voice(&language)).transpose()?;
    for (number, paragraph) in paragraphs.iter().enumerate() {
        if number > 0 {
            show!();
        }
        print(paragraph);
        if let Some(voice) = &voice {
            say(voice, paragraph)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The names of all pages, the most wanted first.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = files
        .filter_map(|file| file.strip_suffix(".md").map(str::to_owned))
        .collect();
    let place = |name: &str| FIRST.iter().position(|it| *it == name);
    names.sort_by_key(|name| (place(name).unwrap_or(FIRST.len()), name.clone()));
    names
}

/// A page in a language, or else in English.
fn text(folder: &Path, language: &str, name: &str) -> Result<String> {
    let file = format!("{name}.md");
    let places: [PathBuf; 2] = [folder.join(language).join(&file), folder.join(&file)];
    let place = places.iter().find(|it| it.is_file()).unwrap_or(&places[1]);
    fs::read_to_string(place)
        .map_err(|why| error!(BadInput, Unreadable, path = place.display(), why = why))
}

/// Prints one paragraph, in a terminal without breaking words.
fn print(paragraph: &str) {
    for line in paragraph.lines() {
        if folded_output::width() == 0 && std::io::stdout().is_terminal() {
            fold(line, LETTERS).iter().for_each(|line| show!("{line}"));
        } else {
            show!("{line}");
        }
    }
}

fn open_voice(language: &str) -> Result<OneVoice> {
    let language = data::language(language)?;
    Ok(OneVoice::open(Through::System, None, 100, language))
}

/// Says one paragraph to its end.
fn say(voice: &OneVoice, paragraph: &str) -> Result<()> {
    let words = Argument::Text(paragraph.replace('\n', ". "));
    let told_in: &Language = language::language().unwrap_or(&voice.language);
    let said = voice.say(&Phrase::new(PhraseKey::Words, [words]), told_in);
    if said.extent == Some(Extent::Whole) {
        return Ok(());
    }
    let why = said.remarks.join(" ");
    let text = paragraph.to_owned();
    Err(error!(DeviceLost, NotSaidToTheEnd, text = text, why = why))
}

/// The text of a page without its markup: each heading, paragraph, list and table by itself. A
/// table row is a line, with a colon after its first cell.
pub fn paragraphs(page: &str) -> Vec<String> {
    let mut writer = Writer::default();
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        writer.take(event);
    }
    writer.end_paragraph();
    writer.paragraphs
}

#[derive(Default)]
struct Writer {
    paragraphs: Vec<String>,
    text: String,
    /// The number of the next item of each open list; `None` if its items have no numbers.
    lists: Vec<Option<u64>>,
    /// The number of cells before this one in its row.
    cells: usize,
}

impl Writer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) | Event::Code(text) => self.text.push_str(&text),
            Event::SoftBreak | Event::HardBreak => self.text.push('\n'),
            Event::Start(Tag::List(first)) => {
                self.text
                    .push_str(if self.lists.is_empty() { "" } else { "\n" });
                self.lists.push(first);
            }
            Event::Start(Tag::Item) => self.item(),
            Event::Start(Tag::TableRow | Tag::TableHead) => self.cells = 0,
            Event::Start(Tag::TableCell) => {
                self.text.push_str(match self.cells {
                    0 => "",
                    1 => ": ",
                    _ => "; ",
                });
                self.cells += 1;
            }
            Event::End(TagEnd::TableRow | TagEnd::TableHead | TagEnd::Item) => self.end_line(),
            Event::End(TagEnd::List(_)) => {
                self.lists.pop();
                self.end_block();
            }
            Event::End(
                TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::Table,
            ) => self.end_block(),
            _ => {}
        }
    }

    fn item(&mut self) {
        self.text.push_str(&"  ".repeat(self.lists.len() - 1));
        match self.lists.last_mut() {
            Some(Some(number)) => {
                self.text.push_str(&format!("{number}. "));
                *number += 1;
            }
            _ => self.text.push_str("- "),
        }
    }

    fn end_line(&mut self) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// What is inside a list stays with it.
    fn end_block(&mut self) {
        if self.lists.is_empty() {
            self.end_paragraph();
        } else {
            self.end_line();
        }
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim_end();
        if !text.is_empty() {
            self.paragraphs.push(text.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_beginner_reads_stands_first() {
        let names = names(&data::folder().unwrap().join("docs"));
        assert_eq!(
            names.iter().take(FIRST.len()).collect::<Vec<_>>(),
            FIRST.each_ref()
        );
        assert!(names.len() > FIRST.len());
        assert!(names.iter().skip(FIRST.len()).is_sorted());
    }

    #[test]
    fn a_page_is_plain_lines_without_marks() {
        let page = "# Title\n\nSee [the *page*](page.md), `annexd play`.\n\n\
                    - one\n- two\n  1. inner\n\n\
                    | you say | meaning |\n|---|---|\n| Zeit | time |\n\n\
                    ```sh\nannexd games\n```\n";
        assert_eq!(
            paragraphs(page),
            [
                "Title",
                "See the page, annexd play.",
                "- one\n- two\n  1. inner",
                "you say: meaning\nZeit: time",
                "annexd games",
            ]
        );
    }
}
