//! Graphs with too many switches for some routings.

use fabric::{Described, Fabric, TorusClasses};
use serde_json::json;

#[test]
fn too_many_switches_for_stored_routes_are_refused_with_another_routing() {
    let torus = |routing: &str| -> Result<Fabric, String> {
        let sizes =
            json!({"kind": "torus", "sizes": [64, 32, 32], "ties": "plus", "routing": routing});
        let read: Described = serde_json::from_value(sizes).unwrap();
        read.topology.build_channels(3).map_err(|e| e.to_string())
    };
    let refused = torus("layered").unwrap_err();
    let words = "65536 switches, and nodes at 65536 of them; routing layered stores a port of each";
    assert!(
        refused.contains(words) && refused.ends_with("take routing shortest or up_down"),
        "{refused}"
    );
    // A row of ports is computed when somebody asks for it; virtual layers need all of them.
    let fabric = torus("shortest").unwrap();
    assert_eq!(fabric.distance(0, 65_535), 3);
    let refused = fabric.needed_vcs(TorusClasses::Dateline).unwrap_err().to_string();
    assert!(
        refused.ends_with("so take routing up_down with a root, which needs none"),
        "{refused}"
    );
}
