//! Templates of results: text with places that are filled from the output of commands.
//!
//! `{2 passes.-1.match .4}` is the number at this path in the JSON object that the second command printed, with four
//! digits after the point. A number in a path is an index into a list; -1 is its last entry. `(p_adv[de,r4].o)` in a path is
//! the entry of a list whose `weight` this is; a dash stands for an entry that is missing. The format is `.N` for N digits,
//! `+.N` for a sign too; without one a value stands as in the object. `{3}` is the whole text that the third command printed.
//!
//! A line with `*` in a path is repeated for every entry of the list; `{#}` in it is the index. Lines that begin with `|` are
//! rows of a table: their cells are aligned, the first row is its heading.

use serde_json::Value;

use crate::error::{Error, Result};

/// What a command printed.
#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    /// One JSON object.
    Json(Value),
    Text(String),
}

/// Fills a template from the outputs of the commands, in their order.
pub fn fill(template: &str, outputs: &[Output]) -> Result<String> {
    let mut filled = String::new();
    let mut rows: Vec<String> = Vec::new();
    for line in template.lines() {
        for index in 0..repeats(line, outputs)? {
            let line = fill_line(line, index, outputs)?;
            if line.starts_with('|') {
                rows.push(line);
                continue;
            }
            push_table(&mut filled, &mut rows);
            filled.push_str(line.trim_end());
            filled.push('\n');
        }
    }
    push_table(&mut filled, &mut rows);
    Ok(filled)
}

/// How often a line is repeated.
fn repeats(line: &str, outputs: &[Output]) -> Result<usize> {
    let Some(place) = places(line).find(|place| place.contains(".*")) else { return Ok(1) };
    let (step, path) = place.split_once(' ').ok_or_else(|| no_value(place))?;
    let list = path.split(".*").next().unwrap_or_default();
    let list = value_at(output(step, outputs)?, list).and_then(Value::as_array);
    list.map(Vec::len).ok_or_else(|| no_value(place))
}

/// What stands between braces in a line.
fn places(line: &str) -> impl Iterator<Item = &str> {
    line.split('{').skip(1).filter_map(|after| after.split_once('}')).map(|(place, _)| place)
}

fn fill_line(line: &str, index: usize, outputs: &[Output]) -> Result<String> {
    let mut filled = line.to_string();
    for place in places(line) {
        filled = filled.replacen(&format!("{{{place}}}"), &fill_place(place, index, outputs)?, 1);
    }
    Ok(filled)
}

fn fill_place(place: &str, index: usize, outputs: &[Output]) -> Result<String> {
    if place == "#" {
        return Ok(index.to_string());
    }
    let mut parts = place.split(' ');
    let output = output(parts.next().unwrap_or_default(), outputs)?;
    let Some(path) = parts.next() else {
        return match output {
            Output::Text(text) => Ok(text.trim_end().to_string()),
            Output::Json(_) => Err(no_value(place)),
        };
    };
    let path = path.replace('*', &index.to_string());
    let value = value_at(output, &path).ok_or_else(|| no_value(place))?;
    format_value(value, parts.next()).ok_or_else(|| no_value(place))
}

/// A value in a format. Null is a dash.
fn format_value(value: &Value, format: Option<&str>) -> Option<String> {
    if value.is_null() {
        return Some("-".to_string());
    }
    let Some(format) = format else {
        return Some(value.as_str().map_or_else(|| value.to_string(), str::to_string));
    };
    let (is_signed, digits) = format.strip_prefix('+').map_or((false, format), |rest| (true, rest));
    let digits: usize = digits.strip_prefix('.')?.parse().ok()?;
    let number = value.as_f64()?;
    Some(if is_signed { format!("{number:+.digits$}") } else { format!("{number:.digits$}") })
}

/// The output of a step, by its number from 1.
fn output<'a>(step: &str, outputs: &'a [Output]) -> Result<&'a Output> {
    let index = step.parse::<usize>().ok().and_then(|step| step.checked_sub(1));
    let output = index.and_then(|index| outputs.get(index));
    output.ok_or_else(|| Error::expected(format!("the number of a command, 1 to {}", outputs.len()), step))
}

