//! A model as a table of comma-separated values, for evaluations of other programs.
//!
//! ```text
//! name,value,tune
//! bishop,330,true
//! "p[a,2]",-4.5,false
//! ```
//!
//! One line for each column of the rows, in their order. A column `prior` may follow: the value that a ridge
//! towards the start pulls to, if it is not `value`.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use crate::{
    error::{Error, Result},
    limits::{LONGEST_NAME, MOST_WEIGHTS},
    model::{Model, Parameter},
};

/// Titles of the columns; the last may be missing.
const TITLES: [&str; 4] = ["name", "value", "tune", "prior"];

#[derive(Serialize, Deserialize)]
struct Line {
    name: String,
    value: f64,
    #[serde(deserialize_with = "truth")]
    tune: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<f64>,
}

/// A truth value as Rust, Python, R and spreadsheets write it.
fn truth<'de, D: serde::Deserializer<'de>>(from: D) -> std::result::Result<bool, D::Error> {
    match String::deserialize(from)?.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(serde::de::Error::custom("no truth value")),
    }
}

/// Reads a model.
///
/// # Errors
///
/// Other titles, a line that is no weight, a name that is empty, comes twice, is longer than [`LONGEST_NAME`]
/// or has control characters, or a value beyond 10^12; with the line.
pub fn read_weights(input: impl Read) -> Result<Model> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(input);
    let expected = format!("the titles {}, and perhaps {}", TITLES[..3].join(","), TITLES[3]);
    let titles = reader.headers().map_err(|error| wrong(&error, &expected))?;
    // pandas writes its index first.
    let index = usize::from(matches!(titles.get(0), Some("" | "Unnamed: 0")));
    let named = || titles.iter().skip(index);
    if !named().eq(TITLES[..3].iter().copied()) && !named().eq(TITLES) {
        let found = titles.iter().collect::<Vec<_>>().join(",");
        return Err(Error::Line { line: 1, expected, found: format!("{found:?}") });
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut names = std::collections::HashSet::new();
    let mut record = csv::StringRecord::new();
    let titles = titles.clone();
    let expected = "name, value, and true or false";
    while reader.read_record(&mut record).map_err(|error| wrong(&error, expected))? {
        let line = record.position().map_or(0, csv::Position::line);
        if parameters.len() == MOST_WEIGHTS {
            let expected = format!("at most {MOST_WEIGHTS} weights");
            return Err(Error::Line { line, expected, found: "more".to_string() });
        }
        let Line { name, value, tune, prior } = record.deserialize(Some(&titles)).map_err(|_| {
            let found = format!("{:?}", record.iter().collect::<Vec<_>>().join(","));
            Error::Line { line, expected: expected.to_string(), found }
        })?;
        if name.len() > LONGEST_NAME {
            let expected = format!("a name of at most {LONGEST_NAME} bytes");
            return Err(Error::Line { line, expected, found: format!("{} bytes", name.len()) });
        }
        if name.contains(char::is_control) {
            let expected = "a name without control characters".to_string();
            return Err(Error::Line { line, expected, found: format!("\"{}\"", name.escape_debug()) });
        }
        if name.is_empty() || !names.insert(name.clone()) {
            let expected = "a name of its own for each weight".to_string();
            return Err(Error::Line { line, expected, found: format!("{name:?}") });
        }
        let parameter = Parameter { tune, prior: prior.unwrap_or(value), ..Parameter::new(name, value) };
        // A model of one weight finds out whether its numbers can be used.
        Model::new(vec![parameter.clone()]).map_err(|error| match error {
            Error::Input { expected, found } => Error::Line { line, expected, found },
            other => other,
        })?;
        parameters.push(parameter);
    }
    Model::new(parameters)
}

fn wrong(error: &csv::Error, expected: &str) -> Error {
    let line = error.position().map_or(1, csv::Position::line);
    let found = match error.kind() {
        csv::ErrorKind::Io(_) => error.to_string(),
        csv::ErrorKind::Utf8 { .. } => "bytes that are not UTF-8".to_string(),
        csv::ErrorKind::UnequalLengths { len, .. } => format!("{len} values"),
        _ => error.to_string(),
    };
    Error::Line { line, expected: expected.to_string(), found }
}

