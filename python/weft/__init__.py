# SPDX-License-Identifier: MIT
"""Weft drapes cloth: sheets in SI units that behave the same on any mesh, to the last bit the same on any machine.

    import weft
    sim = weft.Sim()
    ball = sim.add_collider("sphere", radius=0.2)
    cloth = sim.add_grid(41, 41, 0.72, 0.72, corner=(-0.36, 0.25, 0.36), fabric="cotton")
    for _ in range(60):
        sim.step(1 / 60)
    print(cloth.positions())

Lengths are metres, times seconds, masses kilograms. Arrays come in by the buffer protocol (numpy's, array.array,
memoryview; float32 too), by DLPack (tensors of frameworks, on the CPU) or as sequences, and go out as numpy arrays, or
memoryviews where there is no numpy; `out=` fills an array of yours. Options that are left out have the library's
defaults; what they mean, with units, ranges and defaults, stands with each function below."""
from . import _document, _explain
from ._errors import (ArgumentError, BusyError, Cancelled, Error, FileError, NotFoundError, StepError, WARNINGS,
                      result_name)
from ._fabric import Adapt, Fabric, fabrics
from ._garment import (Body, Garment, Pattern, Sewing, Sewn, curves_turn, drafts, form, placement_at, sew, turn_panel)
from ._mesh import (Check, Detected, Hit, Mesh, Motion, Solid, ccd, ccd_find, ccd_thickness, check, detect, read_mesh,
                    untangle, write_mesh)
from ._scene import Frame, Run, RunWriter, Scene, Stage, export_formats, scene_reference, scene_schema
from ._sim import (Attachment, Cloth, Collider, Sim, Tie, add_stats, keys_at, snapshot_check, stats_fields)
from ._view import Clip, Page, view
from ._weft import version as _version

__version__: str = _version()
__all__ = [
    "Adapt", "ArgumentError", "Attachment", "Body", "BusyError", "Cancelled", "Check", "Clip", "Cloth", "Collider",
    "Detected", "Error", "Fabric", "FileError", "Frame", "Garment", "Hit", "Mesh", "Motion", "NotFoundError", "Page",
    "Pattern", "Run", "RunWriter", "Scene", "Sewing", "Sewn", "Sim", "Solid", "Stage", "StepError", "Tie", "WARNINGS",
    "add_stats", "ccd", "ccd_find", "ccd_thickness", "check", "curves_turn", "detect", "drafts", "export_formats",
    "fabrics", "form", "keys_at", "placement_at", "read_mesh", "result_name", "scene_reference", "scene_schema", "sew",
    "snapshot_check", "stats_fields", "turn_panel", "untangle", "view", "write_mesh",
]
_document.document(globals())
_explain.explain(globals())
