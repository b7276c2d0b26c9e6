"""Making room for a pod that fits nowhere: which pods of lower priority would have to go, and from which node."""
