# SPDX-License-Identifier: MIT
"""What notebooks and view() show: pages with the player, whole and by themselves."""
import html
import json
import re
import shutil
import subprocess

import numpy as np
import pytest
import weft
from conftest import ROOT
from test_api import ball, run


def head_of(page):
    return json.loads(html.unescape(re.search(r'data-head="([^"]*)"', page)[1]))


def things(tmp_path):
    sim, _, _ = ball(n=9)
    run(sim, 5)
    scene = weft.Scene.load(ROOT / "scenes/ball.yaml", {"output.frames": 2})
    runs = scene.stage().record(tmp_path / "ball.weft")
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, -1], [0.2, 0.2, 1], [0.8, 0.8, 0.0]])
    check = weft.check(x, [[0, 1, 2], [3, 4, 5]])
    assert check
    return [sim, scene, scene.stage(), runs, runs[1], check]


def test_things_show_themselves_in_a_frame_of_their_own(tmp_path):
    for thing in things(tmp_path):
        frame = thing._repr_html_()
        assert frame.startswith("<iframe srcdoc=") and frame.count("<iframe") == 1
        page = html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1])
        head = head_of(page)
        assert head["parts"] and head["frames"] and "http" not in re.sub(r"http://www\.w3\.org/\S+", "", page)
        assert "{{" not in page.split("<script>")[0] and "<!-- include" not in page


def test_view_writes_a_file_and_opens_it(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    sim, _, cloth = ball(n=9)
    page = weft.view(sim, tmp_path / "sim.html")
    assert opened == [(tmp_path / "sim.html").as_uri()] and "1 frames" in repr(page)
    assert [s["kind"] for s in head_of(page.text())["solids"]] == ["sphere"]
    weft.view((cloth.positions(), cloth.triangles()), tmp_path / "mesh.html", show=False)
    assert len(opened) == 1 and (tmp_path / "mesh.html").stat().st_size > 10000
    with pytest.raises(TypeError, match="cannot be shown"):
        weft.view(3)


def test_clips_have_the_frames_they_were_given():
    sim = weft.Sim()
    plate = sim.add_collider("mesh", vertices=[[-1, 0, -1], [-1, 0, 1], [1, 0, 1], [1, 0, -1]],
                             triangles=[[0, 1, 2], [0, 2, 3]])
    sim.add_grid(5, 5, 0.4, 0.4, corner=(-0.2, 0.1, 0.2), adapt=1)
    clip = weft.Clip(sim)
    for i in range(6):
        clip.add()
        plate.set_pose((0, 0.01 * i, 0))
        sim.step(1 / 60)
    head = head_of(clip.page().text())
    assert [f[0] for f in head["frames"]] == list(range(6)) and len(head["parts"]) == 2
    assert clip.page(megabytes=0.001).n_frames <= 6
    with pytest.raises(ValueError, match="no simulation"):
        weft.Clip().add()
    with pytest.raises(ValueError, match="no frame yet"):
        weft.Clip(sim)._repr_html_()


@pytest.mark.skipif(not shutil.which("chromium"), reason="no chromium")
def test_chromium_draws_what_a_notebook_shows(tmp_path):
    """The cell's HTML within another page: the player says that it is ready, and its picture has cloth in it."""
    sim, _, _ = ball(n=21)
    clip = weft.Clip(sim, title="falls <on> a \"ball\"")
    for _ in range(12):
        clip.add()
        run(sim, 3)
    notebook = tmp_path / "notebook.html"
    notebook.write_text("<!DOCTYPE html><meta charset=utf-8><h1>In [1]</h1>" + clip._repr_html_())
    shot = tmp_path / "shot.png"
    subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--hide-scrollbars",
                    "--enable-unsafe-swiftshader", "--window-size=900,640", "--virtual-time-budget=8000",
                    f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={shot}", notebook.as_uri()],
                   check=True, capture_output=True, timeout=120)
    reds = count_red(shot)
    assert reds > 2000  # pixels of the cloth's front


def count_red(png):
    import struct
    import zlib
    data = png.read_bytes()
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert depth == 8 and kind in (2, 6)
    at, packed = 8, b""
    while at < len(data):
        n, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + n] if name == b"IDAT" else b""
        at += n + 12
    size = 3 if kind == 2 else 4
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * size)
    rows = unfilter(lines, size).reshape(height, width, size).astype(int)
    return int(((rows[..., 0] > 110) & (rows[..., 0] > rows[..., 1] + 50) & (rows[..., 0] > rows[..., 2] + 50)).sum())


def unfilter(lines, size):
    out = np.zeros((len(lines), lines.shape[1] - 1), np.uint8)
    before = np.zeros(lines.shape[1] - 1, np.uint8)
    for y, line in enumerate(lines):
        kind, row = line[0], line[1:].astype(np.int32)
        if kind == 2:
            row = row + before
        elif kind in (1, 3, 4):
            row = unfilter_row(kind, row.tolist(), before.tolist(), size)
        before = np.array(row, np.int32).astype(np.uint8)
        out[y] = before
    return out


def unfilter_row(kind, row, before, size):
    for i, value in enumerate(row):
        a, b = row[i - size] if i >= size else 0, before[i]
        c = before[i - size] if i >= size else 0
        if kind == 1:
            guess = a
        elif kind == 3:
            guess = (a + b) // 2
        else:
            p = a + b - c
            guess = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[i] = (value + guess) & 255
    return row
