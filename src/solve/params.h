/* SPDX-License-Identifier: MIT */
/* The numbers of the solve that somebody chose: what each does, its unit, what else was tried, and what shows it.
 *
 * Not here: what users set (include/weft), lengths of arrays, and codes of formats. "Shown by" names a test (test_…) or
 * a bench (`weft-bench …`); docs/lab/performance.md has the experiments. Where nothing is said of results, a number
 * decides speed, and the order of sums: another one gives other bits. */
#ifndef WEFT_SOLVE_PARAMS_H
#define WEFT_SOLVE_PARAMS_H

/* ---- contacts (contact_term.c, contact_sum.c) -------------------------------------------------------------------- */

/* The damper of a contact, over mass/h². It holds cloth at rest over a way of g h²/50, 5e-5 m at h = 1/60 s; less
 * damping lets cloth bounce, more makes contacts flicker. Shown by test_landing, test_rubbing. */
#define CONTACT_DAMPER 50.0
/* Along the way that a contact slides friction has no stiffness, and Newton's method swings to and fro about where the
 * contact would stick; the secant has too much, and crawls. So contacts with a slack have this part of the secant:
 * pairs of cloth, whose normal forces are noisy, keep it, and on colliders there is less of it the farther a contact
 * has gone. Shown by test_rubbing. */
#define CONTACT_SECANT 0.5
/* Rows that one task adds the shares of contacts to. Tried 64: 16 % of a ribbon's time in place of 13.5. */
#define CONTACT_CHUNK 256
/* Contacts that one task evaluates, and most tasks: sums are made by task. */
#define CONTACT_PIECE 256
#define CONTACT_MOST_PIECES 64

/* ---- assembly (assembly*.c) -------------------------------------------------------------------------------------- */

/* A batch has the elements whose highest node is the same but for so many bits: what it adds to, some 64 rows, stays in
 * cache. Batches of one kind, over all rows, took 1.4 times as long. Shown by `weft-bench step`. */
#define ASSEMBLY_BATCH_BITS 6
/* Batches are put together to tasks, at most so many to one, as long as there are this many tasks for threads. */
#define ASSEMBLY_MOST_PER_TASK 16
#define ASSEMBLY_TASKS_WANTED 32
/* Nodes that one task places; edges whose angles one task shares. */
#define ASSEMBLY_NODE_PIECE 256
#define ASSEMBLY_SHARE_PIECE 512

/* ---- the block matrix and its chunks (blockmat.c, chunking.c) ---------------------------------------------------- */

/* The matrix has room for 1/so many of the blocks of forces more than contacts need, and for twice as many of contacts:
 * so few more contacts do not ask for memory. */
#define BLOCKMAT_SPARE 256
/* Rows that one task clears, mirrors or balances. */
#define BLOCKMAT_PIECE 256
/* Rows are smoothed chunk by chunk. Small chunks leave work for many threads, large ones have fewer rows that wait for
 * another chunk's colour: as many bits of a row's number as leave so many chunks, between two bounds. The lower bound
 * is that of the matrix (coarse levels: MULTIGRID_CHUNK_BITS). Tried 7: the solve of a ribbon by two threads 5 to 12 %
 * less an iteration, the run no less. */
#define BLOCKMAT_CHUNK_BITS 8
#define CHUNKING_MOST_BITS 10
#define CHUNKING_CHUNKS_WANTED 32
/* Rows of a pattern that one task lays out. */
#define CHUNKING_PIECE 256

/* ---- conjugate gradients (cg.c) ---------------------------------------------------------------------------------- */

/* Rows of vectors that one task goes through; sums are made by task. */
#define CG_PIECE 256
/* The error is estimated from the gains of so many iterations: with block Jacobi their sum, as they rise and fall; with
 * multigrid the slowest fall among them. Shown by test_multigrid (estimate_is_near_the_true_error). */
#define CG_WINDOW 8
#define CG_WINDOW_MULTIGRID 3
/* Solves to this error or less smooth twice on coarse levels: iterations are many enough to pay for better ones. On 72²
 * nodes on a ball to 1e-3, 13 iterations in place of 16, in about the same time. Shown by `weft-bench solve`. */
#define CG_THOROUGH 0.02
/* A cycle that rounding keeps from being positive is made anew with levels that are shifted (multigrid_build.c): at
 * first by this part of the diagonals, then by so many times that, up to the last, where block Jacobi takes over. Shown
 * by test_multigrid (rounding_makes_levels_firmer_before_blocks_take_over). */
#define CG_SHIFT_FIRST 4e-6
#define CG_SHIFT_FACTOR 4
#define CG_SHIFT_MOST 1e-2

/* ---- multigrid (multigrid*.c) ------------------------------------------------------------------------------------ */

