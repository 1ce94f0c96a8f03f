//! Quantiles of a sample.

/// Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan). `values`
/// must not be empty; it is reordered.
pub fn quantile(values: &mut [f64], fraction: f64) -> f64 {
    let place = fraction * (values.len() - 1) as f64;
    let (_, &mut low, above) = values.select_nth_unstable_by(place as usize, f64::total_cmp);
    let high = above.iter().copied().fold(f64::INFINITY, f64::min);
    if above.is_empty() { low } else { low + (high - low) * place.fract() }
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_interpolate_between_order_statistics() {
        let mut values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(&mut values, 0.5), 2.5);
        assert_eq!(quantile(&mut values, 1.0), 4.0);
        assert!((quantile(&mut values, 0.95) - 3.85).abs() < 1e-12);
        assert_eq!(quantile(&mut [7.0], 0.95), 7.0);
    }
}
