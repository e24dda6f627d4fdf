//! Pages as HTML. The templates escape everything that people have written.

use std::collections::HashMap;
use std::time::Duration;

use maud::{DOCTYPE, Markup, html};

use crate::view::{Board, Button, Card, Clocks, Field, Form, LogLine, Scores, Verdict, View};
use crate::words::Words;
use crate::{Asks, EntranceOffer, Role};

mod board;

/// How many lines of the log a loaded page has. The script fetches the others.
const LINES: usize = 200;

/// The reader of a page.
pub(crate) struct Sent<'a> {
    pub(crate) role: Role,
    pub(crate) words: &'a Words,
    /// The token that its forms carry, so that no other site can send them.
    pub(crate) forms: &'a str,
    /// The identifier of the next press. Empty if the script gives one.
    pub(crate) once: &'a str,
}

/// What a page without the script was asked for.
#[derive(Default)]
pub(crate) struct Asked {
    /// The square that was tapped first, and its board.
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) board: String,
    /// The label of the log lines to be shown.
    pub(crate) label: String,
    /// Why the last press was refused.
    pub(crate) note: String,
}

/// Returns the line of a form with its fields inserted. A field is one line, unless it is a sheet.
pub(crate) fn filled(fields: &HashMap<String, String>) -> String {
    let mut line = fields.get("line").cloned().unwrap_or_default();
    for number in 0..10 {
        let value = fields.get(&number.to_string()).map_or("", |it| it.trim());
        line = line.replace(&format!("{{{number}}}"), value);
    }
    line.trim().to_owned()
}

/// Escapes a text for an address.
pub(crate) fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(escape).collect()
}

fn frame(words: &Words, title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(words.language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="stylesheet" href="/style.css";
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                script src="/script.js" defer {}
            }
            body { (body) }
        }
    }
}

/// Returns the entrance page: first the visitor chooses who he is, then what he has to show.
pub(crate) fn entrance(
    words: &Words,
    places: &[EntranceOffer],
    chosen: Option<&EntranceOffer>,
    languages: &[(String, String)],
    code: &str,
    refused: Option<&str>,
) -> Markup {
    let page = &words.page;
    let link = |role: &str, language: &str| {
        let code = escaped(code);
        format!("/?role={role}&language={language}&code={code}")
    };
    let role = chosen.map_or("", |place| place.role.word());
    let body = html! {
        main.entrance {
            h1 { (page.entrance) }
            @if let Some(why) = refused { p.refused role="alert" { (why) } }
            @if let Some(place) = chosen {
                h2 { (place.name) }
                form method="post" action="/enter" {
                    input type="hidden" name="role" value=(role);
                    input type="hidden" name="language" value=(words.language);
                    label { span { (page.code) }
                        input name="code" value=(code) inputmode="numeric" autocomplete="off"
                            required aria-describedby="code-about"; }
                    p.about #code-about { (page.code_about) }
                    @if pins(place.asks) > 0 {
                        @let label = if pins(place.asks) == 2 { &page.new_pin } else { &page.pin };
                        label { span { (label) }
                            input type="password" name="pin" autocomplete="off" required; }
                    }
                    @if pins(place.asks) == 2 {
                        label { span { (page.pin_again) }
                            input type="password" name="again" autocomplete="off" required; }
                        p.about { (page.new_pin_about) }
                    }
                    button.main type="submit" { (page.enter) }
                }
                p { a href=(link("", &words.language)) { (page.back) } }
            } @else {
                h2 { (page.who) }
                ul.places {
                    @for place in places {
                        @let to = link(place.role.word(), &words.language);
                        li { a.button href=(to) { (place.name) } }
                    }
                }
            }
            nav aria-label=(page.language) {
                ul.languages {
                    @for (code, name) in languages {
                        li { a href=(link(role, code)) lang=(code)
                            aria-current=[(*code == words.language).then_some("true")] { (name) } }
                    }
                }
            }
        }
    };
    frame(words, &page.entrance, &body)
}