/* Below this many rows block Jacobi takes less time than the levels take to make. */
#define MULTIGRID_LEAST_ROWS 256
/* A level of so few rows is the last, and inverted. */
#define MULTIGRID_DENSE_ROWS 12
/* A level that keeps more than this part of the rows is not worth its work: what is left is hardly coupled. */
#define MULTIGRID_MOST_KEPT 0.8
/* Rounds of matching, each of which doubles groups: on the finest level, on one of few rows, and on later levels. On
 * 146² nodes on a ball groups of four take 14 iterations to 1e-3; groups of eight take 19, up to 7 % less time and 275
 * bytes a node less; groups of eight on later levels too take 27. Iterations grow with the mesh: small ones are better
 * off with the smaller level. Shown by test_multigrid, `weft-bench solve`. */
#define MULTIGRID_FIRST_ROUNDS 2
#define MULTIGRID_FIRST_ROUNDS_SMALL 3
#define MULTIGRID_SMALL_ROWS 4096
#define MULTIGRID_LATER_ROUNDS 2
/* A row is matched with the first of those that are equally near but for rounding: another must be nearer by this
 * factor. So rows of a grid are paired alike all over it. Shown by test_multigrid (groups_of_a_grid_are_squares). */
#define MULTIGRID_NEARER 0.9999
/* Corrections of aggregates count the steps between them as strain, and are too small: they are stretched by this
 * factor, which must be less than 2. On sheets of 76² and 146² nodes on a ball 1.3 takes 15 and 20 iterations, 1.6 15
 * and 19, 1.8 16 and 18. Shown by `weft-bench solve`. */
#define MULTIGRID_STRETCH 1.6f
/* Diagonal blocks get this part of themselves added before they are inverted: more on the diagonal keeps the smoother
 * convergent in spite of rounding. A pivot below the second part of its diagonal entry, on the last level the third, is
 * rounding or a held direction, and is left out. Shown by test_multigrid (cycle_is_symmetric_and_positive). */
#define MULTIGRID_REGULAR 1e-6
#define MULTIGRID_PIVOT 1e-5
#define MULTIGRID_DENSE_PIVOT 1e-6
/* As BLOCKMAT_CHUNK_BITS, of coarse levels, whose rows are as much work as four to five of the finest. Tried 5: within
 * the noise. */
#define MULTIGRID_CHUNK_BITS 6
/* As BLOCKMAT_SPARE, of the values of all levels. */
#define MULTIGRID_SPARE 256
/* Levels of fewer numbers than this are not worth waking other threads for. */
#define MULTIGRID_SHARED_NUMBERS 2048
/* Rows that one task goes through: of any level and of a coarse one in the cycle, where values are made, where blocks
 * are linked to those of the next level, where its pattern is gathered. Tried 64 for the first: within the noise. */
#define MULTIGRID_ROW_PIECE 256
#define MULTIGRID_COARSE_PIECE 32
#define MULTIGRID_BUILD_PIECE 16
#define MULTIGRID_LINK_PIECE 256
#define MULTIGRID_GATHER_PIECE 32

/* ---- Newton's method (newton.c) ---------------------------------------------------------------------------------- */

/* A step is taken if Φ falls by this part of what its slope promises (Armijo); else it is halved, so often at most. */
#define NEWTON_ARMIJO 1e-4
#define NEWTON_HALVINGS 12
/* Decreases below this part of |Φ| are rounding: such a step is taken as it is. */
#define NEWTON_ENERGY_NOISE 1e-13
/* A solve takes this many times its limit of steps at most, where it is far from done: the step would be thrown away,
 * and done again in halves, which costs more. Shown by `weft-bench torture`. */
#define NEWTON_PATIENCE 6
/* It is far from done where line searches have taken it less than this part of the way: where one fold has shortened
 * them, the rest of the cloth would stop in its flight. Shown by test_landing. */
#define NEWTON_LEAST_WAY 0.9
/* And where moves grow: the largest is more than that of the step before, and all together are more than this part of
 * those, for single nodes may grow at any time. By the sum alone a sheet that should slide down a slope at 1.68 m/s²
 * does so at 1.44. Nor do they grow if their mean is below the second part of the tolerance. Shown by test_rubbing. */
#define NEWTON_GROWING_SUM 0.5
#define NEWTON_GROWING_MEAN 0.1
/* Where accuracy is asked for (newton_problem): up to so many times the limit of steps. Moves that shrink more slowly
 * than by the second factor are taken to shrink by it, and those of the first step, of which nothing is known, by the
 * third. Once the error left is below so many times what is asked for, the inner solve goes on to that part of it.
 * Shown by `weft-bench contact`. */
#define NEWTON_ACCURATE 4
#define NEWTON_MOST_RATIO 0.9
#define NEWTON_FIRST_RATIO 0.5
#define NEWTON_NEAR 10.0
#define NEWTON_GOAL 0.5
/* Rows that one task goes through, and most tasks: sums are made by task. */
#define NEWTON_PIECE 512
#define NEWTON_MOST_PIECES 64

#endif
