#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the pages: every relative link leads to a file, and its anchor to a heading; every file that
docs/architecture.md names in `backticks` is there.

usage: check_docs.py"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
skipped = ("build", "out", ".git")
pages = [p for p in sorted(root.rglob("*.md")) if not p.relative_to(root).parts[0].startswith(skipped)
         and "node_modules" not in p.parts]


def lines_of(page):
    """Number and text of lines that are no code."""
    code = False
    for number, line in enumerate(page.read_text().split("\n"), 1):
        if line.startswith("```"):
            code = not code
        elif not code:
            yield number, line


def anchors(page):
    found = {}
    for _, line in lines_of(page):
        heading = re.match(r"#+ (.*)", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).strip().lower()
            text = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            n = found[text] = found.get(text, -1) + 1
            yield text if n == 0 else f"{text}-{n}"


def links(page):
    for number, line in lines_of(page):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            goal = (page.parent / path).resolve() if path else page
            if not goal.exists():
                yield number, f"no such file: {target}"
            elif anchor and goal.suffix == ".md" and anchor not in anchors(goal):
                yield number, f"no such heading: {target}"


def named_files(page):
    """`sim/step.c` may stand without src/ or tool/, `bvh_walk` without its ending, `forest*` for several."""
    tops = ("src", "tool", "bench", "include", "test", "docs", "scripts", "scenes", "samples", "fuzz")
    have = [p for top in tops for p in (root / top, *(root / top).rglob("*"))]
    paths = ["/" + str(p.relative_to(root)) for p in have]
    for number, line in lines_of(page):
        endings = "c|h|html|css|py|sh|txt|yaml|md"
        for name in re.findall(rf"`([a-z0-9_./*]+\.(?:{endings})|[a-z0-9_]+/[a-z0-9_*/]*|[a-z0-9_]+\*)`", line):
            pattern = re.compile("/" + re.escape(name.rstrip("/")).replace(r"\*", "[^/]*") + r"(\.[a-z]+)?$")
            if not any(pattern.search(p) for p in paths):
                yield number, f"names no file: {name}"


faults = [(p, *f) for p in pages for f in links(p)]
architecture = root / "docs/architecture.md"
faults += [(architecture, *f) for f in named_files(architecture)]
for page, number, text in faults:
    print(f"{page.relative_to(root)}:{number}: {text}")
sys.exit(bool(faults))
