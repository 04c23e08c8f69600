use super::*;

fn space(limit: u64) -> (tempfile::TempDir, Arc<SpillSpace>) {
    let root = tempfile::tempdir().unwrap();
    let space = SpillSpace::open(root.path().join("spill"), limit).unwrap();
    (root, Arc::new(space))
}

fn folders(space: &SpillSpace) -> Vec<String> {
    let entries = std::fs::read_dir(&space.root).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn write(spill: &Arc<QuerySpill>, bytes: usize) -> Result<Arc<dyn SpillFile>> {
    let file = SpillFiles(Arc::clone(spill)).create_temp_file("test")?;
    let mut writer = file.open_writer()?;
    writer.write_all(&vec![7; bytes])?;
    writer.finish()?;
    Ok(file)
}

#[tokio::test]
async fn files_are_read_back_and_counted() {
    let (_root, space) = space(1 << 20);
    let spill = Arc::new(QuerySpill::new(Arc::clone(&space), "q1", 1 << 20));
    assert!(folders(&space).is_empty());
    let file = write(&spill, 300_000).unwrap();
    assert_eq!(folders(&space), ["q1"]);
    let chunks: Vec<_> = file.read_stream().unwrap().try_collect().await.unwrap();
    assert_eq!(chunks.iter().map(Bytes::len).sum::<usize>(), 300_000);
    assert_eq!((file.size(), spill.files(), spill.written()), (Some(300_000), 1, 300_000));
    drop(file);
    assert_eq!(spill.used.load(Ordering::Relaxed), 0);
    assert_eq!(space.written(), 300_000);
}

#[test]
fn both_quotas_are_typed_errors() {
    let (_root, space) = space(400_000);
    let small = Arc::new(QuerySpill::new(Arc::clone(&space), "small", 100_000));
    let error = EngineError::from(write(&small, 200_000).err().unwrap());
    assert_eq!(error.code(), ErrorCode::SpillLimitExceeded);
    assert_eq!(error.to_detail().setting, QUERY_LIMIT);
    let large = Arc::new(QuerySpill::new(Arc::clone(&space), "large", 1 << 30));
    let error = EngineError::from(write(&large, 500_000).err().unwrap());
    assert_eq!(error.to_detail().setting, PROCESS_LIMIT);
}

#[test]
fn the_folder_goes_with_the_query() {
    let (_root, space) = space(1 << 20);
    let removed = Arc::new(QuerySpill::new(Arc::clone(&space), "removed", 1 << 20));
    let dropped = Arc::new(QuerySpill::new(Arc::clone(&space), "dropped", 1 << 20));
    let file = write(&removed, 10).unwrap();
    drop(write(&dropped, 10).unwrap());
    removed.remove();
    drop(dropped);
    assert!(folders(&space).is_empty());
    assert!(write(&removed, 10).is_err());
    drop(file);
}

#[test]
fn equal_query_ids_do_not_share_a_folder() {
    let (_root, space) = space(1 << 20);
    let first = Arc::new(QuerySpill::new(Arc::clone(&space), "../same", 1 << 20));
    let second = Arc::new(QuerySpill::new(Arc::clone(&space), "../same", 1 << 20));
    let kept = (write(&first, 10).unwrap(), write(&second, 10).unwrap());
    assert_eq!(folders(&space).len(), 2);
    drop(kept);
}

#[test]
fn stale_folders_are_removed_and_live_or_foreign_ones_are_kept() {
    let (root, space) = space(1 << 20);
    let live = Arc::new(QuerySpill::new(Arc::clone(&space), "live", 1 << 20));
    let file = write(&live, 10).unwrap();
    let stale = space.root.join("stale");
    std::fs::create_dir_all(&stale).unwrap();
    std::fs::write(stale.join(OWNER_FILE), "").unwrap();
    std::fs::create_dir_all(space.root.join("foreign")).unwrap();
    let again = SpillSpace::open(root.path().join("spill"), 1 << 20).unwrap();
    let mut left = folders(&again);
    left.sort();
    assert_eq!(left, ["foreign", "live"]);
    drop(file);
}
