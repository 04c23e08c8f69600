use super::*;

#[test]
fn kept_memory_goes_before_a_query_is_refused() {
    let process = Arc::new(ProcessMemory::new(1000));
    let pool: Arc<dyn MemoryPool> = Arc::new(KeptMemory::new(400, Arc::clone(&process)));
    let kept = Arc::new(Mutex::new(MemoryConsumer::new("cache").register(&pool)));
    kept.lock().try_grow(300).unwrap();
    assert!(kept.lock().try_grow(101).is_err());
    assert_eq!((process.used(), pool.reserved()), (0, 300));
    let query: Arc<dyn MemoryPool> = Arc::new(QueryMemory::new(10_000, Arc::clone(&process)));
    let rows = MemoryConsumer::new("rows").register(&query);
    assert!(rows.try_grow(800).is_err());
    let asked = Arc::clone(&kept);
    process.on_shortage(move |bytes| {
        assert_eq!(bytes, 800);
        asked.lock().free();
    });
    rows.try_grow(800).unwrap();
    assert_eq!((process.used(), pool.reserved()), (800, 0));
    // A cache takes only what is free.
    assert!(kept.lock().try_grow(300).is_err());
    assert_eq!(pool.reserved(), 0);
    drop(rows);
    kept.lock().try_grow(300).unwrap();
}
