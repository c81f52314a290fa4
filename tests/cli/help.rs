//! Help: an example for every command, each of which can be parsed.

use texam::commands::cli::Cli;

use crate::support::*;

/// The names of all commands.
fn commands() -> Vec<&'static str> {
    words(
        "screen fit check agree diff games eval search tables params bench positions presearch uci match export plot \
         report rows lesson completions man",
    )
}

/// The lines that stand below `Example:` or `Examples:`.
fn examples(help: &str) -> Vec<&str> {
    let below = help.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
    below.map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// The arguments of a line as a shell takes them apart that knows single quotes only.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words
}

#[test]
fn the_help_of_every_command_stays_within_100_columns_and_shows_examples_that_can_be_parsed() {
    for command in commands() {
        let help = succeeds(&[command, "--help"]);
        let widest = help.lines().filter(|line| !line.starts_with("  texam")).map(str::len).max();
        assert!(widest.unwrap() <= 100, "{help}");
        let examples = examples(&help);
        assert!(!examples.is_empty(), "{help}");
        for example in examples {
            assert!(example.starts_with(&format!("texam {command}")), "{example}");
            let example = example.split(['|', '>']).next().unwrap().trim();
            assert!(Cli::read(shell_words(example)).is_ok(), "{example}");
        }
    }
}

#[test]
fn help_lists_each_command_in_one_of_three_groups_on_one_line() {
    let help = succeeds(&["--help"]);
    let headings: Vec<_> =
        help.lines().filter(|line| line.ends_with(':') && !line.starts_with("Usage")).collect();
    assert_eq!(headings, ["Look:", "Tune:", "More:", "Options:"]);
    let listed = help.lines().skip_while(|line| *line != "Look:").take_while(|line| *line != "Options:");
    let listed = listed.inspect(|line| assert!(line.len() <= 80, "{line}"));
    let mut listed: Vec<_> =
        listed.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()).collect();
    listed.sort_unstable();
    let mut commands = commands();
    commands.sort_unstable();
    assert_eq!(listed, commands);
}

#[test]
fn the_short_help_of_fit_and_screen_shows_twelve_options_and_says_where_all_are() {
    let options = |help: &str| help.lines().filter(|line| line.trim_start().starts_with("--")).count();
    for command in ["fit", "screen"] {
        let (short, long) = (succeeds(&[command, "-h"]), succeeds(&[command, "--help"]));
        let all = options(&long);
        assert_eq!(options(&short), 12, "{short}");
        assert!(all > 40 && short.contains(&format!("--help shows all {all}.")), "{all} in {short}");
        assert!(long.contains("-h, --help") && !long.contains("the usual options;"), "{long}");
        assert_eq!(examples(&short), examples(&long));
    }
    assert_eq!(succeeds(&["agree", "-h"]), succeeds(&["agree", "--help"]));
}

#[test]
fn no_color_is_honoured_where_colour_is_forced() {
    let help = |no_color: bool| {
        let mut command = texam();
        command.args(["fit", "--help"]).env("CLICOLOR_FORCE", "1");
        let output = if no_color { command.env("NO_COLOR", "1") } else { command.env_remove("NO_COLOR") };
        text(&output.output().unwrap().stdout).to_string()
    };
    assert!(help(false).contains('\x1b'));
    assert!(!help(true).contains('\x1b'));
}

#[test]
fn what_is_read_back_knows_which_arguments_were_given() {
    let line = ["texam", "fit", "--depth", "3", "--skip-moves=8", "games/gm1988.pgn"];
    let cli = Cli::read(line).unwrap();
    let texam::commands::cli::Command::Fit(args) = cli.command else { panic!("not a fit") };
    for (name, given) in [("depth", true), ("skip-moves", true), ("games", true), ("every", false)] {
        assert_eq!(args.options.given.contains(&name), given, "{name}");
    }
}

#[test]
fn a_line_without_a_command_is_one_for_the_screen() {
    let games = |line: &[&str]| match Cli::read(line.iter().copied()).unwrap().command {
        texam::commands::cli::Command::Screen(args) => args.options.spec().games.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(games(&["texam"]), "games/gm1988.pgn");
    assert_eq!(games(&["texam", "dbf_all"]), "dbf_all");
    assert_eq!(games(&["texam", "--every", "20", "dbf_all", "--ascii"]), "dbf_all");
    assert!(!succeeds(&["help"]).is_empty() && succeeds(&["--version"]).starts_with("texam "));
}

#[test]
fn a_misspelt_command_and_a_fen_without_quotes_are_errors_that_say_what_was_meant() {
    fails(&["fitt"], &["did you mean \"fit\"?"]);
    fails(&["repport", "a.stat"], &["did you mean \"report\"?"]);
    fails(&["--verson"], &["did you mean \"--version\"?"]);
    fails(&["fit", "--evry", "20"], &["'--every'"]);
    assert!(
        !text(&run(&["fit", "--evry", "20"]).stderr).contains("-- --evry"),
        "no one means a file of this name"
    );
    for command in ["eval", "search", "tables"] {
        let words = words("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        fails(&[&[command][..], &words].concat(), &["put the FEN in quotes"]);
    }
}

#[test]
fn a_path_with_seven_slashes_is_no_fen() {
    let error = |line: &[&str]| Cli::read(line.iter().copied()).unwrap_err().to_string();
    let path = "/home/me/src/chess/texam/target/release/texam";
    assert_eq!(path.matches('/').count(), 8);
    for program in [path, &path[1..], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"] {
        let error = error(&[program, "fit", "--wrong"]);
        assert!(error.contains("'--wrong'") && !error.contains("FEN"), "{error}");
    }
    for path in [&path[1..], "8/8/8/8/8/8/8/9", "a/b/8/8/8/8/8/8"] {
        let error = error(&["texam", "eval", path, "--wrong"]);
        assert!(error.contains("'--wrong'") && !error.contains("quotes"), "{error}");
    }
    assert!(error(&["texam", "eval", "8/8/8/8/8/8/8/8", "w", "-"]).contains("put the FEN in quotes"));
}

#[test]
fn there_are_completions_for_every_shell_and_pages_for_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = succeeds(&["completions", shell]);
        assert!(commands().iter().all(|command| script.contains(command)), "{shell}");
    }
    let zsh = succeeds(&["completions", "zsh"]);
    assert!(zsh.contains(":FILE|SET:_files'") && zsh.contains(":(force softmax pairs logistic)'"), "{zsh}");
    let bench = Bench::new(0);
    succeeds(&["man", "--out", &bench.path("man1")]);
    assert_eq!(bench.names("man1").len(), 1 + commands().len());
    for command in commands() {
        let page = std::fs::read_to_string(bench.path(&format!("man1/texam-{command}.1"))).unwrap();
        assert!(page.contains(&format!(".TH texam-{command} 1")) && page.contains("Example"), "{page}");
        assert_eq!(succeeds(&["man", command]), page);
    }
    fails(&["man", "fitt"], &["expected a command of texam"]);
}

#[test]
fn what_is_neither_games_nor_a_command_is_an_error() {
    for line in [&["dbf_none"][..], &["screen"], &["screen", "--json"], &["screen", "--resume", "x"]] {
        fails(line, &["expected"]);
    }
}