/// Returns a role's whole page.
pub(crate) fn page(sent: &Sent<'_>, view: &View, log: &[LogLine], asked: &Asked) -> Markup {
    let words = &sent.words.page;
    let last = log.last().map_or(0, |line| line.number);
    let parts = parts_asked(sent, view, asked);
    let part = |id: &str| parts.iter().find(|(of, _)| *of == id).map(|(_, it)| it);
    let body = html! {
        (board::pieces())
        header {
            h1 { (view.title) }
            p.network #network role="status" data-offline=(words.offline)
                data-kept=(words.kept) data-ended=(words.ended) data-gone=(words.gone)
                data-unread=(words.unread) {}
        }
        p.urgent #urgent role="alert" { (view.urgent) }
        @if !asked.note.is_empty() { p.refused role="alert" { (asked.note) } }
        main #main data-live=(format!("/{}/live", sent.role.word())) data-log=(last)
            data-do=(format!("/{}/do", sent.role.word())) data-most=(BODY_MAX)
            data-form=(sent.forms) {
            @for (id, _) in &parts {
                @if *id != "urgent" { section id=(id) { @if let Some(it) = part(id) { (it) } } }
            }
            @if sent.role != Role::Audience { (free_line(sent)) }
            section #written { (written(sent, log, asked)) }
        }
        footer {
            p { a href=(format!("/{}", sent.role.word())) { (words.reload) } }
            form method="post" action=(format!("/{}/leave", sent.role.word())) {
                input type="hidden" name="form" value=(sent.forms);
                button type="submit" { (words.leave) }
            }
        }
    };
    frame(sent.words, &view.title, &body)
}

/// Returns everything that a page of a role is sent of a view, which is all that its browser can
/// know.
pub fn sent(role: Role, words: &Words, view: &View) -> String {
    let (forms, once) = ("", "");
    let sent = Sent {
        role,
        words,
        forms,
        once,
    };
    page(&sent, view, &[], &Asked::default()).into_string()
}

/// Returns the parts of a page that change, each with its name, in their order.
pub(crate) fn parts(sent: &Sent<'_>, view: &View) -> Vec<(&'static str, String)> {
    let parts = parts_asked(sent, view, &Asked::default());
    let parts = parts.into_iter().map(|(id, part)| (id, part.into_string()));
    parts.collect()
}

fn parts_asked(sent: &Sent<'_>, view: &View, asked: &Asked) -> Vec<(&'static str, Markup)> {
    let waiting = html! { @if sent.role != Role::Audience { (cards(sent, view)) } };
    let mut parts = vec![
        ("urgent", html! { (view.urgent) }),
        ("clocks", clocks(sent, view)),
        ("said", said(sent.words, view)),
        ("cards", waiting),
        ("boards", boards(sent, &view.boards, asked)),
        (
            "verdict",
            html! { @if let Some(it) = &view.verdict { (verdict(sent.words, it)) } },
        ),
        ("acts", acts(sent, view)),
        (
            "scores",
            html! { @if let Some(it) = &view.scores { (scores(sent.words, it)) } },
        ),
        ("forms", forms(sent, &view.forms)),
        ("files", files(sent, view)),
    ];
    // The arbiter is there to decide, so he sees it without scrolling.
    if sent.role == Role::Arbiter {
        parts.swap(2, 3);
    }
    parts
}

fn clocks(sent: &Sent<'_>, view: &View) -> Markup {
    html! {
        p.state { (view.state) }
        @if let Some(clocks) = &view.clocks {
            h2.hidden { (sent.words.page.clocks) }
            div.clocks { (sides(sent.words, clocks)) }
        }
    }
}

fn sides(words: &Words, clocks: &Clocks) -> Markup {
    let since = clocks.read.elapsed();
    html! {
        @for side in &clocks.sides {
            @let gone = if side.runs { since } else { Duration::ZERO };
            @let left = side.left.saturating_sub(gone);
            div.clock.runs[side.runs] {
                span.name { (side.name) }
                span.time data-left=(left.as_millis()) data-runs=[side.runs.then_some("1")] { (figures(left)) }
                span.turn { @if side.runs { (words.page.runs) } }
            }
        }
    }
}

