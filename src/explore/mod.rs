//! Laws: every small relation is tried, and the few that say it all are reported.

pub mod equations;
