"""What screens and commands say of an attempt: its trace, the arithmetic of a cell, sentences, distances."""
