//! A second run beside the one on the page of runs: the prompt that asks for it, and what it accepts.

use super::{App, Effect, Page, Purpose, RunHistory, answers::file_name};
use crate::{
    error::{Error, Result},
    screen::keys::Action,
};

impl App {
    /// Whether there are runs besides the one shown.
    pub fn has_other_runs(&self) -> bool {
        self.runs.all.len() + usize::from(self.fit_job.is_some()) > 1
    }

    /// Asks for a second run, or takes it away; returns whether the action does so.
    pub(super) fn toggle_run_beside(&mut self, action: Action) -> bool {
        match (action, self.runs.beside()) {
            (Action::Compare | Action::Escape, Some(_)) => self.runs.set_beside(None),
            (Action::Compare, None) => self.prompt_for(Purpose::RunBeside),
            _ => return false,
        }
        true
    }

    /// Label and text of the prompt. It proposes the run before the one shown, or else the one after it.
    pub(super) fn run_beside_prompt(&self) -> (String, String) {
        let shown = self.runs.shown;
        let proposed = shown.checked_sub(1).or(Some(1)).filter(|&index| index < self.runs.all.len());
        let text = proposed.map_or(String::new(), |index| (index + 1).to_string());
        let numbers = if text.is_empty() { "" } else { ", the number of a run or a .stat" };
        (format!("put a run beside this one{numbers}"), text)
    }

    /// The runs since the start of the program whose number begins so, each with its name.
    pub fn runs_to_compare(&self, text: &str) -> Vec<[String; 2]> {
        let others = self.runs.all.iter().enumerate().filter(|&(index, _)| index != self.runs.shown);
        let named = others.map(|(index, history)| {
            [(index + 1).to_string(), format!("{}, passes 0 to {}", history.name(), history.last())]
        });
        named.filter(|[number, _]| number.starts_with(text.trim())).collect()
    }

    /// Takes the answer to the prompt.
    pub(super) fn accept_run_beside(&mut self, text: &str) -> Result<Vec<Effect>> {
        let Ok(number) = text.parse::<usize>() else {
            let path = file_name(text, "the number of a run, or a .stat such as stats/gm1988.stat")?;
            return Ok(vec![Effect::OpenRunBeside(path)]);
        };
        let count = self.runs.all.len();
        let index = number.checked_sub(1).filter(|&index| index < count && index != self.runs.shown);
        let Some(index) = index else {
            let expected = format!("the number of another run, of 1 to {count}, or a .stat");
            return Err(Error::expected(expected, number));
        };
        self.put_beside(index)?;
        Ok(Vec::new())
    }

    fn put_beside(&mut self, index: usize) -> Result<()> {
        let kind = |run: &RunHistory| if run.has_choices() { "games" } else { "labelled positions" };
        let (other, shown) = (&self.runs.all[index], self.run_history());
        if let Some(shown) = shown.filter(|shown| shown.has_choices() != other.has_choices()) {
            return Err(Error::expected(
                format!("a run on {}", kind(shown)),
                format!("one on {}", kind(other)),
            ));
        }
        self.runs.set_beside(Some(index));
        Ok(())
    }

    /// Keeps the run that was opened, and puts it beside the one shown.
    pub(super) fn run_beside_opened(&mut self, path: &str, result: Result<Box<RunHistory>>) {
        if !matches!(self.page, Page::Run { .. }) {
            return;
        }
        let put = result.and_then(|run| {
            let index = self.runs.keep_beside(*run);
            if index == self.runs.shown {
                return Err(Error::expected("another run than the one shown", "the same"));
            }
            self.put_beside(index)
        });
        if let Err(error) = put {
            self.prompt_again(Purpose::RunBeside, path, Some(error.to_string()));
        }
    }
}
