"""The storage format of events and states. Nobody else knows it."""
