//! Virtual layers: the routes of each layer never wait for each other in a circle.
//!
//! All routes begin in layer 0. Where channels of a layer wait for each other in a circle, the routes
//! over the weakest of its dependencies, the one that the fewest routes have, move to the next layer
//! (Domke, Hoefler and Nagel, IPDPS 2011).

use std::collections::BTreeMap;

/// Steps of a route that wait for the next: hops, without the last switch.
pub(super) type Hops<'a> = dyn Fn(u32, &mut Vec<u32>) + 'a;

/// Dependencies of the routes of one layer.
struct Layer {
    /// Per hop: the hops that follow it on routes, with the number of the dependency.
    after: Vec<BTreeMap<u32, u32>>,
    /// Per dependency: how many routes of the layer have it.
    count: Vec<u32>,
    /// The routes of each dependency, one dependency after the other.
    first: Vec<u32>,
    routes: Vec<u32>,
}

/// The layer of each of so many routes over so many hops.
///
/// # Errors
/// If more layers than a byte can name would be needed.
pub(super) fn assign(routes: u32, hops: usize, route: &Hops) -> Result<Vec<u8>, String> {
    let mut layers = vec![0_u8; routes as usize];
    let mut members: Vec<u32> = (0..routes).collect();
    for layer in 0..u8::MAX {
        members = Layer::new(&members, hops, route).break_circles(&members, route);
        if members.is_empty() {
            return Ok(layers);
        }
        members.iter().for_each(|&moved| layers[moved as usize] = layer + 1);
    }
    Err("its routes need more than 255 virtual layers".into())
}

impl Layer {
    fn new(members: &[u32], hops: usize, route: &Hops) -> Self {
        let mut layer = Self {
            after: vec![BTreeMap::new(); hops],
            count: vec![],
            first: vec![0],
            routes: vec![],
        };
        let mut path = vec![];
        for &member in members {
            path.clear();
            route(member, &mut path);
            for two in path.windows(2) {
                let next = layer.count.len() as u32;
                let number = *layer.after[two[0] as usize].entry(two[1]).or_insert(next);
                if number == next {
                    layer.count.push(0);
                }
                layer.count[number as usize] += 1;
            }
        }
        let mut end = 0;
        layer.first.extend(layer.count.iter().map(|count| {
            end += count;
            end
        }));
        layer
    }

    /// Which routes have each dependency; needed only where there is a circle.
    fn list_routes(&mut self, members: &[u32], route: &Hops) {
        let mut next = self.first.clone();
        self.routes = vec![0; self.first[self.count.len()] as usize];
        let mut path = vec![];
        for &member in members {
            path.clear();
            route(member, &mut path);
            for two in path.windows(2) {
                let place = &mut next[self.after[two[0] as usize][&two[1]] as usize];
                self.routes[*place as usize] = member;
                *place += 1;
            }
        }
    }

    /// The routes that have to leave so that no circle is left.
    fn break_circles(&mut self, members: &[u32], route: &Hops) -> Vec<u32> {
        let mut moved = vec![];
        let mut has_moved = BTreeMap::new();
        let mut is_done = vec![false; self.after.len()];
        let mut depth = vec![u32::MAX; self.after.len()];
        let mut path = vec![];
        for start in 0..self.after.len() as u32 {
            // Hops on the way down, each with the last hop that was tried behind it.
            let mut stack: Vec<(u32, Option<u32>)> = vec![];
            if !is_done[start as usize] {
                depth[start as usize] = 0;
                stack.push((start, None));
            }
            while let Some(&(at, tried)) = stack.last() {
                let from = tried.map_or(0, |hop| hop + 1);
                let mut behind = self.after[at as usize].range(from..);
                let next = behind.find(|(hop, number)| {
                    self.count[**number as usize] > 0 && !is_done[**hop as usize]
                });
                let Some((&next, _)) = next else {
                    is_done[at as usize] = true;
                    depth[at as usize] = u32::MAX;
                    stack.pop();
                    continue;
                };
                let top = stack.len() - 1;
                stack[top].1 = Some(next);
                if depth[next as usize] == u32::MAX {
                    depth[next as usize] = stack.len() as u32;
                    stack.push((next, None));
                    continue;
                }
                if self.routes.is_empty() {
                    self.list_routes(members, route);
                }
                let first = depth[next as usize] as usize;
                let weakest =
                    (first..stack.len()).min_by_key(|&place| self.strength(&stack, place));
                let place = weakest.unwrap_or(top);
                let number = self.dependency(&stack, place);
                for at in self.first[number]..self.first[number + 1] {
                    let member = self.routes[at as usize];
                    if has_moved.insert(member, ()).is_none() {
                        moved.push(member);
                        path.clear();
                        route(member, &mut path);
                        for two in path.windows(2) {
                            self.count[self.after[two[0] as usize][&two[1]] as usize] -= 1;
                        }
                    }
                }
                // The search goes on where the broken dependency began.
                for (hop, _) in stack.drain(place + 1..) {
                    depth[hop as usize] = u32::MAX;
                }
            }
        }
        moved.sort_unstable();
        moved
    }

    /// The dependency that leads on from a place of the search.
    fn dependency(&self, stack: &[(u32, Option<u32>)], place: usize) -> usize {
        let (hop, next) = stack[place];
        self.after[hop as usize][&next.unwrap_or(hop)] as usize
    }

    fn strength(&self, stack: &[(u32, Option<u32>)], place: usize) -> u32 {
        self.count[self.dependency(stack, place)]
    }
}
