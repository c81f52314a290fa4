//! The page of `texam report` in a browser: it loads in silence and from nowhere else, shows the figures of
//! its `.stat`, sorts, filters, fits a phone and has a dark side.

use std::{fs, sync::OnceLock};

use serde_json::Value;
use texam::run::stat::{RunRecord, Trend};

use super::{
    Tests,
    browser::{Browser, Look, SCREEN},
};
use crate::support::{self, Bench, number, succeeds};

/// A run with free tables, frozen weights and games held out; its page and its record.
fn run() -> &'static (String, RunRecord) {
    static RUN: OnceLock<(String, RunRecord)> = OnceLock::new();
    RUN.get_or_init(|| {
        let bench = Bench::new(1);
        let out = bench.path("out");
        let line = format!(
            "fit --depth 1 --every 60 --iterations 2 --min-support 40 --tune *,table:n_cen,table:pass --freeze tempo \
             --groups 3 --name first --out {out}"
        );
        succeeds(&support::words(&line));
        succeeds(&["report", &bench.path("out/first.stat"), "--positions", "2"]);
        let read = |name: &str| fs::read_to_string(bench.path(name)).unwrap();
        (read("out/first.html"), bench.record("out/first"))
    })
}

/// What scripts in these tests have at hand.
const HELP: &str = "
    const all = function (s, from) { return Array.from((from || document).querySelectorAll(s)); };
    const rows = function () { return all('#weights-table tbody tr').filter(row => row.offsetHeight > 0); };
    const column = function (at) { return rows().map(row => row.cells[at].dataset.v ?? row.cells[at].textContent); };
    const title = function (text) { return all('#weights-table thead th').find(th => th.textContent === text); };
    const press = function (text) { title(text).querySelector('button').click(); };
    const filter = function (text) {
        const box = document.getElementById('filter');
        box.value = text;
        box.dispatchEvent(new Event('input'));
    };
";

fn script(body: &str) -> String {
    format!("{HELP}{body}")
}

fn texts(value: &Value, field: &str) -> Vec<String> {
    let list = value[field].as_array().unwrap_or_else(|| panic!("no list {field} in {value}"));
    list.iter().map(|text| text.as_str().unwrap().to_string()).collect()
}

pub const WITHOUT_BROWSER: Tests<fn()> =
    &[("the_page_refers_to_nothing_outside", the_page_refers_to_nothing_outside)];

pub const IN_BROWSER: Tests<fn(&Browser)> = &[
    ("a_page_that_errs_or_loads_is_caught", a_page_that_errs_or_loads_is_caught),
    ("the_page_loads_in_silence_and_asks_for_nothing", the_page_loads_in_silence_and_asks_for_nothing),
    ("the_table_of_weights_has_the_figures_of_the_stat", the_table_of_weights_has_the_figures_of_the_stat),
    ("results_and_counts_are_those_of_the_stat", results_and_counts_are_those_of_the_stat),
    (
        "the_table_is_sorted_by_any_column_and_brought_back",
        the_table_is_sorted_by_any_column_and_brought_back,
    ),
    ("the_filter_leaves_the_rows_that_hold_every_word", the_filter_leaves_the_rows_that_hold_every_word),
    (
        "the_page_fits_a_phone_and_tables_scroll_inside_themselves",
        the_page_fits_a_phone_and_tables_scroll_inside_themselves,
    ),
    (
        "all_columns_of_the_weights_are_in_view_on_a_laptop",
        all_columns_of_the_weights_are_in_view_on_a_laptop,
    ),
    ("the_page_is_light_by_day_and_dark_by_night", the_page_is_light_by_day_and_dark_by_night),
    ("without_a_script_everything_can_be_read", without_a_script_everything_can_be_read),
];

