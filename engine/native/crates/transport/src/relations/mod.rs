//! Relations. Columns carry unique internal names; a node keeps its columns in the order of the plan's ordinals.

mod aggregate;
mod join;
mod recursive;
mod scan;
mod set;
mod unnest;
mod values;

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::logical_expr::{Expr, Filter, Limit, LogicalPlan, Operator, Projection, Sort, Window, lit};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;
use fulmar_proto::rel::Kind;

use crate::comparison::balanced;
use crate::expressions::{Expressions, Typed, required};
use crate::session::Session;
use crate::{Sources, windows, with_stack};

/// A plan and its columns.
pub(crate) struct Node {
    pub(crate) plan: LogicalPlan,
    pub(crate) columns: Vec<Typed>,
}

/// Builds the relations of one plan.
pub(crate) struct Relations<'a> {
    pub(crate) session: Session,
    sources: &'a dyn Sources,
    names: usize,
    tables: HashMap<String, usize>,
    work_tables: Vec<(String, String, SchemaRef)>,
}

impl<'a> Relations<'a> {
    /// A builder over the tables of a plan.
    pub(crate) fn new(sources: &'a dyn Sources, session: Session) -> Self {
        Self { session, sources, names: 0, tables: HashMap::new(), work_tables: Vec::new() }
    }

    /// The node of a relation.
    pub(crate) fn build(&mut self, rel: &pb::Rel) -> Result<Node> {
        with_stack(|| self.build_here(rel)).map_err(|error| error.with_node(rel.node))
    }

    fn build_here(&mut self, rel: &pb::Rel) -> Result<Node> {
        let kind = rel.kind.as_ref().ok_or_else(|| EngineError::plan("a relation has no kind"))?;
        match kind {
            Kind::Scan(scan) => self.scan(scan),
            Kind::HostScan(scan) => self.host_scan(scan),
            Kind::Values(values) => self.values(values),
            Kind::Filter(filter) => self.filter(filter),
            Kind::Project(project) => self.projection(project),
            Kind::Join(join) => self.join(join),
            Kind::Aggregate(aggregate) => self.aggregate(aggregate),
            Kind::Window(window) => self.window(window),
            Kind::Sort(sort) => self.sort(sort),
            Kind::Limit(limit) => self.limit(limit),
            Kind::Set(set) => self.set(set),
            Kind::Unnest(unnest) => self.unnest(unnest),
            Kind::Recursive(recursive) => self.recursive(recursive),
            Kind::WorkTable(table) => self.work_table(table),
        }
    }

    /// An input, which must be there.
    fn input(&mut self, rel: Option<&pb::Rel>) -> Result<Node> {
        self.build(required(rel, "a relation")?)
    }

    /// A name that no other column of the plan has.
    fn name(&mut self) -> String {
        self.names += 1;
        format!("c{}", self.names)
    }

    /// A projection to columns with names of their own.
    pub(crate) fn project(&mut self, input: LogicalPlan, exprs: Vec<Typed>) -> Result<Node> {
        let mut aliased = Vec::with_capacity(exprs.len());
        let mut columns = Vec::with_capacity(exprs.len());
        for typed in exprs {
            let name = self.name();
            columns.push(Typed::column(&name, typed.data_type));
            aliased.push(typed.expr.alias(name));
        }
        if aliased.is_empty() {
            // rows without columns still count
            aliased.push(lit(true).alias(self.name()));
        }
        let projection = Projection::try_new(aliased, Arc::new(input))?;
        Ok(Node { plan: LogicalPlan::Projection(projection), columns })
    }

    fn projection(&mut self, rel: &pb::ProjectRel) -> Result<Node> {
        let input = self.input(rel.input.as_deref())?;
        let exprs = self.expressions(&input.columns).all(&rel.exprs)?;
        self.project(input.plan, exprs)
    }

    /// Expressions over columns.
    fn expressions<'b>(&'b self, columns: &'b [Typed]) -> Expressions<'b> {
        Expressions { columns, session: &self.session }
    }

