/* SPDX-License-Identifier: MIT */
/* Numbers that tune the player's frames. */
#ifndef TOOL_PLAYER_PARAMS_H
#define TOOL_PLAYER_PARAMS_H

/* Largest distance of a point from its place, m: wanted, and accepted to meet the budget. The ball of scenes/ball.yaml
 * takes 0.7 MB at the first; each doubling saves about a bit a number. */
#define CLIP_GOOD_ERROR 0.04e-3
#define CLIP_WORST_ERROR 0.16e-3
/* Bytes of a page's frames, where nothing is said. */
#define CLIP_BUDGET ((size_t)8 << 20)
/* Bytes of positions that are kept while frames come in; above, every other frame is dropped. Tried: 1 GB, which is too
 * much beside a run. */
#define CLIP_MEMORY ((size_t)512 << 20)
/* Bytes before deflating that go into a chunk. A page reads a chunk's text at one go, which is to take it less than
 * 8 ms; 1 MB took up to 15 ms, and deflates no better. */
#define CLIP_CHUNK ((size_t)1 << 18)
/* Triangles of a part that a page shows at most; more are thinned by putting nodes of a cell together. */
#define CLIP_TRIANGLES 300000
/* Points of the lines of contours in a frame, at most; what is left out is told. */
#define CLIP_LINE_POINTS 20000
/* The same of a page that is served and has a browser's memory. A million triangles at full precision are drawn; of
 * three million the browser's indices, normals and lines take about a GB. */
#define CLIP_STREAM_TRIANGLES 1500000
#define CLIP_STREAM_POINTS 400000
/* Pressures are a byte a node: the least that counts, Pa, a thirtieth of what cotton weighs; and from each number to
 * the next: to 7 %. The ball of scenes/ball.yaml takes 0.1 MB for them; with 1.1 it is 0.011 MB more. */
#define CLIP_LEAST_PRESSURE 0.05
#define CLIP_PRESSURE_FACTOR 1.15
/* Parts have two bytes in a record. */
#define CLIP_PARTS 65535

#endif
