# SPDX-License-Identifier: MIT
"""npz.py TRUTH FILE [CLOTH]: numpy opens an exported NPZ, and it holds the run to the last bit.

Without CLOTH all cloths are joined, and faces are triangles because they mix; with CLOTH faces are as wide as given.
"""
import json
import sys
import zipfile

import numpy


def joined(frame, key, width_of):
    """Rows of all cloths below each other; indices counted on from cloth to cloth."""
    rows, first = [], 0
    for cloth in frame:
        rows += [[index + first for index in row] for row in cloth[key]]
        first += len(cloth[width_of])
    return rows


def triangle_uv(cloth):
    """For each triangle the uv of the polygon that holds it."""
    rows = []
    for triangle in cloth["triangles"]:
        face, uv = next((f, u) for f, u in zip(cloth["faces"], cloth["faces_uv"]) if set(triangle) <= set(f))
        rows.append([uv[face.index(node)] for node in triangle])
    return rows


def main():
    truth = json.load(open(sys.argv[1]))
    frames = truth["frames"]
    if len(sys.argv) > 3:
        frames = [[frame[int(sys.argv[3])]] for frame in frames]
    first = frames[0]
    keeps_faces = len({len(face) for cloth in first for face in cloth["faces"]}) == 1
    for cloth in first:
        cloth["t_uv"] = cloth["faces_uv"] if keeps_faces else triangle_uv(cloth)

    assert zipfile.ZipFile(sys.argv[2]).testzip() is None
    data = numpy.load(sys.argv[2])
    assert sorted(data.files) == ["faces", "faces_uv", "fps", "vertices_seq", "vertices_uv"], data.files
    points = numpy.array([[x for cloth in frame for x in cloth["points"]] for frame in frames], dtype="<f8")
    expected = {
        "vertices_seq": points,
        "faces": numpy.array(joined(first, "faces" if keeps_faces else "triangles", "points"), dtype="<i4"),
        "vertices_uv": numpy.array([uv for cloth in first for uv in cloth["uv"]], dtype="<f8"),
        "faces_uv": numpy.array(joined(first, "t_uv", "uv"), dtype="<i4"),
        "fps": numpy.array(float(truth["fps"])),
    }
    for name, value in expected.items():
        found = data[name]
        assert found.dtype == value.dtype and found.shape == value.shape, (name, found.dtype, found.shape, value.shape)
        assert found.tobytes() == value.tobytes(), name
    print("ok: numpy", numpy.__version__, {name: data[name].shape for name in data.files})


main()
