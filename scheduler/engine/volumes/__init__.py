"""What volumes of pods stand for: claims, disks, CSI handles, zones; which of them a node can serve."""