fn value_at<'a>(output: &'a Output, path: &str) -> Option<&'a Value> {
    let Output::Json(value) = output else { return None };
    let mut value = value;
    let mut rest = path;
    while !rest.is_empty() {
        if let Some((weight, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            let entry = value.as_array()?.iter().find(|entry| entry["weight"] == weight);
            let Some(entry) = entry else { return Some(&Value::Null) };
            (value, rest) = (entry, after.strip_prefix('.').unwrap_or(after));
            continue;
        }
        let (part, after) = rest.split_once('.').unwrap_or((rest, ""));
        value = match value {
            Value::Array(list) => {
                let index: i64 = part.parse().ok()?;
                let index = if index < 0 { index + list.len() as i64 } else { index };
                list.get(usize::try_from(index).ok()?)?
            }
            _ => value.get(part)?,
        };
        rest = after;
    }
    Some(value)
}

fn no_value(place: &str) -> Error {
    Error::new(format!("template of a result: no value for {{{place}}} in the output of the command"))
}

/// Appends the rows as an aligned table, and removes them.
fn push_table(text: &mut String, rows: &mut Vec<String>) {
    let cells = |row: &String| -> Vec<String> {
        row.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
    };
    let table: Vec<Vec<String>> = rows.drain(..).map(|row| cells(&row)).collect();
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let widths = table.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (number, row) in table.iter().enumerate() {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            // Names stand to the left, numbers to the right.
            let width = widths[column];
            let cell = if column == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
            line.push_str(&cell);
        }
        text.push_str(line.trim_end());
        text.push('\n');
        if number == 0 {
            text.push_str(&"-".repeat(widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1)));
            text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn outputs() -> Vec<Output> {
        vec![
            Output::Json(
                json!({"passes": [{"match": 0.38351}, {"match": 0.40444}], "name": "a", "elo": null}),
            ),
            Output::Text("a picture\n".to_string()),
        ]
    }

    #[test]
    fn places_are_filled_from_objects_and_texts() {
        let fill = |template: &str| fill(template, &outputs()).unwrap();
        assert_eq!(fill("match {1 passes.0.match .4}, {1 passes.-1.match +.2}"), "match 0.3835, +0.40\n");
        assert_eq!(fill("{1 name} {1 elo .1}\n{2}"), "a -\na picture\n");
    }

    #[test]
    fn an_entry_of_a_list_is_found_by_its_weight() {
        let change = |weight: &str, to: f64| json!({"weight": weight, "to": to});
        let changes = [change("p_adv[ah,r7].o", 1.5), change("p_adv[ah,r7].e", 2.5)];
        let outputs = [Output::Json(json!({ "changes": changes }))];
        let fill = |template: &str| fill(template, &outputs).unwrap();
        assert_eq!(fill("{1 changes.(p_adv[ah,r7].e).to .2}"), "2.50\n");
        assert_eq!(fill("{1 changes.(p_adv[de,r7].e).to .2}"), "-\n");
    }

    #[test]
    fn a_line_is_repeated_for_each_entry_and_the_cells_of_a_table_are_aligned() {
        let table = fill("| pass | match |\n| {#} | {1 passes.*.match .2} |\nend", &outputs()).unwrap();
        assert_eq!(table, "pass  match\n-----------\n0      0.38\n1      0.40\nend\n");
    }

    #[test]
    fn a_place_without_a_value_is_an_error_that_names_it() {
        for template in ["{1 passes.7.match}", "{1 none}", "{2 name}", "{1}", "{1 name .2}", "{1 name.*}"] {
            let error = fill(template, &outputs()).unwrap_err().to_string();
            assert!(error.contains(template), "{error}");
        }
        let error = fill("{3 name}", &outputs()).unwrap_err().to_string();
        assert_eq!(error, "expected the number of a command, 1 to 2, but found 3");
    }
}
