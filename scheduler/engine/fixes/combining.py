"""Several changes that are needed together, as one."""

from __future__ import annotations

from scheduler.engine.fixes.change import Clone, Create, Edit, Fix, Patch, Put
from scheduler.engine.fixes.manifests import put
from scheduler.engine.objects import ObjectKey

AND = ", and "


def together(fixes: list[Fix]) -> Fix:
    """Several changes that are needed together."""
    first, *others = [one.title for one in fixes]
    parts = [part for text in (first, *others) for part in text.split(AND)]
    lowered = [parts[0], *(text[:1].lower() + text[1:] for text in parts[1:])]
    title = AND.join([", ".join(lowered[:-1]), lowered[-1]])
    return Fix(
        "+".join(one.kind for one in fixes),
        title,
        merged([edit for one in fixes for edit in one.edits]),
        max(one.effort for one in fixes),
        sum(one.size for one in fixes) + len(fixes),
        note=" ".join(dict.fromkeys(one.note for one in fixes if one.note)),
    )


def merged(edits: list[Edit]) -> tuple[Edit, ...]:
    """The same with one patch an object, patches first; those of an object that is made here become a part of that."""
    patches: dict[ObjectKey, list[Put]] = {}
    for edit in edits:
        if isinstance(edit, Patch):
            patches.setdefault(edit.key, []).extend(edit.puts)
    rest = [_with(edit, patches) for edit in edits if not isinstance(edit, Patch)]
    joined: list[Edit] = [Patch(key, tuple(puts)) for key, puts in patches.items()]
    return tuple(joined + rest)


def _with(edit: Edit, patches: dict[ObjectKey, list[Put]]) -> Edit:
    if isinstance(edit, Create) and edit.key in patches:
        return Create(edit.key, put(edit.manifest, patches.pop(edit.key)))
    if isinstance(edit, Clone):
        return Clone(edit.key, edit.name, (*edit.puts, *patches.pop(edit.made, ())))
    return edit
