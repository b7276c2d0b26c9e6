"""Kubernetes' own values: quantities, requests, taints, names."""
