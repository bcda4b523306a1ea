/* SPDX-License-Identifier: MIT */
/* Runs Blender for bench_peers.c, which measures ours beside it: a script makes the ball scene, steps through it and
 * prints one line.
 *
 * What is not said is as Blender has it: its cloth is cotton of 0.3 kg a vertex, five steps a frame, collisions in
 * two. Self-collision is switched on, as ours is. It keeps surfaces 15 mm apart, which is more than an edge on fine
 * meshes: then every node collides with its neighbours, and most of its time goes there. So it can be told another
 * distance. Its cloth knows no seconds: gravity moves a free node by 0.5 · 0.00981 · frames² metres at a time scale
 * of 1, whatever the frame rate; √(1000)/60 makes a frame 1/60 s. */
#define _POSIX_C_SOURCE 200809L
#include "peers_blender.h"
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char script[] =
    "import bpy, sys, time\n"
    "from mathutils import Vector\n"
    "n, frames, apart = int(sys.argv[-3]), int(sys.argv[-2]), float(sys.argv[-1])\n"
    "bpy.ops.wm.read_factory_settings(use_empty=True)\n"
    "scene = bpy.context.scene\n"
    "scene.frame_start, scene.frame_end = 1, frames + 1\n"
    "bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32, radius=0.2)\n"
    "bpy.context.object.modifiers.new('collision', 'COLLISION')\n"
    "side = 0.72\n"
    "v = [(side * (i / (n - 1) - 0.5), side * (j / (n - 1) - 0.5), 0.25) for j in range(n) for i in range(n)]\n"
    "f = [(j * n + i, j * n + i + 1, (j + 1) * n + i + 1, (j + 1) * n + i) for j in range(n - 1) for i in range(n - "
    "1)]\n"
    "mesh = bpy.data.meshes.new('sheet')\n"
    "mesh.from_pydata(v, [], f)\n"
    "mesh.update()\n"
    "sheet = bpy.data.objects.new('sheet', mesh)\n"
    "scene.collection.objects.link(sheet)\n"
    "cloth = sheet.modifiers.new('cloth', 'CLOTH')\n"
    "cloth.settings.time_scale = 1000 ** 0.5 / 60\n"
    "cloth.collision_settings.use_self_collision = True\n"
    "if apart > 0:\n"
    "    cloth.collision_settings.distance_min = cloth.collision_settings.self_distance_min = apart\n"
    "cloth.point_cache.frame_start, cloth.point_cache.frame_end = 1, frames + 1\n"
    "rest = side / (n - 1)\n"
    "edges = [tuple(e.vertices) for e in mesh.edges]\n"
    "cpu = wall = stretch = 0\n"
    "for k in range(1, frames + 2):\n"
    "    c, w = time.process_time(), time.time()\n"
    "    scene.frame_set(k)\n"
    "    now = sheet.evaluated_get(bpy.context.evaluated_depsgraph_get())\n"
    "    cpu, wall = cpu + time.process_time() - c, wall + time.time() - w\n"
    "    x = [Vector(p.co) for p in now.data.vertices]\n"
    "    stretch = max([stretch] + [(x[a] - x[b]).length / rest for a, b in edges])\n"
    "deep = [p.length < 0.198 for p in x]\n"
    "inside = sum((deep[a] or deep[b] or deep[c]) + (deep[a] or deep[c] or deep[d]) for a, b, c, d in f)\n"
    "print('weft-peer', cpu, wall, stretch, inside, bpy.app.version_string)\n";

bool blender_is_there(void)
{
    return system("command -v blender >/dev/null 2>&1") == 0;
}

static bool read_line(FILE *pipe, blender_figures *out)
{
    char line[512];
    bool found = false;
    while (fgets(line, sizeof line, pipe))
        found = sscanf(line, "weft-peer %lf %lf %lf %d %39s", &out->cpu, &out->wall, &out->stretch, &out->inside,
                       out->version) == 5 ||
                found;
    return found;
}

weft_result blender_run(int32_t n, int32_t frames, double apart, blender_figures *out, weft_error *e)
{
    page command = {0};
    page_add(&command, "blender -b --factory-startup -noaudio --python-expr ");
    page_add_shell(&command, script);
    page_add(&command, " -- %d %d %g 2>/dev/null", n, frames, apart);
    FILE *pipe = command.failed ? NULL : popen(page_text(&command), "r");
    *out = (blender_figures){.cpu = 0};
    bool found = pipe && read_line(pipe, out);
    if (pipe)
        pclose(pipe);
    page_free(&command);
    if (found)
        return WEFT_OK;
    snprintf(e->text, sizeof e->text, "blender: its script printed no figures");
    return WEFT_ERROR_FILE;
}
