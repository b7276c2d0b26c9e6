"""The message of a refusal as kube-scheduler of a chosen version prints it."""

from dashboard.payloads.why import Form
from scheduler.engine.cycle.decision import Decision

FORMS: dict[Form, str] = {"1.33": "before 1.34", "1.34": "v1.34 – 1.36", "1.37": "from v1.37"}
DEFAULT: Form = "1.34"
_CLAIMS = "no new claims to deallocate"
"""What DynamicResources says of every pod without claims: from 1.34 to 1.36."""


def messages(decision: Decision) -> dict[Form, str]:
    """{} for a decision without a message. A preemption that succeeds is told from 1.37 on."""
    message = decision.message
    if not message:
        return {}
    plain = message.replace(f" {_CLAIMS}, ", " ").removesuffix(f" {_CLAIMS}")
    newest = f"{plain} {_placement(decision)}" if decision.nominated_node and decision.victims else plain
    return {"1.33": plain, "1.34": message, "1.37": newest}


def _placement(decision: Decision) -> str:
    found = f"found a potential placement for pod on node {decision.nominated_node}"
    return f"preemption: {found}, preempting {len(decision.victims)} victims"


def form_of(asked: str) -> Form:
    """The form that an address asks for, else that of the version that is modelled."""
    return next((form for form in FORMS if form == asked), DEFAULT)
