//! What is drawn against what it was drawn from: figures and places in the pictures, letters that do not lie
//! on each other, bytes that are always the same.

use super::{
    canvas::BASELINE,
    font::{Anchor, TextStyle},
    run::{self, histogram_passes, run_forces},
    table::{heat, surface},
    *,
};
use crate::{
    feature::{Key, Weights},
    run::stat::testing::shipped_record,
};

/// A set with every table free and every cell its own, some far from the others.
fn bent() -> Weights {
    let mut weights = Weights::start();
    for &key in Key::ALL.iter().filter(|key| key.feature().layout.is_table()) {
        weights.free_table(key).unwrap();
        let setting = weights.setting_mut(key);
        for (at, weight) in setting.open.iter_mut().enumerate() {
            *weight += ((at * 37 + 11) % 101) as f64 - 50.0;
        }
    }
    weights
}

/// The panels of a run and of all tables.
fn panels() -> Vec<Panel> {
    let record = shipped_record();
    let (start, bent, frozen) = (Weights::start(), bent(), FrozenCells::new(&record.trends));
    let pair = WeightPair { names: ["start", "pass 8"], weights: [&start, &bent], frozen: &frozen };
    let mut panels = run_panels(&record, &PassWeights::new());
    panels.extend(table_panels(Key::ALL, &pair));
    panels
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    element.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

fn number(element: &str, name: &str) -> f64 {
    attribute(element, name)
        .and_then(|text| text.parse().ok())
        .unwrap_or_else(|| panic!("{name} in {element}"))
}

/// Letters in a picture: what, and the room they take: left, top, right, bottom.
fn letters(svg: &str) -> Vec<(String, [f64; 4])> {
    let texts = svg.split("<text").skip(1).map(|text| text.split("</text>").next().unwrap());
    let placed = texts.map(|element| {
        let (head, text) = element.split_once('>').unwrap();
        let text = text.trim().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let size = number(head, "font-size");
        let bold = attribute(head, "font-weight") == Some("bold");
        let width = TextStyle { bold, ..TextStyle::new(size, Anchor::Start) }.width(&text);
        let before = match attribute(head, "text-anchor").unwrap_or("start") {
            "start" => 0.0,
            "middle" => 0.5,
            _ => 1.0,
        };
        let (x, y, half) = (number(head, "x"), number(head, "y"), BASELINE * size);
        let room = match attribute(head, "transform") {
            None => [x - before * width, y - 2.0 * half, x + (1.0 - before) * width, y],
            Some(_) => [x - 2.0 * half, y - (1.0 - before) * width, x, y + before * width],
        };
        (text, room)
    });
    placed.collect()
}

fn texts(svg: &str) -> Vec<String> {
    letters(svg).into_iter().map(|(text, _)| text).collect()
}

/// Heights of the dots of one colour, from left to right.
fn dots(svg: &str, colour: &str) -> Vec<(f64, f64)> {
    let circles = svg.split("<circle").skip(1).map(|rest| rest.split("/>").next().unwrap());
    let mine = circles.filter(|circle| attribute(circle, "fill") == Some(colour));
    mine.map(|circle| (number(circle, "cx"), number(circle, "cy"))).collect()
}

#[test]
fn dots_stand_where_the_values_are() {
    let panel = agreement(&MeasuredPasses::from(&shipped_record()));
    let svg = svg(&panel, panel.natural_size(480), Theme::Light);
    let PanelContent::Charts(charts) = &panel.content else { panic!("no chart") };
    for (series, colour) in charts[0].series.iter().zip(["#0072B2", "#D55E00"]) {
        let dots = dots(&svg, colour);
        assert_eq!(dots.len(), 16);
        let (first, last) = (series.points[0].y, series.points[15].y);
        for (point, (x, y)) in series.points.iter().zip(&dots) {
            let expected = dots[0].1 + (dots[15].1 - dots[0].1) * (point.y - first) / (last - first);
            assert!((y - expected).abs() < 0.3, "pass {} at {y}, not at {expected}", point.x);
            let expected = dots[0].0 + (dots[15].0 - dots[0].0) * point.x / 15.0;
            assert!((x - expected).abs() < 0.3, "pass {} at {x}, not at {expected}", point.x);
        }
    }
}

#[test]
fn every_cell_of_a_board_shows_its_weight() {
    let (start, bent) = (Weights::start(), bent());
    let pair =
        WeightPair { names: ["start", "bent"], weights: [&start, &bent], frozen: &FrozenCells::default() };
    let panel = heat(Key::PAdv, &pair).unwrap();
    let texts = texts(&svg(&panel, panel.natural_size(960), Theme::Light));
    // 8 files of 6 ranks, three boards for each end of the game; two of the labels are figures too.
    let figures = texts.iter().filter(|text| text.trim_start_matches('−').parse::<f64>().is_ok()).count();
    assert_eq!(figures, 6 * (8 * 6 + 6) + 3);
    let weight = bent.of_cell(Key::PAdv.cell_at(3 * 6 + 5))[0];
    let shown = format!("{weight:.0}").replace('-', "−");
    assert!(texts.iter().filter(|text| **text == shown).count() >= 2, "{shown}");
}

#[test]
fn a_board_shows_all_of_its_figures_or_none() {
    let (start, bent) = (Weights::start(), bent());
    let pair =
        WeightPair { names: ["start", "bent"], weights: [&start, &bent], frozen: &FrozenCells::default() };
    let panel = heat(Key::KCen, &pair).unwrap();
    for width in (280..1000).step_by(40) {
        let texts = texts(&svg(&panel, panel.natural_size(width), Theme::Light));
        let figures = texts.iter().filter(|text| text.trim_start_matches('−').parse::<f64>().is_ok()).count();
        let others = 6 * 8 + 3;
        assert!(figures == others || figures == others + 6 * 64, "{figures} of {width}");
    }
}

#[test]
fn letters_lie_on_the_picture_and_not_on_each_other() {
    for panel in panels() {
        for width in [360, 480, 960, 1500] {
            let size = panel.natural_size(width);
            let svg = svg(&panel, size, Theme::Light);
            let letters = letters(&svg);
            assert!(letters.len() > 3, "{}", panel.title);
            assert!(!svg.contains("99999") && !svg.contains("00000"), "sizes with too many decimals");
            for (at, (text, room)) in letters.iter().enumerate() {
                let what = format!("{} {} of {width}: {text:?} {room:?}", panel.kind, panel.title);
                let [left, top, right, bottom] = *room;
                assert!(left >= 0.0 && top >= 0.0, "{what}");
                assert!(right <= f64::from(size.width) && bottom <= f64::from(size.height), "{what}");
                for (other, place) in &letters[at + 1..] {
                    let apart =
                        right <= place[0] || place[2] <= left || bottom <= place[1] || place[3] <= top;
                    assert!(apart, "{what} lies on {other:?} {place:?}");
                }
            }
        }
    }
}

#[test]
fn a_page_holds_its_panels_at_full_size_and_in_order() {
    let panels: Vec<Panel> = panels().into_iter().take(7).collect();
    let page = Page { title: "gm<1988>".to_string(), note: String::new(), panels };
    let svg = page.svg(960, Theme::Light);
    assert!(svg.contains("aria-label=\"gm&lt;1988&gt;\""), "{}", &svg[..300]);
    let second = svg.lines().find(|line| line.ends_with(&format!(">{}</text>", page.panels[1].title)));
    assert_eq!(attribute(second.unwrap(), "x"), Some("490"), "no second column");
    let titles: Vec<_> =
        page.panels.iter().map(|panel| svg.find(&format!(">{}</text>", panel.title))).collect();
    assert!(titles.iter().all(Option::is_some) && titles.is_sorted(), "{titles:?}");
}

#[test]
fn a_picture_for_a_page_has_no_ground_and_takes_its_colours_from_the_page() {
    for panel in panels() {
        let svg = svg(&panel, panel.natural_size(480), Theme::Page);
        // A surface and its key have colours of their own.
        let is_surface = panel.kind == PanelKind::Surface;
        assert!(svg.contains("\"currentColor\"") && (is_surface || !svg.contains("\"#0")), "{}", panel.title);
        assert!(!svg.contains("<rect x=\"0\" y=\"0\" width=\"480\""), "{}", panel.title);
    }
}

#[test]
fn nothing_to_show_and_pictures_without_room_do_not_panic() {
    let mut record = shipped_record();
    record.reports.truncate(1);
    record.trends = Default::default();
    let mut all = run_panels(&record, &PassWeights::new());
    record.reports.clear();
    assert!(run_panels(&record, &PassWeights::new()).is_empty());
    all.push(agreement(&MeasuredPasses::from(&record)));
    all.extend(panels());
    for panel in all {
        for size in
            [Size { width: 1, height: 1 }, Size { width: 40, height: 300 }, Size { width: 300, height: 20 }]
        {
            svg(&panel, size, Theme::Light);
        }
        text::panel(&panel, 1, true);
    }
}

#[test]
fn text_keeps_to_its_columns_and_says_the_same_with_colours() {
    let plain_of = |coloured: &str| {
        let parts = coloured.split("\x1b[").enumerate();
        parts
            .map(|(at, part)| if at == 0 { part } else { part.split_once('m').unwrap().1 })
            .collect::<String>()
    };
    for panel in panels() {
        for columns in [60, 80, 100, 160] {
            let plain = text::panel(&panel, columns, false);
            let widest = plain.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= usize::from(columns), "{widest} of {columns}:\n{plain}");
            let coloured = text::panel(&panel, columns, true);
            assert!(coloured.contains("\x1b["), "{coloured}");
            let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
            assert_eq!(trimmed(&plain_of(&coloured)), trimmed(&plain));
        }
    }
}

