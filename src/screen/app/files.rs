//! The files that a prompt can name: which folder it has to know, which names match, and what Tab adds.
//!
//! Reads nothing: a worker lists the folder.

/// The names in a folder; those of folders end with `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderListing {
    /// The folder as it was typed: empty for the present one, else with `/` at its end.
    pub folder: String,
    /// In alphabetical order.
    pub names: Vec<String>,
}

/// The folder in a path that is being typed, and the beginning of a name in it.
pub(super) fn split_path(path: &str) -> (&str, &str) {
    path.split_at(path.rfind(std::path::is_separator).map_or(0, |slash| slash + 1))
}

impl FolderListing {
    /// The folders, and the files with one of the extensions, whose name begins with `start`. A hidden one
    /// matches only if its dot is typed.
    pub(super) fn matches(&self, start: &str, extensions: &[&str]) -> Vec<&str> {
        let is_meant = |name: &&str| {
            let is_kind = name.ends_with('/')
                || extensions
                    .iter()
                    .any(|&extension| name.rsplit_once('.').is_some_and(|(_, own)| own == extension));
            is_kind && name.starts_with(start) && (start.starts_with('.') || !name.starts_with('.'))
        };
        self.names.iter().map(|name| &**name).filter(is_meant).collect()
    }
}

/// What all names begin with.
pub(super) fn common_start(names: &[&str]) -> String {
    let Some((first, rest)) = names.split_first() else { return String::new() };
    let is_common = |&(at, letter): &(usize, char)| rest.iter().all(|name| name[at..].starts_with(letter));
    first.char_indices().take_while(is_common).map(|(_, letter)| letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing() -> FolderListing {
        let names = ["-x.par", ".hidden.par", "best.par", "best2.par", "games.pgn", "params/", "é.par"];
        FolderListing { folder: String::new(), names: names.map(str::to_string).to_vec() }
    }

    #[test]
    fn folders_and_files_of_the_kind_match_what_is_typed() {
        assert_eq!(listing().matches("", &["par"]), ["-x.par", "best.par", "best2.par", "params/", "é.par"]);
        assert_eq!(listing().matches("b", &["par"]), ["best.par", "best2.par"]);
        assert_eq!(listing().matches("g", &["par"]), [""; 0]);
        assert_eq!(listing().matches(".", &["par"]), [".hidden.par"]);
    }

    #[test]
    fn a_path_is_a_folder_and_the_beginning_of_a_name() {
        assert_eq!(split_path("params/gm"), ("params/", "gm"));
        assert_eq!(split_path("/"), ("/", ""));
        assert_eq!(split_path("gm"), ("", "gm"));
        assert_eq!(split_path("params\\gm").1, if cfg!(windows) { "gm" } else { "params\\gm" });
    }

    #[test]
    fn the_common_start_is_what_all_names_begin_with() {
        assert_eq!(common_start(&["best.par", "best2.par"]), "best");
        assert_eq!(common_start(&["é.par", "éa"]), "é");
        assert_eq!(common_start(&["a", "éa"]), "");
        assert_eq!(common_start(&["one"]), "one");
        assert_eq!(common_start(&[]), "");
    }
}
