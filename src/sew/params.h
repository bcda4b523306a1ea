/* SPDX-License-Identifier: MIT */
/* Numbers of the folder that somebody has chosen: what each does, its unit, what was tried, and which test or bench
 * shows it. All of them show in `weft-bench garments` (docs/lab/sewing.md). */
#ifndef WEFT_SEW_PARAMS_H
#define WEFT_SEW_PARAMS_H

/* ---- pulling (sew.c) --------------------------------------------------------------------------------------------- */

/* Below this distance the springs of a seam no longer get stiffer, m. test_sew:
 * a_tie_that_is_set_anew_comes_nearer_by_no_more_than_its_springs_are_shorter. */
#define SEW_STIFFEST 2e-4
/* Seams of the next stage are pulled in full as soon as those before are this near, m. */
#define SEW_NEXT_STAGE 5e-3
/* Until then they are pulled with this share of the tension: what hangs loose in the meantime comes along, and the cap
 * of a sleeve does not stand inside the armhole that closes over it. On the sweatshirt of FreeSewing at 30 mm 0, 0.03,
 * 0.15 and 0.3 left gaps of 11.9, 1.4, 0.5 and 2.8 mm, and 9.5, 8.0, 6.2 and 8.3 % of stretch. */
#define SEW_ADVANCE 0.15
/* Seams that are nearly shut, within the share NEARLY of weft_sew_def.at_last, for so long, s, and come no nearer, will
 * not: what is in the way stays there. */
#define SEW_NEARLY 0.5
#define SEW_PATIENCE 0.2
/* A garment that has just been let go does not move yet: it is not called still before this, s. */
#define SEW_SETTLE_LEAST 0.4

/* ---- elastics and hems (elastic.c, hem.c) ------------------------------------------------------------------------ */

/* Force of an elastic that is drawn out by its own length, N. That of a waistband of 25 mm; the fabric beside it is
 * several times stiffer, but buckles. */
#define SEW_ELASTIC_FORCE 40.0
/* Length that ties of elastics and hems are made with before their springs have their own, m. Not 0: the nodes are no
 * pair to be joined. */
#define SEW_TIE_LENGTH 1e-3
/* Layers of a hem, turned in twice, and of a seam allowance, turned back once. test_sew:
 * hems_keep_borders_from_stretching. */
#define SEW_HEM_LAYERS 2
#define SEW_SEAM_LAYERS 1

/* ---- untangling after welding (mend.c) --------------------------------------------------------------------------- */

/* What triangles that intersected are set apart, m, and iterations for that. test_sew:
 * drafts_are_sewn_on_the_form_with_seams_shut_and_nothing_intersecting. */
#define SEW_MEND_GAP 1e-3
#define SEW_MEND_ITERATIONS 300

#endif
