"""What the pages and the websocket speak: plain JSON, one TypedDict a shape.

Every page gets its state as JSON (embedded by `json_script`, and again from `…/state.json?at=SEQ`); the websocket sends
`News` with the parts that changed. Times are virtual microseconds since the Unix epoch unless a name says `_ms`.
Arrays over nodes are parallel lists ("rows"), never a mapping a node.
"""

from typing import Any, Literal, NotRequired, TypedDict

Outcome = Literal["open", "bound", "unschedulable", "error"]
PhaseState = Literal["idle", "run", "done", "skip", "fail"]
AlgorithmState = Literal["skip", "waiting", "mapping", "raw", "reducing", "set", "as_is", "fail", "not_scored"]
Layer = Literal["raw", "normalized", "weighted"]


class ClusterState(TypedDict):
    name: str
    seq: int
    head_seq: int  # newest event of the log; seq < head_seq means the page shows the past
    now_us: int  # of the present: the time that has passed since the newest event of a run at a speed, too
    start_us: int
    next_timer_us: int | None  # when the virtual clock's next job would change anything
    wanted: Literal["paused", "running"]
    wanted_reason: str  # why a run stopped by itself, "" otherwise
    speed: float
    profiles: list[str]
    node_count: int
    pod_count: int
    can_write: bool
    executor: Literal["celery", "in_process"]  # who ran the last map and reduce; in_process means no broker answered


class Card(TypedDict):
    """A pod in a lane."""

    key: str  # namespace/name
    priority: int
    attempts: int
    since_us: int  # queue timestamp: time of the last add or failure
    created_us: int
    rank: NotRequired[int]  # 1-based, activeQ and backoffQ
    why: NotRequired[str]  # the move that brought it here, e.g. "NodeAdd · NodeResourcesFit"
    plugins: NotRequired[list[str]]  # who refused it
    backoff_start_us: NotRequired[int]
    backoff_end_us: NotRequired[int]
    flush_us: NotRequired[int]  # when the five-minute flush takes it
    gate: NotRequired[str]
    nominated_node: NotRequired[str]
    message: NotRequired[str]
    pending: NotRequired[list[str]]  # those of `plugins` that answered Pending: their yes skips the backoff
    errors: NotRequired[int]  # consecutive errors: in backoffQ it lies in the heap that Pop does not take from early
    refusals: NotRequired[int]  # attempts that a plugin refused, ever: what the backoff doubles with
    first_us: NotRequired[int]  # when it first entered activeQ
    gate_plugin: NotRequired[str]
    moved_seq: NotRequired[int]  # the event that brought it here, and its time
    moved_us: NotRequired[int]
    cycle: NotRequired[int]  # in flight: its cycle, and the phase that it has reached
    phase: NotRequired[str]


LaneName = Literal["in_flight", "active", "backoff", "unschedulable", "gated"]


class Lane(TypedDict):
    name: LaneName
    count: int
    cards: list[Card]  # the first `LANE_LIMIT`; the rest by `…/lanes/<name>.json?offset=`


class FlowPlace(TypedDict):
    """`name`: a place of the queues, `new`, `bound` (pods with a node) or `gone`. `count`: pods there now."""

    name: str
    count: int


class FlowCause(TypedDict):
    cause: str
    hint: str
    count: int


class FlowEdge(TypedDict):
    """How often a pod went from `source` to `target`, by event and deciding hint, most first."""

    source: str
    target: str
    count: int
    causes: list[FlowCause]


class Flow(TypedDict):
    seq: int
    places: list[FlowPlace]
    edges: list[FlowEdge]  # most first


class QueueRules(TypedDict):
    """What decides the order and the waiting, in settings. `preset`: its name, "" if the settings are none."""

    preset: str
    hints: bool
    pop_from_backoff: bool
    initial_backoff_us: int
    max_backoff_us: int
    backoff_flush_us: int
    leftover_flush_us: int
    max_unschedulable_us: int
    next_timer_us: int | None
    listens: dict[str, list[str]]  # the events that each plugin asked to hear of


