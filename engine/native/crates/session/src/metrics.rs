//! A query's metrics, read from its physical plan.

use std::sync::Arc;

use datafusion::common::stats::Precision;
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use datafusion::physical_plan::{ExecutionPlan, displayable};
use fulmar_proto::{OperatorMetrics, ScanMetrics};

/// What a plan's operators counted.
#[derive(Debug, Clone, Default)]
pub struct PlanMetrics {
    /// In pre-order.
    pub operators: Vec<OperatorMetrics>,
    /// One for each scan.
    pub scans: Vec<ScanMetrics>,
    /// Rows that scans give at most, where that is known.
    known_rows: u64,
}

impl PlanMetrics {
    /// Reads a plan, running or not.
    pub fn of(plan: &Arc<dyn ExecutionPlan>) -> Self {
        let mut metrics = Self::default();
        metrics.visit(plan, 0);
        metrics
    }

    /// Part of the scans' rows that was read, from 0 to 1; 0 if their number is unknown.
    pub fn progress(&self) -> f64 {
        let read: u64 = self.scans.iter().map(|scan| scan.rows_read).sum();
        if self.known_rows == 0 { 0.0 } else { (read as f64 / self.known_rows as f64).min(1.0) }
    }

    fn visit(&mut self, plan: &Arc<dyn ExecutionPlan>, depth: u32) {
        self.operators.push(operator(plan, depth));
        if let Some(scan) = fulmar_scan::scan_metrics(plan.as_ref()) {
            self.scans.push(scan);
            self.known_rows += stated_rows(plan);
        }
        for input in plan.children() {
            self.visit(input, depth + 1);
        }
    }
}

fn operator(plan: &Arc<dyn ExecutionPlan>, depth: u32) -> OperatorMetrics {
    let line = displayable(plan.as_ref()).one_line().to_string();
    let detail = line.trim().strip_prefix(plan.name()).unwrap_or(line.trim());
    let metrics = plan.metrics().unwrap_or_default();
    let count = |value: Option<usize>| value.unwrap_or(0) as u64;
    OperatorMetrics {
        depth,
        name: plan.name().to_owned(),
        detail: detail.trim_start_matches(':').trim().to_owned(),
        rows: count(metrics.output_rows()),
        elapsed_micros: count(metrics.elapsed_compute()) / 1000,
        spilled_bytes: count(metrics.spilled_bytes()),
    }
}

fn stated_rows(plan: &Arc<dyn ExecutionPlan>) -> u64 {
    let statistics = StatisticsContext::new().compute(plan.as_ref(), &StatisticsArgs::new());
    match statistics.map(|statistics| statistics.num_rows) {
        Ok(Precision::Exact(rows) | Precision::Inexact(rows)) => rows as u64,
        _ => 0,
    }
}
