#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how the sources are cut: files and lines by folder, lengths of functions, names of functions that recur in
other files, constants that tune, functions that take the whole simulation, files that open without a comment.

usage: code_metrics.py [DIRECTORY]     the repository, or another tree of the same shape"""
import collections
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
FUNCTION = re.compile(r"^(?!typedef|struct|union|enum)[A-Za-z_][^;={}]*?\b([a-z_]\w*)\(([^;{}]*?)\)\n\{\n(.*?)^\}", re.S | re.M)
# A number that somebody chose: a macro or an enumerator with a literal. Flags and sizes of formats count as well.
CONSTANT = re.compile(r"^\s*(?:#\s*define\s+)?([A-Z][A-Z0-9_]+)\s*(?:=\s*|\s)\(?-?[0-9][0-9a-zA-Z.+-]*\)?\s*,?\s*(?:/\*.*|\}.*)?$", re.M)


def sources(folder):
    return sorted(p for p in (root / folder).rglob("*") if p.suffix in (".c", ".h") and p.is_file())


def lines(path):
    return path.read_text(errors="replace").count("\n")


def functions(path):
    """Name, parameters and number of lines between the braces of each function."""
    for m in FUNCTION.finditer(path.read_text(errors="replace")):
        yield m.group(1), m.group(2), m.group(3).count("\n")


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0


def opens_with_comment(path):
    text = path.read_text(errors="replace").split("\n")
    return len(text) > 1 and text[1].startswith("/*")


src = sources("src")
folders = [str(p.relative_to(root)) for p in sorted((root / "src").iterdir()) if p.is_dir()]
print(f"{'folder':14} {'files':>6} {'lines':>7}")
for folder in folders + ["include", "tool", "bench", "test", "fuzz", "samples"]:
    found = sources(folder)
    print(f"{folder:14} {len(found):6} {sum(map(lines, found)):7}")

lengths, where, n_functions = [], collections.defaultdict(set), 0
for path in src:
    for name, _, n in functions(path):
        lengths.append(n)
        where[name].add(path)
recurring = sum(len(paths) for paths in where.values() if len(paths) > 1)
total = sum(len(paths) for paths in where.values())
print(f"\nfunctions of src: {len(lengths)}; lines: median {percentile(lengths, 0.5)}, 95 % {percentile(lengths, 0.95)}, "
      f"longest {max(lengths)}")
print(f"with a name that recurs in another file: {recurring} ({100 * recurring / total:.0f} %)")
constants = {p: len(CONSTANT.findall(p.read_text(errors="replace"))) for p in src}
tuned = {p: n for p, n in constants.items() if n and p.name != "params.h"}
print(f"constants outside of params.h: {sum(tuned.values())} in {len(tuned)} files; "
      f"in {sum(1 for p in src if p.name == 'params.h')} params.h: {sum(n for p, n in constants.items() if p.name == 'params.h')}")
sim = [args for path in sources("src/sim") for _, args, _ in functions(path)]
print(f"functions of src/sim: {len(sim)}, that take the whole simulation: {sum('weft_sim *' in a for a in sim)}")
bare = [p for p in src if not opens_with_comment(p)]
print(f"files of src that open without a comment: {len(bare)} of {len(src)}")
if "-v" in sys.argv:
    for name, paths in sorted(where.items()):
        if len(paths) > 1:
            print(f"  {name}: {' '.join(str(p.relative_to(root / 'src')) for p in sorted(paths))}")
    for p, n in sorted(tuned.items()):
        print(f"  {p.relative_to(root)}: {n} constants")
    for p in bare:
        print(f"  {p.relative_to(root)}: no comment on top")
