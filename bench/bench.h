/* SPDX-License-Identifier: MIT */
/* The benches of weft-bench. Each prints a table a person can read; the result is an exit code (say.h), 1 where a
 * figure that the bench promises is missed. */
#ifndef BENCH_H
#define BENCH_H

#include <weft/weft.h>

/* What most benches can be told; solve and torture have options of their own. */
typedef struct bench_options {
    bool quick;
    bool fine; /* contact: WEFT_CONTACT_FINE */
    int32_t n_threads;
    const char *only;         /* NULL: all parts */
    const char *folder;       /* for pictures and tables; NULL: none are written */
    const char *data;         /* the folder of data, see bench_data.h; NULL: none */
    const char *const *files; /* to be measured on */
    int32_t n_files;
    int32_t ccd_kind; /* of the queries: 0 by the file's name, 1 vertex and triangle, 2 edges */
    const char *ply;  /* a mesh; the frame after it is the first mesh among the files */
} bench_options;

/* Where a step's time goes, and how far from real time some scenes are. */
int bench_step(const bench_options *o);
/* Time and memory a node over sizes of meshes; what a second thread gives. */
int bench_scale(const bench_options *o);
/* Beside other programs. */
int bench_peers(const bench_options *o);
/* The kernel of continuous collision detection, on files of queries and pairs of frames. */
int bench_ccd(const bench_options *o);
/* Garments sewn on a body: the first file, or our own form; the other files are patterns, or our own drafts. */
int bench_garments(const bench_options *o);
/* Contact at default settings beside known answers: friction, layers, distances, momentum. */
int bench_contact(const bench_options *o);
/* Motion at default settings beside known answers: energy, momentum. */
int bench_motion(const bench_options *o);
/* Scenes in which what is held, or a collider, moves far in a step: stretch, cost of the worst step, intersections. */
int bench_violence(const bench_options *o);
/* What untangling does to cloth: random tangles; the file is a range of seeds. */
int bench_repair(const bench_options *o);
/* The same tangles in a simulation under gravity. */
int bench_untangling(const bench_options *o);

/* All of the papers' tables, and those of one paper. */
int bench_papers(const bench_options *o);
int bench_villard(const bench_options *o);
int bench_volino(const bench_options *o);
int bench_provot(const bench_options *o);
int bench_ye(const bench_options *o);

/* The inner solve, and collisions in hard scenes. argv are the words behind the name of the bench. */
int bench_solve(int argc, char **argv);
int bench_torture(int argc, char **argv);

#endif