fn a_page_that_errs_or_loads_is_caught(browser: &Browser) {
    let visit = |body: &str| {
        let page = format!("<!doctype html><html><body>{body}</body></html>");
        browser.visit(&page, SCREEN, "return { loads: performance.getEntriesByType('resource').length };")
    };
    let good = visit("<p>nothing to complain of</p>");
    assert_eq!(number(&good.quiet(), "loads"), 0.0);
    let errs = visit("<script>no_such_function();</script>").console;
    assert!(errs.iter().any(|line| line.contains("no_such_function is not defined")), "{errs:?}");
    let loads = visit("<img src=\"http://127.0.0.1:9/x.png\" alt=\"\">");
    assert!(number(&loads.seen, "loads") > 0.0, "{}", loads.seen);
    let (page, _) = run();
    let refused = page.replace("<main>", "<main><img src=\"http://127.0.0.1:9/x.png\" alt=\"\">");
    let refused = browser.visit(&refused, SCREEN, "return {};").console;
    assert!(refused.iter().any(|line| line.contains("Content Security Policy")), "{refused:?}");
}

fn the_page_refers_to_nothing_outside() {
    let (page, _) = run();
    let without_names = page.replace("http://www.w3.org/2000/svg", "");
    for wanted in ["http:", "https:", "//cdn", "@import", "@font-face"] {
        assert!(!without_names.contains(wanted), "{wanted}");
    }
    for reference in page.split(" src=\"").skip(1).chain(page.split(" href=\"").skip(1)) {
        assert!(reference.starts_with('#') || reference.starts_with("data:,"), "{}", &reference[..40]);
    }
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
    assert!(page.contains(&format!("http-equiv=\"Content-Security-Policy\" content=\"{policy}\"")));
}

fn the_page_loads_in_silence_and_asks_for_nothing(browser: &Browser) {
    let (page, _) = run();
    let seen = browser.visit(
        page,
        SCREEN,
        &script(
            "return { loads: performance.getEntriesByType('resource').length, cards: all('.card').length,
                boards: all('.board use.white').filter(use => use.getBoundingClientRect().width > 20).length,
                plots: all('#plots figure svg[role=img]').map(svg => svg.querySelector('title').textContent),
                unnamed: all('svg[role=img]').filter(svg => !svg.getAttribute('aria-label')
                    && !svg.getAttribute('aria-labelledby').split(' ').every(id => document.getElementById(id))).length,
                captions: all('figure').filter(f => f.querySelector('figcaption').textContent.trim()).length,
                figures: all('figure').length, ids: all('[id]').map(element => element.id) };",
        ),
    );
    let seen = seen.quiet();
    assert_eq!((number(&seen, "loads"), number(&seen, "cards"), number(&seen, "unnamed")), (0.0, 4.0, 0.0));
    assert!(number(&seen, "boards") > 20.0, "{seen}");
    assert_eq!(number(&seen, "captions"), number(&seen, "figures"));
    for title in ["Agreement with the winners", "Forces", "n_cen", "pass"] {
        assert!(texts(&seen, "plots").iter().any(|plot| plot == title), "{title}");
    }
    let mut ids = texts(&seen, "ids");
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id stands twice");
}