#[test]
fn a_run_in_characters_looks_like_this() {
    let record = shipped_record();
    let mut panels = vec![
        agreement(&MeasuredPasses::from(&record)),
        ahead(&histogram_passes(&record)),
        run_forces(&record).unwrap(),
    ];
    panels.extend(run::trends(&record, &PassWeights::new(), 4));
    let page = Page { title: "gm1988".to_string(), note: "a note".to_string(), panels };
    insta::assert_snapshot!(text::page(&page, 100, false));
}

#[test]
fn tables_in_characters_look_like_this() {
    let (start, bent, frozen) = (Weights::start(), bent(), FrozenCells::new(&shipped_record().trends));
    let pair = WeightPair { names: ["start", "bent"], weights: [&start, &bent], frozen: &frozen };
    let panels = table_panels(&[Key::PAdv, Key::Pass, Key::Sh], &pair);
    let page = Page { title: String::new(), note: String::new(), panels };
    insta::assert_snapshot!(text::page(&page, 100, false));
}

#[test]
fn a_surface_as_text_is_its_figures_and_not_shown_beside_its_heat_map() {
    let (start, bent, frozen) = (Weights::start(), bent(), FrozenCells::default());
    let pair = WeightPair { names: ["start", "bent"], weights: [&start, &bent], frozen: &frozen };
    let page = |panels| text::page(&Page { title: String::new(), note: String::new(), panels }, 100, false);
    let (heat, surface) = (heat(Key::KCen, &pair), surface(Key::KCen, &pair));
    let alone = page(surface.clone().into_iter().collect());
    assert!(alone.contains("opening, bent") && !alone.contains("change"), "{alone}");
    assert_eq!(page(heat.iter().cloned().chain(surface).collect()), page(heat.into_iter().collect()));
}

