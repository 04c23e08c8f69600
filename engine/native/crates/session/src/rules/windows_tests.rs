use datafusion::functions_aggregate::expr_fn::sum;
use datafusion::logical_expr::{Expr, ExprFunctionExt, col};
use datafusion::prelude::DataFrame;
use fulmar_error::{EngineError, ErrorCode};

use crate::rules::JoinMethod;
use crate::testing::{Sandbox, row_count, table};

fn windowed(sandbox: &Sandbox, rows: usize, keys: i64) -> DataFrame {
    let frame = sandbox.context.read_batches(table(rows, keys, 50)).unwrap();
    let Expr::AggregateFunction(call) = sum(col("n")) else { unreachable!() };
    let window = Expr::from(datafusion::logical_expr::expr::WindowFunction::new(
        datafusion::logical_expr::WindowFunctionDefinition::AggregateUDF(call.func),
        call.params.args,
    ));
    let whole = window.partition_by(vec![col("k")]).build().unwrap();
    frame.window(vec![whole]).unwrap()
}

#[tokio::test]
async fn a_window_over_more_than_the_limit_fails_with_the_setting() {
    let sandbox = Sandbox::new(8 << 20, 1, JoinMethod::ByBound);
    let error = sandbox.rows(windowed(&sandbox, 300_000, 3)).await.unwrap_err();
    let error = EngineError::from(error);
    assert_eq!(error.code(), ErrorCode::MemoryLimitExceeded);
    assert!(error.message().contains("Window[0]"), "{error}");
    assert_eq!(error.to_detail().setting, "memory.query-limit");
}

#[tokio::test]
async fn a_window_that_fits_is_metered_and_gives_its_memory_back() {
    let sandbox = Sandbox::new(64 << 20, 2, JoinMethod::ByBound);
    let batches = sandbox.rows(windowed(&sandbox, 20_000, 100)).await.unwrap();
    assert_eq!(row_count(&batches), 20_000);
    assert!(sandbox.memory.peak() > 1 << 20);
    drop(batches);
    assert_eq!(datafusion::execution::memory_pool::MemoryPool::reserved(sandbox.memory.as_ref()), 0);
}
