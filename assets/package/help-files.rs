//! Writes what a package holds besides the program: manual pages, the completions of shells, and
//! the manual as pages of a browser. `make install` runs it.
//!
//! `help-files FOLDER`: the folder is `share` of where the program is installed. Completions for
//! PowerShell are beside the manual, since systems with it have no such folder.

#![expect(
    clippy::disallowed_methods,
    reason = "a tool of the build reads and writes files"
)]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use annexd::shell::cli;
use clap_complete::{Shell, generate_to};
use clap_mangen::Man;
use pulldown_cmark::{Event, Options, Parser, Tag, html};

const NAME: &str = "annexd";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("which folder?")?;
    let share = PathBuf::from(folder);
    manual_pages(&share.join("man/man1"))?;
    completions(&share)?;
    pages(Path::new("docs"), &share.join("doc/annexd/html"))?;
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
fn pages(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            pages(&path, &to.join(name))?;
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
