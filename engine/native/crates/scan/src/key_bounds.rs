//! Least and greatest values of key columns: a row group whose values lie apart from those of the deleted keys need not be probed.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, UInt64Array};
use datafusion::arrow::compute::{max_string, min_string};
use datafusion::arrow::datatypes::DataType;

use crate::keys::{Integers, borrowed_integers};

/// Bounds of the values of one column, both included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Of integers, dates, times and timestamps.
    Int(i64, i64),
    Text(String, String),
}

/// What is known of the values of a column in some rows.
#[derive(Debug, Clone)]
pub(crate) struct ColumnRange {
    /// Bounds of the values that are not NULL.
    pub(crate) bound: Option<Bound>,
    /// Whether values may be NULL.
    pub(crate) nulls: bool,
}

/// Bounds of the keys of a group, column by column.
#[derive(Debug, Default)]
pub(crate) struct KeyBounds {
    sides: Vec<Side>,
    /// Whether some key has a NULL.
    nulls: bool,
}

#[derive(Debug, Clone)]
enum Side {
    /// No value has been seen.
    Empty,
    Known(Bound),
    /// Values of a type without bounds.
    Unknown,
}

impl Bound {
    /// The bounds of the values of a column that are not NULL.
    fn of(column: &ArrayRef) -> Side {
        let found = match column.data_type() {
            DataType::Utf8 => {
                let text = column.as_string::<i32>();
                match (min_string(text), max_string(text)) {
                    (Some(least), Some(most)) => Some(Self::Text(least.to_owned(), most.to_owned())),
                    _ => None,
                }
            }
            _ => match borrowed_integers(column) {
                Ok(Integers::Int32(values)) => extremes(column, values.iter().map(|value| i64::from(*value))),
                Ok(Integers::Int64(values)) => extremes(column, values.iter().copied()),
                Err(_) => return Side::Unknown,
            },
        };
        found.map_or(Side::Empty, Side::Known)
    }

    /// The bounds of two arrays of one value each.
    fn between(least: &ArrayRef, most: &ArrayRef) -> Option<Self> {
        if least.is_empty() || most.is_empty() || least.is_null(0) || most.is_null(0) {
            return None;
        }
        match (Self::of(least), Self::of(most)) {
            (Side::Known(Self::Int(least, _)), Side::Known(Self::Int(_, most))) => {
                Some(Self::Int(least, most))
            }
            (Side::Known(Self::Text(least, _)), Side::Known(Self::Text(_, most))) => {
                Some(Self::Text(least, most))
            }
            _ => None,
        }
    }

    fn widen(&mut self, other: Self) -> bool {
        match (self, other) {
            (Self::Int(least, most), Self::Int(other_least, other_most)) => {
                *least = (*least).min(other_least);
                *most = (*most).max(other_most);
            }
            (Self::Text(least, most), Self::Text(other_least, other_most)) => {
                if other_least < *least {
                    *least = other_least;
                }
                if other_most > *most {
                    *most = other_most;
                }
            }
            _ => return false,
        }
        true
    }

    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(least, most), Self::Int(other_least, other_most)) => {
                least <= other_most && other_least <= most
            }
            (Self::Text(least, most), Self::Text(other_least, other_most)) => {
                least <= other_most && other_least <= most
            }
            _ => true,
        }
    }
}

fn extremes(column: &ArrayRef, values: impl Iterator<Item = i64> + Clone) -> Option<Bound> {
    let bounds = |values: &mut dyn Iterator<Item = i64>| {
        values.fold(None, |bounds: Option<(i64, i64)>, value| {
            Some(bounds.map_or((value, value), |(least, most)| (least.min(value), most.max(value))))
        })
    };
    let found = match column.nulls().filter(|nulls| nulls.null_count() > 0) {
        None => bounds(&mut values.into_iter()),
        Some(nulls) => {
            bounds(&mut values.zip(nulls.iter()).filter(|(_, valid)| *valid).map(|(value, _)| value))
        }
    };
    found.map(|(least, most)| Bound::Int(least, most))
}

impl ColumnRange {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Self = Self { bound: None, nulls: true };

    /// The range of the values of a column.
    #[cfg(test)]
    pub(crate) fn of_values(column: &ArrayRef) -> Self {
        let bound = match Bound::of(column) {
            Side::Known(bound) => Some(bound),
            Side::Empty | Side::Unknown => None,
        };
        Self { bound, nulls: column.null_count() > 0 }
    }

    /// From the bounds and the number of NULLs that statistics give, each an array of one value.
    pub(crate) fn of_statistics(
        least: Option<ArrayRef>,
        most: Option<ArrayRef>,
        null_count: Option<ArrayRef>,
    ) -> Self {
        let bound = least.zip(most).and_then(|(least, most)| Bound::between(&least, &most));
        let null_count = null_count.as_ref().and_then(|counts| counts.as_any().downcast_ref::<UInt64Array>());
        let none = null_count.is_some_and(|counts| {
            !counts.is_empty() && counts.is_valid(0) && counts.values().first() == Some(&0)
        });
        Self { bound, nulls: !none }
    }
}

impl KeyBounds {
    /// Takes in the keys of a batch.
    pub(crate) fn widen(&mut self, columns: &[ArrayRef]) {
        self.nulls |= columns.iter().any(|column| column.null_count() > 0);
        self.sides.resize(columns.len(), Side::Empty);
        for (side, column) in self.sides.iter_mut().zip(columns) {
            if matches!(side, Side::Unknown) {
                continue;
            }
            match (Bound::of(column), &mut *side) {
                (Side::Empty, _) => {}
                (Side::Known(new), Side::Known(known)) => {
                    if !known.widen(new) {
                        *side = Side::Unknown;
                    }
                }
                (found, _) => *side = found,
            }
        }
    }

    /// Whether keys with a NULL may match rows of these ranges.
    pub(crate) fn meet_nulls(&self, columns: &[ColumnRange]) -> bool {
        self.nulls && columns.iter().any(|column| column.nulls)
    }

    /// Whether keys without a NULL may match rows of these ranges.
    pub(crate) fn meet(&self, columns: &[ColumnRange]) -> bool {
        self.sides.iter().zip(columns).all(|(side, column)| match (side, &column.bound) {
            (Side::Empty, _) => false,
            (Side::Known(keys), Some(values)) => keys.meets(values),
            _ => true,
        })
    }
}
