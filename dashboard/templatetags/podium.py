"""Small pieces of the pages: icons, meters, code in sentences, sortable column heads."""

import re

from django import template
from django.http import HttpRequest, QueryDict
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from dashboard import text
from scheduler.engine.explain.versus import signed as in_points
from scheduler.models import Cluster

register = template.Library()
SHORT, LONG, LINE, WIDE = 20, 28, 44, 64
WHOLE_PART = 28  # letters that a line of a phone holds in the size of headings
ONE_LINE, TAIL = 34, 10  # longer names lose their middle where room is scarce; of the end so many letters stay
_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")


@register.simple_tag
def icon(name: str, more: str = "") -> SafeString:
    """`{% icon "tick" %}`: a sign of the sprite, silent for readers. `more`: further classes; `s` is a small one."""
    classes = " ".join(filter(None, ("icon", "icon-s" if more == "s" else more)))
    sprite = static("img/icons.svg")
    return format_html(
        '<svg class="{}" viewBox="0 0 16 16" aria-hidden="true"><use href="{}#i-{}"/></svg>', classes, sprite, name
    )


@register.simple_tag
def pod_link(cluster: Cluster, key: str) -> SafeString:
    """The pod `namespace/name` with a link to its page (which may be gone)."""
    namespace, _, name = key.partition("/")
    return format_html('<a href="{}">{}</a>', reverse("pod", args=(cluster.name, namespace, name)), key)


@register.simple_tag
def meter(percent: int) -> SafeString:
    """A bar of 0 to 100; above that it is full and marked."""
    bar = "m-no" if percent > 100 else "m-ink"
    return format_html(
        '<svg class="meter" aria-hidden="true"><rect class="{}" width="{}%" height="100%"/></svg>',
        bar,
        min(100, percent),
    )


@register.simple_tag
def quantity(resource: str, amount: int) -> str:
    """An amount in scheduler units as Kubernetes writes it."""
    return text.quantity(resource, amount)


@register.filter
def seconds(microseconds: int) -> str:
    """A setting's duration: `1s`, `30s`, `5m`; `off` for none."""
    return text.age(microseconds) if microseconds else "off"


@register.filter
def short_resource(name: str) -> str:
    """`nvidia.com/gpu` is `gpu`."""
    return name.rpartition("/")[2]


@register.filter
def as_percent(share: float, whole: int = 100) -> str:
    """A length of 0 to 1 for a figure: `42.5%`. `whole`: what 1 is."""
    return f"{whole * share:.1f}%"


@register.filter
def signed(points: int) -> str:
    """`+4`, `−3`, `0`."""
    return in_points(points)


@register.filter
def counted(number: int, nouns: str) -> str:
    """`{{ n|counted:"pod" }}`: `1 pod`, `1,200 pods`; `"pod waits,pods wait"` where an s is not all that differs."""
    noun, _, plural = nouns.partition(",")
    return text.count(number, noun, plural)


@register.filter
def grouped(number: int) -> str:
    """`12,003`."""
    return f"{number:,}"


@register.filter
def ticked(sentence: str) -> SafeString:
    """A sentence as HTML: `names` in backticks as <code>, what stands between ** in bold."""
    text = re.sub(r"(\(?)`([^`]*)`", _code, conditional_escape(sentence))
    return mark_safe(re.sub(r"\*\*(.+?)\*\*", _bold, text))


def _code(found: re.Match[str]) -> str:
    """A long name may break between its parts, a short one goes to the next line; a bracket stays with it."""
    bracket, name = found.groups()
    if len(name) <= LONG:
        return f"{bracket}<code>{name}</code>"
    look = "long line" if len(name) <= LINE else "long wide" if len(name) <= WIDE else "long"
    if len(name) <= ONE_LINE or not _NAME.fullmatch(name):
        return f'{bracket}<code class="{look}">{_parted(name)}</code>'
    head, tail = name[:-TAIL], name[-TAIL:]
    code = f'<code class="{look}" title="{name}"><span class="mid">{_parted(head)}</span>{tail}</code>'
    return f'<span class="with-name">{bracket}{code}</span>' if bracket else code


def _parted(escaped: str) -> str:
    """Breaks behind dots and slashes, and within a part only if no line could hold it."""
    parts = re.findall(r"\s+|[^./\s]+[./]*|[./]+", escaped)
    return "<wbr>".join(f'<span class="nowrap">{one}</span>' if 1 < len(one) <= WHOLE_PART else one for one in parts)


@register.filter
def parted(name: str) -> SafeString:
    """A name that breaks at `ip-10-0-1-7.|eu-west-1.|compute.|internal`, not at its hyphens."""
    return mark_safe(_parted(conditional_escape(name)))


@register.filter
def middle(name: str) -> SafeString:
    """A name in a table, which loses its middle where the column is too narrow; the whole is its title."""
    if len(name) <= SHORT:
        return conditional_escape(name)
    return format_html(
        '<span class="cut" title="{0}"><span class="mid">{1}</span>{2}</span>', name, name[:-TAIL], name[-TAIL:]
    )


@register.filter
def tainted(taint: str) -> SafeString:
    """A taint, which may break behind its signs: `node.kubernetes.io/|unreachable:|NoExecute`."""
    return mark_safe(re.sub(r"(?<=[/=:])", "<wbr>", conditional_escape(taint)))


@register.filter
def effected(taint: str) -> SafeString:
    """A taint in two parts: its effect stays where the key and the value lose their ends."""
    rest, _, effect = taint.rpartition(":")
    return format_html("<span>{}</span><span>:{}</span>", rest, effect)


@register.filter
def hung(manifest: str) -> SafeString:
    """YAML, a block a line: what wraps stays right of its key. `data-deep`: steps of two spaces, 8 at most."""
    lines = manifest.splitlines()
    deep = (min(8, (len(line) - len(line.lstrip(" "))) // 2) for line in lines)
    return format_html_join("", '<span class="hang" data-deep="{}">{}\n</span>', zip(deep, lines, strict=True))


@register.filter
def humped(name: str) -> SafeString:
    """The name of an algorithm, which may break between its words: `NodeResources|Balanced|Allocation`."""
    return mark_safe(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "<wbr>", conditional_escape(name)))


def _bold(found: re.Match[str]) -> str:
    """An amount stays in one line with its unit."""
    text = found[1]
    return f"<b>{text.replace(' ', '&nbsp;') if len(text) < SHORT else text}</b>"


@register.simple_tag(takes_context=True)
def sort_head(context: template.Context, name: str, label: str, falls: bool = False) -> SafeString:
    """The link of a column head: sorts by it, a second time the other way round. `falls`: the most comes first."""
    request: HttpRequest = context["request"]
    query: QueryDict = request.GET.copy()
    current = str(context.get("sort", ""))
    query["sort"] = f"-{name}" if current == name else name
    query.pop("page", None)
    up, down = ("sort", "up") if falls else ("up", "sort")
    arrow = {name: up, f"-{name}": down}.get(current)
    return format_html('<a href="?{}">{}{}</a>', query.urlencode(), label, icon(arrow, "s") if arrow else "")


@register.simple_tag(takes_context=True)
def sort_state(context: template.Context, name: str, falls: bool = False) -> SafeString:
    """` aria-sort="ascending"` for the column by which the table is sorted."""
    words = {name: "ascending", f"-{name}": "descending"}
    if falls:
        words = {name: "descending", f"-{name}": "ascending"}
    state = words.get(str(context.get("sort", "")))
    return format_html(' aria-sort="{}"', state) if state else SafeString("")
