# SPDX-License-Identifier: MIT
"""Everything of C is reachable from Python, and what is written in two places is the same in both."""
import inspect
import re
import subprocess
import sys

import weft
from conftest import BUILD, ROOT
from weft import _document, _weft

HEADERS = sorted((ROOT / "include/weft").glob("*.h")) + sorted((ROOT / "include/weft/io").glob("*.h"))

# Public functions that the extension does without, and what stands for them.
WITHOUT = {"weft_step_stats_get": "statistics go to Python as a dict, by the fields of the struct"}
# Fields of C that are no arguments in Python, and why.
NO_ARGUMENT = {
    "n_nodes", "n_triangles", "n_quads", "n_keys", "n_vertices", "n_pairs", "n_fabrics", "n_panels", "n_cloths",
    "struct_size", "alloc", "alloc_user", "log_user", "force_user", "size_user", "progress_user", "parallel_for",
    "parallel_for_user", "model", "path", "garment", "pattern", "body", "has_body", "n_worn_vertices",
    "n_worn_triangles", "worn_vertices", "worn_triangles", "measures", "limit", "cloth", "nodes", "pressure",
    "n_objects", "object_is_collider", "object_is_rigid", "object_side", "n_layers", "n_colliders", "face_panel",
    "watch", "watch_user",
}


OTHERWISE = {"Adapt": {"size"}, "Collider.set_filter": {"itself"},
             "Solid": {"friction", "dissipation", "keys", "vertices", "triangles"}}


def public_functions():
    text = "".join(h.read_text() for h in HEADERS)
    return re.findall(r"WEFT_API [^;(]*?\b(weft_\w+)\(", text)


def test_every_public_function_is_called_by_the_extension():
    functions = public_functions()
    assert len(functions) > 210
    source = "".join(p.read_text() for p in (ROOT / "python").glob("*.c"))
    assert {f for f in functions if not re.search(rf"\b{f}\b", source)} == set(WITHOUT)


def test_every_function_of_the_extension_is_used_by_the_package_and_typed():
    package = "".join(p.read_text() for p in (ROOT / "python/weft").glob("*.py"))
    stub = (ROOT / "python/weft/_weft.pyi").read_text()
    names = {n for n in dir(_weft) if n[0] != "_"} - {"SimHandle"}
    assert {n for n in names if not re.search(rf"\b(_w\.|import ){n}\b", package)} == set()
    assert names == set(re.findall(r"^def (\w+)\(", stub, re.M))


def test_every_field_of_definitions_is_an_argument():
    missing = []
    for name in _document.TAKES:
        owner, _, method = name.partition(".")
        thing = getattr(weft, owner)
        known = set(_document.arguments_of(getattr(thing, method) if method else thing))
        known |= NO_ARGUMENT | OTHERWISE.get(name, set())
        missing += [f"{name}: {f}" for f in _document.fields_of(name) if f not in known]
    assert missing == []


def test_the_fields_that_c_reads_are_those_of_its_structs():
    source = (ROOT / "python/python_fields.c").read_text()
    sys.path.insert(0, str(ROOT / "scripts"))
    import python_reference
    every = python_reference.structs()
    for struct in ("weft_sim_def", "weft_fabric", "weft_adapt", "weft_sew_def", "weft_untangle_def", "weft_measures"):
        listed = set(re.findall(rf"F\({struct}, '\w', (\w+)\)", source))
        plain = {f for f in every[struct] if f not in NO_ARGUMENT}
        callbacks = {"log", "force", "size", "model", "seam_stage", "positions", "triangles", "objects", "layers",
                     "colliders", "masses"}
        assert plain - listed <= callbacks, struct


def test_the_reference_is_that_of_the_headers():
    subprocess.run([sys.executable, ROOT / "scripts/python_reference.py", "--check"], check=True,
                   env={"WEFT_BUILD": str(BUILD), "PATH": "/usr/bin:/bin"})


def test_everything_has_a_docstring_and_is_in_the_reference():
    page = (ROOT / "docs/python-api.md").read_text()
    for name in weft.__all__:
        thing = getattr(weft, name)
        if not callable(thing):
            continue
        assert inspect.getdoc(thing), name
        assert f"## `{name}`" in page, name
    for name in ("Sim.step", "Cloth.positions", "Run.export", "Scene.set"):
        assert f"### `{name}`" in page
    assert "m/s²; \\|g\\| ≤ 1e4" in page and "[1e-4, 1e3]; 0.5" in weft.Sim.add_collider.__doc__