fn the_table_of_weights_has_the_figures_of_the_stat(browser: &Browser) {
    let (page, record) = run();
    let seen = browser.visit(
        page,
        SCREEN,
        &script(
            "return { names: rows().map(row => row.cells[0].textContent + ' ' + row.cells[1].textContent),
                exact: rows().map(row => Array.from(row.cells).slice(2, 10).map(cell => cell.dataset.v).join(' ')),
                shown: rows().map(row => Array.from(row.cells).slice(2, 7).map(cell => cell.textContent).join(' ')),
                states: column(10), groups: column(11) };",
        ),
    );
    let seen = seen.quiet();
    let [names, exact, shown, states] =
        ["names", "exact", "shown", "states"].map(|field| texts(&seen, field));
    let shown_passes = record.shown_passes().unwrap();
    for trend in &record.trends.weights {
        let at =
            names.iter().position(|name| *name == spelled(trend)).unwrap_or_else(|| panic!("{}", trend.name));
        assert_eq!(exact[at], figures(record, trend, shown_passes), "{}", trend.name);
        for (short, long) in shown[at].replace('\u{2212}', "-").split(' ').zip(exact[at].split(' ')) {
            if let (Ok(short), Ok(long)) = (short.parse::<f64>(), long.parse::<f64>()) {
                assert!((short - long).abs() < 0.00501, "{short} for {long}");
            }
        }
        let frozen = record.trends.frozen.iter().find(|frozen| frozen.name == trend.name);
        let state = match (frozen, trend.held) {
            (Some(frozen), _) => format!("frozen: {}", frozen.reason()),
            (None, Some(held)) if held > 0.5 => format!("tuned, {:.0} % held by the ridge", 100.0 * held),
            _ => "tuned".to_string(),
        };
        assert_eq!(states[at], state, "{}", trend.name);
    }
    assert!(states.iter().any(|state| state.starts_with("frozen: in ")), "none lacks positions");
    assert!(states.iter().any(|state| state.ends_with("% held by the ridge")), "none is held");
    let tempo = names.iter().position(|name| name == "tempo opening").unwrap();
    assert_eq!((states[tempo].as_str(), &exact[tempo][..20]), ("frozen: not tuned", "4.0000 4.0000 4.0000"));
    assert!(texts(&seen, "groups").iter().all(|group| !group.is_empty()));
}

/// The name and the phase of a weight as the page spells them.
fn spelled(trend: &Trend) -> String {
    match trend.name.rsplit_once('.') {
        Some((name, "o")) => format!("{name} opening"),
        Some((name, "e")) => format!("{name} endgame"),
        _ => format!("{} both", trend.name),
    }
}

/// Start, best, last, change, how far it moves values, error of the run, error of the step, support.
fn figures(record: &RunRecord, trend: &Trend, shown: [usize; 3]) -> String {
    let at = |pass: usize| record.trends.passes.iter().position(|&station| station as usize == pass).unwrap();
    let values = shown.map(|pass| Some(trend.values[at(pass)]));
    let run_error = trend.run_errors.last().copied();
    let numbers =
        values.into_iter().chain([Some(trend.change), Some(trend.moves), run_error, trend.standard_error]);
    let text = |number: Option<f64>| {
        number.map_or(String::new(), |n| format!("{n:.4}").replace("-0.0000", "0.0000"))
    };
    numbers.map(text).chain([trend.support.to_string()]).collect::<Vec<_>>().join(" ")
}

fn results_and_counts_are_those_of_the_stat(browser: &Browser) {
    let (page, record) = run();
    let seen = browser.visit(
        page,
        SCREEN,
        &script(
            "return { passes: all('#passes tbody tr').map(row => Array.from(row.cells).map(c => c.textContent).join('|')),
                counts: all('#counts tbody td').map(cell => cell.textContent) };",
        ),
    );
    let seen = seen.quiet();
    let per_cent = |share: f64| format!("{:.2}", 100.0 * share);
    for (line, report) in texts(&seen, "passes").iter().zip(&record.reports) {
        let held_out = report.held_out.as_ref().unwrap();
        let [fitted, held_out] = [&report.fitted, held_out]
            .map(|set| format!("{} \u{b1} {}", per_cent(set.match_rate()), per_cent(set.match_error())));
        let middle = format!("|{fitted}|{held_out}|{:.4}|", report.fitted.mean_rank());
        assert!(line.starts_with(&report.number.to_string()) && line.contains(&middle), "{middle} in {line}");
    }
    let counts: Vec<i64> =
        texts(&seen, "counts").iter().filter_map(|count| count.replace(',', "").parse().ok()).collect();
    let [_, best, _] = record.shown_passes().unwrap();
    let best = if best > 0 { best } else { record.reports.len() - 1 };
    let sets = |pass: usize| [Some(&record.reports[pass].fitted), record.reports[pass].held_out.as_ref()];
    for (at, (start, best)) in sets(0).into_iter().zip(sets(best)).enumerate() {
        let (start, best) = (start.unwrap(), best.unwrap());
        let &[positions, improved, equal, worse, gained, lost] = &counts[6 * at..6 * at + 6] else {
            panic!()
        };
        assert_eq!(positions, start.choices as i64);
        assert_eq!(improved + equal + worse, positions);
        assert_eq!(gained - lost, best.matched as i64 - start.matched as i64);
    }
}

