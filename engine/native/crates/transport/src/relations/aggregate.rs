//! Aggregation, with grouping sets and the functions that are made above it.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::array::{AsArray, Int64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, UInt64Type};
use datafusion::common::{Column, ScalarValue};
use datafusion::functions_aggregate::count::count_udaf;
use datafusion::logical_expr::{Aggregate, Expr, GroupingSet, LogicalPlan, lit};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;
use fulmar_proto::AggregateFunction as A;

use super::{Node, Relations};
use crate::aggregates::{self, Parts, Planned};
use crate::comparison::comparable;
use crate::expressions::{Expressions, Typed, exactly, widen};
use crate::functions::declared_integer;
use crate::kernel::Kernel;
use crate::session::Session;

/// The distinct keys of an aggregation, and which of them each set has.
struct Grouping {
    /// Key expressions in the order of the aggregate's columns.
    keys: Vec<Typed>,
    /// For each key of the plan, its place in `keys`; `None` where no set has it.
    places: Vec<Option<usize>>,
    /// Places in `keys` of each set.
    sets: Vec<Vec<usize>>,
}

/// A call of the plan.
enum Call {
    /// Computed by the aggregate: its place among the calculated ones.
    Computed(usize, Box<Planned>, DataType),
    /// GROUPING of keys of the plan.
    Grouping(Vec<usize>, DataType),
    /// The same for all groups.
    Literal(Typed),
}

impl Relations<'_> {
    pub(super) fn aggregate(&mut self, rel: &pb::AggregateRel) -> Result<Node> {
        let input = self.input(rel.input.as_deref())?;
        let expressions = Expressions { columns: &input.columns, session: &self.session };
        let grouping = grouping(rel, &expressions)?;
        let mut computed = Vec::new();
        let calls = rel
            .calls
            .iter()
            .map(|call| self::call(call, rel, &expressions, &mut computed))
            .collect::<Result<Vec<_>>>()?;
        let aggregate = node(input.plan, &grouping, computed)?;
        let several = grouping.sets.len() > 1;
        let fields: Vec<Expr> = aggregate
            .schema
            .iter()
            .map(|(qualifier, field)| Expr::Column(Column::new(qualifier.cloned(), field.name())))
            .collect();
        let outputs = outputs(rel, &grouping, &calls, &fields, several, &self.session, &expressions)?;
        self.project(LogicalPlan::Aggregate(aggregate), outputs)
    }
}

/// Keys that occur in a set, each column once.
fn grouping(rel: &pb::AggregateRel, expressions: &Expressions) -> Result<Grouping> {
    let all: Vec<u32> = (0..rel.keys.len() as u32).collect();
    let plan_sets: Vec<&[u32]> = if rel.grouping_sets.is_empty() {
        vec![&all]
    } else {
        rel.grouping_sets.iter().map(|set| set.keys.as_slice()).collect()
    };
    let mut ordinals: Vec<u32> = Vec::new();
    let mut sets = Vec::with_capacity(plan_sets.len());
    for plan_set in plan_sets {
        let mut set = Vec::new();
        for key in plan_set {
            let ordinal = *rel
                .keys
                .get(*key as usize)
                .ok_or_else(|| EngineError::plan(format!("grouping key {key} of {} keys", rel.keys.len())))?;
            let place = ordinals.iter().position(|known| *known == ordinal).unwrap_or(ordinals.len());
            if place == ordinals.len() {
                ordinals.push(ordinal);
            }
            if !set.contains(&place) {
                set.push(place);
            }
        }
        sets.push(set);
    }
    let keys = ordinals
        .iter()
        .map(|ordinal| Ok(comparable(expressions.column(*ordinal)?.clone())))
        .collect::<Result<Vec<_>>>()?;
    let places = rel.keys.iter().map(|ordinal| ordinals.iter().position(|known| known == ordinal)).collect();
    Ok(Grouping { keys, places, sets })
}

fn call(
    call: &pb::AggregateCall,
    rel: &pb::AggregateRel,
    expressions: &Expressions,
    computed: &mut Vec<Expr>,
) -> Result<Call> {
    let parts = Parts::of(call)?;
    if matches!(parts.function, A::Grouping | A::LiteralAgg) && call.filter.is_some() {
        return Err(EngineError::plan(format!("{} has no FILTER", parts.function.as_str_name())));
    }
    match parts.function {
        A::Grouping => {
            let keys = call
                .args
                .iter()
                .map(|arg| match arg.kind {
                    Some(pb::expr::Kind::Column(ordinal)) => rel.keys.iter().position(|key| *key == ordinal),
                    _ => None,
                })
                .collect::<Option<Vec<_>>>()
                .filter(|keys| !keys.is_empty() && keys.len() <= 63)
                .ok_or_else(|| EngineError::plan("GROUPING takes columns that are keys"))?;
            Ok(Call::Grouping(keys, parts.declared))
        }
        A::LiteralAgg => {
            let [arg] = call.args.as_slice() else {
                return Err(EngineError::plan("LITERAL_AGG takes one argument"));
            };
            let literal = expressions.build(arg)?;
            if literal.as_literal().is_none() {
                return Err(EngineError::plan("LITERAL_AGG takes a literal"));
            }
            Ok(Call::Literal(widen(literal, &parts.declared)?))
        }
        _ => {
            let planned = aggregates::plan(&parts, expressions)?;
            let filter = call.filter.as_ref().map(|filter| expressions.condition(filter)).transpose()?;
            let expr = planned.expr(filter);
            let place = computed.iter().position(|known| *known == expr).unwrap_or(computed.len());
            if place == computed.len() {
                computed.push(expr);
            }
            Ok(Call::Computed(place, Box::new(planned), parts.declared))
        }
    }
}

