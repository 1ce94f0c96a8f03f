//! Speed and latency of links as the file of a graph gives them.

use super::file::GraphFile;

/// What the file says of a channel; what is absent is as in the network.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GivenLink {
    pub bandwidth_bytes_per_s: Option<f64>,
    pub slower: Option<f64>,
    pub latency_s: Option<f64>,
}

/// Per channel of the fabric a place among kinds of links; no places where the file gives nothing.
/// `origins` has the place in the file of each channel between switches; a missing channel has none.
pub(super) fn links(
    file: &GraphFile,
    nodes: usize,
    origins: &[Option<u32>],
) -> Result<(Vec<u16>, Vec<GivenLink>), String> {
    let channels = &file.channels;
    let at = |column: &Option<Vec<Option<f64>>>, at: usize| column.as_ref().and_then(|c| c[at]);
    let given = |place: usize| GivenLink {
        bandwidth_bytes_per_s: at(&channels.bandwidth_bytes_per_s, place),
        slower: at(&channels.slower, place),
        latency_s: at(&channels.latency_s, place),
    };
    let mut kinds = vec![GivenLink::default()];
    let mut of = vec![0; 2 * nodes + origins.len()];
    let mut note = |channel: usize, link: GivenLink| {
        let known = kinds.iter().position(|known| *known == link);
        let place = known.unwrap_or(kinds.len());
        if known.is_none() {
            kinds.push(link);
        }
        of[channel] = u16::try_from(place).map_err(|_| "it has more than 65,535 kinds of links")?;
        Ok::<(), &str>(())
    };
    for (place, (&from, &to)) in channels.from.iter().zip(&channels.to).enumerate() {
        if (from as usize) < nodes {
            note(from as usize, given(place))?;
        } else if (to as usize) < nodes {
            note(nodes + to as usize, given(place))?;
        }
    }
    for (hop, &place) in origins.iter().enumerate() {
        if let Some(place) = place {
            note(2 * nodes + hop, given(place as usize))?;
        }
    }
    Ok(if kinds.len() > 1 { (of, kinds) } else { (vec![], kinds) })
}