fn the_table_is_sorted_by_any_column_and_brought_back(browser: &Browser) {
    let (page, _) = run();
    let seen = browser.visit(
        page,
        SCREEN,
        &script(
            "const told = { titles: all('#weights-table thead th').map(th => th.textContent), start: column(0) };
             press('change');
             told.falling = column(5);
             told.way = [title('change').getAttribute('aria-sort'), String(title('s.e. of step').getAttribute('aria-sort'))];
             press('change');
             told.rising = column(5);
             told.way.push(title('change').getAttribute('aria-sort'));
             press('meaning');
             told.meanings = column(12);
             told.way.push(String(title('change').getAttribute('aria-sort')), title('meaning').getAttribute('aria-sort'));
             press('meaning');
             press('meaning');
             told.back = column(0);
             press('s.e. of step');
             told.errors = column(8);
             told.focus = all('#weights-table thead th').map(function (th) {
                 const button = th.querySelector('button');
                 button.focus();
                 return String(document.activeElement === button && button.tabIndex === 0);
             });
             return told;",
        ),
    );
    let seen = seen.quiet();
    assert_eq!(texts(&seen, "titles").len(), 13);
    let numbers = |field: &str| -> Vec<Option<f64>> {
        texts(&seen, field).iter().map(|text| text.parse().ok()).collect()
    };
    let is_falling = |numbers: &[Option<f64>]| {
        let known: Vec<f64> = numbers.iter().map_while(|number| *number).collect();
        assert!(known.len() > 20 && numbers[known.len()..].iter().all(Option::is_none), "blanks stand last");
        known.is_sorted_by(|a, b| a >= b)
    };
    assert!(is_falling(&numbers("falling")) && is_falling(&numbers("errors")));
    let rising: Vec<f64> = numbers("rising").into_iter().map_while(|number| number).collect();
    assert!(rising.is_sorted() && rising[0] < 0.0);
    let meanings = texts(&seen, "meanings");
    assert_eq!(meanings[0], "a second rook on the seventh under the same condition");
    assert_eq!(texts(&seen, "way"), ["descending", "null", "ascending", "null", "ascending"]);
    assert_ne!(texts(&seen, "start"), {
        let mut sorted = texts(&seen, "start");
        sorted.sort();
        sorted
    });
    assert_eq!(texts(&seen, "back"), texts(&seen, "start"));
    assert_eq!(texts(&seen, "focus"), ["true"; 13]);
}

fn the_filter_leaves_the_rows_that_hold_every_word(browser: &Browser) {
    let (page, record) = run();
    let seen = browser.visit(
        page,
        SCREEN,
        &script(
            "const told = { all: String(rows().length) };
             filter('N_CEN  endgame');
             told.names = rows().map(row => row.cells[0].textContent + ' ' + row.cells[1].textContent);
             told.said = document.getElementById('shown').textContent;
             press('change');
             told.sorted = String(rows().length);
             filter('no such weight');
             told.none = String(rows().length);
             filter('');
             told.again = String(rows().length);
             return told;",
        ),
    );
    let seen = seen.quiet();
    let expected: Vec<String> = record.trends.weights.iter().map(spelled).collect();
    let expected: Vec<&String> =
        expected.iter().filter(|name| name.starts_with("n_cen[") && name.ends_with(" endgame")).collect();
    assert!(expected.len() > 20);
    assert_eq!(texts(&seen, "names").iter().collect::<Vec<_>>(), expected);
    let (all, count) = (seen["all"].as_str().unwrap(), expected.len().to_string());
    assert_eq!(seen["said"], format!("{count} of {all} weights"));
    assert_eq!([&seen["sorted"], &seen["none"], &seen["again"]], [count.as_str(), "0", all]);
}

