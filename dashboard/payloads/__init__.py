"""What the pages and the websocket speak: plain JSON, one TypedDict a shape, one module a subject.

Every page gets its state as JSON (embedded by `json_script`, and again from `…/state.json?at=SEQ`); the websocket sends
`News` with the parts that changed. Times are virtual microseconds since the Unix epoch unless a name says `_ms`.
Arrays over nodes are parallel lists ("rows"), never a mapping a node.
"""
