/* SPDX-License-Identifier: MIT */
/* Numbers that tune the step. Each says its unit, what it does, what was tried, and what shows it: names of tests are
 * programs in build/test, benches are `weft-bench NAME`. Numbers that users set are in weft_sim_def. */
#ifndef WEFT_SIM_PARAMS_H
#define WEFT_SIM_PARAMS_H

/* ---- substeps (substep.c) ---------------------------------------------------------------------------------------- */

/* Levels that step control goes down to by itself, for cloths that pass each other fast: steps of h/4. Failures go
 * further, to the user's halving_limit. Shown by weft-bench torture, column "parts". */
#define STEP_CONTROL_LEVELS 2
/* Fewer pairs that pass fast than this fraction of all pairs, or of all nodes, do not make all the cloth wait: a corner
 * that flaps. (A sheet of 85,000 nodes that lands on a ball has a dozen pairs in all, in the first wrinkles.) */
#define STEP_CONTROL_FEW_PAIRS 0.02
#define STEP_CONTROL_FEW_NODES 1e-3

/* Whole substeps of one length in a row before it is doubled; once one of the step has stretched cloth too far, which a
 * longer one would soon do again: tried 2, 4, 8 and 16. Shown by weft-bench violence. */
#define SUBSTEP_PATIENCE 2
#define OVERSTRETCH_PATIENCE 8
/* For violence halving_limit counts from steps of this length on, s: with longer ones a ring at 8 m/s needs as short
 * substeps; at 1/30 s five halvings stretch cloth to 50 times its limit, six are fine. Shown by weft-bench violence. */
#define VIOLENT_STEP (1.0 / 60)
/* Edges that a held node should part from a free one in a substep, at most (held_motion.c). Tried 0.5 and 1, and no
 * such bound: a blade of 10 turns a second takes 5323, 1506 and 2051 Newton steps in 0.8 s, and stretches cloth to
 * 1.06, 1.04 and 1.12 times its limit. Shown by weft-bench violence. */
#define HELD_PARTING 1.0
/* A substep that stretches an edge beyond so many times its limit is taken in halves (overstretch.c). Tried 1.1 to
 * 1.22; from 1.25 on cloth is longer than that. Nothing in weft-bench torture comes near it but what is hit or
 * dragged fast. Shown by weft-bench violence. */
#define OVERSTRETCH 1.2

/* Stretch over the limit from which on a step tells of it (outcome.c); what held nodes force is looked for from so many
 * attachments, and so often from the worst node on (forced_stretch.c). */
#define OVERSTRETCH_TOLD 1.25
#define FORCED_SOURCES 8
#define FORCED_CLIMBS 4

/* ---- solve (implicit.c) ------------------------------------------------------------------------------------------ */

/* How often a substep is solved at most, when prevention finds that something would pass through; the last time it
 * responds by itself. Shown by weft-bench torture. */
#define SOLVE_ROUNDS 3
/* The same in one of the many short substeps that violence takes. Tried 1, 2, 3: a ring at 8 m/s stretches cloth to
 * 1.05 of its limit with 2, to 1.08 with 3, for 1.25 times the Newton steps; with 1 impulses tear it, and the run
 * crawls. Shown by weft-bench violence. */
#define VIOLENT_ROUNDS 2
/* More hits than this for each node that is hit are a crowd: two sheets that go through each other whole have four, so
 * these are layers and layers without room. If a crowd is solved again and as much is hit in the last round as in the
 * first, the other substeps of the step are solved once. Each round adds what is hit to the pairs that the next one
 * feels: 490 nodes in a heap had 30,000, and steps of 32 s with 1100 Newton steps; now the slowest of them takes 3 s.
 * Scenes have less than one hit a node as a rule; a bullet in a curtain has 55, and a third of that in the next round:
 * its rounds are not in vain. Tried: 3, 4 and 8, which change no scene; 8 leaves heaps of few layers slow.
 * Shown by a_heap_on_a_plane in test/attack/cases.txt. */
#define SOLVE_CROWD 4
/* Newton's method stopped at its limit: taken all the same, unless the last step still moved a node by this fraction of
 * the mean edge length, or of the way that cloth goes in the step if that is more: cloth that lands moves by
 * centimetres in a step on any mesh, and half of a small edge would be an accuracy that nothing else has. */
#define NEWTON_ACCEPTABLE_EDGES 0.5
#define NEWTON_ACCEPTABLE_WAY 0.125
/* The same in mean edges, if the substep cannot be halved any more: the run goes on. */
#define NEWTON_BEARABLE 10.0
/* Cloth that touches nothing, fewer pairs and contacts than this part of its nodes, is solved until a Newton step moves
 * nodes by less than this many times g h², in up to NEWTON_PATIENCE times the limit of steps: what two steps leave of a
 * sheet that whips is energy. 20² to 38² nodes swinging by h = 1/60 s lose as much as converged, within 3 %; 46 to 62 %
 * in place of 26 to 28 without it, and grew by 3 to 45 % of m g L/2 in single steps. It takes 1.3 (quads) to 2.4 times
 * the time of such steps; 0.4 instead of 0.1: within 20 %, 1.2 to 2 times. Shown by `weft-bench motion --only swing`.
 * */
