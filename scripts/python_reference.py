#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the public headers say of fields, for Python: python/weft/_fields.py, from which docstrings get units, ranges
and defaults; and, of the package with these, docs/python-api.md.

usage: scripts/python_reference.py [--check] (of the package in build/python, or in the folder WEFT_BUILD)
--check: changes nothing, and fails where a file is not what it would write."""
import inspect
import os
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
FIELDS = ROOT / "python/weft/_fields.py"
PAGE = ROOT / "docs/python-api.md"
PUBLIC = sorted((ROOT / "include/weft").glob("*.h")) + sorted((ROOT / "include/weft/io").glob("*.h"))

# Callables of the package, and the structs whose fields their arguments are. Names that differ: Python's of C's.
TAKES = {
    "Fabric": ["weft_fabric"], "Sim": ["weft_sim_def"], "Sim.add_grid": ["weft_grid_def", "weft_cloth_model"],
    "Sim.add_mesh": ["weft_mesh_def", "weft_cloth_model"], "Sim.add_collider": ["weft_collider_def"],
    "Sim.attach": ["weft_attachment_def"], "Sim.tie": ["weft_tie_def"], "Adapt": ["weft_adapt"],
    "untangle": ["weft_untangle_def"], "detect": ["weft_detect_query"],
    "Pattern.draft": ["weft_measures"], "form": ["weft_form_def", "weft_measures"], "Garment": ["weft_garment_def"],
    "Garment.fit": ["weft_fit_def"], "Sewing": ["weft_sew_def", "weft_cloth_model"], "Run.export": ["weft_export_def"],
    "Solid": ["weft_collider_def"], "Cloth.set_filter": ["weft_filter"], "Collider.set_filter": ["weft_filter"],
}
RENAMED = {
    "weft_attachment_def": {"from": "start"}, "weft_export_def": {"from": "start"},
    "weft_untangle_def": {"colliders": "solids", "object_is_collider": "colliders", "object_is_rigid": "rigid",
                          "object_side": "sides"},
}


def comment_of(text):
    """The words of a comment, without its marks."""
    return re.sub(r"\s+", " ", re.sub(r"\n\s*\*", " ", text)).strip()


def fields_of(body):
    """Name and comment of each field of a struct: behind it, or before it."""
    found, before = {}, ""
    pattern = r"/\*(?P<comment>.*?)\*/|(?P<field>[^;/{}]+;)(?:[ \t]*(?:/\*(?P<behind>.*?)\*/))?"
    for m in re.finditer(pattern, body, re.S):
        if m["comment"] is not None:
            before = comment_of(m["comment"])
            continue
        names = re.sub(r"\[[^]]*\]", "", m["field"].rstrip(";").split(None, 1)[-1])
        for name in re.findall(r"(\w+)\s*(?:,|$)", re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", names)):
            found[name] = comment_of(m["behind"]) if m["behind"] else before
        before = ""
    return {name: text for name, text in found.items() if text}


def structs():
    found = {}
    for header in PUBLIC:
        for m in re.finditer(r"typedef struct (\w+) \{\n(.*?)\n\} \1;", header.read_text(), re.S):
            found[m[1]] = fields_of(m[2])
    return found


def quoted(text, indent):
    """A text as Python has it, over several lines where it is long."""
    parts = textwrap.wrap(text, 106 - indent, break_long_words=False) or [""]
    return "\n".join(" " * indent + repr(part + (" " if k + 1 < len(parts) else "")) for k, part in enumerate(parts))


def fields_file():
    every = structs()
    used = sorted({struct for of in TAKES.values() for struct in of})
    lines = ['# SPDX-License-Identifier: MIT',
             '"""Made by scripts/python_reference.py from the headers in include/weft: edit these."""',
             'from typing import Dict, Tuple', '',
             "# Per struct: field, as Python calls it, to what it is, its unit, range and default.",
             'STRUCTS: Dict[str, Dict[str, str]] = {']
    for struct in used:
        lines.append(f'    "{struct}": {{')
        for field, text in every[struct].items():
            lines.append(f'        "{RENAMED.get(struct, {}).get(field, field)}":\n{quoted(text, 12)},')
        lines.append("    },")
    lines += ["}", "", "# Callables of the package, and the structs whose fields their arguments are.",
              "TAKES: Dict[str, Tuple[str, ...]] = {"]
    lines += [f'    "{name}": ({" ".join(f"{struct!r}," for struct in of)}),' for name, of in TAKES.items()]
    return "\n".join([*lines, "}"]) + "\n"


# ---- the page ------------------------------------------------------------------------------------------------------


def signature_of(thing):
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    text = re.sub(r"^\((self|cls)(, )?", "(", text).replace("'", "")
    text = re.sub(r"Optional\[((?:[^][]|\[[^][]*\])+)\]", r"\1 | None", text)
    return text.replace(" -> None", "")


def described(name, thing, level, fields):
    doc = inspect.getdoc(thing) or ""
    if fields:
        doc = doc[:doc.rindex("\n\n")]
    lines = [f"{'#' * level} `{name}`", ""]
    if callable(thing) and not hasattr(thing, "__total__"):
        lines += ["```", *textwrap.wrap(name + signature_of(thing), 116, subsequent_indent="    ",
                                        break_long_words=False), "```", ""]
    lines += [doc, ""]
    if fields:
        lines += ["| argument | |", "|---|---|"]
        lines += [f"| `{field}` | {text.replace('|', chr(92) + '|')} |" for field, text in fields.items()]
        lines.append("")
    return lines


def members(cls):
    for name, member in vars(cls).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield name, member
        elif callable(getattr(member, "__func__", member)):
            yield name, getattr(member, "__func__", member)


def inherited(cls):
    seen = set()
    for base in cls.__mro__:
        if base.__module__.startswith("weft") and not issubclass(base, (dict, Exception)):
            for name, member in members(base):
                if name not in seen:
                    seen.add(name)
                    yield name, member


def api_page(weft):
    lines = ["# The Python API", "",
             "Made by `scripts/python_reference.py` from the package and the C headers, in which units, ranges and",
             "defaults stand. [python.md](python.md) is the manual. Lengths are metres.", ""]
    for name in sorted(weft.__all__, key=lambda n: (n[0].islower(), n.lower())):
        thing = getattr(weft, name)
        if not callable(thing):
            continue
        lines += described(name, thing, 2, weft._document.known_fields(name, thing))
        if inspect.isclass(thing) and not issubclass(thing, (Exception, dict)):
            for member, function in inherited(thing):
                whole = f"{name}.{member}"
                lines += described(whole, function, 3, weft._document.known_fields(whole, function))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def main():
    checks = sys.argv[1:] == ["--check"]
    package = ROOT / os.environ.get("WEFT_BUILD", "build") / "python"
    fields = fields_file()
    stale = [FIELDS] if FIELDS.read_text() != fields else []
    if not checks:
        for place in (FIELDS, package / "weft/_fields.py"):
            place.write_text(fields)
    sys.path.insert(0, str(package))
    import weft
    page = api_page(weft)
    stale += [PAGE] if PAGE.read_text() != page else []
    if not checks:
        PAGE.write_text(page)
    elif stale:
        sys.exit(f"{', '.join(str(f.relative_to(ROOT)) for f in stale)}: scripts/python_reference.py makes it anew")


if __name__ == "__main__":
    main()
