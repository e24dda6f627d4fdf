//! A page as a screen reader reads it: the browser's own tree of roles and names.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::driver::Browser;

/// What is pressed, filled or read has a name.
const NAMED: [&str; 9] = [
    "button",
    "link",
    "textbox",
    "combobox",
    "log",
    "region",
    "table",
    "DisclosureTriangle",
    "heading",
];

/// The roles that a screen reader speaks of by itself, and how many there are of each.
const LIVE: [(&str, usize); 3] = [("alert", 1), ("log", 1), ("status", 1)];

/// What a screen reader meets, in its order.
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

struct Node {
    role: String,
    name: String,
    depth: usize,
    /// Stays the same as long as the element is the same.
    element: i64,
}

impl Tree {
    /// That of the page that is looked at.
    pub(crate) fn of(browser: &Browser) -> Self {
        let told = browser.does("Accessibility.getFullAXTree", &json!({}));
        let told = told["nodes"].as_array().unwrap();
        let by_id: BTreeMap<&str, &Value> = told
            .iter()
            .map(|node| (node["nodeId"].as_str().unwrap(), node))
            .collect();
        let mut tree = Self { nodes: Vec::new() };
        tree.takes(&by_id, told[0]["nodeId"].as_str().unwrap(), 0);
        tree
    }

    fn takes(&mut self, by_id: &BTreeMap<&str, &Value>, id: &str, depth: usize) {
        let Some(node) = by_id.get(id) else {
            return;
        };
        let of = |name: &str| node[name]["value"].as_str().unwrap_or_default().to_owned();
        let role = of("role");
        let is_met =
            node["ignored"] != true && !matches!(&*role, "none" | "generic" | "InlineTextBox");
        if is_met {
            self.nodes.push(Node {
                role,
                name: of("name"),
                depth,
                element: node["backendDOMNodeId"].as_i64().unwrap_or_default(),
            });
        }
        for child in node["childIds"].as_array().into_iter().flatten() {
            let child = child.as_str().unwrap_or_default();
            self.takes(by_id, child, depth + usize::from(is_met));
        }
    }

    /// The elements that speak by themselves.
    pub(crate) fn live(&self) -> Vec<(String, i64)> {
        let is_live = |node: &&Node| LIVE.iter().any(|(role, _)| *role == node.role);
        let live = self.nodes.iter().filter(is_live);
        live.map(|node| (node.role.clone(), node.element)).collect()
    }

    /// What a screen reader would have no word for, or would meet in a wrong order.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for node in &self.nodes {
            if node.name.is_empty() && NAMED.contains(&&*node.role) {
                faults.push(format!("a {} without a name", node.role));
            }
        }
        for (role, most) in LIVE {
            let count = self.nodes.iter().filter(|node| node.role == role).count();
            if count > most {
                faults.push(format!("{count} of {role}"));
            }
        }
        let place = |role: &str| self.nodes.iter().position(|node| node.role == role);
        if place("main").is_none() || place("heading").is_none() {
            faults.push("no main part, or no heading".to_owned());
        }
        // What is urgent comes before all that can be done, what was said before comes last.
        if place("log").is_some()
            && !(place("alert") <= place("main") && place("main") < place("log"))
        {
            faults.push("in a wrong order".to_owned());
        }
        faults
    }

    /// As it is read, a line each.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for node in &self.nodes {
            let indent = "  ".repeat(node.depth);
            let _ = writeln!(text, "{indent}{} {:?}", node.role, node.name);
        }
        text
    }
}