#define FREE_CONTACTS 0.01
#define FREE_ACCURACY 0.1
/* The same where cloths touch each other in empty space, and nothing else. With two steps sheets that meet lost 60 to
 * 99 % of their energy, by the mesh; now the same part of it on three meshes, with two fabrics, for h of 1/30 to 1/240
 * s. Tried 0.1, 0.4, 1.6: 12.5, 11.5, 9.8 Newton steps a step for 3.7, the last within 2 %. Not where there is air: a
 * sheet that a bullet has carried off at 200 m/s stretched to 1.5 to 2.0 in place of 1.05 to 1.3. Shown by `weft-bench
 * motion --only meet`. */
#define FLIGHT_ACCURACY 1.0
/* Its first guess is by the acceleration that nodes felt, with so many sweeps that keep edges from getting longer but
 * for this part. Tried 0, 5, 10, 20, 30, 100 sweeps: 10 to 30 halve the steps that a converged solve takes. */
#define GUESS_SWEEPS 20
#define GUESS_SLACK 1e-6
/* Moment of inertia that cloth in the air is given beside its own, as a share of its mass times the mean edge squared:
 * a single node has none, and only rounding would turn it. Too little to be seen of two by two nodes. Shown by
 * test_known, test_free_flight. */
#define FLIGHT_LEAST_INERTIA 1e-6
/* Of Σ m |v|: where the momentum has changed by more than that in the step before, something outside has touched the
 * cloth, and BDF2 carries a third of that on from step to step: its angular momentum need not stay. */
#define FLIGHT_PUSHED 1e-9
/* A turn moves nodes too, and what they have of angular momentum with them, so it is made up in rounds. */
#define FLIGHT_ROUNDS 3
/* A last Newton step of more than this fraction of the mean edge length is worth a warning. */
#define NEWTON_ROUGH 0.2
/* Newton steps at least where much of the cloth's weight begins or ends to slide. Friction between cloths goes by
 * forces that lag by a Newton step, and steps begin where the cloth was: a sheet that should slide down another goes a
 * third of its way in steps of two, nine tenths in steps of four. Shown by test_rubbing. */
#define NEWTON_PATIENCE_SLIDING 2
/* That is: more than this fraction of the weight slides, and more than this fraction of the pairs has just switched. */
#define SLIDING_WEIGHT 0.3
#define SLIDING_SWITCHED 0.5
/* A pair that has stopped what inertia would have pressed in by this fraction of its radius was an impact: its nodes
 * begin anew. Shown by test_landing. */
#define IMPACT_DEPTH 0.5

/* Where more of the cloth's weight than this presses on meshes of colliders, a solve goes on until nodes are within so
 * many times newton_tolerance and g h² (1e3 1/m; a hundredth of the way that weight goes in a step, by default) of the
 * solution, in the mean, by estimate. Shown by `weft-bench contact`. */
#define LYING_WEIGHT 0.2
#define SOLVE_ACCURACY 1e3
/* With fine contact, where more than this of the weight lies on anything: a sheet on a large cloth is little of it. */
#define FINE_LYING_WEIGHT 1e-3
/* Then a solve goes on until parts of NEWTON_PIECE rows are within this share of the way that forces move them in a
 * step, in the mean by what they have done in the last one; and within so many times newton_tolerance and g h²
 * (50 1/m) at least: a two-thousandth of g h². At 0.1 silk slides 15 % too slowly on the gentlest slope, at 0.01 a
 * ribbon that rumples takes 1.6 times as many Newton steps. Shown by `weft-bench contact --fine`. */
#define FINE_ACCURACY 0.02
#define FINE_LEAST_ACCURACY 50.0
/* Friction over a normal force, where only the change of normal forces is known. */
#define FINE_FRICTION 0.4

/* A pair with a mesh that has stopped what inertia would have brought nearer by this many times g h² was an impact:
 * less is what weight does in a step. How often all impacts are gone through. */
#define IMPACT_SPEED 2.0
#define IMPACT_SWEEPS 3

/* ---- cloth contact (cloth_contact_make.c) ------------------------------------------------------------------------ */

/* The radius within which cloths feel each other, as a fraction of the edge length, and at most, m: below a twentieth
 * of the edge contacts are too short for the step and everything is left to prevention. Tried: 0.05 to 0.4 (docs/lab).
 * */
#define PAIR_RADIUS_EDGES 0.25
#define PAIR_RADIUS_MOST 4e-3

/* ---- edges near their limit (limit_edges.c) ---------------------------------------------------------------------- */

/* Sweeps over all edges: of Provot's correction, and of those left taut when Newton's method has ended. */
#define LIMIT_SWEEPS 20
#define LOOSEN_SWEEPS 5
/* A trial goes too far by a part of the way that cloth goes in the step. To spread over the edges of that way sweeps,
 * which are diffusion, take their number squared times a factor; at least and at most so many are done. */