/// The aggregate. Calls are named by what they compute, but where two have one name.
fn node(input: LogicalPlan, grouping: &Grouping, computed: Vec<Expr>) -> Result<Aggregate> {
    let mut names = HashSet::new();
    let mut exprs: Vec<Expr> = computed
        .into_iter()
        .enumerate()
        .map(|(place, expr)| {
            let fresh = names.insert(expr.schema_name().to_string());
            if fresh { expr } else { expr.alias(format!("call {place}")) }
        })
        .collect();
    if exprs.is_empty() && grouping.keys.is_empty() {
        // one row for each empty set
        exprs.push(count_udaf().call(vec![lit(1i64)]));
    }
    let key = |place: &usize| grouping.keys.get(*place).map(|key| key.expr.clone());
    let set = |places: &Vec<usize>| places.iter().filter_map(key).collect::<Vec<_>>();
    let groups = match grouping.sets.as_slice() {
        [single] => set(single),
        several => {
            let sets = several.iter().map(set).collect();
            vec![Expr::GroupingSet(GroupingSet::GroupingSets(sets))]
        }
    };
    Ok(Aggregate::try_new(Arc::new(input), groups, exprs)?)
}

fn outputs(
    rel: &pb::AggregateRel,
    grouping: &Grouping,
    calls: &[Call],
    fields: &[Expr],
    several: bool,
    session: &Session,
    expressions: &Expressions,
) -> Result<Vec<Typed>> {
    let field = |place: usize| {
        fields
            .get(place)
            .cloned()
            .ok_or_else(|| EngineError::internal(format!("aggregate column {place} is missing")))
    };
    let first_call = grouping.keys.len() + usize::from(several);
    let mut outputs = Vec::with_capacity(rel.keys.len() + calls.len());
    for (ordinal, place) in rel.keys.iter().zip(&grouping.places) {
        let data_type = expressions.column(*ordinal)?.data_type.clone();
        outputs.push(match place {
            Some(place) => Typed::new(field(*place)?, data_type),
            None => Typed::literal(ScalarValue::try_from(&data_type)?),
        });
    }
    for call in calls {
        outputs.push(match call {
            Call::Computed(place, planned, declared) => {
                planned.finished(field(first_call + place)?, declared, session)?
            }
            Call::Literal(literal) => literal.clone(),
            Call::Grouping(keys, declared) => {
                let id = if several { Some(field(grouping.keys.len())?) } else { None };
                let bits = grouping_bits(keys, grouping, id);
                if *declared == DataType::Int64 {
                    exactly(bits, declared)?
                } else {
                    declared_integer(bits, declared, 0, session)?
                }
            }
        });
    }
    Ok(outputs)
}

/// GROUPING: the first key is the highest bit; 1 where the set leaves the key out. DataFusion's id of a set has the
/// same bits for all its keys, the first the highest, and a number for repeated sets above them.
fn grouping_bits(keys: &[usize], grouping: &Grouping, id: Option<Expr>) -> Typed {
    let count = grouping.keys.len();
    let places: Vec<Option<usize>> =
        keys.iter().map(|key| grouping.places.get(*key).copied().flatten()).collect();
    let Some(id) = id else {
        let set: &[usize] = grouping.sets.first().map_or(&[], Vec::as_slice);
        let bits = places.iter().fold(0i64, |bits, place| {
            bits << 1 | i64::from(!place.is_some_and(|place| set.contains(&place)))
        });
        return Typed::literal(ScalarValue::from(bits));
    };
    let parameters = format!("{places:?}");
    let kernel = Kernel::new("grouping_bits", DataType::Int64, move |args| {
        let ids = cast(&args.array(0)?, &DataType::UInt64)?;
        let bits: Int64Array = ids
            .as_primitive::<UInt64Type>()
            .iter()
            .map(|id| {
                let id = id?;
                Some(places.iter().fold(0i64, |bits, place| {
                    let left_out = place.is_none_or(|place| id >> (count - 1 - place) & 1 == 1);
                    bits << 1 | i64::from(left_out)
                }))
            })
            .collect();
        Ok(Arc::new(bits))
    })
    .parameters(parameters);
    Typed::new(kernel.call(vec![id]), DataType::Int64)
}
