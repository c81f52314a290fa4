//! The arguments of `texam fit`.

use clap::Args;
use texam_fit::{ARRIVES, ObjectiveName};

use super::options::{ALL, OptionArgs};
use crate::run::{RunPlace, RunSpec};

/// `texam fit`.
#[derive(Debug, Clone, Args)]
pub struct FitArgs {
    /// All options of a run.
    #[command(flatten)]
    pub options: OptionArgs<ALL>,
    /// Replace the files of an earlier run of this name
    #[arg(long, help_heading = "Run")]
    pub overwrite: bool,
    /// Continue an interrupted run with the options of that run
    #[arg(long, value_name = "NAME", conflicts_with_all = ["name", "overwrite"], help_heading = "Run")]
    pub resume: Option<String>,
    /// Print one JSON object
    #[arg(long, help_heading = "Run")]
    pub json: bool,
}

impl FitArgs {
    /// The options of the run.
    pub fn spec(&self) -> RunSpec {
        let OptionArgs { setup, given } = &self.options;
        let mut spec = setup.spec.clone();
        // Where nothing is searched again, steps go on until none lowers the loss.
        let objective = spec.settings.objective;
        let is_end = spec.rows.choices.is_some() || objective == ObjectiveName::Logistic;
        if is_end
            && objective != ObjectiveName::Force
            && spec.rows.choices_from.is_none()
            && !given.contains(&"inner")
        {
            spec.settings.solving.inner = ARRIVES;
        }
        // A file of choices cannot be searched anew.
        if spec.rows.choices.is_some() && !given.contains(&"iterations") {
            spec.iterations = 1;
        }
        spec
    }

