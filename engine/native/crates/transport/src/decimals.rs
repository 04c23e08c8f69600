//! Exact decimal arithmetic on unscaled 128-bit values; wide intermediate values, half away from zero.

use datafusion::arrow::datatypes::i256;
use fulmar_error::Result;

use crate::kernel::overflow;

/// Ten to the power of `exponent`, at most 38.
pub(crate) fn pow10(exponent: u32) -> i128 {
    10i128.pow(exponent.min(38))
}

/// Ten to the power of `exponent`, at most 76.
pub(crate) fn wide_pow10(exponent: u32) -> i256 {
    let low = i256::from_i128(pow10(exponent.min(38)));
    let high = i256::from_i128(pow10(exponent.saturating_sub(38)));
    low.wrapping_mul(high)
}

/// The value, if it has at most `precision` digits.
pub(crate) fn fit(value: i128, precision: u8, scale: i8) -> Result<i128> {
    if value.unsigned_abs() < pow10(u32::from(precision)).unsigned_abs() {
        Ok(value)
    } else {
        Err(out_of_range(precision, scale))
    }
}

/// The wide value, if it has at most `precision` digits.
pub(crate) fn fit_wide(value: i256, precision: u8, scale: i8) -> Result<i128> {
    let value = value.to_i128().ok_or_else(|| out_of_range(precision, scale))?;
    fit(value, precision, scale)
}

fn out_of_range(precision: u8, scale: i8) -> fulmar_error::EngineError {
    overflow(format!("value out of the range of DECIMAL({precision}, {scale})"))
}

/// Quotient, rounded half away from zero. The divisor is not zero.
pub(crate) fn divide_rounded(dividend: i128, divisor: i128) -> i128 {
    let quotient = dividend / divisor;
    let remainder = dividend % divisor;
    // |remainder| * 2 >= |divisor| without overflow
    if remainder.unsigned_abs() >= divisor.unsigned_abs() - remainder.unsigned_abs() {
        quotient + if (dividend < 0) == (divisor < 0) { 1 } else { -1 }
    } else {
        quotient
    }
}

/// Quotient of wide values, rounded half away from zero. The divisor is not zero.
pub(crate) fn divide_wide(dividend: i256, divisor: i256) -> i256 {
    let quotient = dividend.wrapping_div(divisor);
    let remainder = dividend.wrapping_rem(divisor).wrapping_abs();
    if remainder >= divisor.wrapping_abs().wrapping_sub(remainder) {
        let same_sign = dividend.is_negative() == divisor.is_negative();
        let step = if same_sign { i256::ONE } else { i256::MINUS_ONE };
        quotient.wrapping_add(step)
    } else {
        quotient
    }
}

/// The value at another scale, rounded half away from zero where digits go.
pub(crate) fn rescale(value: i128, from: i8, to: i8, precision: u8) -> Result<i128> {
    if to <= from {
        let factor = pow10(scale_gap(from, to));
        return fit(if to == from { value } else { divide_rounded(value, factor) }, precision, to);
    }
    match value.checked_mul(pow10(scale_gap(to, from))) {
        Some(scaled) => fit(scaled, precision, to),
        None => Err(out_of_range(precision, to)),
    }
}

/// `high - low`, not negative.
pub(crate) fn scale_gap(high: i8, low: i8) -> u32 {
    u32::try_from(i32::from(high) - i32::from(low)).unwrap_or_default()
}

/// The nearest double.
pub(crate) fn to_f64(value: i128, scale: i8) -> f64 {
    let exponent = u32::try_from(scale).unwrap_or_default();
    if value.unsigned_abs() < 1 << 53 && exponent <= 22 {
        // both exact, so the quotient is correctly rounded
        return value as f64 / pow10(exponent) as f64;
    }
    format!("{value}e-{exponent}").parse().unwrap_or(f64::NAN)
}

/// The decimal nearest to a double.
pub(crate) fn from_f64(value: f64, precision: u8, scale: i8) -> Result<i128> {
    let scaled = (value * pow10(u32::try_from(scale).unwrap_or_default()) as f64).round();
    if !scaled.is_finite() || scaled.abs() >= 1.7e38 {
        return Err(out_of_range(precision, scale));
    }
    fit(scaled as i128, precision, scale)
}

/// Reads a decimal with an optional exponent, rounded half away from zero. `None`: no number.
pub(crate) fn parse(text: &str, precision: u8, scale: i8) -> Option<Result<i128>> {
    let text = text.trim();
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], digits[at + 1..].parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() == 0
        || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let fraction_digits = i64::try_from(fraction.len()).ok()?;
    // digits to keep: those at or above the scale, and one more to round by
    let keep = i64::try_from(whole.len()).ok()? + i64::from(exponent) + i64::from(scale);
    let mut value: i128 = 0;
    let mut round_up = false;
    for (index, byte) in whole.bytes().chain(fraction.bytes()).enumerate() {
        let index = index as i64;
        let digit = i128::from(byte - b'0');
        if index < keep {
            value = match value.checked_mul(10).and_then(|v| v.checked_add(digit)) {
                Some(value) => value,
                None => return Some(Err(out_of_range(precision, scale))),
            };
        } else if index == keep {
            round_up = digit >= 5;
        }
    }
    let missing = i64::from(scale) + i64::from(exponent) - fraction_digits;
    if missing > 0 && value != 0 {
        let factor = u32::try_from(missing).ok().filter(|&m| m <= 38).map(pow10);
        match factor.and_then(|factor| value.checked_mul(factor)) {
            Some(scaled) => value = scaled,
            None => return Some(Err(out_of_range(precision, scale))),
        }
    }
    value += i128::from(round_up);
    Some(fit(if negative { -value } else { value }, precision, scale))
}

/// The decimal as text with all digits of its scale.
pub(crate) fn format(value: i128, scale: i8) -> String {
    let digits = value.unsigned_abs().to_string();
    let scale = usize::try_from(scale).unwrap_or_default();
    let sign = if value < 0 { "-" } else { "" };
    if scale == 0 {
        return format!("{sign}{digits}");
    }
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    format!("{sign}{whole}.{fraction}")
}
