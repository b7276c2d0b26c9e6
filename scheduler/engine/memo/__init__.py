"""Answers kept from one pod to the next of the same shape; only rows that changed are asked again."""
