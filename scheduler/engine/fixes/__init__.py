"""What would make a pending pod fit: changes that algorithms propose, each tried on a copy of the simulation."""
