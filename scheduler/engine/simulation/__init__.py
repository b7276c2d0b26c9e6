"""A cluster and its scheduler as one fold of events with one door for commands."""
