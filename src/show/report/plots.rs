//! The plots of a page, with widths and captions.
//!
//! [`crate::show::plot`] draws the pictures. A wide plot is drawn twice, for large screens and for phones;
//! the style sheet of the page shows one of the two.

use crate::{
    error::Result,
    feature::{Key, Mode},
    run::stat::RunRecord,
    show::plot::{self, FrozenCells, Panel, PanelKind, PassWeights, Theme, WeightPair},
};

/// Width, in pixels, of a picture that shares a row with others or fills a phone.
const SLIM: u32 = 380;

/// Width, in pixels, of a picture that fills a large screen.
const BROAD: u32 = 1080;

/// Largest number of tables that are also drawn as surfaces. A page with more would be long and large, and
/// surfaces repeat the heat maps.
const MOST_SURFACES: usize = 6;

#[derive(Debug)]
pub(super) struct PlotFigure {
    pub kind: PanelKind,
    /// Whether the plot takes the full width of a large screen.
    pub is_wide: bool,
    /// Class of the style sheet, which selects the screens, and SVG.
    pub drawings: Vec<(&'static str, String)>,
    pub caption: String,
}

/// The plots of a run and of its tables with free cells. Tables are left out if the weights of the start or
/// of the pass are unknown.
pub(super) fn figures(record: &RunRecord, passes: &PassWeights, pass: u32) -> Result<Vec<PlotFigure>> {
    let mut panels = plot::run_panels(record, passes);
    if let (Some(before), Some(after)) = (passes.get(&0), passes.get(&pass)) {
        let name = format!("pass {pass}");
        let frozen = FrozenCells::new(&record.trends);
        let pair = WeightPair { names: ["start", &name], weights: [before, after], frozen: &frozen };
        let keys = Key::ALL.iter().copied().filter(|&key| after.setting(key).mode == Mode::Cells);
        let keys: Vec<Key> = keys.collect();
        let mut tables = plot::table_panels(&keys, &pair);
        if keys.len() > MOST_SURFACES {
            tables.retain(|panel| panel.kind != PanelKind::Surface);
        }
        panels.extend(tables);
    }
    panels.iter().enumerate().map(|(number, panel)| figure(number, panel)).collect()
}

fn figure(number: usize, panel: &Panel) -> Result<PlotFigure> {
    let is_wide = panel.kind.is_wide();
    let caption = caption(panel);
    let draw = |class: &'static str, width: u32| -> Result<(&'static str, String)> {
        let svg = plot::svg(panel, panel.natural_size(width), Theme::Page);
        Ok((class, with_description(&svg, &format!("plot-{number}{class}"), panel, &caption)))
    };
    let drawings = match is_wide {
        true => vec![draw("broad", BROAD)?, draw("slim", SLIM)?],
        false => vec![draw("", SLIM)?],
    };
    Ok(PlotFigure { kind: panel.kind, is_wide, drawings, caption })
}

/// Adds a title and a description for screen readers to a picture.
fn with_description(svg: &str, id: &str, panel: &Panel, caption: &str) -> String {
    let [title, description] =
        [panel.title.clone(), format!("{}. {caption}", panel.note)].map(|text| plot::escape_xml(&text));
    let labels = format!("<svg aria-labelledby=\"{id}-t {id}-d\" ");
    let Some((head, body)) = svg.split_once('>') else { return svg.to_string() };
    format!(
        "{}>\n<title id=\"{id}-t\">{title}</title><desc id=\"{id}-d\">{description}</desc>{body}",
        head.replacen("<svg ", &labels, 1)
    )
}

/// The caption, which explains how to read the plot.
fn caption(panel: &Panel) -> String {
    let title = &panel.title;
    let text = match panel.kind {
        PanelKind::Agreement => {
            "The band is one standard error. Where the games held out fall behind the others, the fit learns those by heart."
        }
        PanelKind::Rank => {
            "Lower is better. It uses every move, and so shows changes that the match does not."
        }
        PanelKind::Loss => {
            "Lower is better. Where the games held out fall behind the others, the fit is memorising the latter."
        }
        PanelKind::Spread => {
            "Should stay near the start: a fit can also better its figures by driving values apart."
        }
        PanelKind::Miss => "By how much the choice was missed, over the positions in bound.",
        PanelKind::Ahead => "At 0 nothing is above the played move; ties count there, which are no match.",
        PanelKind::Misses => "At 0 the played move leads, among the moves in bound.",
        PanelKind::Forces => {
            "How hard a fit pushes for a miss of that size. The force of this run stands out."
        }
        PanelKind::Trends => "Those weights whose changes move the values of moves most.",
        PanelKind::Heat => {
            return format!(
                "The cells of {title} at the start, later, and the change; one scale of colours."
            );
        }
        PanelKind::Surface => return format!("The same cells of {title} as heights."),
        PanelKind::List => return format!("The cells of {title} at the start and later."),
        PanelKind::Trace => "The value of each position of a game.",
    };
    text.to_string()
}
