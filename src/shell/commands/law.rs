//! `annexd law`.

use std::process::ExitCode;

use serde::Serialize;

use crate::laws::{Clause, Edition};
use crate::phrases::LawWords;
use crate::shell::config::{data, language};
use crate::shell::error::{Error, Result, error, sentence};
use crate::show;

/// Explains an article of the Laws in our own words.
///
/// With --json each clause is one object: clause, edition, article (null if the edition has none),
/// says, does, and differs (the editions that say it otherwise) if there are any.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The article, as the chosen edition numbers it: D.2.9, F2.3, 9.2.1.
    #[arg(required_unless_present = "values")]
    clause: Option<String>,
    /// The edition: 2001, 2009, 2014, 2017-07, 2018 or 2023.
    #[arg(long, default_value = "2023")]
    edition: Edition,
    /// Lists every value of the edition by the key with which an adaptation (D.1) overrides it.
    #[arg(long, conflicts_with = "clause")]
    values: bool,
    /// The language of the words, as de, en, da or sv; the one annexd answers in if not given.
    #[arg(long)]
    language: Option<String>,
    /// Prints JSON, one object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ClauseAnswer<'a> {
    clause: &'a str,
    edition: Edition,
    article: Option<&'a str>,
    says: String,
    does: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<String>,
}

#[derive(Serialize)]
struct Value<'a> {
    key: &'a str,
    value: &'a str,
}

/// Runs the command.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let lines = match arguments.clause {
        Some(clause) => {
            let language = language::asked_or_answering(arguments.language.as_deref());
            explain(&clause, arguments.edition, &language, arguments.json)?
        }
        None => list_values(arguments.edition, arguments.json)?,
    };
    for line in lines {
        show!("{line}");
    }
    Ok(ExitCode::SUCCESS)
}

fn explain(number: &str, edition: Edition, language: &str, as_json: bool) -> Result<Vec<String>> {
    let words = data::law_words(language)?;
    let clauses = Clause::find(number, edition);
    let mut lines = Vec::new();
    for clause in clauses {
        if as_json {
            lines.extend(
                answer(&words, clause, edition)
                    .as_ref()
                    .map(json)
                    .transpose()?,
            );
        } else {
            lines.extend(words.lines(clause, edition));
        }
    }
    if lines.is_empty() {
        return Err(unknown(number, edition));
    }
    Ok(lines)
}

fn answer(words: &LawWords, clause: Clause, edition: Edition) -> Option<ClauseAnswer<'_>> {
    let says = match clause.article {
        None if !clause.is_derived() => words.says_elsewhere(clause.name, edition),
        _ => words.says(clause.name, edition),
    }?;
    let others = words.differing(clause.name, edition);
    let others: Vec<String> = others.iter().map(ToString::to_string).collect();
    Some(ClauseAnswer {
        clause: clause.name,
        edition,
        article: clause.article,
        says,
        does: words.does(clause.name).unwrap_or_default(),
        differs: Some(others.join(", ")).filter(|others| !others.is_empty()),
    })
}

/// The error for an unknown article, with what to ask instead.
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
    error!(
        Usage,
        NoArticle,
        article = number,
        edition = edition,
        other = other,
        near = near
    )
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
    serde_json::to_string(answer).map_err(|error| error!(BadInput, AnswerNoJson, why = error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn first(number: &str, edition: Edition, language: &str) -> String {
        explain(number, edition, language, false).unwrap()[0].clone()
    }

    #[test]
    fn an_article_is_explained_with_the_number_of_the_edition() {
        let line = first("D.2.3", Edition::E2001, "en");
        assert!(line.starts_with("Article F2.3 of 2001."), "{line}");
        let line = first("9.6.1", Edition::E2001, "en");
        assert!(line.contains("is not in the edition of 2001"), "{line}");
    }

    #[test]
    fn each_reads_his_language_and_is_led_to_the_right_edition() {
        let line = first("F2.3", Edition::E2001, "de");
        assert!(line.starts_with("Artikel F2.3 von 2001."), "{line}");
        let line = first("12.9 (g)", Edition::E2014, "sv");
        assert!(line.contains("bötesbelopp"), "{line}");
        let line = first("B5b", Edition::E2001, "da");
        assert!(line.starts_with("Artikel B5b fra 2001."), "{line}");
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
    fn an_edition_has_its_own_sentence_and_names_the_others() {
        let lines = explain("7.4b", Edition::E2001, "en", false).unwrap();
        assert!(lines[0].contains("the third loses"), "{}", lines[0]);
        let last = lines.last().unwrap();
        assert_eq!(last, "Worded otherwise in 2009, 2014, 2017-07, 2018, 2023.");
    }

    #[test]
    fn an_unknown_article_is_an_error_that_names_it() {
        let error = explain("Q.7", Edition::E2023, "en", false).unwrap_err();
        assert!(error.message.contains("Q.7"));
    }

    #[test]
    fn json_is_one_object_for_each_clause() {
        let lines = explain("D.2.9", Edition::E2023, "en", true).unwrap();
        assert_eq!(lines.len(), 3);
        for line in lines {
            let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert_eq!(answer["edition"], "2023");
            assert_eq!(answer["article"], "D.2.9");
        }
    }
}
