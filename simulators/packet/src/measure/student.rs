//! Quantiles of Student's t distribution.

/// Probability that |T| stays below `t`, for `freedom` degrees of freedom: the finite sums of
/// Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.
fn within(t: f64, freedom: u32) -> f64 {
    let angle = (t / f64::from(freedom).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    let (mut term, mut sum) = if odd { (cosine, cosine) } else { (1.0, 1.0) };
    // Factors 2/3, 4/5, … for odd and 1/2, 3/4, … for even degrees of freedom.
    let mut divisor = if odd { 3 } else { 2 };
    while divisor <= freedom.saturating_sub(2) {
        term *= cosine * cosine * f64::from(divisor - 1) / f64::from(divisor);
        sum += term;
        divisor += 2;
    }
    match (odd, freedom) {
        (true, 1) => 2.0 / std::f64::consts::PI * angle,
        (true, _) => 2.0 / std::f64::consts::PI * (angle + sine * sum),
        (false, _) => sine * sum,
    }
}

/// The value below which |T| stays with probability `confidence`, found by halving an interval.
pub fn student_t(confidence: f64, freedom: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while within(high, freedom) < confidence && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if within(middle, freedom) < confidence {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::student_t;

    #[test]
    fn quantiles_are_those_of_the_printed_tables() {
        let printed = [
            (0.95, 1, 12.706),
            (0.95, 2, 4.303),
            (0.95, 5, 2.571),
            (0.95, 10, 2.228),
            (0.95, 30, 2.042),
            (0.99, 1, 63.657),
            (0.99, 7, 3.499),
            (0.90, 15, 1.753),
            (0.95, 120, 1.980),
        ];
        for (confidence, freedom, t) in printed {
            assert!((student_t(confidence, freedom) - t).abs() < 6e-4, "{confidence} {freedom}");
        }
    }
}
