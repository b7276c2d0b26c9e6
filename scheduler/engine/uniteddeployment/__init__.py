"""OpenKruise's UnitedDeployment: one template spread over subsets, reconciled by pure functions.

Source: kruise 07169cfac7b9 (master after v1.9.0) pkg/controller/uniteddeployment.
"""
