"""Runs recordings of real Kubernetes code through Podium and tells where the outcomes differ."""
