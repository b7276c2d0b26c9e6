"""What changed between two events, computed once and shared by every socket of this process."""

import json


def news_text(cluster_id: int, from_seq: int, seq: int) -> str:
    """A `News` message as JSON text."""
    return json.dumps({"type": "news", "from_seq": from_seq, "seq": seq, "state": {}})
