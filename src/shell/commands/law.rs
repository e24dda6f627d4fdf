//! `annexd law`.

use std::process::ExitCode;

use serde::Serialize;

use crate::laws::{Clause, Edition};
use crate::shell::error::{Error, ErrorKind, Result};

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
#[expect(clippy::print_stdout, reason = "the answer is what was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let lines = match arguments.clause {
        Some(clause) => explain(&clause, arguments.edition, arguments.json)?,
        None => list_values(arguments.edition, arguments.json)?,
    };
    for line in lines {
        println!("{line}");
    }
    Ok(ExitCode::SUCCESS)
}

fn explain(number: &str, edition: Edition, as_json: bool) -> Result<Vec<String>> {
    let clauses = Clause::find(number, edition);
    if clauses.is_empty() {
        return Err(Error::new(
            ErrorKind::Usage,
            format!(
                "There is no article {number} in the edition of {edition}, nor in the numbering \
                 of July 2017. Try D.2.9, 7.5 or A.4."
            ),
        ));
    }
    let mut lines = Vec::new();
    for clause in clauses {
        if as_json {
            lines.push(json(&Answer {
                clause: &clause.id,
                edition,
                article: clause.article(edition),
                says: &clause.says,
                does: &clause.does,
                differs: clause.differs.as_deref(),
            })?);
        } else {
            lines.extend(spoken(clause, edition));
        }
    }
    Ok(lines)
}

fn spoken(clause: &Clause, edition: Edition) -> Vec<String> {
    let head = match clause.article(edition) {
        Some(article) => format!("Article {article} of {edition}. {}", clause.says),
        None => format!(
            "{} is not in the edition of {edition}. {}",
            clause.id, clause.says
        ),
    };
    let mut lines = vec![head, format!("annexd: {}", clause.does)];
    if let Some(differs) = &clause.differs {
        lines.push(format!("Editions: {differs}"));
    }
    lines
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
    serde_json::to_string(answer).map_err(|error| {
        Error::new(
            ErrorKind::BadInput,
            format!("The answer cannot be written as JSON: {error}."),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_is_explained_with_the_number_of_the_edition() {
        let lines = explain("D.2.3", Edition::E2001, false).unwrap();
        assert!(
            lines[0].starts_with("Article F2.3 of 2001."),
            "{}",
            lines[0]
        );
        let lines = explain("9.6.1", Edition::E2001, false).unwrap();
        assert!(lines[0].contains("not in the edition"), "{}", lines[0]);
    }

    #[test]
    fn an_unknown_article_is_an_error_that_names_it() {
        let error = explain("Q.7", Edition::E2023, false).unwrap_err();
        assert!(error.message.contains("Q.7"));
    }

    #[test]
    fn json_is_one_object_for_each_clause() {
        for line in explain("D.2.9", Edition::E2023, true).unwrap() {
            let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert_eq!(answer["edition"], "2023");
        }
    }
}
