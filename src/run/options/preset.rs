//! Presets: sets of options under one name. A preset gives these options other defaults, so an option that is
//! given beside it wins.

use std::ffi::OsStr;

use strum::{Display, EnumString, VariantArray, VariantNames};

use super::{NONE, RunOption, Setup};
use crate::error::{Error, Result};

/// Options that are set together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString, VariantArray, VariantNames)]
pub enum Preset {
    /// What the record of 1988 says of the program.
    #[strum(serialize = "1988")]
    Y1988,
}

impl Preset {
    /// Its options, with the values that they have unless they are given.
    ///
    /// The record speaks where words of it are quoted. Where it is silent on something that our defaults add,
    /// the value leaves that out.
    pub const fn options(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Preset::Y1988 => &[
                // "we let DT search shallow 3ply trees with quiescence extensions"
                ("depth", "3"),
                // "computing these tables before every search so that the weights of the evaluation function
                // could be adjusted according to the overall situation of the game"
                ("phase-at", "root"),
                // "more than 64 = half of a pawn value"
                ("threshold", "64"),
                // "we used <E(P) + G(P)> as an oracle"
                ("objective", "force"),
                // "we add <- force/n>, where <n> is the number of wrong moves (positions)"
                ("balance", "all"),
                // "a better understanding of the piece-values with respect to each others": all but the pawn,
                // the unit.
                ("tune", "*"),
                // "until the number of correctly evaluated positions does not increase anymore"
                ("patience", "1"),
                // "a compensating force was added to the correction force"
                ("variance", "on"),
                // "The tuning program merely traverses these trees": those of a database, where it has some.
                ("trees", "auto"),
                // Silent: the note knows no least number of positions.
                ("min-support", "1"),
                // Silent: "this equation system can be solved and out come the best values".
                ("ridge", "0"),
                ("smooth", "0"),
                // Silent: agreement is that with the games that were fitted.
                ("holdout", "none"),
            ],
        }
    }

    /// Gives the options of all presets the values of this one. Those that it does not set get their defaults
    /// again.
    fn apply(preset: Option<Preset>, setup: &mut Setup) -> Result<()> {
        let default = Setup::default();
        for (name, _) in <Preset as VariantArray>::VARIANTS.iter().flat_map(|preset| preset.options()) {
            let option = RunOption::find(name)?;
            let text = option.text(&default).unwrap_or_else(|| option.unset().to_string());
            option.set(setup, text.as_ref())?;
        }
        for (name, value) in preset.into_iter().flat_map(Preset::options) {
            RunOption::find(name)?.set(setup, value.as_ref())?;
        }
        setup.spec.preset = preset;
        Ok(())
    }
}

/// The text of the preset of a run.
pub(super) fn text(setup: &Setup) -> Option<String> {
    setup.spec.preset.map(|preset| preset.to_string())
}

/// Sets a preset. One that the run has already sets nothing, so that options given beside it stay.
pub(super) fn set(setup: &mut Setup, text: &OsStr) -> Result<()> {
    let preset = match text.to_str().map(str::parse) {
        _ if text == NONE => None,
        Some(Ok(preset)) => Some(preset),
        _ => {
            let expected = format!("{} or {NONE}", <Preset as VariantNames>::VARIANTS.join(", "));
            return Err(Error::expected(expected, format!("{:?}", text.to_string_lossy())));
        }
    };
    if setup.spec.preset == preset { Ok(()) } else { Preset::apply(preset, setup) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::RunSpec;

    #[test]
    fn a_preset_sets_each_of_its_options_once_and_to_a_value_that_is_printed_as_it_stands_there() {
        for preset in <Preset as VariantArray>::VARIANTS {
            let setup = Setup::default().with("preset", &preset.to_string()).unwrap();
            setup.spec.validate().unwrap();
            assert_eq!(setup.place, Setup::default().place);
            for (at, (name, value)) in preset.options().iter().enumerate() {
                assert_eq!(RunOption::find(name).unwrap().text(&setup).as_deref(), Some(*value), "{name}");
                assert!(preset.options()[..at].iter().all(|(other, _)| other != name), "{name}");
            }
            let is_changed = |name: &str, text: &Option<String>| {
                name != "preset" && *text != RunOption::find(name).unwrap().text(&Setup::default())
            };
            let entries = setup.spec.entries().into_iter();
            let changed: Vec<_> =
                entries.filter(|(name, text)| is_changed(name, text)).map(|(name, _)| name).collect();
            assert_eq!(changed, ["phase-at", "min-support", "ridge", "holdout", "patience", "trees", "tune"]);
        }
    }

    #[test]
    fn another_preset_takes_back_what_the_one_before_has_set_and_the_same_one_changes_nothing() {
        let preset = RunSpec::default().with("preset", "1988").unwrap();
        assert_eq!(preset.with("preset", NONE).unwrap(), RunSpec::default());
        let beside = preset.with("ridge", "7").unwrap();
        assert_eq!(beside.with("preset", "1988").unwrap(), beside);
        let error = preset.with("preset", "1989").unwrap_err().to_string();
        assert_eq!(error, "option preset: expected 1988 or none, but found \"1989\"");
        let labels = RunSpec::default().with("objective", "logistic").unwrap();
        let error = labels.with("preset", "1988").and_then(|spec| spec.with("objective", "logistic"));
        assert!(
            error
                .unwrap_err()
                .to_string()
                .starts_with("option preset: expected none with objective logistic")
        );
    }
}