/// Writes the time of a clock that counts down: `1:33:04`, `4:09`, and below ten seconds with
/// tenths: `0:09.5`.
fn figures(left: Duration) -> String {
    let tenths = left.as_millis() / 100;
    if tenths < 100 {
        return format!("0:{:02}.{}", tenths / 10, tenths % 10);
    }
    let seconds = left.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

fn said(words: &Words, view: &View) -> Markup {
    html! {
        h2 { (words.page.said) }
        @if let Some(said) = &view.said {
            p.by { (said.by) }
            p.words { (said.words) }
            p.signs { (said.signs) }
        } @else {
            p.nothing { (words.page.nothing_said) }
        }
    }
}

/// Returns the hidden fields of every form of a page.
fn hidden(sent: &Sent<'_>, line: &str) -> Markup {
    html! {
        input type="hidden" name="form" value=(sent.forms);
        input type="hidden" name="once" value=(sent.once);
        @if !line.is_empty() { input type="hidden" name="line" value=(line); }
    }
}

fn to(sent: &Sent<'_>) -> String {
    format!("/{}/do", sent.role.word())
}

fn button(sent: &Sent<'_>, button: &Button, class: &str) -> Markup {
    let press = html! {
        form.press method="post" action=(to(sent)) {
            (hidden(sent, &button.line))
            button type="submit" class=(class) {
                (button.label)
            }
        }
    };
    if !button.is_grave {
        return press;
    }
    html! {
        details id=(format!("grave-{}", escaped(&button.line))) {
            summary { (button.label) }
            p { (sent.words.page.really) }
            (press)
        }
    }
}

fn cards(sent: &Sent<'_>, view: &View) -> Markup {
    html! {
        h2 { (sent.words.page.waiting) }
        @if view.cards.is_empty() { p.nothing { (sent.words.page.nothing_waits) } }
        @for it in &view.cards { (card(sent, it)) }
        @if let Some(it) = &view.decided { (card(sent, it)) }
    }
}

fn card(sent: &Sent<'_>, card: &Card) -> Markup {
    html! {
        article.card id=(card.id) {
            h3 { (card.title) }
            @for line in &card.lines { p { (line) } }
            div.buttons {
                @for (at, it) in card.buttons.iter().enumerate() {
                    (button(sent, it, if at == 0 { "main" } else { "" }))
                }
            }
            @if let Some(it) = &card.form {
                @if card.buttons.is_empty() { (fields(sent, it)) }
                @else { (folded(sent, it)) }
            }
            @if !card.links.is_empty() {
                ul.links { @for (label, form) in &card.links {
                    li { a href=(format!("#fields-{form}")) { (label) } }
                } }
            }
        }
    }
}

fn boards(sent: &Sent<'_>, boards: &[Board], asked: &Asked) -> Markup {
    html! {
        @if !boards.is_empty() {
            h2.hidden { (sent.words.page.boards) }
            div.boards { @for it in boards { (board::board(sent, it, asked)) } }
        }
    }
}

fn verdict(words: &Words, verdict: &Verdict) -> Markup {
    html! {
        h2 { (verdict.title) }
        ul.verdict { @for line in &verdict.lines { li { (line) } } }
        details #paragraph { summary { (words.page.in_full) } p { (verdict.paragraph) } }
    }
}

fn acts(sent: &Sent<'_>, view: &View) -> Markup {
    html! {
        @if !view.groups.is_empty() { h2 { (sent.words.page.acts) } }
        @for group in &view.groups {
            h3 { (group.title) }
            div.buttons { @for it in &group.buttons { (button(sent, it, "")) } }
        }
    }
}

fn scores(words: &Words, scores: &Scores) -> Markup {
    let one = |text: &str, differs: bool| {
        html! {
            td.differs[differs] {
                (text)
                @if differs { span aria-hidden="true" { " ≠" } span.hidden { " " (words.page.differs) } }
            }
        }
    };
    html! {
        details #scores-listed open[scores.titles.len() == 1] {
            summary { (scores.title) }
            div.scroll tabindex="0" role="region" aria-label=(scores.title) {
                table.scores {
                    caption.hidden { (scores.title) }
                    thead {
                        tr {
                            th scope="col" { (words.page.number) }
                            @for title in &scores.titles { th scope="colgroup" colspan="2" { (title) } }
                        }
                    }
                    tbody {
                        @for row in &scores.rows {
                            tr {
                                th scope="row" { (row.number) "." }
                                @for score in &row.moves {
                                    (one(&score[0], row.differ[0]))
                                    (one(&score[1], row.differ[1]))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn forms(sent: &Sent<'_>, forms: &[Form]) -> Markup {
    html! {
        @if !forms.is_empty() { h2 { (sent.words.page.forms) } }
        @for form in forms { (folded(sent, form)) }
    }
}

fn folded(sent: &Sent<'_>, form: &Form) -> Markup {
    html! {
        details id=(format!("form-{}", form.id)) {
            summary { (form.title) }
            (fields(sent, form))
        }
    }
}

/// Returns the inside of a form. It has an id of its own, so that a link to it opens it.
fn fields(sent: &Sent<'_>, form: &Form) -> Markup {
    html! {
        form.fields id=(format!("fields-{}", form.id)) method="post" action=(to(sent)) {
            (hidden(sent, &form.line))
            @if !form.about.is_empty() { p.about { (form.about) } }
            @if form.is_grave { p.about { (sent.words.page.really) } }
            @for (number, it) in form.fields.iter().enumerate() {
                (field(sent, number, it))
            }
            button.main type="submit" { (form.title) }
        }
    }
}

fn field(sent: &Sent<'_>, number: usize, field: &Field) -> Markup {
    html! {
        @match field {
            Field::Choice(label, choices) => label { span { (label) }
                select name=(number) {
                    @for (value, text) in choices { option value=(value) { (text) } }
                } },
            Field::Text(label, example) => label { span { (label) }
                input name=(number) placeholder=(example) required autocomplete="off"; },
            Field::Maybe(label, example) => label { span { (label) }
                input name=(number) placeholder=(example) autocomplete="off"; },
            Field::Usual(label, words) => label { span { (label) }
                input name=(number) value=(words) required autocomplete="off"; },
            Field::Secret(label) => label { span { (label) }
                input type="password" name=(number) required autocomplete="off"; },
            Field::Sheet(label) => {
                label { span { (label) } textarea name=(number) rows="8" required spellcheck="false" {} }
                label.file hidden { span { (sent.words.page.file) } input type="file"; }
            }
        }
    }
}

fn files(sent: &Sent<'_>, view: &View) -> Markup {
    html! {
        @if !view.files.is_empty() {
            h2 { (sent.words.page.files) }
            ul { @for file in &view.files {
                @let keeps = (!file.is_sheet()).then_some(file.name.as_str());
                li { a href=(format!("/{}/file/{}", sent.role.word(), file.name))
                    download=[keeps] target=[file.is_sheet().then_some("_blank")] { (file.label) } }
            } }
        }
    }
}

/// Returns the field for any line that a console would accept.
fn free_line(sent: &Sent<'_>) -> Markup {
    let words = &sent.words.page;
    html! {
        section #typing {
            form.line method="post" action=(to(sent)) {
                (hidden(sent, ""))
                label { span { (words.line) }
                    input name="line" autocomplete="off" spellcheck="false" autocapitalize="off"
                        maxlength="2000" aria-describedby="line-about"; }
                button type="submit" { (words.send) }
                p.about #line-about { (words.line_about) }
            }
        }
    }
}

fn written(sent: &Sent<'_>, log: &[LogLine], asked: &Asked) -> Markup {
    let words = &sent.words.page;
    let mut labels: Vec<&str> = log.iter().map(|line| line.label.as_str()).collect();
    labels.sort_unstable();
    labels.dedup();
    let is_asked = |line: &&LogLine| asked.label.is_empty() || line.label == asked.label;
    let lines: Vec<&LogLine> = log.iter().filter(is_asked).collect();
    let lines = &lines[lines.len().saturating_sub(LINES)..];
    html! {
        h2 #log-title { (words.log) }
        form.filter method="get" {
            label { span { (words.filter) }
                select name="label" {
                    option value="" { (words.all) }
                    @for label in labels {
                        option value=(label) selected[label == asked.label] { (label) }
                    }
                }
            }
            button type="submit" { (words.reload) }
        }
        div.log #log role="log" aria-live="polite" aria-relevant="additions" tabindex="0"
            aria-labelledby="log-title" {
            @for line in lines {
                p data-label=(line.label) { b { (line.label) } " " (line.text) }
            }
        }
    }
}

/// The most bytes of a form, which may contain a sheet.
pub(crate) const BODY_MAX: usize = 128 * 1024;

/// Returns how many PIN fields a page has.
pub(crate) const fn pins(asks: Asks) -> usize {
    match asks {
        Asks::Nothing => 0,
        Asks::Pin => 1,
        Asks::NewPin => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_in_figures() {
        let shown = |ms| figures(Duration::from_millis(ms));
        assert_eq!(shown(5_584_000), "1:33:04");
        assert_eq!(shown(249_000), "4:09");
        assert_eq!(shown(10_999), "0:10");
        assert_eq!(shown(9_500), "0:09.5");
        assert_eq!(shown(100), "0:00.1");
        assert_eq!(shown(0), "0:00.0");
    }

    #[test]
    fn a_line_is_filled_and_an_address_escapes() {
        let fields = [("line", "set {0} {1}"), ("0", "white"), ("1", " 5:00 ")];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(filled(&fields.into()), "set white 5:00");
        assert_eq!(escaped("a b/ö"), "a%20b%2F%C3%B6");
    }
}