#define RETRACT_FACTOR 0.5
#define RETRACT_LEAST 10
#define RETRACT_MOST 200
/* Fraction of a contact's radius that a trial may press it in at most. */
#define RETRACT_DEPTH 0.25
/* So few pairs of cloth near cloth for each node count as none: trials are drawn back. */
#define RETRACT_FEW_PAIRS 0.01
/* An edge whose length the last Newton step has changed by less than this fraction of it is stretched by what pulls at
 * it, as beside a pin, and is left alone. Beyond TAUT_TIGHT times as much stretch it counts from the second on: so near
 * its limit it shortens by little at a time. */
#define TAUT_SETTLED 2e-3
#define TAUT_SETTLED_TIGHT 5e-4
#define TAUT_TIGHT 1.07
/* More of all edges than this fraction, and Newton's method goes on. Ball of 72² nodes, steps 9 to 16: with none 4.75
 * Newton steps a step and a stretch of 1.041, with 5e-4 to 2e-3 2.88 and 1.046, where nothing shortens them 3.12 and
 * 1.057. */
#define TAUT_EDGES 1e-3
/* Of the limit's stretch: longer edges are shortened to it whether they are at equilibrium or not. Those beside a pin,
 * of fine meshes, are stiff there by far more than their neighbours, and swing about the limit. */
#define LOOSEN_TO_LIMIT 0.95

/* Poisson ratios of springs that differ from the fabric's by more than this part of them are told in the log. */
#define TOLD_POISSON 0.1

/* ---- adapting (adapt.c, merge_motion.c) -------------------------------------------------------------------------- */

/* Every change, however small, has the whole model laid out anew, which costs as much as a step or two. At rest a few
 * elements in thousands change in every step: fewer than one in ADAPT_FEW waits until there are more, or until so many
 * looks have passed since the last change. Laying out takes 10 % of an implicit drape on a ball in place of 17 to 25.
 * */
#define ADAPT_FEW 128
#define ADAPT_WAIT 4
/* How often merging is tried as a motion, each time without the families that came too near. */
#define MERGE_ROUNDS 8

/* ---- untangling (untangling.c, tangled.c) ------------------------------------------------------------------------ */

/* Tuned on pairs of sheets and ribbons (test_untangling), for the steps that they take to come free. Corrections that
 * are not spread out stretch edges by a third, and mechanics takes them back. */

/* Rings of triangles round what intersects that are let alone with it. */
#define TANGLED_RINGS 2
/* Farthest that a node is moved in a substep, in edges; and its greatest speed, m/s, and once more as much as the node
 * itself moves, up to this: or what falls is faster than what pulls it out. */
#define UNTANGLING_EDGES 0.5
#define UNTANGLING_SPEED 1.0
/* Where groups are parted: length of the mean over the mean length of ways out of a mesh, from which on all go the mean
 * way. Shown by `weft-bench repair --only body`. */
#define UNTANGLING_AGREED 0.4
/* Time in which what is tangled loses a velocity against the rest of its patch, s: far below a step, so that what was
 * parted stays so. A hundred times as long leaves two of three strips tangled. Shown by `weft-bench untangling`. */
#define UNTANGLING_DRAG 1.5e-5
/* The drag reaches so many rings beyond patches: a tube that was pushed into a body leaves it as a whole. With none one
 * of three takes ten times as long, and is stretched by 2.4 meanwhile. */
#define UNTANGLING_DRAG_RINGS 16
/* Once a node is free the time gets longer by this factor with every substep, and the drag ends after so many: at once,
 * what was stretched snaps back at 7 m/s. Shown by test_untangling. */
#define UNTANGLING_FADES 3.0
#define UNTANGLING_FADING 13
/* Substeps are no longer than this while groups are parted, s: each parts them by half an edge. */
#define UNTANGLING_STEP (1.0 / 220)
/* Substeps by groups, then by contours alone, and so on: what is pressed into itself all round (knots) now and then
 * comes free by the latter. */
#define UNTANGLING_GROUP_STEPS 120
#define UNTANGLING_CONTOUR_STEPS 40
/* What goes through itself along lines that cut off this part of all nodes at most goes by contours first: groups draw
 * a sleeve out of itself lengthwise, and it is not free after a second. Shown by `weft-bench untangling --only sleeve`.
 */
#define UNTANGLING_SHALLOW 0.15
/* Left between surfaces, in edges. */
#define UNTANGLING_GAP 0.05
/* How often contours are found anew in a substep; rings over which corrections are spread, and follow, and by which
 * factor from ring to ring. */
#define UNTANGLING_ROUNDS 3
#define UNTANGLING_BLEND 8
#define UNTANGLING_FOLLOWERS 16
#define UNTANGLING_FOLLOW 0.9

/* Times of steps are sums: an attachment begins and ends with the step that is no farther from its time than this, s.
 * Far below any step, far above what a million sums round off. */
#define ATTACHMENT_TIME_SLACK 1e-8

#endif
