/* SPDX-License-Identifier: MIT */
/* Blender, run on the ball scene, if it is installed. */
#ifndef BENCH_PEERS_BLENDER_H
#define BENCH_PEERS_BLENDER_H

#include <weft/base.h>

typedef struct blender_figures {
    char version[40];
    double cpu, wall; /* s, of all frames */
    double stretch;   /* largest length over rest length, of all frames */
    int32_t inside;   /* triangles that reach more than 2 mm into the ball at the end */
} blender_figures;

bool blender_is_there(void);
/* n × n nodes, as many frames of 1/60 s. apart: how far surfaces are kept apart, m; 0: as Blender has it, 15 mm. */
weft_result blender_run(int32_t n, int32_t frames, double apart, blender_figures *out, weft_error *e);

#endif