class StoryAnswer(TypedDict):
    """`verdict` of one plugin: it asks for another try, sees no help, or never hears of such events."""

    plugin: str
    event: str
    verdict: Literal["queue", "skip", "deaf"]
    because: str


class StoryEvent(TypedDict):
    """An event of the log and what it did to a pod. `moved`: the place that it went to, "" if it stayed."""

    seq: int
    at_us: int
    what: str
    cycle: int | None
    place: str  # where the pod was just before; "" for nowhere
    moved: str
    outcome: Literal["moved", "stayed", "not_asked"]
    conclusion: str  # names marked by backticks
    answers: list[StoryAnswer]


class PodStory(TypedDict):
    pod: str
    seq: int
    events: list[StoryEvent]  # newest first
    left_out: int  # events that were not weighed because they lie too far back


class Phase(TypedDict):
    name: str  # PreEnqueue Pop PreFilter Filter PreScore Map Reduce Sum Select Reserve Bind | PostFilter
    state: PhaseState
    ms: float | None
    note: str  # "43 of 90 nodes", "2 of 4", "only one node fits"


class Algorithm(TypedDict):
    name: str
    short: str  # "TaintTol"
    weight: int
    normalizes: bool
    lower_is_better: bool  # of the raw layer
    whole_list: bool  # scores all feasible nodes at once
    error: str  # what its reduce said where it failed and the others went on (state "fail"), else ""
    state: AlgorithmState
    worker: str  # who is reducing or reduced it, "" in process


class ScoreRows(TypedDict):
    """Nodes that passed the filters, best first once totals exist. Above 500 the tail is binned: see `bins`."""

    names: list[str]
    zones: list[str]
    raw: list[list[int | None] | None]  # [algorithm][row]; None for a skipped algorithm, None cells not returned yet
    normalized: list[list[int] | None]
    weighted: list[list[int] | None]
    failed: list[list[str | None] | None]  # [algorithm][row]: what its map said there; None where nothing failed
    totals: list[int] | None
    rank: list[int] | None  # 1-based, ties share a rank
    bins: list[int]  # nodes in each row: 1, or more for a binned row (whose scores are rounded means)


class Refusal(TypedDict):
    plugin: str
    reason: str
    code: str
    count: int
    nodes: list[str]  # the first five


class FunnelStep(TypedDict):
    plugin: str
    left: int  # nodes left after it
    lost: int
    skipped: bool


class Task(TypedDict):
    """One map range, one reduce, or a phase in the core, for the timings chart."""

    worker: str  # "core", "w1", …
    kind: Literal["phase", "map", "reduce"]
    label: str
    start_ms: float
    ms: float
    resent: bool


class Tie(TypedDict):
    nodes: list[str]  # the first twenty, in the order found
    count: int  # all of them
    drawn: int  # index into the full list
    seed: int  # of the cluster


class PodiumPlace(TypedDict):
    place: int
    node: str
    zone: str
    total: int
    parts: list[int | None]  # weighted, by algorithm
    differences: list[dict[str, Any]]  # against the winner: {"algorithm": short, "by": int}, non-zero only


class Victim(TypedDict):
    pod: str
    priority: int
    started_us: int | None  # None: not started
    breaks_budget: bool


class PreemptionCandidate(TypedDict):
    node: str
    measures: list[int | None]  # what each rule compares, in order; None is a start that counts as now
    out_by: int  # index of the rule that ruled the node out, -1 if none did
    victims: list[Victim]  # the first twenty, in order of eviction
    victim_count: int


