//! `annexd law`.

use std::process::ExitCode;

use serde::Serialize;

use crate::laws::{Clause, Edition, Wording};
use crate::shell::error::{Error, Result, sentence, told};
use crate::show;

/// Explains an article of the Laws in our own words.
///
/// With --json each clause is one object: clause, edition, article (null if the edition has none),
/// says, does, and differs if editions differ.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The article, as July 2017 or the chosen edition numbers it: D.2.9, F2.3, 9.2.1.
    #[arg(required_unless_present = "values")]
    clause: Option<String>,
    /// The edition: 2001, 2009, 2014, 2017-07, 2018 or 2023.
    #[arg(long, default_value = "2023")]
    edition: Edition,
    /// Lists every value of the edition by the key with which an adaptation (D.1) overrides it.
    #[arg(long, conflicts_with = "clause")]
    values: bool,
    /// The language of the words: de or en; that of the system if not given.
    #[arg(long, value_parser = ["de", "en"])]
    language: Option<String>,
    /// Prints JSON, one object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    clause: &'a str,
    edition: Edition,
    article: Option<String>,
    says: &'a str,
    does: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<&'a str>,
}

#[derive(Serialize)]
struct Value<'a> {
    key: &'a str,
    value: &'a str,
}

/// Does it.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let lines = match arguments.clause {
        Some(clause) => {
            let language = arguments.language.unwrap_or_else(system_language);
            explain(&clause, arguments.edition, &language, arguments.json)?
        }
        None => list_values(arguments.edition, arguments.json)?,
    };
    for line in lines {
        show!("{line}");
    }
    Ok(ExitCode::SUCCESS)
}

/// German where the system speaks German, else English.
fn system_language() -> String {
    let first = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty());
    let is_german = first.is_some_and(|value| value.starts_with("de"));
    if is_german { "de" } else { "en" }.to_owned()
}

fn explain(number: &str, edition: Edition, language: &str, as_json: bool) -> Result<Vec<String>> {
    let number = ["Artikel ", "artikel ", "Article ", "article "]
        .iter()
        .find_map(|word| number.strip_prefix(word))
        .unwrap_or(number);
    let clauses = Clause::find(number, edition);
    if clauses.is_empty() {
        return Err(unknown(number, edition));
    }
    let mut lines = Vec::new();
    for clause in clauses {
        let Wording {
            says,
            does,
            differs,
        } = clause.wording(language);
        if as_json {
            lines.push(json(&Answer {
                clause: &clause.id,
                edition,
                article: clause.article(edition),
                says,
                does,
                differs,
            })?);
        } else {
            lines.extend(spoken(clause, edition, language));
        }
    }
    Ok(lines)
}

/// What to ask instead.
fn unknown(number: &str, edition: Edition) -> Error {
    let near = Clause::near(number, edition);
    let edition = edition.to_string();
    let others = Clause::editions_with(number);
    let other = others.last().map_or_else(
        || sentence!(AsItIs, text = ""),
        |other| {
            sentence!(
                OtherEditionHasIt,
                article = number,
                edition = other.to_string()
            )
        },
    );
    let articles = near.join(", ");
    let near = if articles.is_empty() {
        sentence!(TryArticles)
    } else {
        sentence!(NearArticles, articles = articles)
    };
    told!(
        Usage,
        NoArticle,
        article = number,
        edition = edition,
        other = other,
        near = near
    )
}

fn spoken(clause: &Clause, edition: Edition, language: &str) -> Vec<String> {
    let Wording {
        says,
        does,
        differs,
    } = clause.wording(language);
    let is_german = language == "de";
    let is_later = differs.is_some_and(|differs| is_of_later(differs, edition));
    let head = match (clause.article(edition), is_german) {
        (Some(article), false) if is_later => {
            format!("Article {article} of {edition} does not say so yet: {says}")
        }
        (Some(article), true) if is_later => {
            format!("Artikel {article} von {edition} sagt das noch nicht: {says}")
        }
        _ if clause.is_derived() => format!("annexd {}. {says}", clause.id),
        (Some(article), false) => format!("Article {article} of {edition}. {says}"),
        (Some(article), true) => format!("Artikel {article} von {edition}. {says}"),
        (None, false) => format!("{} is not in the edition of {edition}. {says}", clause.id),
        (None, true) => format!("{} steht nicht in der Ausgabe {edition}. {says}", clause.id),
    };
    let mut lines = vec![head, format!("annexd: {does}")];
    if let Some(differs) = differs {
        let label = if is_german { "Ausgaben" } else { "Editions" };
        lines.push(format!("{label}: {differs}"));
    }
    lines
}

/// Whether all that a clause says came with a later edition: "Since 2017." or "Since 2017; …".
fn is_of_later(differs: &str, edition: Edition) -> bool {
    let since = ["Since ", "Seit "]
        .iter()
        .find_map(|since| differs.strip_prefix(since));
    let whole = since.and_then(|rest| rest.split_once(['.', ';']));
    whole.is_some_and(|(year, _)| year.len() == 4 && *year > *edition.to_string())
}

fn list_values(edition: Edition, as_json: bool) -> Result<Vec<String>> {
    edition
        .rules()
        .values()
        .iter()
        .map(|(key, value)| {
            if as_json {
                json(&Value { key, value })
            } else {
                Ok(format!("{key} = {value}"))
            }
        })
        .collect()
}

fn json(answer: &impl Serialize) -> Result<String> {
    serde_json::to_string(answer).map_err(|error| told!(BadInput, AnswerNoJson, why = error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_is_explained_with_the_number_of_the_edition() {
        let lines = explain("D.2.3", Edition::E2001, "en", false).unwrap();
        assert!(
            lines[0].starts_with("Article F2.3 of 2001."),
            "{}",
            lines[0]
        );
        let lines = explain("9.6.1", Edition::E2001, "en", false).unwrap();
        assert!(lines[0].contains("not in the edition"), "{}", lines[0]);
    }

    #[test]
    fn a_german_reads_german_and_is_led_to_the_right_edition() {
        let lines = explain("F2.3", Edition::E2001, "de", false).unwrap();
        assert!(
            lines[0].starts_with("Artikel F2.3 von 2001."),
            "{}",
            lines[0]
        );
        let error = explain("F2.6", Edition::E2023, "de", false).unwrap_err();
        assert!(
            error.message.contains("--edition 2001"),
            "{}",
            error.message
        );
        let error = explain("D.2.99", Edition::E2023, "de", false).unwrap_err();
        assert!(error.message.contains("D.2.9"), "{}", error.message);
    }

    #[test]
    fn what_came_later_is_no_words_of_an_older_edition() {
        for (number, edition) in [
            ("C2", Edition::E2001),
            ("B2", Edition::E2009),
            ("7.8", Edition::E2014),
        ] {
            let lines = explain(number, edition, "en", false).unwrap();
            assert!(lines[0].contains("does not say so yet"), "{}", lines[0]);
        }
        let lines = explain("7.8.2", Edition::E2018, "en", false)
            .or_else(|_| explain("7.8", Edition::E2018, "en", false))
            .unwrap();
        assert!(!lines[0].contains("yet"), "{}", lines[0]);
    }

    #[test]
    fn an_unknown_article_is_an_error_that_names_it() {
        let error = explain("Q.7", Edition::E2023, "en", false).unwrap_err();
        assert!(error.message.contains("Q.7"));
    }

    #[test]
    fn json_is_one_object_for_each_clause() {
        for line in explain("D.2.9", Edition::E2023, "en", true).unwrap() {
            let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert_eq!(answer["edition"], "2023");
        }
    }
}
