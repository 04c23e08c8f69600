//! Expressions: each is built, its own type found, and a difference to the declared type refused.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::expr::{Case, InList, Sort};
use datafusion::logical_expr::{Expr, col};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;
use fulmar_proto::expr::Kind;

use crate::kernel::Kernel;
use crate::literals::scalar_value;
use crate::nesting::{access_field, relabel};
use crate::session::Session;
use crate::types::{common_type, required_type, same_type, sql_name};
use crate::{casts, comparison, functions, with_stack};

/// An expression and its exact Arrow type.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) expr: Expr,
    pub(crate) data_type: DataType,
}

impl Typed {
    /// An expression of a known type.
    pub(crate) fn new(expr: Expr, data_type: DataType) -> Self {
        Self { expr, data_type }
    }

    /// A reference to a column by its internal name.
    pub(crate) fn column(name: &str, data_type: DataType) -> Self {
        Self::new(col(datafusion::common::Column::new_unqualified(name)), data_type)
    }

    /// A typed literal.
    pub(crate) fn literal(value: ScalarValue) -> Self {
        let data_type = value.data_type();
        Self::new(Expr::Literal(value, None), data_type)
    }

    /// The value, if it is a literal.
    pub(crate) fn as_literal(&self) -> Option<&ScalarValue> {
        match &self.expr {
            Expr::Literal(value, _) => Some(value),
            _ => None,
        }
    }
}

/// Builds expressions over the columns of one relation.
#[derive(Clone, Copy)]
pub(crate) struct Expressions<'a> {
    pub(crate) columns: &'a [Typed],
    pub(crate) session: &'a Session,
}

impl Expressions<'_> {
    /// The expression, in exactly the declared type.
    pub(crate) fn build(&self, expr: &pb::Expr) -> Result<Typed> {
        with_stack(|| self.build_here(expr)).map_err(|error| error.with_node(expr.node))
    }

    /// The expression, which must be a boolean.
    pub(crate) fn condition(&self, expr: &pb::Expr) -> Result<Expr> {
        let condition = self.build(expr)?;
        match condition.data_type {
            DataType::Boolean => Ok(condition.expr),
            other => {
                Err(EngineError::plan(format!("a condition of type {}", sql_name(&other)))
                    .with_node(expr.node))
            }
        }
    }

    /// The column at an ordinal.
    pub(crate) fn column(&self, ordinal: u32) -> Result<&Typed> {
        self.columns
            .get(ordinal as usize)
            .ok_or_else(|| EngineError::plan(format!("column {ordinal} of {} columns", self.columns.len())))
    }

    /// A sort key; floats sort by their one form.
    pub(crate) fn sort_key(&self, key: &pb::SortKey) -> Result<Sort> {
        let expr = key.expr.as_ref().ok_or_else(|| EngineError::plan("a sort key has no expression"))?;
        let typed = comparison::comparable(self.build(expr)?);
        Ok(Sort::new(typed.expr, !key.descending, key.nulls_first))
    }

    fn build_here(&self, expr: &pb::Expr) -> Result<Typed> {
        let declared = required_type(expr.r#type.as_ref())?;
        let kind = expr.kind.as_ref().ok_or_else(|| EngineError::plan("an expression has no kind"))?;
        let built = match kind {
            Kind::Column(ordinal) => self.column(*ordinal)?.clone(),
            Kind::Literal(literal) => Typed::literal(scalar_value(literal, &declared)?),
            Kind::Call(call) => self.call(call, &declared, expr.node)?,
            Kind::Cast(cast) => self.cast(cast, &declared, expr.node)?,
            Kind::Case(case) => self.case(case, &declared)?,
            Kind::InList(list) => self.in_list(list)?,
            Kind::Field(field) => {
                let input = self.build(required(field.input.as_deref(), "a field access")?)?;
                access_field(input, field.ordinal)?
            }
        };
        exactly(built, &declared)
    }

    fn call(&self, call: &pb::Call, declared: &DataType, node: u32) -> Result<Typed> {
        let function = pb::ScalarFunction::try_from(call.function)
            .map_err(|_| EngineError::plan(format!("unknown function {}", call.function)))?;
        let args = self.all(&call.args)?;
        functions::build(functions::Call {
            function,
            args,
            declared: declared.clone(),
            node,
            session: self.session.clone(),
        })
    }

    /// Several expressions.
    pub(crate) fn all(&self, exprs: &[pb::Expr]) -> Result<Vec<Typed>> {
        exprs.iter().map(|expr| self.build(expr)).collect()
    }

    fn cast(&self, cast: &pb::Cast, declared: &DataType, node: u32) -> Result<Typed> {
        let input = self.build(required(cast.input.as_deref(), "a cast")?)?;
        let mode = if cast.safe { casts::Mode::Safe } else { casts::Mode::Checked };
        casts::cast(input, declared, mode, node, self.session)
    }

    fn case(&self, case: &pb::CaseExpr, declared: &DataType) -> Result<Typed> {
        if case.branches.is_empty() {
            return Err(EngineError::plan("a CASE without branches"));
        }
        let branches = case
            .branches
            .iter()
            .map(|branch| {
                let when = self.condition(required(branch.when.as_ref(), "a CASE branch")?)?;
                let then = self.build(required(branch.then.as_ref(), "a CASE branch")?)?;
                Ok((when, widen(then, declared)?.expr))
            })
            .collect::<Result<Vec<_>>>()?;
        let otherwise = match case.otherwise.as_deref() {
            Some(expr) => widen(self.build(expr)?, declared)?.expr,
            None => Expr::Literal(ScalarValue::try_from(declared)?, None),
        };
        Ok(lazy_case(branches, otherwise, declared))
    }

    fn in_list(&self, in_list: &pb::InList) -> Result<Typed> {
        if in_list.list.is_empty() {
            return Err(EngineError::plan("an IN without values"));
        }
        let value = self.build(required(in_list.value.as_deref(), "an IN")?)?;
        let list = self.all(&in_list.list)?;
        comparison::in_list(value, list, in_list.negated)
    }
}

