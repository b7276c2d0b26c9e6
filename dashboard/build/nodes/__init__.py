"""The page of the nodes and the page of one: groups, shares, free room, what was said of a node lately."""
