"""Static files: names carry a hash of their content, so browsers keep them for ever; plotly.js comes from its wheel."""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import plotly
from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.files.storage import FileSystemStorage, Storage
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

PLOTLY_NAME = "vendor/plotly.min.js"
# The one style attribute that plotly.js (of the pinned version) sets as text: a policy can allow exactly this.
PLOTLY_STYLE = "".join(
    f"image-rendering: {value}; "
    for value in (
        "optimizeSpeed",
        "-moz-crisp-edges",
        "-o-crisp-edges",
        "-webkit-optimize-contrast",
        "optimize-contrast",
        "crisp-edges",
        "pixelated",
    )
)
PLOTLY_STYLE_HASH = f"sha256-{b64encode(sha256(PLOTLY_STYLE.encode()).digest()).decode()}"


SCRIPTS = ("js/*.js", "admin/*.js")


class ManifestStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Hashed names also inside `import … from "./x.js";`. A file is compressed once, at collectstatic.

    Only scripts that may name others are searched for names: plotly.js names none, and 5 MB take seconds.
    """

    support_js_module_import_aggregation = True
    max_post_process_passes = 20  # a pass settles one level of imports; a file that imports in a circle would never end

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._patterns.update(dict.fromkeys(SCRIPTS, self._patterns.pop("*.js")))


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise answers with an open file, which Django streams under ASGI only with a warning: give the bytes."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file:
                content = found.file.read()
        return HttpResponse(content, status=int(found.status), headers=dict(found.headers))


class _Wheel(FileSystemStorage):
    """The wheel's directory, showing one file under the name that pages use."""

    def path(self, name: str) -> str:
        if name != PLOTLY_NAME:
            raise FileNotFoundError(name)
        return super().path("plotly.min.js")


class PlotlyFinder(BaseFinder):
    """Finds `vendor/plotly.min.js` in the installed plotly package, whose version is the one that is pinned."""

    def __init__(self) -> None:
        self.storage: Storage = _Wheel(location=str(Path(plotly.__file__).parent / "package_data"))

    def check(self, **kwargs: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        if path != PLOTLY_NAME:
            return []
        found = self.storage.path(path)
        return [found] if find_all else found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, Storage]]:
        if not matches_patterns(PLOTLY_NAME, ignore_patterns):
            yield PLOTLY_NAME, self.storage
