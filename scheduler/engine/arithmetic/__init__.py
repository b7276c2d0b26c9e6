"""What several algorithms compute: resource formulas, spread constraints, affinity terms, Go's floats."""
