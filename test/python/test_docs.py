# SPDX-License-Identifier: MIT
"""Listings are tested: README's is the sample, those of docs/python.md run, samples do what they say."""
import os
import re
import subprocess
import sys

import pytest
from conftest import BUILD, ROOT

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
PAGE = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)


def run_python(*args, cwd):
    done = subprocess.run([sys.executable, *map(str, args)], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_listing_in_the_readme_is_the_sample_and_runs(tmp_path):
    sample = (ROOT / "samples/drape.py").read_text()
    assert f"<!-- python:drape -->\n```python\n{sample}```\n" in (ROOT / "README.md").read_text()
    assert "1681 nodes" in run_python(ROOT / "samples/drape.py", cwd=tmp_path)
    assert (tmp_path / "drape.obj").stat().st_size > 10000


@pytest.mark.parametrize("listing", PAGE, ids=range(len(PAGE)))
def test_listings_of_the_page_run(listing):
    run_python("-c", listing, cwd=ROOT)


def test_a_data_set_is_made_by_processes_and_loaded(tmp_path):
    told = run_python(ROOT / "samples/dataset.py", 5, tmp_path, cwd=tmp_path)
    assert "batch (4, 441, 3)" in told and "batch (1, 441, 3)" in told


def test_fit_finds_the_stiffness_of_the_target(tmp_path):
    told = run_python(ROOT / "samples/fit.py", cwd=tmp_path)
    wanted, found = (float(v) for v in re.findall(r"([0-9.e+-]+) N·m", told))
    assert abs(found / wanted - 1) < 0.1, told  # ten rounds leave 1 % of three decades: a factor of 1.06
