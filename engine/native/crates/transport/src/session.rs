//! What expressions take from the statement's session.

use chrono_tz::Tz;
use fulmar_error::{EngineError, Result};
use fulmar_proto::QuerySettings;

/// The session's share in the meaning of expressions.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) zone: Tz,
}

impl Session {
    /// Reads the settings; an unknown zone is refused.
    pub(crate) fn new(settings: &QuerySettings) -> Result<Self> {
        let zone = match settings.session_zone.as_str() {
            "" => Tz::UTC,
            name => name.parse().map_err(|_| EngineError::plan(format!("unknown time zone '{name}'")))?,
        };
        Ok(Self { zone })
    }
}
