"""What spread constraints and pod affinity found, domain by domain: read from the state that their plugins keep."""
