"""The arrays that algorithms take and give, and what of a node an answer may depend on."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Int64Array: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]

Reads: TypeAlias = Literal["node", "columns", "pods", "cluster"]
"""What an answer for a node depends on besides the pod and the arguments: that Node object; what stands in its row of
`nodes.columns`, and nothing else; also the pods on it; or anything in the cluster. The narrower, the more of it the
cycle may keep from one pod to the next of the same shape."""