fn the_page_fits_a_phone_and_tables_scroll_inside_themselves(browser: &Browser) {
    let (page, _) = run();
    let measure = "
        const page = document.documentElement;
        return { width: innerWidth, wide: page.scrollWidth, columns: rows()[0].offsetWidth,
            box: document.querySelector('.tall').clientWidth,
            slim: all('figure .slim').filter(part => part.offsetWidth > 0).length,
            broad: all('figure .broad').filter(part => part.offsetWidth > 0).length };";
    for width in [360, 390, 768, 1200] {
        let seen = browser.visit(page, Look { width, ..SCREEN }, &script(measure)).quiet();
        assert_eq!(number(&seen, "width"), f64::from(width));
        assert!(number(&seen, "wide") <= f64::from(width), "{seen}");
        let (slim, broad) = (number(&seen, "slim") > 0.0, number(&seen, "broad") > 0.0);
        assert_eq!((slim, broad), (width < 960, width >= 960), "{seen}");
        if width < 500 {
            assert!(number(&seen, "columns") > number(&seen, "box"), "{seen}");
        }
    }
}

fn all_columns_of_the_weights_are_in_view_on_a_laptop(browser: &Browser) {
    let (page, _) = run();
    let measure = "
        const box = document.querySelector('.tall');
        return { table: document.getElementById('weights-table').offsetWidth, box: box.clientWidth,
            errors: all('#weights-table thead th').length };";
    let seen = browser.visit(page, Look { width: 1280, ..SCREEN }, &script(measure)).quiet();
    assert!(number(&seen, "table") <= number(&seen, "box"), "{seen}");
    assert_eq!(number(&seen, "errors"), 13.0);
}

fn the_page_is_light_by_day_and_dark_by_night(browser: &Browser) {
    let (page, _) = run();
    let look = "
        const light = function (colour) { return colour.match(/[0-9.]+/g).slice(0, 3).reduce((sum, c) => sum + +c, 0) / 765; };
        const style = function (s) { return getComputedStyle(document.querySelector(s)); };
        return { paper: light(style('body').backgroundColor), ink: light(style('body').color),
            plot: light(style('figure text').fill), heading: light(style('#weights-table thead th').color),
            wash: light(style('#weights-table thead th').backgroundColor) };";
    for dark in [false, true] {
        let seen = browser.visit(page, Look { dark, ..SCREEN }, &script(look)).quiet();
        let contrast = |ink: &str, paper: &str| {
            (number(&seen, ink) - number(&seen, paper)) * if dark { 1.0 } else { -1.0 }
        };
        assert!(contrast("ink", "paper") > 0.6, "{seen}");
        assert!(contrast("plot", "paper") > 0.3 && contrast("heading", "wash") > 0.3, "{seen}");
        assert_eq!(number(&seen, "paper") < 0.5, dark, "{seen}");
    }
}

fn without_a_script_everything_can_be_read(browser: &Browser) {
    let (page, record) = run();
    let (before, rest) = page.rsplit_once("<script>").unwrap();
    let (_, after) = rest.split_once("</script>").unwrap();
    let seen = browser.visit(
        &format!("{before}{after}"),
        SCREEN,
        &script(
            "return { rows: rows().length, buttons: all('button').filter(part => part.offsetHeight > 0).length,
                filter: all('.filter').filter(part => part.offsetHeight > 0).length };",
        ),
    );
    let seen = seen.quiet();
    assert!(number(&seen, "rows") >= record.trends.weights.len() as f64);
    assert_eq!((number(&seen, "buttons"), number(&seen, "filter")), (0.0, 0.0));
}
