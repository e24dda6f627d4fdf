//! Files that import each other in a circle can only be understood together: no circle has more
//! than three of them.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the sources, and says so by failing when it cannot"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// So many files may import each other.
const MOST: usize = 3;

/// The crates, by their folders; the program itself is all the rest of `src`.
const CRATES: [&str; 12] = [
    "src",
    "src/laws",
    "src/score",
    "src/phrases",
    "src/game",
    "src/boards",
    "src/sound",
    "src/hearing",
    "src/sim",
    "src/pages",
    "src/practice",
    "src/demo",
];

type Module = Vec<String>;

/// An import: a path, the name that it has here, and whether it is only handed on.
struct Import {
    path: Vec<String>,
    name: String,
    is_public: bool,
}

#[derive(Default)]
struct Crate {
    imports: BTreeMap<Module, Vec<Import>>,
    texts: BTreeMap<Module, String>,
}

impl Crate {
    fn read(root: &Path) -> Self {
        let mut read = Self::default();
        let file = ["lib.rs", "main.rs"].map(|it| root.join(it));
        let file = file.into_iter().find(|it| it.is_file()).unwrap();
        read.add(Vec::new(), &file, root);
        read
    }

    /// A file, and those that it declares.
    fn add(&mut self, module: Module, file: &Path, folder: &Path) {
        let text = without_tests(&fs::read_to_string(file).unwrap());
        let imports = statements(&text).into_iter().flat_map(|it| import(&it));
        self.imports.insert(module.clone(), imports.collect());
        for line in text.lines() {
            let Some(name) = line.strip_suffix(';').and_then(|it| it.split_once("mod ")) else {
                continue;
            };
            if line.starts_with(' ') {
                continue;
            }
            let beside = [format!("{}.rs", name.1), format!("{}/mod.rs", name.1)];
            let beside = beside.map(|it| folder.join(it));
            if let Some(file) = beside.into_iter().find(|it| it.is_file()) {
                let below = [module.clone(), vec![name.1.to_owned()]].concat();
                self.add(below, &file, &folder.join(name.1));
            }
        }
        self.texts.insert(module, text);
    }

    /// The file in which what a path names stands, seen from a file; nothing outside the crate.
    fn target(&self, from: &[String], path: &[String], depth: usize) -> Option<Module> {
        let mut at: Module = from.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => {
                at.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|it| it == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                let below = [at.clone(), vec![first.to_owned()]].concat();
                self.texts.get(&below)?;
            }
        }
        while let Some(first) = rest.first() {
            let below = [at.clone(), vec![first.clone()]].concat();
            if !self.texts.contains_key(&below) {
                break;
            }
            at = below;
            rest = &rest[1..];
        }
        let handed_on = rest.first().filter(|_| depth < 8).and_then(|name| {
            let imports = self.imports[&at].iter();
            let mut named = imports.filter(|it| it.is_public && it.name == *name);
            named.find_map(|it| self.target(&at, &it.path, depth + 1))
        });
        Some(handed_on.unwrap_or(at))
    }

    /// Which files each file imports.
    fn arrows(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let of = |module: &Module| {
            let imports = self.imports[module].iter().filter(|it| !it.is_public);
            let targets = imports.filter_map(|it| self.target(module, &it.path, 0));
            targets.filter(|it| it != module).collect()
        };
        self.imports.keys().map(|it| (it, of(it))).collect()
    }
}

/// A file without its tests and without what is no code.
fn without_tests(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = code.lines().filter(|it| !it.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The imports of a file, each without its end.
fn statements(text: &str) -> Vec<String> {
    let is_import =
        |line: &&str| line.starts_with("use ") || line.starts_with("pub") && line.contains(" use ");
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.find(is_import) {
        let mut whole = line.to_owned();
        while !whole.ends_with(';') {
            whole.push_str(lines.next().unwrap());
        }
        found.push(whole.trim_end_matches(';').to_owned());
    }
    found
}

fn import(statement: &str) -> Vec<Import> {
    let (visibility, tree) = statement.split_once("use ").unwrap();
    let is_public = !visibility.is_empty();
    let of = |path: String| {
        let (path, name) = path.split_once(" as ").unwrap_or((&path, ""));
        let mut path: Vec<String> = path.split("::").map(|it| it.trim().to_owned()).collect();
        path.retain(|it| !it.is_empty());
        if path.len() > 1 && path.last().is_some_and(|it| it == "self") {
            path.pop();
        }
        let last = path.last().cloned().unwrap_or_default();
        let name = if name.is_empty() {
            last
        } else {
            name.to_owned()
        };
        Import {
            path,
            name,
            is_public,
        }
    };
    branches(tree).into_iter().map(of).collect()
}

/// `a::{b, c::{d, e}}` as its paths.
fn branches(tree: &str) -> Vec<String> {
    let Some((stem, rest)) = tree.split_once('{') else {
        return vec![tree.trim().to_owned()];
    };
    let inside = &rest[..rest.rfind('}').unwrap()];
    let mut depth = 0;
    let parts = inside.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    let parts = parts.filter(|it| !it.trim().is_empty());
    let below = |part: &str| branches(&format!("{}{}", stem.trim(), part.trim()));
    parts.flat_map(below).collect()
}

/// All that can be reached from a file.
fn reached<'a>(
    arrows: &'a BTreeMap<&Module, BTreeSet<Module>>,
    from: &Module,
) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Module> = arrows[from].iter().collect();
    while let Some(module) = open.pop() {
        if found.insert(module) {
            open.extend(arrows.get(module).into_iter().flatten());
        }
    }
    found
}

/// The circles of more than so many files, each by its files.
fn circles(read: &Crate, most: usize) -> BTreeSet<Vec<String>> {
    let arrows = read.arrows();
    let of = |module: &&Module| {
        let onward = reached(&arrows, module).into_iter();
        let circle = onward.filter(|it| reached(&arrows, it).contains(module));
        circle.map(|it| it.join("/")).collect::<Vec<_>>()
    };
    let all = arrows.keys().map(of);
    all.filter(|it| it.len() > most).collect()
}

#[test]
fn no_more_than_three_files_import_each_other_in_a_circle() {
    let src = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let (mut arrows, mut files) = (0, 0);
    for root in CRATES {
        let read = Crate::read(&src.join(root));
        let count: usize = read.arrows().values().map(BTreeSet::len).sum();
        assert_ne!(count, 0, "{root} was not read");
        assert_eq!(circles(&read, MOST), BTreeSet::new(), "{root}");
        arrows += count;
        files += read.texts.len();
    }
    assert!(2 * arrows > files, "{arrows} imports of {files} files");
}

#[test]
fn a_circle_is_found_through_what_is_handed_on_and_through_imported_rooms() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, text) in [
        ("lib.rs", "mod a;\nmod b;\nmod c;\npub use self::a::A;\n"),
        ("a.rs", "use crate::{\n    b::{B, More},\n};\n"),
        ("b.rs", "use super::c;\n"),
        (
            "c.rs",
            "use crate::A;\n#[cfg(test)]\nmod tests { use super::*; }\n",
        ),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    let read = Crate::read(folder);
    let found = ["a", "b", "c"].map(str::to_owned).to_vec();
    assert_eq!(circles(&read, 2), BTreeSet::from([found]));
    assert_eq!(circles(&read, 3), BTreeSet::new());
}
