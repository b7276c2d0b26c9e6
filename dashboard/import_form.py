"""What somebody may send to have a cluster imported: a file, text, or the name of a sample; and what to call it."""

import re
import uuid
from pathlib import PurePath
from typing import Any

from django import forms
from django.conf import settings

from scheduler.manifests.samples import BY_SLUG
from scheduler.models import Cluster
from scheduler.models.cluster import DNS_LABEL
from scheduler.services.import_jobs import forget_old_files, uploads

MIB = 1 << 20
PASTED = "pasted.yaml"
MAY_NOT_REPLACE = "Choose another name: to replace it needs the permission to delete clusters."


class ImportForm(forms.Form):
    """After `is_valid`, `arguments()` is what `import_start` wants; it stores the upload.

    `may_replace`: replacing a cluster deletes it, so that this needs the permission to.
    """

    name = forms.CharField(max_length=63, required=False, validators=[DNS_LABEL])
    file = forms.FileField(required=False, allow_empty_file=True)
    text = forms.CharField(required=False, strip=False)
    sample = forms.ChoiceField(required=False, choices=[(slug, slug) for slug in BY_SLUG])
    replace = forms.BooleanField(required=False)
    skip_invalid = forms.BooleanField(required=False)

    def __init__(self, *args: Any, may_replace: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.may_replace = may_replace

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        most = settings.PODIUM_MAX_UPLOAD_MIB
        if file is not None and (file.size or 0) > most * MIB:
            raise forms.ValidationError(f"This file is too large: at most {most} MiB. Compress it with gzip, or run "
                                        "manage.py import_cluster on the server.")  # fmt: skip
        return file

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if not self.errors and not (data.get("file") or data.get("text", "").strip() or data.get("sample")):
            self.add_error("file", "Choose a file, paste text, or pick a sample.")
        if not data.get("name") and "name" not in self.errors:
            data["name"] = free_name(self._base())
        wished, data["replace"] = data.get("replace"), data.get("replace") and self.may_replace
        if not data["replace"] and Cluster.objects.filter(name=data.get("name")).exists():
            advice = MAY_NOT_REPLACE if wished else "Choose another name, or replace it."
            self.add_error("name", f"There is a cluster {data['name']} already. {advice}")
        return data

    def _base(self) -> str:
        file = self.cleaned_data.get("file")
        return self.cleaned_data.get("sample") or (file.name if file else "") or "cluster"

    def arguments(self) -> dict[str, Any]:
        data = self.cleaned_data
        chosen = {"skip_invalid": data["skip_invalid"], "replace": data["replace"]}
        if data["sample"] and not data["file"]:
            return {"sample": data["sample"], **chosen}
        forget_old_files()
        directory = uploads() / uuid.uuid4().hex
        directory.mkdir(mode=0o700)
        path = directory / "upload"
        with path.open("wb") as target:
            for chunk in data["file"].chunks() if data["file"] else [data["text"].encode()]:
                target.write(chunk)
        return {"file": str(path), "file_name": data["file"].name if data["file"] else PASTED, **chosen}


def free_name(file_name: str) -> str:
    """A name for a cluster out of a file's name, with a number where it is taken."""
    stem = PurePath(file_name).name.split(".")[0].lower()
    base = re.sub(r"[^a-z0-9]+", "-", stem).strip("-")[:55].strip("-") or "cluster"
    taken = set(Cluster.objects.filter(name__startswith=base).values_list("name", flat=True))
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return base if base not in taken else next(name for name in numbered if name not in taken)
