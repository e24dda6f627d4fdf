//! The record as data: entries, their chain, replay.
