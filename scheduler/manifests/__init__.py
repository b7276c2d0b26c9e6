"""Kubernetes files in and out, and the demo cluster."""