    fn filter(&mut self, rel: &pb::FilterRel) -> Result<Node> {
        let input = self.input(rel.input.as_deref())?;
        let condition = required(rel.condition.as_ref(), "a filter")?;
        let predicate = conjunction(condition, &self.expressions(&input.columns))?;
        let filter = Filter::try_new(predicate, Arc::new(input.plan))?;
        Ok(Node { plan: LogicalPlan::Filter(filter), columns: input.columns })
    }

    fn window(&mut self, rel: &pb::WindowRel) -> Result<Node> {
        let input = self.input(rel.input.as_deref())?;
        let mut plan = input.plan;
        let mut columns = input.columns.clone();
        for group in &rel.groups {
            let planned = windows::plan(group, &self.expressions(&input.columns))?;
            if planned.is_empty() {
                continue;
            }
            // equal calls once: DataFusion's own elimination of common expressions cannot move a window
            let mut computed: Vec<(Expr, String)> = Vec::new();
            for call in &planned {
                let name = match computed.iter().find(|(expr, _)| *expr == call.expr) {
                    Some((_, name)) => name.clone(),
                    None => {
                        let name = self.name();
                        computed.push((call.expr.clone(), name.clone()));
                        name
                    }
                };
                let result = datafusion::common::Column::new_unqualified(name);
                columns.push(call.finished(Expr::Column(result), &self.session)?);
            }
            let exprs = computed.into_iter().map(|(expr, name)| expr.alias(name)).collect();
            plan = LogicalPlan::Window(Window::try_new(exprs, Arc::new(plan))?);
        }
        self.project(plan, columns)
    }

    fn sort(&mut self, rel: &pb::SortRel) -> Result<Node> {
        let input = self.input(rel.input.as_deref())?;
        let keys = {
            let expressions = self.expressions(&input.columns);
            rel.keys.iter().map(|key| expressions.sort_key(key)).collect::<Result<Vec<_>>>()?
        };
        if keys.is_empty() {
            return Ok(limited(input, rel.fetch, rel.offset));
        }
        let most = rel.fetch.map(|fetch| count(fetch.saturating_add(rel.offset)));
        let sort = Sort { expr: keys, input: Arc::new(input.plan), fetch: most };
        let sorted = Node { plan: LogicalPlan::Sort(sort), columns: input.columns };
        Ok(limited(sorted, rel.fetch, rel.offset))
    }

    fn limit(&mut self, rel: &pb::LimitRel) -> Result<Node> {
        let input = self.input(rel.input.as_deref())?;
        Ok(limited(input, rel.fetch, rel.offset))
    }
}

/// A count of rows as DataFusion takes it.
fn count(rows: u64) -> usize {
    usize::try_from(rows).unwrap_or(usize::MAX).min(i64::MAX as usize)
}

fn limited(input: Node, fetch: Option<u64>, offset: u64) -> Node {
    if fetch.is_none() && offset == 0 {
        return input;
    }
    let literal = |rows: u64| Box::new(lit(i64::try_from(rows).unwrap_or(i64::MAX)));
    let limit = Limit {
        skip: (offset > 0).then(|| literal(offset)),
        fetch: fetch.map(literal),
        input: Arc::new(input.plan),
    };
    Node { plan: LogicalPlan::Limit(limit), columns: input.columns }
}

/// A condition as a plain conjunction, so that DataFusion moves each part by itself. Parts that can fail run last:
/// the physical rule of `configure` puts them into a filter of their own.
fn conjunction(condition: &pb::Expr, expressions: &Expressions) -> Result<Expr> {
    let mut parts = Vec::new();
    flatten(condition, &mut parts);
    let parts = parts.into_iter().map(|part| expressions.condition(part)).collect::<Result<Vec<_>>>()?;
    balanced(Operator::And, parts)
}

/// The parts of nested ANDs in order.
fn flatten<'b>(condition: &'b pb::Expr, parts: &mut Vec<&'b pb::Expr>) {
    let mut pending = vec![condition];
    while let Some(next) = pending.pop() {
        match &next.kind {
            Some(pb::expr::Kind::Call(call))
                if call.function == pb::ScalarFunction::And as i32 && !call.args.is_empty() =>
            {
                pending.extend(call.args.iter().rev());
            }
            _ => parts.push(next),
        }
    }
}
