//! What the file of a graph says beside its channels: routes, and links of their own.

use crate::choices::{Dice, walk};
use crate::common::graphs::{Links, spec};
use crate::common::{dependencies_have_a_cycle, route};
use crate::graphs::{build, vcs};
use fabric::{End, Fabric};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A circle of four with routes by destination, up the numbers.
fn routed(change: impl FnOnce(&mut Value)) -> Result<Fabric, String> {
    let mut file = Links::ring(4, 1).file();
    let pairs = (0..4).flat_map(|router| (0..4).map(move |node| (router, node)));
    let pairs: Vec<(u32, u32)> = pairs.filter(|(router, node)| router != node).collect();
    // A switch has the ports of its node, of the next switch and of the one before; the first switch
    // got the cable to the last one later.
    let port = |router: u32| if router == 0 { 1 } else { 2 };
    file["routes"] = json!({
        "by": "destination",
        "router": pairs.iter().map(|pair| pair.0).collect::<Vec<_>>(),
        "node": pairs.iter().map(|pair| pair.1).collect::<Vec<_>>(),
        "port": pairs.iter().map(|pair| port(pair.0)).collect::<Vec<_>>(),
        // On from the first switch in the second class.
        "class": pairs.iter().map(|(router, node)| u32::from(node > router)).collect::<Vec<_>>(),
    });
    change(&mut file["routes"]);
    build(&spec(&file, "table"), 1)
}

#[test]
fn a_table_gives_routes_and_classes() {
    let fabric = routed(|_| {}).unwrap();
    assert_eq!(fabric.distance(1, 0), 3);
    assert_eq!(fabric.longest_route(), 5);
    let path = route(&fabric, 2, 1);
    assert_eq!(fabric.virtual_classes(&path), [0, 0, 0, 1, 0]);
    assert_eq!(vcs(&fabric), Ok(2));
    assert!(!dependencies_have_a_cycle(&fabric, true));
}

#[test]
fn a_table_may_have_more_than_two_classes() {
    // The next class with every channel; the way to a node has three channels at most.
    let left = |router: i32, node: i32| (node - router).rem_euclid(4);
    let pairs = (0..4).flat_map(|router| (0..4).map(move |node| (router, node)));
    let classes: Vec<i32> =
        pairs.filter(|(r, n)| r != n).map(|(router, node)| 3 - left(router, node)).collect();
    let fabric = routed(|routes| routes["class"] = json!(classes)).unwrap();
    assert_eq!(vcs(&fabric), Ok(3));
    assert_eq!(fabric.virtual_classes(&route(&fabric, 1, 0)), [0, 0, 1, 2, 0]);
    let way = walk(&fabric, 3, (1, 0), &mut Dice(1));
    assert_eq!(way.iter().map(|(_, vc)| *vc).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(!dependencies_have_a_cycle(&fabric, true));
}

#[test]
fn a_table_that_can_deadlock_is_refused_with_its_circle() {
    let fabric = routed(|routes| routes["class"] = json!(vec![0; 12])).unwrap();
    let error = vcs(&fabric).unwrap_err();
    assert!(
        error.ends_with("link/0 (class 0), link/2 (class 0), link/4 (class 0), link/6 (class 0)"),
        "{error}"
    );
}

#[test]
fn a_wrong_table_names_the_route() {
    let cases = [
        (routed(|routes| routes["router"][0] = 9.into()), "entry 0 of routes is of router 9"),
        (routed(|routes| routes["port"] = json!([1])), "the columns of routes differ in length"),
        (routed(|routes| routes["router"][4] = 0.into()), "leaf0 has two routes to node"),
        (
            routed(|routes| routes["port"][0] = 0.into()),
            "takes port 0, which leads to no switch, at leaf0",
        ),
        // Back to where it came from.
        (routed(|routes| routes["port"][4] = 1.into()), "visits a switch twice"),
    ];
    for (found, expected) in cases {
        let error = found.map(|_| ()).unwrap_err();
        assert!(error.contains(expected), "{error} lacks {expected}");
    }
    let hole = routed(|routes| {
        for column in ["router", "node", "port", "class"] {
            routes[column].as_array_mut().unwrap().remove(1);
        }
    });
    let error = hole.map(|_| ()).unwrap_err();
    assert!(error.contains("the route from node0 to node2 has no next hop at leaf0"), "{error}");
    let without = build(&Links::ring(3, 1).spec("table"), 1).unwrap_err();
    assert!(without.contains("routing table needs the key routes in the file"), "{without}");
}

#[test]
fn links_of_the_file_have_their_own_speed_and_latency() {
    let mut file = Links::ring(3, 1).file();
    let mut speeds = vec![None; 12];
    (speeds[0], speeds[6], speeds[7]) = (Some(2e9), Some(0.5e9), Some(0.5e9));
    file["channels"]["bandwidth_bytes_per_s"] = json!(speeds);
    file["channels"]["latency_s"] = (0..12).map(|at| (at == 1).then_some(3e-6)).collect();
    let fabric = build(&spec(&file, "shortest"), 1).unwrap();
    let links = fabric::Links::new(&fabric::LinksSpec::default(), &fabric, 1e9).unwrap();
    // Injection of node 0, its ejection, the first cable, and another one.
    let all =
        [0, 3, 6, 7, 8].map(|channel| (links.slower(channel), links.latency_s(channel, 1e-7)));
    assert_eq!(all, [(0.5, 1e-7), (1.0, 3e-6), (2.0, 1e-7), (2.0, 1e-7), (1.0, 1e-7)]);
    let plain = build(&Links::ring(3, 1).spec("shortest"), 1).unwrap();
    assert!(fabric::Links::new(&fabric::LinksSpec::default(), &plain, 1e9).unwrap().are_alike());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever entries are changed or missing, all routes lead to their nodes, or the file is refused.
    #[test]
    fn a_changed_table_leads_everywhere_or_is_refused(
        changes in prop::collection::vec((0_usize..4, 0_usize..12, 0_u32..5), 0..4), left_out in 0_usize..2,
    ) {
        let columns = ["router", "node", "port", "class"];
        let found = routed(|routes| {
            for (column, entry, value) in changes {
                routes[columns[column]][entry] = value.into();
            }
            for column in columns {
                routes[column].as_array_mut().unwrap().truncate(12 - left_out);
            }
        });
        match found {
            Ok(fabric) => {
                let pairs = (0..4).flat_map(|src| (0..4).map(move |dst| (src, dst)));
                for (src, dst) in pairs.filter(|(src, dst)| src != dst) {
                    let path = route(&fabric, src, dst);
                    prop_assert_eq!(fabric.ends(path[0]).0, End::Node(src));
                    prop_assert_eq!(fabric.ends(path[path.len() - 1]).1, End::Node(dst));
                    prop_assert!(path.windows(2).all(|two| fabric.ends(two[0]).1 == fabric.ends(two[1]).0));
                }
            }
            Err(error) => prop_assert!(error.starts_with("the graph "), "{error}"),
        }
    }
}
