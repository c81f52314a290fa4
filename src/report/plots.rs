//! The plots of a page: what is drawn, how wide, and a caption that says how to read it.
//!
//! The pictures are those of [`crate::plot`]. What is wide is drawn twice, for screens and for phones, and the
//! style sheet of the page chooses.

use crate::{
    error::Result,
    feature::{Key, Mode},
    plot::{self, FrozenCells, Panel, PanelKind, PassWeights, Theme, WeightPair},
    stat::RunRecord,
};

/// Width of a picture that stands beside others or fills a phone, in pixels.
const SLIM: u32 = 380;

/// Width of a picture that has a screen for itself.
const BROAD: u32 = 1080;

/// A plot with its caption.
#[derive(Debug)]
pub(super) struct Figure {
    pub kind: PanelKind,
    /// Takes the whole width of a screen.
    pub is_wide: bool,
    /// SVG, with the class that says on which screens it is shown.
    pub drawings: Vec<(&'static str, String)>,
    pub caption: String,
}

/// The plots of a run and of the tables that it tuned cell by cell, as far as the weights are at hand.
///
/// # Errors
///
/// Whatever the drawing could not do.
pub(super) fn figures(record: &RunRecord, passes: &PassWeights, pass: u32) -> Result<Vec<Figure>> {
    let mut panels = plot::run_panels(record, passes);
    if let (Some(before), Some(after)) = (passes.get(&0), passes.get(&pass)) {
        let name = format!("pass {pass}");
        let frozen = FrozenCells::new(&record.trends);
        let pair = WeightPair { names: ["start", &name], weights: [before, after], frozen: &frozen };
        let keys = Key::ALL.iter().copied().filter(|&key| after.setting(key).mode == Mode::Cells);
        panels.extend(plot::table_panels(&keys.collect::<Vec<_>>(), &pair));
    }
    panels.iter().enumerate().map(|(number, panel)| figure(number, panel)).collect()
}

fn figure(number: usize, panel: &Panel) -> Result<Figure> {
    let is_wide =
        matches!(panel.kind, PanelKind::Forces | PanelKind::Trends | PanelKind::Heat | PanelKind::Surface);
    let caption = caption(panel);
    let draw = |class: &'static str, width: u32| -> Result<(&'static str, String)> {
        let svg = plot::svg(panel, panel.natural_size(width), Theme::Page);
        Ok((class, told(&svg, &format!("plot-{number}{class}"), panel, &caption)))
    };
    let drawings = match is_wide {
        true => vec![draw("broad", BROAD)?, draw("slim", SLIM)?],
        false => vec![draw("", SLIM)?],
    };
    Ok(Figure { kind: panel.kind, is_wide, drawings, caption })
}

/// A picture with a title and a description for those who do not see it.
fn told(svg: &str, id: &str, panel: &Panel, caption: &str) -> String {
    let [title, description] =
        [panel.title.clone(), format!("{}. {caption}", panel.note)].map(|text| escaped(&text));
    let labels = format!("<svg aria-labelledby=\"{id}-t {id}-d\" ");
    let Some((head, body)) = svg.split_once('>') else { return svg.to_string() };
    format!(
        "{}>\n<title id=\"{id}-t\">{title}</title><desc id=\"{id}-d\">{description}</desc>{body}",
        head.replacen("<svg ", &labels, 1)
    )
}

/// A text that holds no markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// How a plot is to be read.
fn caption(panel: &Panel) -> String {
    match panel.kind {
        PanelKind::Agreement => {
            "The band is one standard error. Where the games held out fall behind the others, the fit \
                            learns those by heart."
                .to_string()
        }
        PanelKind::Rank => {
            "Lower is better. It uses every move, and so shows changes that the match does not.".to_string()
        }
        PanelKind::Spread => {
            "Should stay near the start: a fit can also better its figures by driving values apart."
                .to_string()
        }
        PanelKind::Miss => "By how much the choice was missed, over the positions in bound.".to_string(),
        PanelKind::Ahead => {
            "At 0 nothing is above the played move; ties count there, which are no match.".to_string()
        }
        PanelKind::Misses => "At 0 the played move leads, among the moves in bound.".to_string(),
        PanelKind::Forces => {
            "How hard a fit pushes for a miss of that size. The force of this run stands out.".to_string()
        }
        PanelKind::Trends => {
            "Those weights that changed most, measured by their standard error in the last fit.".to_string()
        }
        PanelKind::Heat => {
            format!("The cells of {} at the start, later, and the change; one scale of colours.", panel.title)
        }
        PanelKind::Surface => format!("The same cells of {} as heights.", panel.title),
        PanelKind::List => format!("The cells of {} at the start and later.", panel.title),
        PanelKind::Trace => "The value of each position of a game.".to_string(),
    }
}