    /// Threads and output files of the run.
    pub fn place(&self) -> RunPlace {
        RunPlace { overwrite: self.overwrite, ..self.options.setup.place.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cli, Command};
    use super::*;
    use crate::run::{Group, OPTIONS, Setup};

    fn args(line: &[&str]) -> Result<FitArgs, clap::Error> {
        match Cli::read([&["texam", "fit"], line].concat())?.command {
            Command::Fit(args) => Ok(*args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn without_options_a_run_is_the_default_one() {
        let args = args(&[]).unwrap();
        assert_eq!((args.spec(), args.place()), (RunSpec::default(), RunPlace::default()));
    }

    #[test]
    fn the_command_line_and_the_screen_make_the_same_run_of_the_same_text() {
        let options = "preset=1988 skip-moves=3 every=20 depth=1 checks=2 quiescence=off phase=rustic phase-at=root \
                       root=static threshold=none threshold=12.5 objective=pairs temperature=80.5 inner=2 \
                       loss=squared force=rank strength=1e3 scale=0.25 balance=ahead variance=off min-support=0 \
                       ridge=0 ridge-to=start smooth=1000 errors=off holdout=none \
                       holdout=1/7 holdout=other.pgn iterations=0 patience=4 groups=10 trees=on \
                       par=params/material.par tune=n_*,p_adv[de,r4],table:pass freeze=tempo";
        let options: Vec<_> = options.split(' ').map(|option| option.split_once('=').unwrap()).collect();
        for &(name, text) in &options {
            let objective = match name {
                "temperature" | "inner" => "softmax",
                "loss" => "logistic",
                _ => "force",
            };
            let base = RunSpec::default().with("objective", objective).unwrap();
            let from_line = match name {
                "trees" => args(&["--objective", objective, "--trees"]),
                _ => args(&["--objective", objective, &format!("--{name}"), text]),
            };
            // An option may be given once only.
            let from_line = if name == "objective" { args(&["--objective", text]) } else { from_line };
            let from_line = from_line.unwrap().spec();
            // On the command line a fit of labels arrives.
            let inner = if objective == "logistic" { "1000" } else { "4" };
            let base = if objective == "force" { base } else { base.with("inner", inner).unwrap() };
            assert_eq!(from_line, base.with(name, text).unwrap(), "{name} {text}");
            assert_ne!(from_line, base, "{name} {text}");
        }
        for (name, _) in RunSpec::default().entries() {
            let is_of_rows = OPTIONS.iter().any(|option| option.name == name && option.group == Group::Rows);
            assert!(
                is_of_rows || name == "regrow" || options.iter().any(|(other, _)| *other == name),
                "no text for {name} above"
            );
        }
        // It needs another option.
        let regrown = args(&["--trees", "--regrow", "3"]).unwrap().spec();
        assert_eq!(regrown, RunSpec::default().with("trees", "on").unwrap().with("regrow", "3").unwrap());
        let games = args(&["a.pgn"]).unwrap().spec();
        assert_eq!(games, RunSpec::default().with("games", "a.pgn").unwrap());
        for (name, text) in [("threads", "2"), ("out", "a/b"), ("name", "trial")] {
            let from_line = args(&[&format!("--{name}"), text]).unwrap().place();
            assert_eq!(from_line, Setup::default().with(name, text).unwrap().place, "{name} {text}");
        }
    }

    #[test]
    fn a_run_on_rows_of_another_program_is_read_back_from_its_options() {
        let file =
            args(&["--choices", "a.txt", "--weights", "w.csv", "--objective", "pairs"]).unwrap().spec();
        assert_eq!((file.rows.choices.as_deref(), file.iterations), (Some(std::path::Path::new("a.txt")), 1));
        let line = ["--choices-from", "my engine {weights}", "--weights", "w.csv"];
        let command = args(&line).unwrap().spec();
        assert_eq!(
            (command.rows.choices_from.as_deref(), command.iterations),
            (Some("my engine {weights}"), 15)
        );
        for spec in [file, command] {
            spec.validate().unwrap();
            let options = spec.options();
            assert!(options.iter().all(|(name, _)| !["depth", "every", "par", "games"].contains(&&**name)));
            assert_eq!(RunSpec::from_options(&[], &options).unwrap(), spec);
        }
        let both = args(&["--choices", "a", "--choices-from", "b", "--weights", "w"]).unwrap();
        assert!(both.spec().validate().unwrap_err().to_string().contains("not both"));
        let games = args(&["a.pgn", "--choices", "a"]).unwrap();
        assert!(games.spec().check_given(&games.options.given).is_err());
    }

    #[test]
    fn what_the_screen_refuses_the_command_line_refuses() {
        let wrong = "every=0 depth=6 checks=7 phase=late threshold=-1 threshold=NaN objective=softmin temperature=0 \
                     inner=0 loss=cross force=Linear strength=inf scale=0 variance=true ridge=-1 smooth=x \
                     errors=yes holdout=1/1 iterations=1.5 patience=0";
        for option in wrong.split(' ') {
            let (name, text) = option.split_once('=').unwrap();
            let error = RunSpec::default().with(name, text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("option {name}: expected ")), "{error}");
            let line = args(&[&format!("--{option}")]);
            assert!(line.is_err() || line.is_ok_and(|args| args.spec().validate().is_err()), "{name} {text}");
        }
        assert!(Setup::default().with("threads", "0").is_err() && args(&["--threads", "0"]).is_err());
    }

    #[test]
    fn patterns_given_in_several_places_are_one_list() {
        let spec = args(&["--tune", "n_*,b_*", "--tune", "p_adv[de,r4]"]).unwrap().spec();
        assert_eq!(spec.tune, ["n_*", "b_*", "p_adv[de,r4]"]);
    }

    #[test]
    #[cfg(unix)]
    fn paths_need_not_be_utf_8_and_stay_when_another_option_changes() {
        use std::os::unix::ffi::OsStringExt;

        use crate::game::GameFiles;
        let path = |name: &str| std::ffi::OsString::from_vec([b"\xff", name.as_bytes()].concat());
        let line = ["texam", "fit", "--par"].map(Into::into).into_iter();
        let line = line.chain([path("a.par"), "--out".into(), path("out"), path("a.pgn")]);
        let Ok(Command::Fit(args)) = Cli::read(line).map(|cli| cli.command) else { panic!("not a fit") };
        let changed = args.spec().with("every", "2").unwrap();
        assert_eq!(changed, RunSpec { every: 2, ..args.spec() });
        assert_eq!(
            (changed.games, changed.par),
            (GameFiles::from(&path("a.pgn")), Some(path("a.par").into()))
        );
        let setup = Setup { spec: args.spec(), place: args.place() };
        let place = setup.with("threads", "2").unwrap().place;
        assert_eq!(place.out, std::path::PathBuf::from(path("out")));
        let par = args.spec().options().into_iter().find(|(name, _)| name == "par");
        assert_eq!(par.unwrap().1, "\"\\xffa.par\"");
    }
}