/// A message that must be there.
pub(crate) fn required<'a, T>(message: Option<&'a T>, owner: &str) -> Result<&'a T> {
    message.ok_or_else(|| EngineError::plan(format!("{owner} lacks a part")))
}

/// The type guard: the expression in exactly the declared type, which may differ in names of nested fields only.
pub(crate) fn exactly(built: Typed, declared: &DataType) -> Result<Typed> {
    if built.data_type == *declared {
        return Ok(built);
    }
    if same_type(&built.data_type, declared) {
        return Ok(relabel(built, declared));
    }
    Err(EngineError::plan(format!(
        "an expression of type {} is declared {}",
        sql_name(&built.data_type),
        sql_name(declared)
    )))
}

/// The expression in a type that holds all its values; another type is refused.
pub(crate) fn widen(built: Typed, target: &DataType) -> Result<Typed> {
    if same_type(&built.data_type, target) {
        return exactly(built, target);
    }
    if common_type(&built.data_type, target).as_ref() != Some(target) {
        return exactly(built, target);
    }
    let expr = match built.expr {
        Expr::Literal(value, metadata) => Expr::Literal(value.cast_to(target)?, metadata),
        expr => datafusion::logical_expr::cast(expr, target.clone()),
    };
    Ok(Typed::new(expr, target.clone()))
}

/// Arguments in their common type.
pub(crate) fn unify(args: Vec<Typed>) -> Result<Vec<Typed>> {
    let mut target = DataType::Null;
    for arg in &args {
        target = match common_type(&target, &arg.data_type) {
            Some(common) => common,
            None if same_type(&target, &arg.data_type) => target,
            None => {
                return Err(EngineError::plan(format!(
                    "arguments of types {} and {}",
                    sql_name(&target),
                    sql_name(&arg.data_type)
                )));
            }
        };
    }
    args.into_iter().map(|arg| widen(arg, &target)).collect()
}

/// Whether evaluating the expression can fail for some row.
pub(crate) fn is_fallible(expr: &Expr) -> bool {
    let mut found = false;
    let walked = expr.apply(|node| {
        if let Expr::ScalarFunction(call) = node
            && call.func.inner().downcast_ref::<Kernel>().is_some_and(Kernel::is_fallible)
        {
            found = true;
            return Ok(TreeNodeRecursion::Stop);
        }
        Ok(TreeNodeRecursion::Continue)
    });
    found || walked.is_err()
}

/// A searched CASE that evaluates a branch only for the rows that reach it.
///
/// DataFusion rewrites a CASE of booleans to AND and OR, which evaluate both sides; where a branch can fail, the
/// branches therefore carry small integers instead.
pub(crate) fn lazy_case(branches: Vec<(Expr, Expr)>, otherwise: Expr, declared: &DataType) -> Typed {
    let guarded = *declared == DataType::Boolean
        && (is_fallible(&otherwise)
            || branches.iter().any(|(_, then)| is_fallible(then))
            || branches.iter().skip(1).any(|(when, _)| is_fallible(when)));
    let branch = |expr: Expr| if guarded { comparison::truth_number(expr) } else { expr };
    let case = Expr::Case(Case::new(
        None,
        branches.into_iter().map(|(when, then)| (Box::new(when), Box::new(branch(then)))).collect(),
        Some(Box::new(branch(otherwise))),
    ));
    let expr = if guarded { comparison::number_truth(case) } else { case };
    Typed::new(expr, declared.clone())
}

/// `value IN (list)` of one type.
pub(crate) fn plain_in_list(value: Expr, list: Vec<Expr>, negated: bool) -> Expr {
    Expr::InList(InList::new(Box::new(value), list, negated))
}
