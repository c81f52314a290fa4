//! `texam plot`: pictures of a run or of weights, in a file or as text.

use std::path::Path;

use texam_fit::{Agreement, Criterion, LossReport, MeanLoss, ObjectiveName, PassReport};

use super::{Outcome, note, output::OutputFile, print_raw, read_par, start_or, warn, weights};
use crate::{
    commands::cli::PlotArgs,
    error::{Error, Result},
    feature::{Key, Mode, Weights, nearest},
    run::{Files, StoredRun, StoredWeights, count, stat::RunRecord},
    screen,
    show::plot::{self, FrozenCells, Page, Panel, PanelKind, Theme, WIDTHS, WeightPair},
};

/// Default width of a picture, in pixels.
const WIDTH: u32 = 960;

pub(super) fn run(args: &PlotArgs) -> Result<Outcome> {
    let format = args.output.as_deref().map(PictureFormat::from_path).transpose()?;
    let inputs = start_or(&args.against).chain([&*args.file]);
    let output =
        args.output.as_deref().map(|path| OutputFile::new(path, args.overwrite, inputs)).transpose()?;
    let (page, outcome) = match extension(&args.file).as_str() {
        "stat" | "json" => run_page(args)?,
        "par" => (weights_page(args)?, Outcome::Complete),
        _ => {
            let missing =
                "nothing of this name; check the name. `texam params --sets` lists the built-in sets";
            let wrong = "another ending; name a run or weights";
            let found = if args.file.exists() { wrong } else { missing };
            return Err(Error::expected("a file that ends in .stat or .par", found).in_file(&args.file));
        }
    };
    let page = Page { panels: chosen(args, page.panels)?, ..page };
    match (format, output) {
        (Some(format), Some(output)) => output.write_and_print(&format.draw(&page, args)?)?,
        // It may contain escape sequences for colours; text from outside comes through a buffer that drops
        // control characters.
        _ => print_raw(&text(&page, args)?)?,
    }
    Ok(outcome)
}

/// Default width of text in columns, if the output is not a terminal.
const COLUMNS: u16 = 100;

/// A page as text, with colours if the terminal and the environment allow them.
fn text(page: &Page, args: &PlotArgs) -> Result<String> {
    let terminal = screen::columns();
    let given = args.width.map(|width| u16::try_from(width).unwrap_or(u16::MAX));
    if let Some(width) = given.filter(|&width| width < plot::text::NARROWEST) {
        let expected = format!("--width of at least {} for text", plot::text::NARROWEST);
        return Err(Error::expected(expected, width));
    }
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let colour = (terminal.is_some() || is_set("CLICOLOR_FORCE")) && !is_set("NO_COLOR");
    Ok(plot::text::page(page, given.or(terminal).unwrap_or(COLUMNS), colour))
}

/// File format of a picture.
#[derive(Clone, Copy)]
pub(super) enum PictureFormat {
    Svg,
    Png,
}

impl PictureFormat {
    /// The format of a file, by its extension.
    pub fn from_path(path: &Path) -> Result<PictureFormat> {
        match extension(path).as_str() {
            "svg" => Ok(PictureFormat::Svg),
            "png" => Ok(PictureFormat::Png),
            _ => {
                let found = "another ending; choose one of the two";
                Err(Error::expected("a picture that ends in .svg or .png", found).in_file(path))
            }
        }
    }

    fn draw(self, page: &Page, args: &PlotArgs) -> Result<Vec<u8>> {
        let width = args.width.unwrap_or(WIDTH);
        if !WIDTHS.contains(&width) {
            let expected = format!("--width from {} to {} for a picture", WIDTHS.start(), WIDTHS.end());
            return Err(Error::expected(expected, width));
        }
        let theme = if args.dark { Theme::Dark } else { Theme::Light };
        self.bytes(page, width, theme)
    }

    /// A page as a picture.
    pub fn bytes(self, page: &Page, width: u32, theme: Theme) -> Result<Vec<u8>> {
        match self {
            PictureFormat::Svg => Ok(page.svg(width, theme).into_bytes()),
            PictureFormat::Png => page.png(width, theme),
        }
    }
}

/// The extension of a file name in lower case.
fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// The requested panels, at least one.
fn chosen(args: &PlotArgs, mut panels: Vec<Panel>) -> Result<Vec<Panel>> {
    if let Some(missing) = args.panel.iter().find(|kind| panels.iter().all(|panel| panel.kind != **kind)) {
        let found = "none; without --panel all are drawn that there are";
        return Err(Error::expected(format!("something to draw as {missing}"), found).in_file(&args.file));
    }
    panels.retain(|panel| args.panel.is_empty() || args.panel.contains(&panel.kind));
    if panels.is_empty() {
        return Err(Error::expected("something to draw", "nothing").in_file(&args.file));
    }
    Ok(panels)
}

/// The panels of a run and of its tables with free cells.
fn run_page(args: &PlotArgs) -> Result<(Page, Outcome)> {
    let run = StoredRun::open(&args.file)?;
    let StoredWeights { passes, left_out } = run.weights(&mut note);
    if let Some(why) = &left_out {
        warn(&format!("drawn {why}"));
    }
    let outcome = Outcome::complete_if(left_out.is_none());
    let StoredRun { files, record } = run;
    let mut panels = plot::run_panels(&record, &passes);
    let pass = record.best().unwrap_or(record.reports.len() - 1) as u32;
    let against = args.against.as_deref().map(read_par).transpose()?;
    let before = against.as_ref().or(passes.get(&0));
    if let (Some(before), Some(after)) = (before, passes.get(&pass)) {
        let names = [args.against.as_deref().map_or("start".to_string(), stem), format!("pass {pass}")];
        let frozen = FrozenCells::new(&record.trends);
        let pair = WeightPair { names: [&names[0], &names[1]], weights: [before, after], frozen: &frozen };
        let free = |key: Key| after.setting(key).mode == Mode::Cells;
        panels.extend(plot::table_panels(&tables(args, &pair, free)?, &pair));
    } else if !args.table.is_empty() || args.panel.iter().any(|kind| kind.is_of_tables()) {
        let expected = format!("the weights of pass {pass} beside the run");
        return Err(Error::expected(expected, "none").in_file(files.par(pass)));
    }
    Ok((Page { title: stem(&args.file), note: run_summary(&record), panels }, outcome))
}

