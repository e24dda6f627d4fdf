//! Writes what a package holds besides the program: manual pages, the completions of shells, and
//! the manual for browsers, as plain lines and in Braille. `make install` runs it.
//!
//! `help-files FOLDER`: the folder is `share` of where the program is installed. Completions for
//! PowerShell are beside the manual, since systems with it have no such folder. Braille is written
//! where `lou_translate` of liblouis is installed, which knows the Braille of each language.

#![expect(
    clippy::disallowed_methods,
    reason = "a tool of the build reads and writes files"
)]

use std::error::Error;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::thread;

use annexd::score::{BrailleCode, BraillePage, embossed};
use annexd::shell::{cli, manual_paragraphs};
use clap_complete::{Shell, generate_to};
use clap_mangen::Man;
use pulldown_cmark::{Event, Options, Parser, Tag, html};

const NAME: &str = "annexd";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("which folder?")?;
    let share = PathBuf::from(folder);
    manual_pages(&share.join("man/man1"))?;
    completions(&share)?;
    let manual = share.join("doc/annexd");
    html_pages(Path::new("docs"), &manual.join("html"))?;
    for language in ["en", "de"] {
        let pages = match language {
            "en" => PathBuf::from("docs"),
            other => Path::new("docs").join(other),
        };
        plain_pages(&pages, language, &manual)?;
    }
    Ok(())
}

/// One for the program and one for each command, as `annexd-play.1`.
fn manual_pages(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for (name, command) in commands(cli::command(), NAME) {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        fs::write(folder.join(format!("{name}.1")), page)?;
    }
    Ok(())
}

/// A command and all within it, each by its whole name.
fn commands(command: clap::Command, name: &str) -> Vec<(String, clap::Command)> {
    let inner = command
        .get_subcommands()
        .filter(|it| it.get_name() != "help");
    let inner = inner.flat_map(|it| commands(it.clone(), &format!("{name}-{}", it.get_name())));
    let mut all: Vec<_> = inner.collect();
    // The command line keeps names for as long as the program runs.
    let named = command.clone().name(&*name.to_owned().leak());
    // The page is called annexd-play, and what is typed is annexd play.
    let named = named.bin_name(name.replace('-', " "));
    all.push((name.to_owned(), named.disable_help_subcommand(true)));
    all
}

/// Where each shell looks for them.
fn completions(share: &Path) -> Result<(), Box<dyn Error>> {
    let shells = [
        (Shell::Bash, "bash-completion/completions"),
        (Shell::Zsh, "zsh/site-functions"),
        (Shell::Fish, "fish/vendor_completions.d"),
        (Shell::PowerShell, "doc/annexd"),
    ];
    for (shell, place) in shells {
        let folder = share.join(place);
        fs::create_dir_all(&folder)?;
        let file = generate_to(shell, &mut cli::command(), NAME, &folder)?;
        if shell == Shell::Bash {
            fs::rename(file, folder.join(NAME))?;
        }
    }
    Ok(())
}

/// The pages of a folder and of those inside it.
fn html_pages(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            html_pages(&path, &to.join(name))?;
        } else if let Some("md") = path.extension().and_then(|it| it.to_str()) {
            let text = fs::read_to_string(&path)?;
            let is_german = from.ends_with("de");
            let page = page(&text, if is_german { "de" } else { "en" });
            fs::write(to.join(name).with_extension("html"), page)?;
        } else {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

fn page(text: &str, language: &str) -> String {
    let title = text
        .lines()
        .next()
        .unwrap_or_default()
        .trim_start_matches('#');
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url: dest_url.replace(".md", ".html").into(),
            title,
            id,
        }),
        event => event,
    });
    let mut body = String::new();
    html::push_html(&mut body, events);
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>\
         body {{ max-width: 45em; margin: auto; padding: 1em; font: 1.1em/1.5 sans-serif; \
         color-scheme: light dark }} td, th {{ text-align: left; padding: 0.2em 1em 0.2em 0 }}\
         </style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        title.trim()
    )
}

/// The pages of a folder as plain lines and in Braille, `text/de/player.txt` and
/// `braille/de/player.brf` below the manual.
fn plain_pages(from: &Path, language: &str, manual: &Path) -> Result<(), Box<dyn Error>> {
    let (texts, braille) = (manual.join("text"), manual.join("braille"));
    let (texts, braille) = (texts.join(language), braille.join(language));
    fs::create_dir_all(&texts)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        if path.extension().is_none_or(|it| it != "md") {
            continue;
        }
        let paragraphs = manual_paragraphs(&fs::read_to_string(&path)?);
        let text = paragraphs.join("\n\n") + "\n";
        let name = path.file_stem().unwrap_or_default();
        fs::write(texts.join(name).with_extension("txt"), &text)?;
        if let Some(page) = in_braille(text, language)? {
            fs::create_dir_all(&braille)?;
            fs::write(braille.join(name).with_extension("brf"), page)?;
        }
    }
    Ok(())
}

/// The same lines on pages for embossers and Braille displays; none where liblouis is not
/// installed.
///
/// Words are not shortened: what is to be typed stands there, and everybody can read it.
fn in_braille(text: String, language: &str) -> Result<Option<String>, Box<dyn Error>> {
    let (tables, code) = match language {
        "de" => ("unicode.dis,de-g1.ctb", BrailleCode::German),
        _ => ("unicode.dis,en-ueb-g1.ctb", BrailleCode::British),
    };
    let mut command = Process::new("lou_translate");
    command.args(["--forward", tables]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = match child {
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
        child => child?,
    };
    let blank: Vec<_> = text.lines().map(|it| it.trim().is_empty()).collect();
    // It reads a backslash as the beginning of a character's number.
    let text = text.replace('\\', r"\\");
    let stdin = child.stdin.take();
    // It answers line by line: whoever first wrote all would wait for ever.
    let writer = thread::spawn(move || stdin.map(|mut it| it.write_all(text.as_bytes())));
    let output = child.wait_with_output()?;
    writer
        .join()
        .map_err(|_| "the text was not written")?
        .transpose()?;
    let cells = String::from_utf8(output.stdout)?;
    // A line that it cannot read is empty afterwards, and its status is none the worse for it.
    let left: Vec<_> = cells.lines().map(|it| it.trim().is_empty()).collect();
    if !output.status.success() || left != blank {
        return Err("lou_translate did not translate every line".into());
    }
    let pages = embossed(&cells, code, BraillePage::default());
    Ok(Some(pages.ok_or("lou_translate wrote no Braille")?))
}
