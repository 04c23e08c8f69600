//! Handles that cannot dangle: a slot and the slot's generation.

use std::sync::Arc;

use fulmar_error::{EngineError, Result};
use parking_lot::Mutex;

/// Objects by handle. A handle that was removed, or never given, is an error.
pub struct Handles<T> {
    kind: &'static str,
    slots: Mutex<Vec<Slot<T>>>,
}

struct Slot<T> {
    generation: u32,
    object: Option<Arc<T>>,
}

impl<T> Handles<T> {
    /// An empty table; `kind` names its objects in errors.
    pub const fn new(kind: &'static str) -> Self {
        Self { kind, slots: Mutex::new(Vec::new()) }
    }

    /// A handle for the object; never 0.
    pub fn insert(&self, object: Arc<T>) -> i64 {
        let mut slots = self.slots.lock();
        let free = slots.iter().position(|slot| slot.object.is_none() && slot.generation < u32::MAX);
        let index = free.unwrap_or(slots.len());
        match slots.get_mut(index) {
            Some(slot) => {
                slot.generation += 1;
                slot.object = Some(object);
                handle(slot.generation, index)
            }
            None => {
                slots.push(Slot { generation: 1, object: Some(object) });
                handle(1, index)
            }
        }
    }

    /// The object of a live handle.
    pub fn get(&self, handle: i64) -> Result<Arc<T>> {
        let (generation, index) = parts(handle);
        let slots = self.slots.lock();
        let slot = slots.get(index).filter(|slot| slot.generation == generation);
        slot.and_then(|slot| slot.object.clone()).ok_or_else(|| self.stale(handle))
    }

    /// Ends a handle.
    pub fn remove(&self, handle: i64) -> Result<Arc<T>> {
        let (generation, index) = parts(handle);
        let mut slots = self.slots.lock();
        let slot = slots.get_mut(index).filter(|slot| slot.generation == generation);
        slot.and_then(|slot| slot.object.take()).ok_or_else(|| self.stale(handle))
    }

    fn stale(&self, handle: i64) -> EngineError {
        EngineError::internal(format!("No open {} has the handle {handle:#x}", self.kind))
    }
}

fn handle(generation: u32, index: usize) -> i64 {
    (i64::from(generation) << 32) | (index as i64 & 0xffff_ffff)
}

fn parts(handle: i64) -> (u32, usize) {
    ((handle >> 32) as u32, (handle & 0xffff_ffff) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_handle_stays_stale_when_its_slot_is_reused() {
        let handles = Handles::new("thing");
        let first = handles.insert(Arc::new(1));
        assert_eq!(*handles.get(first).unwrap(), 1);
        handles.remove(first).unwrap();
        let second = handles.insert(Arc::new(2));
        assert_ne!(first, second);
        assert!(handles.get(first).is_err());
        assert!(handles.remove(first).is_err());
        assert_eq!(*handles.get(second).unwrap(), 2);
    }

    #[test]
    fn unknown_handles_are_errors() {
        let handles: Handles<i32> = Handles::new("thing");
        for handle in [0, -1, i64::MAX, i64::MIN, 1 << 32] {
            let message = handles.get(handle).unwrap_err().to_string();
            assert!(message.starts_with("No open thing has the handle"), "{message}");
        }
    }
}
