use super::*;

const MB: usize = 1 << 20;

fn pools(query: usize, process: usize) -> (Arc<QueryMemory>, Arc<dyn MemoryPool>, Arc<ProcessMemory>) {
    let process = Arc::new(ProcessMemory::new(process));
    let memory = Arc::new(QueryMemory::new(query, Arc::clone(&process)));
    let pool: Arc<dyn MemoryPool> = Arc::clone(&memory) as _;
    (memory, pool, process)
}

fn spiller(name: &str, pool: &Arc<dyn MemoryPool>) -> MemoryReservation {
    MemoryConsumer::new(name).with_can_spill(true).register(pool)
}

fn fill(reservation: &MemoryReservation, step: usize) -> usize {
    while reservation.try_grow(step).is_ok() {}
    reservation.size()
}

#[test]
fn errors_name_the_setting_and_the_largest_users() {
    let (_, pool, _) = pools(10 * MB, 100 * MB);
    let build = MemoryConsumer::new("HashJoinInput").register(&pool);
    build.try_grow(5 * MB).unwrap();
    let message = build.try_grow(20 * MB).unwrap_err().to_string();
    assert!(message.contains("memory.query-limit (10.0 MB)"), "{message}");
    assert!(message.contains("HashJoinInput 5.0 MB"), "{message}");
}

#[test]
fn the_process_limit_is_named_when_it_is_what_refuses() {
    let (_, pool, process) = pools(10 * MB, 4 * MB);
    let build = MemoryConsumer::new("HashJoinInput").register(&pool);
    let message = build.try_grow(5 * MB).unwrap_err().to_string();
    assert!(message.contains("memory.process-limit (4.0 MB)"), "{message}");
    assert_eq!(process.used(), 0);
}

#[test]
fn a_late_spiller_still_finds_its_promise() {
    let (memory, pool, _) = pools(100 * MB, 1000 * MB);
    memory.expect_spillers(5);
    let first = spiller("ExternalSorter[0]", &pool);
    let second = spiller("FinalHashAggregateStream[0]", &pool);
    let build = MemoryConsumer::new("HashJoinInput").register(&pool);
    assert!(fill(&first, MB) >= 40 * MB);
    fill(&second, MB);
    fill(&build, MB);
    let late = spiller("ExternalSorter[1]", &pool);
    assert!(fill(&late, 64 << 10) >= 2 * MB, "{}", late.size());
    assert!(pool.reserved() <= 100 * MB);
}

#[test]
fn a_merge_may_take_what_its_sorter_held_and_the_keys() {
    let (_, pool, _) = pools(100 * MB, 1000 * MB);
    let run = spiller("ExternalSorter[0]", &pool);
    let merge = MemoryConsumer::new("ExternalSorterMerge[0]").register(&pool);
    let held = fill(&run, MB);
    assert!(held >= 60 * MB, "{held}");
    let needed = held + held / 2;
    let mut taken = 0;
    while taken < needed {
        if run.size() >= MB {
            run.shrink(MB);
        }
        merge.try_grow(3 * MB / 2).unwrap();
        taken += 3 * MB / 2;
    }
}

#[test]
fn merges_of_spilled_runs_leave_room_for_others() {
    let (memory, pool, _) = pools(100 * MB, 1000 * MB);
    memory.expect_spillers(4);
    let sorters: Vec<_> = (0..4).map(|i| spiller(&format!("ExternalSorter[{i}]"), &pool)).collect();
    let merges: Vec<_> =
        (0..4).map(|i| MemoryConsumer::new(format!("ExternalSorterMerge[{i}]")).register(&pool)).collect();
    for merge in &merges[..2] {
        assert!(fill(merge, MB / 2) >= 6 * MB, "{}", merge.size());
    }
    for sorter in &sorters[2..] {
        assert!(fill(sorter, MB / 2) >= 6 * MB, "{}", sorter.size());
    }
}

#[test]
fn everything_returns_to_zero() {
    let (memory, pool, process) = pools(100 * MB, 1000 * MB);
    let run = spiller("ExternalSorter[0]", &pool);
    fill(&run, MB);
    drop(run);
    assert_eq!((pool.reserved(), process.used()), (0, 0));
    assert!(memory.peak() >= 60 * MB);
    assert_eq!(process.peak(), memory.peak());
}
