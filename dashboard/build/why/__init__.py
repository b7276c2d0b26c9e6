"""The page of a pod: why it waits, or why it is where it is."""
