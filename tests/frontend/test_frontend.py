"""The browser's code: its own unit tests under node, and the rules that keep it small, hashable and safe."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
JS = ROOT / "static" / "js"
MODULES = sorted(JS.rglob("*.js"))
IMPORT = re.compile(r"^\s*(?:import|export)\s(?:[^'\"]*?\sfrom\s)?['\"]([^'\"]+)['\"](;?)", re.MULTILINE)

CSS = ROOT / "static" / "css"
NOT_OURS = {
    "admin.css",
    "admin-django.css",
    "admin-lists.css",
    "admin-people.css",
    "admin-parts.css",
    "plot.css",
}  # they dress what Django's admin and Plotly make
SHEETS = [sheet for sheet in sorted(CSS.rglob("*.css")) if sheet.name not in NOT_OURS]
NUMBERED = r"(?:f|h|o|pt|s|skeleton-)\d+|sall"  # colours and widths, whose names are put together
GIVEN = {
    word
    for folder, pattern in (("templates", "*.html"), ("static/js", "*.js"), ("dashboard", "*.py"))
    for file in (ROOT / folder).rglob(pattern)
    for word in re.findall(r"[a-z][\w-]*", file.read_text())
}


def imports(module: Path) -> list[tuple[str, str]]:
    return IMPORT.findall(module.read_text())


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_units_pass_under_node():
    files = sorted(str(file) for file in Path(__file__).parent.glob("*.test.mjs"))
    run = subprocess.run(["node", "--test", *files], capture_output=True, text=True, timeout=120)
    assert files
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(JS)))
def test_imports_are_relative_closed_and_exist(module):
    for target, semicolon in imports(module):
        assert target.startswith("."), f"{target} is not relative: it would not be hashed"
        assert semicolon, f"the import of {target} needs its semicolon to be hashed"
        assert (module.parent / target).resolve().is_file()


def test_no_import_goes_round_in_a_circle():
    graph = {module: [(module.parent / target).resolve() for target, _ in imports(module)] for module in MODULES}
    done: set[Path] = set()

    def visit(module, path):
        assert module not in path, " → ".join(one.name for one in (*path, module))
        if module not in done:
            for target in graph[module]:
                visit(target, (*path, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(JS)))
def test_modules_are_small_and_say_what_they_are(module):
    text = module.read_text()
    assert text.startswith("// ")
    assert text.count("\n") <= 150


def test_only_the_plot_module_touches_plotly():
    assert [module.name for module in MODULES if re.search(r"\bPlotly\b\.", module.read_text())] == ["plot.js"]


def test_templates_have_no_inline_code_or_style():
    for template in (ROOT / "templates").rglob("*.html"):
        if "admin" in template.parts:
            continue
        text = template.read_text()
        assert not re.search(r"\sstyle=|\son[a-z]+=\"|<style|<script(?![^>]*\ssrc=)", text), template


@pytest.mark.parametrize("sheet", sorted(CSS.rglob("*.css")), ids=lambda sheet: sheet.name)
def test_a_line_of_a_stylesheet_holds_one_rule(sheet):
    rules = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL).splitlines()
    assert [line for line in rules if re.search(r"\}[ \t]*[^\s}]", line)] == []


def test_every_stylesheet_is_in_the_frame():
    linked = (ROOT / "templates/partials/styles.html").read_text()
    for sheet in (ROOT / "static/css/components").glob("*.css"):
        assert f"components/{sheet.name}" in linked, sheet.name


def test_icons_that_scripts_and_pages_name_exist():
    drawn = set(re.findall(r'id="i-([a-z]+)"', (ROOT / "static/img/icons.svg").read_text()))
    named = {name for module in MODULES for name in re.findall(r"\bicon\('([a-z]+)'", module.read_text())}
    named |= {
        n for t in (ROOT / "templates").rglob("*.html") for n in re.findall(r'\{% icon "([a-z]+)"', t.read_text())
    }
    assert named
    assert named <= drawn


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_every_class_that_has_a_style_is_given_somewhere(sheet):
    css = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
    classes = set(re.findall(r"\.([a-z][\w-]*)", " ".join(re.findall(r"[^{}]*(?=\{)", css))))
    assert {one for one in classes if not re.fullmatch(NUMBERED, one)} - GIVEN == set()
