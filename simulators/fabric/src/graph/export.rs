//! Any fabric as the file of a graph, with its own static routes.

use super::file::{Columns, GraphFile, RouteColumns, SCHEMA};
use crate::{Channel, End, Fabric, FabricError, LinkSpec, LinksSpec, Node, Rails};

/// A step of a route: output port of a switch, class behind it.
type Step = (u16, u8);

impl Fabric {
    /// The canonical file of a graph with the same nodes, switches, ports, order of channels and speeds of
    /// links, and its static routes, each with its classes of virtual channels. A routing of graphs that
    /// chooses among several ways has no routes in the file: the graph has them with the same routing.
    ///
    /// # Errors
    /// If only the topology itself knows its ways, or there are too many routes for a file.
    pub fn exported(&self, links: &LinksSpec) -> Result<String, FabricError> {
        let routing = self.routing();
        let has_several = routing.is_by_message || !routing.is_static;
        let routes = if has_several && matches!(self, Self::Graph(_)) {
            None
        } else {
            self.with_static_routes()?;
            Some(match self.by_destination()? {
                Some(routes) => routes,
                None => self.by_pair()?,
            })
        };
        let mut channels = self.columns();
        self.write_speeds(links, &mut channels)?;
        let file = GraphFile {
            schema: SCHEMA,
            nodes: (0..self.nodes()).map(|node| self.exported_name(End::Node(node))).collect(),
            switches: (0..self.routers()).map(|it| self.exported_name(End::Router(it))).collect(),
            rails: self.rails().map(Rails::counts),
            channels,
            routes,
        };
        let text = serde_json::to_string(&file);
        text.map(|text| text + "\n").map_err(|e| self.not_exported(&e.to_string()))
    }

    fn not_exported(&self, problem: &str) -> FabricError {
        FabricError::Graph { file: self.about().kind.into(), problem: problem.into() }
    }

    /// The name that a file gives it, or else its kind and number.
    fn exported_name(&self, end: End) -> String {
        match self {
            Self::Graph(graph) if graph.origin().is_none() => graph.end_name(end).into(),
            _ => {
                let (word, number, count) = match end {
                    End::Node(node) => ("node", node, self.nodes()),
                    End::Router(router) => ("switch", router, self.routers()),
                };
                let width = count.saturating_sub(1).to_string().len();
                format!("{word}{number:0width$}")
            }
        }
    }

    fn write_speeds(&self, links: &LinksSpec, columns: &mut Columns) -> Result<(), FabricError> {
        let (of, kinds) = links.given(self).map_err(|e| self.not_exported(&e.to_string()))?;
        if of.is_empty() {
            return Ok(());
        }
        let all = (0..self.channels()).filter(|&channel| self.exists(channel));
        let given: Vec<&LinkSpec> = all.map(|c| &kinds[usize::from(of[c as usize])]).collect();
        let column = |value: fn(&LinkSpec) -> Option<f64>| {
            let is_said = given.iter().any(|link| value(link).is_some());
            is_said.then(|| given.iter().map(|link| value(link)).collect())
        };
        columns.bandwidth_bytes_per_s = column(|link| link.bandwidth_bytes_per_s);
        columns.slower = column(|link| link.slower);
        columns.latency_s = column(|link| link.latency_s);
        Ok(())
    }

    pub(super) fn columns(&self) -> Columns {
        let number = |end| match end {
            End::Node(node) => node,
            End::Router(router) => self.nodes() + router,
        };
        let all: Vec<Channel> = (0..self.channels()).filter(|&c| self.exists(c)).collect();
        let of = |value: &dyn Fn(Channel) -> u32| all.iter().map(|&c| value(c)).collect();
        Columns {
            from: of(&|c| number(self.ends(c).0)),
            from_port: of(&|c| self.output_port(c).unwrap_or(0)),
            to: of(&|c| number(self.ends(c).1)),
            to_port: of(&|c| self.input_port(c).unwrap_or(0)),
            class: Some(all.iter().map(|&c| self.class(c)).collect()),
            name: Some(all.iter().map(|&c| self.name(c)).collect()),
            number: self.numbers(&all),
            ..Columns::default()
        }
    }

    /// Numbers of channels between switches, if some are left out.
    fn numbers(&self, all: &[Channel]) -> Option<Vec<Option<u32>>> {
        let numbers = all.iter().map(|channel| channel.checked_sub(2 * self.nodes()));
        (all.len() < self.channels() as usize).then(|| numbers.collect())
    }

    /// The routers that a route leaves, with its steps.
    fn steps(&self, src: Node, dst: Node, path: &mut Vec<Channel>) -> Vec<(u32, Step)> {
        path.clear();
        self.route(src, dst, path);
        let classes = self.virtual_classes(path);
        let between = path.iter().zip(classes).filter(|(channel, _)| **channel >= 2 * self.nodes());
        between
            .filter_map(|(&channel, class)| match self.ends(channel).0 {
                End::Router(router) => {
                    Some((router, (self.output_port(channel).unwrap_or(0) as u16, class)))
                }
                End::Node(_) => None,
            })
            .collect()
    }

    /// Routes by switch and destination; None if they depend on the source, too.
    fn by_destination(&self) -> Result<Option<RouteColumns>, FabricError> {
        let (nodes, mut path) = (self.nodes(), vec![]);
        let places = u64::from(nodes) * u64::from(self.routers());
        if places > u64::from(u32::MAX) {
            return Err(self.not_exported("it has too many routes for a file"));
        }
        let mut known: Vec<Option<Step>> = vec![None; places as usize];
        for (src, dst) in (0..nodes).flat_map(|src| (0..nodes).map(move |dst| (src, dst))) {
            for (router, step) in self.steps(src, dst, &mut path) {
                let place = &mut known[router as usize * nodes as usize + dst as usize];
                if place.replace(step).is_some_and(|before| before != step) {
                    return Ok(None);
                }
            }
        }
        let steps =
            || known.iter().enumerate().filter_map(|(at, step)| Some((at as u32, (*step)?)));
        Ok(Some(RouteColumns::Destination {
            router: steps().map(|(at, _)| at / nodes).collect(),
            node: steps().map(|(at, _)| at % nodes).collect(),
            port: steps().map(|(_, (port, _))| port).collect(),
            class: steps().map(|(_, (_, class))| class).collect(),
            classes: self.vc_classes()?.0,
        }))
    }

    fn by_pair(&self) -> Result<RouteColumns, FabricError> {
        let (nodes, mut path) = (self.nodes(), vec![]);
        let (mut first, mut ports, mut classes) = (vec![0], vec![], vec![]);
        for (src, dst) in (0..nodes).flat_map(|src| (0..nodes).map(move |dst| (src, dst))) {
            for (_, (port, class)) in self.steps(src, dst, &mut path) {
                ports.push(port);
                classes.push(class);
            }
            let end = u32::try_from(ports.len());
            first.push(end.map_err(|_| self.not_exported("it has too many routes for a file"))?);
        }
        Ok(RouteColumns::Pair { first, port: ports, class: classes, classes: self.vc_classes()?.0 })
    }
}
