"""Collected static files: hashed, compressed, and importing one another by their hashed names."""

import re
from pathlib import Path

import plotly
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.utils import matches_patterns
from django.core.management import call_command
from django.test import override_settings

from dashboard.staticfiles import PLOTLY_NAME, PLOTLY_STYLE, ManifestStaticFiles

BUNDLE = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


def test_plotly_is_found_in_its_wheel_and_nothing_else_of_it():
    assert finders.find(PLOTLY_NAME) == str(BUNDLE)
    assert finders.find("vendor/widgetbundle.js") is None


def test_the_allowed_style_is_the_one_of_the_bundle():
    listed = re.search(r"CSS_DECLARATIONS=(\[\[.*?\]\])", BUNDLE.read_text())[1]
    pairs = re.findall(r'\["([a-z-]+)","([\w-]+)"\]', listed)
    assert "".join(f"{name}: {value}; " for name, value in pairs) == PLOTLY_STYLE


def test_collected_files_are_hashed_compressed_and_import_one_another_by_their_hashed_names(tmp_path, settings):
    storages = {**settings.STORAGES, "staticfiles": {"BACKEND": "dashboard.staticfiles.ManifestStaticFiles"}}
    with override_settings(STATIC_ROOT=tmp_path, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
    bundles = list((tmp_path / "vendor").glob("plotly.min.*.js"))
    assert len(bundles) == 1
    assert bundles[0].read_bytes() == BUNDLE.read_bytes()
    assert bundles[0].with_suffix(".js.gz").stat().st_size < 2_000_000
    page = next((tmp_path / "js" / "pages").glob("board.*.js")).read_text()
    imports = re.findall(r"""from\s*["']([^"']+)["']""", page)
    assert imports
    assert all(re.search(r"\.[0-9a-f]{12}\.js$", name) for name in imports)


def test_every_script_but_plotly_is_searched_for_names_of_others():
    searched = ManifestStaticFiles()._patterns
    assert not matches_patterns(PLOTLY_NAME, searched)
    mine = [
        str(path.relative_to(settings.BASE_DIR / "static")) for path in (settings.BASE_DIR / "static").rglob("*.js")
    ]
    assert mine
    assert all(matches_patterns(name, searched) for name in mine)
