# SPDX-License-Identifier: MIT
"""blender -b --factory-startup --python-exit-code 1 --python blender.py -- TRUTH FOLDER

Blender imports FOLDER/out.obj and plays out.pc2 and out.mdd over it, and each vertex is at every frame where the run
has it, under its own number; it imports out.glb, too, and its shape keys do the same; and out_0002.obj, as an object a
cloth.
"""
import json
import sys

import bpy
import numpy

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # the glTF importer of Blender 3.4 wants the name that numpy 1.24 dropped

truth_path, folder = sys.argv[sys.argv.index("--") + 1:]
FRAMES = json.load(open(truth_path))["frames"]
JOINED = [[x for cloth in frame for x in cloth["points"]] for frame in FRAMES]


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30


def import_obj():
    """Blender turns y-up files by the object's matrix; vertices stay as in the file."""
    clear()
    bpy.ops.wm.obj_import(filepath=folder + "/out.obj")
    meshes = [o for o in bpy.context.scene.objects if o.type == "MESH"]
    assert len(meshes) == 1, "the OBJ of a point cache must be one object"
    return meshes[0]


def points_at(target, frame):
    bpy.context.scene.frame_set(frame)
    evaluated = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    out = [tuple(v.co) for v in mesh.vertices]
    evaluated.to_mesh_clear()
    return out


def check(found, expected, what, tolerance):
    assert len(found) == len(expected), (what, len(found), len(expected))
    worst = max(abs(a - b) for x, y in zip(found, expected) for a, b in zip(x, y))
    assert worst <= tolerance, f"{what}: a vertex is off by {worst}"
    return worst


def check_cache(kind):
    target = import_obj()
    check([tuple(v.co) for v in target.data.vertices], JOINED[0], "obj", 2 ** -24)
    modifier = target.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = kind
    modifier.filepath = f"{folder}/out.{kind.lower()}"
    modifier.frame_start = 0
    modifier.interpolation = "NONE"
    for frame, points in enumerate(JOINED):
        check(points_at(target, frame), points, f"{kind}, frame {frame}", 2 ** -24)  # |x| < 2: half a unit of a float
    print(f"ok: blender {bpy.app.version_string}: {kind} plays, {len(JOINED)} frames, vertices in order")


def check_obj():
    clear()
    bpy.ops.wm.obj_import(filepath=folder + "/out_0002.obj")
    for name, cloth in (("sheet", 0), ('patch_"2"', 1)):
        mesh = bpy.data.objects[name].data
        check([tuple(v.co) for v in mesh.vertices], FRAMES[2][cloth]["points"], "obj " + name, 2 ** -24)
        assert [list(p.vertices) for p in mesh.polygons] == FRAMES[2][cloth]["faces"], "order of faces"
    print(f"ok: blender {bpy.app.version_string}: OBJ has objects, vertices and faces in order")


def check_glb():
    """The importer turns y up into z up itself. It splits vertices by nothing, as normals are one a node."""
    clear()
    bpy.ops.import_scene.gltf(filepath=folder + "/out.glb")
    meshes = sorted((o for o in bpy.context.scene.objects if o.type == "MESH"), key=lambda o: len(o.data.vertices))
    for target, cloth in zip(meshes, (1, 0)):
        for frame, points in enumerate(FRAMES):
            turned = [(x, -z, y) for x, y, z in points[cloth]["points"]]
            check(points_at(target, frame), turned, f"glb, frame {frame}", 4 * 2 ** -24)
    print(f"ok: blender {bpy.app.version_string}: GLB plays")


check_obj()
check_cache("PC2")
check_cache("MDD")
check_glb()
