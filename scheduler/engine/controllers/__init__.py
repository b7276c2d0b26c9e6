"""Controllers at work in a simulation: which of them are due, what they find, and the events that their wishes become.

What each wants is decided by pure functions in `workloads` and `uniteddeployment`.
"""
