"""The case library: small clusters that each teach one thing. A question, a guess, the play, the explanation."""
