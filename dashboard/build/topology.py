"""Spread constraints and pod affinity of a cycle as tables: domain by domain, term by term."""

from dashboard.build.attempt import Attempt
from dashboard.payloads.topology import AffinityTerm, SpreadRule, Topology
from scheduler.engine.arithmetic.pod_affinity import Term
from scheduler.engine.arithmetic.spread import Constraint
from scheduler.engine.labels import Selector
from scheduler.engine.topology.affinity import FoundTerm, filtering_terms, scoring_terms
from scheduler.engine.topology.spread import Domains, HardSpread, SoftSpread, hard_spread, soft_spread
from scheduler.engine.words import listed

LISTED_DOMAINS = LISTED_TERMS = 100


def topology(made: Attempt) -> Topology:
    """As far as the cycle is shown: nothing before Filter."""
    cycle = made.cycle
    filtered, weighed = made.shows("Filter"), made.shows("PreScore")
    terms = [*(filtering_terms(cycle) if filtered else ()), *(scoring_terms(cycle) if weighed else ())]
    soft = soft_spread(cycle) if filtered else []
    own = bool(cycle.pod.pod.spec.topology_spread_constraints)
    return {
        "cycle": made.record.number,
        "spread": [
            *(_hard(one, own) for one in (hard_spread(cycle) if filtered else ())),
            *(_soft(s, own) for s in soft),
        ],
        "affinity": [_term(one) for one in terms[:LISTED_TERMS]],
        "term_count": len(terms),
    }


def _hard(one: HardSpread, own: bool) -> SpreadRule:
    table = _rule(one.rule, one.domains, own)
    table["hard"], table["refused_count"] = True, int((~one.fits).sum())
    table["itself"], table["least"], table["size"] = one.matches_itself, one.least, one.size
    skew, fits = one.skew.tolist(), one.fits.tolist()
    for domain, place in zip(table["domains"], _order(one.domains), strict=False):
        domain["skew"], domain["fits"] = skew[place], fits[place]
    return table


def _soft(one: SoftSpread, own: bool) -> SpreadRule:
    table = _rule(one.rule, one.domains, own)
    table["weight"], table["size"] = one.weight, one.size
    for domain, place in zip(table["domains"], _order(one.domains), strict=False):
        domain["points"] = one.points[place]
    return table


def _rule(rule: Constraint, found: Domains, own: bool) -> SpreadRule:
    pods, nodes = found.pods.tolist(), found.nodes.tolist()
    counted, feasible = found.counted.tolist(), found.feasible.tolist()
    return {
        "key": rule.key,
        "hard": False,
        "own": own,
        "selects": selects(rule.selector),
        "max_skew": rule.max_skew,
        "min_domains": rule.min_domains,
        "honors_affinity": rule.honors_affinity,
        "honors_taints": rule.honors_taints,
        "itself": None,
        "least": None,
        "size": None,
        "weight": None,
        "domains": [
            {
                "value": found.values[place],
                "pods": pods[place],
                "nodes": nodes[place],
                "counted": counted[place],
                "feasible": feasible[place],
                "skew": None,
                "fits": None,
                "points": None,
            }
            for place in _order(found)[:LISTED_DOMAINS]
        ],
        "domain_count": len(found.values),
        "refused_count": 0,
        "unlabelled": found.unlabelled,
    }


def _order(found: Domains) -> list[int]:
    """Fewest pods first: that is where the pod should go."""
    pods = found.pods.tolist()
    return sorted(range(len(found.values)), key=lambda place: (pods[place], found.values[place]))


def _term(one: FoundTerm) -> AffinityTerm:
    pods = one.pods.tolist() if one.pods is not None else [None] * len(one.values)
    points = one.points.tolist() if one.points is not None else [None] * len(one.values)
    rows = zip(one.values, one.nodes.tolist(), pods, points, strict=True)
    most_first = sorted(rows, key=lambda row: (-(row[2] or 0), -abs(row[3] or 0), row[0]))
    return {
        "effect": one.effect,
        "own": one.own,
        "key": one.term.key,
        "selects": selects(one.term.selector),
        "namespaces": _namespaces(one.term),
        "weight": one.weight,
        "values": [
            {"value": value, "nodes": nodes, "pods": pods, "points": points}
            for value, nodes, pods, points in most_first[:LISTED_DOMAINS]
        ],
        "value_count": len(one.values),
        "domain_count": one.domains,
        "unlabelled": one.unlabelled,
        "first": one.first,
    }


def selects(selector: Selector) -> str:
    """`app=web`; every pod for an empty selector, no pod where there is none."""
    return "no pod" if selector.nothing else str(selector) or "every pod"


def _namespaces(term: Term) -> str:
    if term.namespace_selector.is_empty:
        return "every namespace"
    parts = sorted(term.namespaces)
    labels = "" if term.namespace_selector.nothing else f"namespaces with {term.namespace_selector}"
    return listed([*parts, labels] if labels else parts, "or") or "no namespace"
