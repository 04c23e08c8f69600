//! Memory that DataFusion's window operators hold without reserving it.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::spill::get_record_batch_memory_size;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties,
    ReplaceChildrenOptions,
};
use futures::{Stream, StreamExt, ready};
use parking_lot::Mutex;

/// A window operator holds its input and copies it when it joins batches.
const COPIES: usize = 2;

/// Puts a meter around each window operator: what has gone in and not come out is reserved, and the query fails with
/// the name of the setting where the limit refuses it. Apply to a finished plan.
pub fn guard_windows(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    plan.transform_up(|node| {
        if !node.is::<WindowAggExec>() && !node.is::<BoundedWindowAggExec>() {
            return Ok(Transformed::no(node));
        }
        let partitions = node.properties().partitioning.partition_count();
        let meters: Meters = (0..partitions).map(|_| Arc::default()).collect();
        let inputs = node.children().into_iter().map(|input| {
            let meters = meters.clone();
            Arc::new(WindowMeterExec { input: Arc::clone(input), side: Side::Input, meters }) as _
        });
        let inputs = inputs.collect();
        let keep = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Keep);
        let input = node.replace_children(inputs, keep)?;
        Ok(Transformed::yes(Arc::new(WindowMeterExec { input, side: Side::Output, meters }) as _))
    })
    .data()
}

type Meters = Vec<Arc<Mutex<Option<Meter>>>>;

/// What one partition of a window operator holds.
#[derive(Debug)]
struct Meter {
    reservation: MemoryReservation,
    rows: usize,
    bytes: usize,
}

impl Meter {
    fn enter(&mut self, batch: &RecordBatch) -> Result<()> {
        let bytes = get_record_batch_memory_size(batch);
        self.reservation.try_grow(bytes.saturating_mul(COPIES))?;
        self.rows += batch.num_rows();
        self.bytes += bytes;
        Ok(())
    }

    fn leave(&mut self, rows: usize) {
        let left = self.rows.saturating_sub(rows);
        let bytes = match self.rows {
            0 => 0,
            held => usize::try_from(self.bytes as u128 * left as u128 / held as u128).unwrap_or(0),
        };
        (self.rows, self.bytes) = (left, bytes);
        let target = bytes.saturating_mul(COPIES);
        if target < self.reservation.size() {
            self.reservation.shrink(self.reservation.size() - target);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Input,
    Output,
}

#[derive(Debug, Clone)]
struct WindowMeterExec {
    input: Arc<dyn ExecutionPlan>,
    side: Side,
    meters: Meters,
}

impl DisplayAs for WindowMeterExec {
    fn fmt_as(&self, _t: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "WindowMeterExec")
    }
}

impl ExecutionPlan for WindowMeterExec {
    fn name(&self) -> &str {
        "WindowMeterExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let [input] = <[_; 1]>::try_from(children)
            .map_err(|_| DataFusionError::Internal("WindowMeterExec has one input".to_owned()))?;
        Ok(Arc::new(Self { input, side: self.side, meters: self.meters.clone() }))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let meter = self
            .meters
            .get(partition)
            .ok_or_else(|| DataFusionError::Internal(format!("Window has no partition {partition}")))?;
        if self.side == Side::Output {
            let consumer = MemoryConsumer::new(format!("Window[{partition}]"));
            let reservation = consumer.register(context.memory_pool());
            *meter.lock() = Some(Meter { reservation, rows: 0, bytes: 0 });
        }
        let input = self.input.execute(partition, context)?;
        Ok(Box::pin(MeteredStream { input, side: self.side, meter: Arc::clone(meter) }))
    }
}

struct MeteredStream {
    input: SendableRecordBatchStream,
    side: Side,
    meter: Arc<Mutex<Option<Meter>>>,
}

impl Stream for MeteredStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = ready!(self.input.poll_next_unpin(cx));
        let mut meter = self.meter.lock();
        let (Some(meter), Some(Ok(batch))) = (meter.as_mut(), &next) else {
            return Poll::Ready(next);
        };
        match self.side {
            Side::Input => {
                if let Err(refused) = meter.enter(batch) {
                    return Poll::Ready(Some(Err(refused)));
                }
            }
            Side::Output => meter.leave(batch.num_rows()),
        }
        Poll::Ready(next)
    }
}

impl RecordBatchStream for MeteredStream {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}

impl Drop for MeteredStream {
    fn drop(&mut self) {
        if self.side == Side::Output {
            *self.meter.lock() = None;
        }
    }
}

#[cfg(test)]
#[path = "windows_tests.rs"]
mod tests;