class PreemptionView(TypedDict):
    """What the pod could gain by preemption. Where it may not preempt, only `ineligible` says anything."""

    ineligible: str
    nominated: str  # "" if preemption found no way
    decided_by: str  # a rule, or how a tie was broken
    rules: list[str]  # in order
    deciding: int  # index of the rule that left one candidate, -1 if none did
    tied: int  # candidates that no rule told apart, the nominated one included
    potential: int  # nodes that were refused for reasons that pods could be to blame for
    not_tried: int  # of these, left out because enough candidates were found
    candidates: list[PreemptionCandidate]  # best first, the first twenty
    candidate_count: int
    rejected: list[Refusal]  # nodes where the absence of all victims would not have helped, by reason


class CycleView(TypedDict):
    number: int
    pod: str
    attempt: int
    popped_seq: int
    popped_us: int
    finished_seq: int | None
    outcome: Outcome
    sentence: str  # HTML-free; names marked by backticks
    phase: str  # last phase shown
    phases: list[Phase]
    algorithms: list[Algorithm]
    rows: ScoreRows
    node_count: int
    evaluated: int
    feasible: int
    scoring_skipped: str  # "" or why ("only one node passed the filters, so nothing was scored")
    score_failures: str  # "" or what failed while the other scores went on ("2 scores failed (Fragile)")
    winner: str
    tie: Tie | None
    podium: list[PodiumPlace]
    refusals: list[Refusal]
    funnel: list[FunnelStep]
    tasks: list[Task]
    message: str  # FitError or "Successfully assigned …", as kube-scheduler prints it
    unschedulable_plugins: list[str]
    note: str  # what did not go the usual way ("No worker was there, so …"), "" if nothing
    preemption: NotRequired[PreemptionView]


class Failure(TypedDict):
    plugin: str
    code: str
    reasons: list[str]
    missing: list[str]  # distances where numbers are compared: "needs 300m more cpu"


class RefusedNode(TypedDict):
    node: str
    zone: str
    failures: list[Failure]  # of every filter that refuses it, in order; the search stops at the first


class RefusedNodes(TypedDict):
    """A page of the refused nodes that a search found."""

    cycle: int
    count: int
    reason_count: int  # over all of them: a node counts once a reason
    nodes: list[RefusedNode]


class SpreadDomain(TypedDict):
    value: str
    pods: int  # that the selector matches, on nodes that count
    nodes: int
    counted: int  # of these, nodes that count
    feasible: int
    skew: int | None  # if the pod were placed here: hard constraints only
    fits: bool | None
    points: float | None  # to the raw score, fewer is better: soft constraints, where a node is feasible


class SpreadRule(TypedDict):
    """A topology spread constraint. `least`, `itself`: hard ones only; `weight`: soft ones, once scored."""

    key: str
    hard: bool
    own: bool  # False: one of the profile's default constraints
    selects: str
    max_skew: int
    min_domains: int
    honors_affinity: bool
    honors_taints: bool
    itself: int | None
    least: int | None  # the global minimum that skew is measured against
    size: int | None  # domains that count
    weight: float | None
    domains: list[SpreadDomain]  # fewest pods first, the first hundred
    domain_count: int
    refused_count: int  # domains that would be too skewed
    unlabelled: int  # nodes without the label


class AffinityValue(TypedDict):
    value: str
    nodes: int
    pods: int | None  # None where only the sum of their weights is known
    points: int | None  # to the raw score: preferred terms only


class AffinityTerm(TypedDict):
    effect: Literal["needs", "refuses", "attracts", "repels"]
    own: bool  # False: of placed pods, whose term means this pod
    key: str
    selects: str
    namespaces: str
    weight: int  # 0 for terms that filter; negative where it repels
    values: list[AffinityValue]  # values with such pods, most first, the first hundred
    value_count: int
    domain_count: int  # all values of the label
    unlabelled: int  # nodes without the label
    first: bool  # nobody matches yet, so the pod may be the first of its kind


class Topology(TypedDict):
    cycle: int
    spread: list[SpreadRule]  # hard ones first
    affinity: list[AffinityTerm]  # the first hundred
    term_count: int


