/* SPDX-License-Identifier: MIT */
/* Measures the ribbon of Provot 1997, figure 5, beside his hour: 4000 polygons rumple on a table for six seconds. Ours
 * is audited exactly after every step. His garments are in bench_garments.c. */
#include "bench.h"
#include "bench_run.h"
#include "bench_table.h"
#include "say.h"

#include <stdio.h>

int bench_provot(const bench_options *o)
{
    static const bench_column columns[] = {
        {"", "who", -6},
        {"triangles", "triangles", 9},
        {"cloth s", "cloth_s", 8},
        {"wall s", "wall_s", 8},
        {"CPU s", "cpu_s", 8},
        {"wall s a s of cloth", "wall_s_s", 19},
        {"interpenetrations", "intersections", 17},
        {"audits", "audits", 6},
        {"stretch", "stretch", 7},
    };
    bench_table t;
    weft_error e;
    bench_figures f;
    bench_scene_def def = {.kind = SCENE_RIBBON, .n_threads = o->n_threads};
    table_begin(&t, columns, sizeof columns / sizeof *columns);
    table_text(&t, "Provot");
    table_count(&t, 4000);
    table_number(&t, 1, 6);
    table_number(&t, 1, 3600);
    table_text(&t, "");
    table_number(&t, 2, 600);
    table_count(&t, 0);
    table_text(&t, "");
    table_text(&t, "");
    if (bench_run(&def, 0, o->quick ? 60 : 360, 1, &f, &e) < 0)
        return say_wrong("%s", e.text);
    table_text(&t, "ours");
    table_count(&t, 4000);
    table_number(&t, 1, f.cloth);
    table_number(&t, 1, f.wall);
    table_number(&t, 1, f.cpu);
    table_number(&t, 2, f.wall / f.cloth);
    table_count(&t, f.found);
    table_count(&t, f.audits);
    table_number(&t, 3, f.stretch);
    int code = table_end(&t, o, "provot");
    return code != EXIT_FINE ? code : f.found > 0 ? EXIT_NO : EXIT_FINE;
}
