"""One attempt to schedule one pod, from PreFilter to the decision."""