class Tile(TypedDict):
    """A node. Fractions are requested/allocatable."""

    name: str
    short: str
    cpu: float
    memory: float
    extra: float | None  # busiest extended resource, None without one
    extra_name: str
    pods: list[list[int]]  # [[owner colour 1..8, count], …]
    pod_count: int
    state: Literal["ready", "cordoned", "not_ready"]
    taints: list[str]
    verdict: NotRequired[str]  # in the open cycle: "" feasible, else the short reason
    lead: NotRequired[bool]
    tie: NotRequired[bool]


class TileGroup(TypedDict):
    name: str  # zone; "" for nodes without one
    count: int
    cpu: float
    memory: float
    tiles: list[Tile]


class ClusterView(TypedDict):
    node_count: int
    pods_bound: int
    pods_waiting: int
    cpu: float
    memory: float
    extra: float | None
    extra_name: str
    largest_free: dict[str, Any]  # {"cpu": "116", "memory": "212Gi", "node": "node-015"}
    groups: list[TileGroup]


class Mark(TypedDict):
    """An event on the timeline."""

    seq: int
    at_us: int
    track: Literal["events", "cycles", "moves"]
    sign: Literal[
        "placed", "refused", "preemption", "node", "object", "move", "profile", "error", "scenario", "controller"
    ]
    title: str
    cycle: NotRequired[int]


class BoardState(TypedDict):
    cluster: ClusterState
    lanes: list[Lane]
    cycle: CycleView | None  # the open cycle, else the last one
    map: ClusterView
    marks: list[Mark]  # the newest `MARK_LIMIT`


class GroupNews(TypedDict):
    """A group's new figures. With `tiles`, nodes came or went: the groups of the message replace all groups."""

    name: str
    count: int
    cpu: float
    memory: float
    tiles: NotRequired[list[Tile]]


class MapNews(TypedDict):
    """ClusterView without what stayed the same. `tiles`: nodes that changed, whole, by name.

    `verdicts`: nodes of which only the cycle's word changed: [name, verdict or None, "lead" | "tie" | ""].
    """

    node_count: int
    pods_bound: int
    pods_waiting: int
    cpu: float
    memory: float
    extra: float | None
    extra_name: str
    largest_free: dict[str, Any]
    groups: list[GroupNews]
    tiles: list[Tile]
    verdicts: list[list[str | None]]


class StateNews(TypedDict):
    """What changed of a BoardState. An absent part stayed as it was."""

    cluster: ClusterState  # `can_write` is the page's own business: it is always False here
    lanes: NotRequired[list[Lane]]  # the lanes that changed, each whole
    cycle: NotRequired[CycleView | None]
    map: NotRequired[MapNews]
    marks: NotRequired[list[Mark]]  # new ones, oldest first; keep the newest MARK_LIMIT (400)


class News(TypedDict):
    """Server → browser. Apply only if `from_seq` is the seq the page holds; otherwise fetch `state.json`."""

    type: Literal["news"]
    from_seq: int
    seq: int
    state: StateNews


class Hello(TypedDict):
    """Server → browser, first message: fetch `state.json` if the page holds another seq.

    Browser → server: {"type": "ack"} after painting each frame; {"type": "ack", "seq": n} after having fetched state.
    """

    type: Literal["hello"]
    seq: int


class AlgorithmProgress(TypedDict):
    name: str
    state: AlgorithmState
    worker: str


class Progress(TypedDict):
    """Server → browser, not part of the log: a cycle on its way through the workers. May be dropped."""

    type: Literal["progress"]
    cycle: int
    phase: str
    phases: list[Phase]
    algorithms: list[AlgorithmProgress]  # only those that score this pod: match them by name
    # {"rows": [first, last], "raw": [[…] per algorithm]} or {"algorithm": i, "normalized": […]}; algorithm indexes the
    # list above, rows count the feasible nodes in the order found (as CycleView.rows before totals exist)
    cells: list[dict[str, Any]]
    tasks: list[Task]