/// The lines of a panel drawn into an area of this size, in ASCII.
fn drawn_within(panel: &Panel, width: u16, height: u16) -> Vec<String> {
    use ratatui::{buffer::Buffer, layout::Rect, style::Style};
    let area = Rect { x: 1, y: 1, width, height };
    let mut buffer = Buffer::empty(Rect { x: 0, y: 0, width: width + 2, height: height + 2 });
    let look = text::Look { style: |_| Style::new(), title: Style::new(), ascii: true };
    text::draw(panel, look, area, &mut buffer);
    let line = |y: u16| (0..width + 2).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    let lines: Vec<String> = (0..height + 2).map(line).collect();
    let edge = |line: &String| line.starts_with(' ') && line.ends_with(' ');
    assert!(lines.iter().all(edge) && lines[0].trim().is_empty() && lines[lines.len() - 1].trim().is_empty());
    lines[1..=usize::from(height)].iter().map(|line| line[1..].trim_end().to_string()).collect()
}

#[test]
fn in_an_area_points_stand_at_their_passes_and_values_with_bars_of_their_errors() {
    let mut record = shipped_record();
    record.reports.truncate(3);
    let passes = MeasuredPasses::from(&record);
    assert_eq!(
        drawn_within(&agreement(&passes), 34, 9),
        [
            "Agreement with the winners",
            "agreement, %  x fitted  o held out",
            "     |              |            |",
            "   40+            ..o............o",
            "     ||       ......x......      |",
            "   39+|  ........   |            |",
            "     |o...                       :",
            "   38+|                  best: 2 :",
            " pass 0             1            2",
        ]
    );
    record.reports.truncate(1);
    let lines = drawn_within(&spread(&MeasuredPasses::from(&record)), 34, 8);
    assert_eq!(lines[3..5], ["   20+              :", "   15+              x"], "a value alone: {lines:?}");
}

#[test]
fn every_panel_can_be_drawn_into_every_area() {
    for panel in panels() {
        for (width, height) in [(0, 0), (1, 1), (3, 9), (15, 4), (16, 3), (34, 5), (80, 40)] {
            drawn_within(&panel, width, height);
        }
    }
}
