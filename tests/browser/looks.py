"""What is held of every page: looked at by axe, in the browser's own words, and in pictures that are kept."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, Page

SCREENS = Path(__file__).resolve().parents[2] / "build" / "screens"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}
TALL = {"width": 1440, "height": 3000}  # so that the foot lies on nothing
WIDTHS = (320, 640, 1000, 2560)  # the least, 1280 px at 200 %, where the head has least room, a large screen
SETTLED_MS = 8_000
PAPER = 1047  # px: A4 across
IN_DARK = ["color-contrast", "link-in-text-block"]  # the rules of axe that another theme can break
axe = Axe()

# Whether all elements have drawn themselves, and what moves has come to rest.
READY = """() => document.readyState === 'complete' && !document.querySelector(':not(:defined)')
  && [...document.querySelectorAll('.matrix-plot')].every((one) => !one.drawing)"""

# Whatever can have the focus, given it: what is covered by something else, off the screen, or looks as it did before.
OBSCURED = """() => {
  const style = (one, part) => {
    const { boxShadow, outlineStyle, outlineWidth, outlineColor, stroke } = getComputedStyle(one, part);
    return [boxShadow, outlineStyle === 'none' ? '' : outlineWidth + outlineColor, stroke].join();
  };
  const look = (one) => [one, one.closest('label'), one.querySelector('rect, .hit'), one.closest('dialog')]
    .map((part) => part && [style(part), style(part, '::after')].join()).join();
  const found = [];
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')];
  const on = (one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0 && !one.closest('dialog');
  const some = all.filter(on);
  for (const one of new Set([...some.slice(0, 40), ...some.slice(-40)])) {
    document.activeElement.blur();
    const before = look(one);
    one.focus();
    if (document.activeElement !== one) continue;
    const words = `${one.tagName} ${(one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40)}`;
    if (look(one) === before) found.push(`no ring: ${words}`);
    if (one.ownerSVGElement || getComputedStyle(one).pointerEvents === 'none') continue;
    const box = one.getClientRects()[0];
    const x = Math.min(innerWidth - 2, box.left + Math.min(box.width, 40) / 2);
    const over = document.elementFromPoint(x, box.top + Math.min(box.height, 24) / 2);
    if (!over || !(one.contains(over) || over.contains(one) || one.labels?.[0]?.contains(over)))
      found.push(`covered: ${words} by ${over?.outerHTML.slice(0, 60)}`);
  }
  document.activeElement.blur();
  scrollTo(0, 0);
  return found;
}"""

# What still moves although it was asked not to.
MOVING = """() => document.getAnimations()
  .filter((one) => one.playState === 'running' && one.effect.getComputedTiming().duration > 50)
  .map((one) => `moves: ${one.effect.target?.className}`)"""

WIDE = """() => Math.max(document.documentElement.scrollWidth, document.querySelector('.topbar')?.scrollWidth ?? 0)"""

HEADS = """() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((one) => one.checkVisibility())
  .map((one) => Number(one.tagName[1]))"""

ON_PAPER = """() => [...document.querySelectorAll('.topbar, .rail, .foot, .transport, .score-matrix-tools, .button')]
  .filter((one) => one.checkVisibility()).map((one) => `on paper: ${one.outerHTML.slice(0, 80)}`)"""


def settle(page: Page) -> list[str]:
    """Waits until all is drawn, seen from its top; what never draws itself."""
    try:
        page.wait_for_function(READY, timeout=SETTLED_MS)
    except Error:
        names = "[...document.querySelectorAll(':not(:defined)')].map((one) => `never drawn: ${one.localName}`)"
        return list(page.evaluate(names)) or ["never at rest"]
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return []


def violations(page: Page, rules: list[str] | None = None, but: str = "") -> list[str]:
    """What axe finds (WCAG 2.2 AA and good practice), or only by some `rules`; `but`: one that is left out."""
    chosen = {"target-size": {"enabled": True}} | ({but: {"enabled": False}} if but else {})
    options: dict[str, Any] = {"runOnly": rules} if rules else {"rules": chosen}
    # Not by its own copies of our style sheets: it would ask for what they import beside the page.
    found = axe.run(page, options={"preload": False, "resultTypes": ["violations"], **options}).response["violations"]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"][:3]]


def violations_in_both(page: Page) -> list[str]:
    """What axe finds in light, and what it finds in dark beside; the page is left in dark, without transitions."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = violations(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    settle(page)
    return found + [f"in dark: {one}" for one in violations(page, IN_DARK)]


def too_wide(page: Page, widths: tuple[int, ...] = WIDTHS) -> list[str]:
    """The page itself, and its head, which the frame would cut."""
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate(WIDE)
        if wide > width:
            found.append(f"{wide} px wide on {width}")
    return found


def headings(page: Page) -> list[str]:
    levels = page.evaluate(HEADS)
    steps = [f"h{low} then h{high}" for low, high in pairwise(levels) if high > low + 1]
    return steps + ([] if levels[:1] == [1] and page.title() else [f"headings {levels[:3]}, title {page.title()!r}"])


def keep(page: Page, name: str) -> None:
    """A picture of what is on screen, for people to look at."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    path = SCREENS / f"{re.sub('[^a-z0-9]+', '-', name.lower()).strip('-')}.jpg"
    page.screenshot(path=path, type="jpeg", quality=80, animations="disabled", timeout=SETTLED_MS)