/// Games, force and agreement of a run in two sentences.
fn run_summary(record: &RunRecord) -> String {
    let best = record.best();
    let report = &record.reports[best.unwrap_or(record.reports.len() - 1)];
    let rates = |report: &PassReport| {
        let rate =
            |set: &Agreement| format!("{:.2} ± {:.2} %", 100.0 * set.match_rate(), 100.0 * set.match_error());
        let held_out = report.held_out.as_ref().map(|set| format!(", held out {}", rate(set)));
        let losses = |loss: LossReport| {
            let mean = |loss: MeanLoss| format!("{:.5} ± {:.5}", loss.mean, loss.error);
            let held_out = loss.held_out.map(|loss| format!(", held out {}", mean(loss)));
            format!("{}{}", mean(loss.fitted), held_out.unwrap_or_default())
        };
        match (report.criterion, report.loss) {
            (Criterion::Loss, Some(loss)) => losses(loss),
            _ => format!("{}{}", rate(&report.fitted), held_out.unwrap_or_default()),
        }
    };
    let fits = record.reports.len() - 1;
    let option = |name: &str| record.option(name).unwrap_or("?");
    let method = match (record.header.objective(), report.loss) {
        (ObjectiveName::Force, _) | (_, None) => format!("force {} {}", option("force"), option("strength")),
        (objective, Some(loss)) => format!("objective {objective}, temperature {:.1}", loss.temperature),
    };
    let measure = if report.criterion == Criterion::Loss { "Loss" } else { "Agreement" };
    let data = format!("{}, {} positions", record.header.games.join(" and "), record.header.positions[0]);
    let start = format!("{measure} at the start {}", rates(&record.reports[0]));
    let pass = format!("{} pass {}", if best.is_some() { "best" } else { "last" }, report.number);
    format!("{data}; {}, {method}. {start}; {pass} {}.", count(fits as u64, "fit"), rates(report))
}

/// The panels of the tables of weights, compared with those of another set.
fn weights_page(args: &PlotArgs) -> Result<Page> {
    let after = read_par(&args.file)?;
    let (before, _): (Weights, String) = weights(args.against.as_deref())?;
    let names = [args.against.as_deref().map_or("start".to_string(), stem), stem(&args.file)];
    let frozen = run_beside(&args.file).map(|record| FrozenCells::new(&record.trends)).unwrap_or_default();
    let pair = WeightPair { names: [&names[0], &names[1]], weights: [&before, &after], frozen: &frozen };
    let keys = tables(args, &pair, |_| true)?;
    let mut panels = plot::table_panels(&keys, &pair);
    if args.table.is_empty() && args.panel.is_empty() {
        // All tables are many: surfaces, which repeat the heat maps, are left out, and lists stand side by
        // side.
        panels.retain(|panel| panel.kind != PanelKind::Surface);
        panels.sort_by_key(|panel| panel.kind);
    }
    let shown: Vec<&str> = keys.iter().map(|key| key.feature().key).collect();
    let shown = if shown.len() > 1 { format!("; tables: {}", shown.join(", ")) } else { String::new() };
    Ok(Page { title: names[1].clone(), note: format!("beside {}{shown}", names[0]), panels })
}

/// The data of the run to which NAME-NN.par belongs, if they are in the same folder and can be read.
fn run_beside(path: &Path) -> Option<RunRecord> {
    let (files, pass) = Files::of_par(path).ok()?;
    let record = RunRecord::read(&files).ok()?;
    ((pass as usize) < record.reports.len()).then_some(record)
}

/// Name of a file without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The requested tables, or by default those that satisfy `wanted`. A table that is off in both sets is an
/// error, or is left out by default.
fn tables(args: &PlotArgs, pair: &WeightPair, wanted: impl Fn(Key) -> bool) -> Result<Vec<Key>> {
    let is_on = |key: Key| pair.weights.iter().any(|weights| weights.is_on(key));
    if args.table.is_empty() {
        let tables = Key::ALL.iter().copied().filter(|key| key.feature().layout.is_table());
        return Ok(tables.filter(|&key| is_on(key) && wanted(key)).collect());
    }
    let keys = args.table.iter().map(|name| match table(name)? {
        key if is_on(key) => Ok(key),
        _ => Err(Error::expected("a table that counts in the weights", format!("{name:?}, which is off"))),
    });
    keys.collect()
}

fn table(name: &str) -> Result<Key> {
    let tables = || Key::ALL.iter().filter(|key| key.feature().layout.is_table());
    tables().find(|key| key.feature().key == name).copied().ok_or_else(|| {
        let remedy = match nearest(name, tables().map(|key| key.feature().key)) {
            Some(near) => format!("did you mean {near:?}?"),
            None => "`texam params` lists them".to_string(),
        };
        Error::expected("a feature with a table", format!("{name:?}; {remedy}"))
    })
}