/// Writes a model. Priors are written if one of them is not the value.
///
/// # Errors
///
/// Those of `output`.
pub fn write_weights(model: &Model, output: impl Write) -> std::io::Result<()> {
    let mut writer = csv::Writer::from_writer(output);
    let has_priors = model.parameters().iter().any(|parameter| parameter.prior != parameter.value);
    for parameter in model.parameters() {
        let Parameter { name, value, tune, prior, .. } = parameter.clone();
        let prior = has_priors.then_some(prior);
        writer.serialize(Line { name, value, tune, prior }).map_err(std::io::Error::from)?;
    }
    if model.parameters().is_empty() {
        writer.write_record(&TITLES[..3]).map_err(std::io::Error::from)?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(model: &Model) -> String {
        let mut text = Vec::new();
        write_weights(model, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn weights_come_back_as_they_were_written() {
        let mut parameters = vec![Parameter::new("bishop", 330.0), Parameter::new("p[a,\"2\"]", -0.1)];
        parameters[1].tune = false;
        let model = Model::new(parameters.clone()).unwrap();
        assert_eq!(text(&model), "name,value,tune\nbishop,330.0,true\n\"p[a,\"\"2\"\"]\",-0.1,false\n");
        assert_eq!(read_weights(text(&model).as_bytes()).unwrap(), model);
        parameters[0].prior = 300.5;
        let model = Model::new(parameters).unwrap();
        assert!(text(&model).starts_with("name,value,tune,prior\nbishop,330.0,true,300.5\n"));
        assert_eq!(read_weights(text(&model).as_bytes()).unwrap(), model);
        assert_eq!(read_weights(&b"name,value,tune\n"[..]).unwrap().parameters(), []);
    }

    #[test]
    fn a_missing_prior_is_the_value() {
        let model =
            read_weights(&b"name, value, tune, prior\r\na, 3, true,\r\nb, 4, false, 5\r\n"[..]).unwrap();
        assert_eq!(
            model.parameters().iter().map(|parameter| parameter.prior).collect::<Vec<_>>(),
            [3.0, 5.0]
        );
    }

    #[test]
    fn the_index_that_pandas_writes_is_passed_over() {
        let plain = read_weights(&b"name,value,tune\na,3,True\nb,4,False\n"[..]).unwrap();
        for title in ["", "Unnamed: 0", "\"\""] {
            let text = format!("{title},name,value,tune\n0,a,3,True\n1,b,4,False\n");
            assert_eq!(read_weights(text.as_bytes()).unwrap(), plain, "{title}");
        }
        assert!(read_weights(&b"id,name,value,tune\n0,a,3,True\n"[..]).is_err());
    }

    #[test]
    fn truth_values_are_read_as_other_programs_write_them() {
        let tune = |words: &[&str]| -> Vec<bool> {
            let lines = words.iter().enumerate().map(|(at, word)| format!("w{at},1,{word}\n"));
            let model =
                read_weights(("name,value,tune\n".to_string() + &lines.collect::<String>()).as_bytes())
                    .unwrap();
            model.parameters().iter().map(|parameter| parameter.tune).collect()
        };
        assert_eq!(tune(&["true", "True", "TRUE", "1", "\"true\""]), [true; 5]);
        assert_eq!(tune(&["false", "False", "FALSE", "0", " 0 "]), [false; 5]);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line, part) in [
            ("", 1, "the titles name,value,tune"),
            ("a,3,true\n", 1, "but found \"a,3,true\""),
            (
                "name,value,tune\na,3,true\nb,x,true\n",
                3,
                "name, value, and true or false, but found \"b,x,true\"",
            ),
            ("name,value,tune\na,3,maybe\n", 2, "name, value, and true or false, but found \"a,3,maybe\""),
            ("name,value,tune\na,3\n", 2, "but found 2 values"),
            (
                "name,value,tune\na,3,true\na,4,true\n",
                3,
                "a name of its own for each weight, but found \"a\"",
            ),
            (
                "name,value,tune\na,3,true\n\"b\nc\",4,true\n",
                3,
                "without control characters, but found \"b\\nc\"",
            ),
            ("name,value,tune\n\u{1b}[31m,4,true\n", 2, "without control characters"),
            (
                &format!("name,value,tune\n{},4,true\n", "n".repeat(201)),
                2,
                "at most 200 bytes, but found 201 bytes",
            ),
            ("name,value,tune\na,nan,true\n", 2, "a value of a within 10^12 units"),
            ("name,value,tune\na,1e13,true\n", 2, "a value of a within 10^12 units"),
        ] {
            let message = read_weights(text.as_bytes()).unwrap_err().to_string();
            assert!(
                message.starts_with(&format!("line {line}: expected ")) && message.contains(part),
                "{text:?}: {message}"
            );
        }
    }
}
