# SPDX-License-Identifier: MIT
"""usda.py TRUTH FILE: a strict parser of the part of USDA that meshes need, and a check of what it finds.

Grammar, in the order of a file: the line "#usda 1.0"; metadata in parentheses; prims "def Type "name" { ... }" of
attributes "[uniform] type name = value [(metadata)]" or "type name.timeSamples = { time: value, ... }" and prims. The
check: counts and indices fit, extents are those of the points, every value is the run's to the last bit.
"""
import json
import re
import sys

TOKEN = re.compile(r'\s*(?:("(?:[^"\\\n]|\\.)*")|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)'
                   r'|([A-Za-z_][\w:.]*(?:\[\])?)|([][(){}=,:]))')
TYPES = {"int[]": int, "point3f[]": 3, "float3[]": 3, "texCoord2f[]": 2, "token": str, "bool": int}


class Parser:
    def __init__(self, text):
        head, _, rest = text.partition("\n")
        assert head == "#usda 1.0", head
        self.tokens, at = [], 0
        rest = rest.rstrip()
        while at < len(rest):
            match = TOKEN.match(rest, at)
            assert match, "no token at: " + rest[at:at + 40]
            self.tokens.append(match.group(match.lastindex))
            at = match.end()
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, expected=None):
        token = self.peek()
        assert token is not None and expected in (None, token), f"expected {expected}, found {token} ({self.at})"
        self.at += 1
        return token

    def value(self):
        token = self.take()
        if token in "[(":
            end, out = {"[": "]", "(": ")"}[token], []
            while self.peek() != end:
                out.append(self.value())
                if self.peek() != end:
                    self.take(",")
            self.take(end)
            return out if end == "]" else tuple(out)
        if token[0] == '"':
            return json.loads(token)
        return int(token) if re.fullmatch(r"[-+]?\d+", token) else float(token)

    def metadata(self):
        out = {}
        self.take("(")
        while self.peek() != ")":
            name = self.take()
            self.take("=")
            assert name not in out, name
            out[name] = self.value()
        self.take(")")
        return out

    def samples(self):
        out = {}
        self.take("{")
        while self.peek() != "}":
            time = float(self.take())
            assert not out or time > max(out), "times must rise"
            self.take(":")
            out[time] = self.value()
            if self.peek() != "}":
                self.take(",")
        self.take("}")
        return out

    def attribute(self, prim):
        if self.peek() == "uniform":
            self.take()
        kind, name = self.take(), self.take()
        assert kind in TYPES, kind
        attribute = prim["attributes"].setdefault(name.removesuffix(".timeSamples"), {"type": kind})
        assert attribute["type"] == kind
        if self.peek() == "=":
            self.take()
            key = "samples" if name.endswith(".timeSamples") else "value"
            assert key not in attribute, name
            attribute[key] = self.samples() if key == "samples" else self.value()
        if self.peek() == "(":
            attribute["metadata"] = self.metadata()

    def prim(self):
        self.take("def")
        prim = {"type": self.take(), "name": self.value(), "attributes": {}, "prims": []}
        assert re.fullmatch(r"[A-Za-z_]\w*", prim["name"]), prim["name"]
        self.take("{")
        while self.peek() != "}":
            if self.peek() == "def":
                prim["prims"].append(self.prim())
            else:
                self.attribute(prim)
        self.take("}")
        return prim

    def layer(self):
        out = {"metadata": self.metadata(), "prims": []}
        while self.peek() is not None:
            out["prims"].append(self.prim())
        return out


def at_time(attribute, time):
    """Held, as USD does with what it cannot interpolate."""
    if "samples" not in attribute:
        return attribute["value"]
    return attribute["samples"][max(t for t in attribute["samples"] if t <= time)]


def check_frame(mesh, cloth, time):
    def get(name):
        return at_time(mesh[name], time)

    points = mesh["points"]["samples"][time]
    assert [list(x) for x in points] == cloth["points"], "points are not those of the run"
    assert get("faceVertexCounts") == [len(face) for face in cloth["faces"]]
    assert get("faceVertexIndices") == [node for face in cloth["faces"] for node in face]
    assert all(0 <= node < len(points) for node in get("faceVertexIndices"))
    assert [list(uv) for uv in get("primvars:st")] == cloth["uv"]
    assert get("primvars:st:indices") == [uv for face in cloth["faces_uv"] for uv in face]
    low, high = mesh["extent"]["samples"][time]
    for axis in range(3):
        assert low[axis] == min(x[axis] for x in points) and high[axis] == max(x[axis] for x in points)


def check_no_blend(mesh):
    """Samples on both sides of a change: between neighbours, values are equal or a frame apart."""
    for name in ("faceVertexCounts", "faceVertexIndices", "primvars:st", "primvars:st:indices"):
        samples = sorted(mesh[name].get("samples", {}).items())
        for (before, a), (after, b) in zip(samples, samples[1:]):
            assert a == b or after == before + 1, (name, before, after)


def main():
    truth = json.load(open(sys.argv[1]))
    layer = Parser(open(sys.argv[2]).read()).layer()
    meta, frames = layer["metadata"], truth["frames"]
    assert meta["upAxis"] == "Y" and meta["metersPerUnit"] == 1 and meta["timeCodesPerSecond"] == truth["fps"]
    assert meta["startTimeCode"] == 0 and meta["endTimeCode"] == len(frames) - 1
    (root,) = layer["prims"]
    assert root["name"] == meta["defaultPrim"] and root["type"] == "Xform"
    assert len({prim["name"] for prim in root["prims"]}) == len(frames[0]) == len(root["prims"])
    for k, prim in enumerate(root["prims"]):
        mesh = prim["attributes"]
        assert prim["type"] == "Mesh" and mesh["subdivisionScheme"]["value"] == "none"
        assert mesh["primvars:st"]["metadata"] == {"interpolation": "faceVarying"}
        assert len(mesh["points"]["samples"]) == len(mesh["extent"]["samples"]) == len(frames)
        for time, frame in enumerate(frames):
            check_frame(mesh, frame[k], float(time))
        check_no_blend(mesh)
    print("ok: usda", [prim["name"] for prim in root["prims"]], len(frames), "frames")


main()
