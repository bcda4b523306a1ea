/* SPDX-License-Identifier: MIT */
/* The numbers of contact that somebody chose: what each does, its unit, what else was tried, and what shows it.
 *
 * Not here: bounds of rounding, which are derived where they are used; sizes of blocks of work and of arrays, which
 * decide no result but the order of sums; what users set (include/weft). "Shown by" names a test (test_…) or a bench
 * (`weft-bench …`); docs/lab has the experiments. */
#ifndef WEFT_CONTACT_PARAMS_H
#define WEFT_CONTACT_PARAMS_H

/* ---- colliders: contacts in the solve (collider/collider_contact*.c) --------------------------------------------- */

/* Contact begins this far beyond the thickness: a part of the edge length, but at most so many metres. Cloth at rest
 * hovers by that much. Shown by test_landing, test_ball. */
#define COLLIDER_CONTACT_RADIUS_OF_EDGE 0.1
#define COLLIDER_CONTACT_RADIUS_MOST 5e-4

/* Friction of what is slow gives way by this many times the tolerance of Newton's method, but at most by so many metres
 * (that of pairs, PAIR_SLACK). Less than a tolerance is not resolved. Tried 1, 3, 10 times, with friction that gives
 * way everywhere: 1.24, 1.08, 1.46 Newton steps for a heap at rest (docs/lab/contact.md, "How a heap comes to rest").
 * Shown by test_torture. */
#define COLLIDER_CONTACT_SLACK 3.0
#define COLLIDER_CONTACT_MOST_SLACK 1e-4

/* What is expected to go along a collider by no more than this many slacks is slow, and its friction gives way. If
 * nothing did, a spring of 1e-7 m would decide between sticking and sliding, and cloth that has come to rest would
 * change between the two in every Newton step. If everything did, cloth that slides would swing about its anchor or
 * crawl away from it: a ball of 341 k nodes took 21 Newton steps in place of 4 in single steps, and a ribbon pulled
 * over the ground had its step halved 37 times. Tried 10, 50, 100. Shown by test_torture, test_rubbing. */
#define COLLIDER_CONTACT_SLOW 10.0

/* A contact whose friction was more than this part of its cone slides when the next step starts. */
#define COLLIDER_CONTACT_SLID 0.999

/* Friction has settled if the sum of normal forces changed by less than this part, and so did the sum over contacts
 * that changed between sticking and sliding. */
#define COLLIDER_CONTACT_SETTLED 0.01

/* The contact of a face is at its deepest point, not at its middle, where that is deeper than middle and corners by
 * this part of the radius. Needed for colliders smaller than a face. Shown by test_enforce. */
#define COLLIDER_CONTACT_DEEPER 0.5

/* Where contact is fine it begins at this part of what a node is apart at the step's start, beyond the thickness, but
 * at this many m at least: so layers on a plane do not rest on the plane each. With 1e-4 a sheet that starts on a
 * plane slides by three quarters at first. Shown by `weft-bench contact --fine`. */
#define COLLIDER_CONTACT_OF_GAP 0.5
#define COLLIDER_CONTACT_RADIUS_LEAST 5e-5

/* ---- colliders: cloth that starts inside (collider/embedded.c) --------------------------------------------------- */

/* Nodes less deep than this count as outside, m: more than rounding, less than anybody sees. */
#define EMBEDDED_LEAST_DEPTH 1e-6
/* Up to this depth, in all colliders together, the correction after the solve moves a node out at once, m. */
#define EMBEDDED_CORRECTABLE 1e-3
/* Deeper nodes leave by at most this part of their edge length in a substep, and no faster than this, m/s: a
 * contact alone would throw them out within the step. Shown by test_untangling. */
#define EMBEDDED_EXIT_EDGES 0.5
#define EMBEDDED_EXIT_SPEED 1.0

/* ---- colliders: the correction of the thickness (collider/enforce.c) --------------------------------------------- */

/* Most sweeps over what is too near. Two colliders that leave little room take many: of a sheet between two spheres
 * with 0.1 mm to spare 30 sweeps left 209 triangles too near in 120 steps, 300 left 7. Shown by test_torture. */
#define ENFORCE_SWEEPS 300
/* How often what has no room is released before the rest is left as it is. */
#define ENFORCE_RELEASES 6
/* Beside a corner that is held too near, others are not moved by more than this many times what lacks.
 * Chosen, not searched for. Shown by test/attack/cases.txt. */
#define ENFORCE_MOST_LEVER 8
/* Pushes shorter than this, m, in the last sweep are about to end: nothing is released for them. */
#define ENFORCE_SETTLED_PUSH 1e-5

/* ---- colliders: geometry (collider/deepest.c, envelope.c, collider_mesh*.c) -------------------------------------- */

/* The search for a triangle's deepest point ends with bounds this close, m. The promise (shape.h) is twice that. */
#define DEEPEST_GAP 5e-11
/* Most steps along a line, and most cutting planes: limits, not targets. Shown by test_shape. */
#define DEEPEST_LINE_STEPS 48
#define DEEPEST_CUTS 64
/* The simplex method goes by the largest excess; after this many exchanges by the lowest number, which cannot go in
 * circles; it ends after so many at the latest. */
#define ENVELOPE_PATIENCE 8
#define ENVELOPE_EXCHANGES 64
/* A triangle whose double area is less than this part of its longest side squared counts as degenerate. */
#define COLLIDER_MESH_FLAT 1e-12
/* Triangles in a leaf of a collider mesh's boxes, at most. */
#define COLLIDER_MESH_LEAF 4

/* ---- pairs of cloth: their forces (pair/pair_set.c, pair_term.c) ------------------------------------------------- */

/* Stiffness over that of a contact with a collider. A pair of a sheet at rest carries some 1e-5 N: were it as stiff, a
 * hundredth of a millimetre more or less would be several times that force, and friction, which goes by it, noise. A
 * sheet of 0.09 m and edges of 13 mm on a slope of twice its friction then slides with 0.1 of the acceleration that it
 * should, with 0.03 of the stiffness with 0.97; with edges of 9 mm, 0.9. Shown by test_rubbing. */
#define PAIR_STIFFNESS 0.03
/* Most that stiffness rises as the gap closes; ten times more makes Newton's method crawl. */
#define PAIR_STIFFEST 300.0
/* A pair that was hit although it was known gets stiffer by this factor, and keeps this part of it in each step. */
#define PAIR_HIT_STIFFER 4.0
#define PAIR_HIT_KEPT 0.9
/* What the end of an edge meets is also met by vertices and triangles, and closest points of edges along each other
 * jump from end to end: such pairs come and go, and would take a force with them that keeps heaps from resting. So two
 * edges lose stiffness from this weight of an end down, or from this sine of the angle between them, and have none at
 * zero. The damper stays, which a ribbon that falls into folds needs: without it edges are stretched by up to 1.36. */
#define PAIR_EDGE_END 0.05
#define PAIR_EDGE_SINE 0.1
/* Parts of the distance at rest that thickness and radius of a pair may take each: together half of it, so that cloth
 * at rest does not feel itself. And of the distance at the step's start that the thickness may take. */
#define PAIR_OF_REST 0.25
#define PAIR_OF_START 0.9
/* On a mesh of a collider (pair_touch.h). Stiffness, over that of a contact with an analytic collider; it rises as the
 * gap closes here too. Chosen, not searched for. Shown by `weft-bench contact`. */
#define FIRM_STIFFNESS 0.1
/* Contact begins at this part of what the two are apart, beyond the thickness, when the step starts; but at this much
 * beyond it at least, as a part of the thickness and in m, and at the radius of the parameters at most. So what flies
 * at a mesh is felt early and softly, and what lies on it lies at its thickness. */
#define FIRM_RADIUS_OF_GAP 0.5
#define FIRM_RADIUS_OF_THICKNESS 0.3
#define FIRM_RADIUS_LEAST 5e-5
/* What starts nearer than its thickness is pushed away by this much a substep at most, m. */
#define FIRM_PUSH 2.5e-4
/* Pairs that twice their predicted approach brings this near to their thickness can touch, and those that are predicted
 * to end so near, m. */
#define FIRM_NEAR_START 6e-4
#define FIRM_NEAR_END 1e-3
/* An edge of the mesh touches if it is a ridge towards the other by this sine, the less the flatter it is: those of
 * flat meshes do not. And the other may be a valley of no more than this. */
#define PAIR_RIDGE 0.05
#define PAIR_VALLEY 0.2
/* A vertex beside a border touches no more where it is this part of the side's length beside it. */
#define PAIR_BESIDE_BORDER 0.1
/* A pair should not move, one side past the other, by more than this many times the longest side of any triangle in a
 * substep: whole neighbourhoods would be left, and what comes from far is not known well. */
#define FIRM_PASSING_LIMIT 0.75
/* Friction that slides has settled if its sum changed by less than this part. */
#define FIRM_SETTLED 3e-3
/* Pairs of cloth lie that come nearer or part by less than this many times g h² a substep: what weight does. 0.5 leaves
 * layers that tremble (20 mm edges, 0.5 mm thick) to the other law; with 1.5 they rest; the more the dearer are ribbons
 * that rumple (docs/lab/contact.md). Shown by `weft-bench contact --fine`. */
#define PAIR_LYING_SPEED 1.5
/* Their stiffness at most, over mass/h²: a light cloth's contacts are 26,000 times as stiff otherwise, and what the
 * inner solve leaves undone is 60 times its weight, by which friction then goes. 30 lets single layers sink, 1000 trips
 * silk. Shown by `weft-bench contact --fine`. */
#define PAIR_LYING_STIFFNESS 100.0
/* While what presses on a node goes by less than the first, in g h², in a substep across the surfaces, the distance
 * from which it feels cloth shrinks, with the second for its time, s; what nothing presses on feels cloth from this
 * part of the gap; and never less than the last, m. Pairs of cloth lie whose nodes feel cloth from less than
 * PAIR_LYING_RADIUS, m. A ribbon that rumples, 2 s: with fine contact everywhere 2040 Newton steps where no accuracy is
 * asked for, with a radius that shrinks in motion too 2960, by these numbers 600 with it; 550 with coarse contact.
 * Tried: speeds of 0.006, 0.03, 0.3, which take 627, 569, 2960; times of 0.25, 0.4, 1 s; 1 mm, with
 * which the ribbon takes 730 in place of 480 in 0.75 s. Shown by `weft-bench torture`, `weft-bench contact`. */
#define PAIR_REST_SPEED 0.03
#define PAIR_REST_TIME 0.4
#define PAIR_REST_OF_GAP 0.95
#define PAIR_REST_LEAST 1e-4
#define PAIR_LYING_RADIUS 3e-4
/* What was hit is felt from here at least, m: a heap at rest has a quarter of the hits. Tried 6e-4. Shown by
 * `weft-bench torture --fine --scenes ribbon`. */
#define PAIR_HIT_RADIUS 1.2e-3
/* Two places of a piece are of one surface, and not of two layers of it, if they are no farther apart along it than so
 * many times through space. Chosen, not searched for. */
#define PAIR_SAME_SURFACE 1.5
/* Where contact is fine, prevention's radius is this many thicknesses at most: hits are what comes nearer than a
 * twentieth of it, and what lies at its thickness must be none. Tried 3, 5, 10. */
#define PAIR_LYING_GUARD 5.0
/* Way that friction gives before it slides, m. The force of a pair in a pile is some 1e-4 N: with the stiffness of the
 * contact itself friction would let go after 1e-7 m, which no Newton step resolves, and a pile never came to rest.
 * Shown by test_torture. */
#define PAIR_SLACK 1e-4
/* Friction has settled if the sum of normal forces changed by less than this part. */
#define PAIR_SETTLED 0.01
/* A pair should not move, one side past the other, by more than this many times its reach in a substep: folds turn by
 * too much for Newton's method in longer ones. Tried 12, 6, 3 on the first 0.8 s of a ribbon of 4000 triangles on end:
 * 12 and 6 take 1.2 times as long as 3. Shown by `weft-bench provot`. */
#define PAIR_PASSING_LIMIT 3.0

/* ---- pairs of cloth: which there are (pair/pair_find.c, verlet_list.c) ------------------------------------------- */

/* Pairs farther apart than this many times their reach are left to prevention, however fast they close in. */
#define PAIR_HORIZON 3.0
/* Pairs of one piece are near only in folds, where their distance is below this part of that at rest. Where a first
 * guess has neighbours fly into each other, as beside nodes that something has stopped, it is for the cloth between
 * them to say. */
#define PAIR_FOLDED 0.9
/* A list that is to be kept is made for this many times the way that every node goes in the present step, to and fro,
 * with a slack of this part of the reach: so it lasts for some steps whether nodes rest or fly. Tried 4 and 6 ways with
 * half of the reach: 3 s of ribbon in 12.5 to 14.3 s in place of 12.1 (docs/lab/performance.md). Shown by
 * `weft-bench step --only real`. */
#define VERLET_WAYS 2.0
#define VERLET_SLACK 0.25
/* Where more than this part of the nodes go farther than this part of the reach, boxes about such ways would be full of
 * pairs: a list is made for the present step alone. Tried up to 0.3 of the nodes (likewise). */
#define VERLET_FEW_QUICK 0.05
#define VERLET_QUICK 0.25
/* Ways longer than this many reaches are worth boxes at both ends, which take more time than one about the way. */
#define VERLET_LONG_WAY 10.0
/* A list is kept where ways are rounded by at most this part of the slack. */
#define VERLET_ROUNDING 0.1
/* Least that a pair's own reach counts for, over the list's: prevention uses the list for distances up to that. */
#define VERLET_LEAST_REACH 0.1

/* ---- continuous collision detection (ccd/) ----------------------------------------------------------------------- */

/* Eight pairs at a time (ccd_simd8_kernel.c). Tuned on a cloth on a ball, on which contacts that are proven, and what
 * is not, cost least with these: steps of the root's search; at the ends of a window about a contact the volume is to
 * come to so many times its error, the window being so much of the step at least and at most. Shown by `weft-bench
 * ccd`. */
#define CCD_ROOT_STEPS 2
#define CCD_WINDOW 1.5f
#define CCD_WINDOW_LEAST (1.0f / 1024)
#define CCD_WINDOW_MOST 0.25f

/* Most views of one query; at this number the answer is a hit. A graze halves its interval 25 times or so. On the
 * handcrafted sets 24 give the same answers, 16 four more false alarms. Shown by `weft-bench ccd`. */
#define CCD_MOST_VIEWS 64
/* A contact is located when its interval of time is this short. */
#define CCD_SHORT_TIME 0x1p-44
/* Where the gap closes so slowly that rounding hides the contact for longer than this, its beginning is reported. */
#define CCD_SAME_TIME 0x1p-20
/* In rounding errors of a gap: a gap that exceeds the thickness by less than the first cannot be told from contact; the
 * contact is located where the last clear view has less than the second; a view within the third is at the contact, and
 * the next is taken where the gap is larger by the fourth. They cost views, never a miss. */
#define CCD_NOISE_CONTACT 4
#define CCD_NOISE_LOCATED 64
#define CCD_NOISE_AT 16
#define CCD_NOISE_BEFORE 32
/* Below this part of the size the direction of the nearest point is no longer trusted: its error is then 2e-8 or more.
 * Anything from 1e-1 to 1e-10 gives the same answers on the handcrafted sets and between the frames of a cloth on a
 * ball; 1e-4 takes a tenth more time there. */
#define CCD_NEAR_PART 1e-8
/* Lists of pairs: spans of time that are cut no more, at the first look and at the second. Tuned on a cloth on a ball:
 * 1/64 leaves 20,901 pairs to the function for one pair, 1/256 15,743; 1/256 at the second look gains nothing
 * (docs/lab/collisions.md, "Lists of pairs"). Shown by `weft-bench volino --only boxes`. */
#define CCD_LIST_SHORTEST (1.0f / 256)
#define CCD_LIST_SHORTEST_FINE (1.0f / 16)

/* ---- prevention: what is a hit (prevent/detect.c) ---------------------------------------------------------------- */

/* A pair hits below this part of the contact radius, and of its distance at the start, whichever is less; and is sent
 * to that. With a response that may halve the gap again and again gaps shrink until nothing moves any more: measured on
 * a ribbon that rumples, where these four kept it from doing so. Shown by test_prevent_random, `weft-bench provot`. */
#define PREVENT_HIT_OF_RADIUS 0.05
#define PREVENT_HIT_OF_GAP 0.2
#define PREVENT_AIM_OF_RADIUS 0.2
#define PREVENT_AIM_OF_GAP 0.9
/* A smaller gap than this part of the radius is opened to it by the step's end: within it not even sliding is possible,
 * since surfaces are not flat (three sheets 1 nm apart went into the fail-safe in half of their steps, and did not get
 * out of it). Shown by test_prevent_random. */
#define PREVENT_AIM_LEAST 0.02
/* A smaller radius counts as this, in cells of the grid (9.5 um in worlds of usual size). */
#define PREVENT_RADIUS_LEAST 40960
/* Boxes are larger than they need be by this part of the radius: nodes that responses move by less are tested again
 * without a new walk of the tree. */
#define PREVENT_BOX_SLACK 0.1

/* ---- prevention: responses (prevent/prevent.c, impact*.c) -------------------------------------------------------- */

/* Rounds of impulses, pair by pair, before zones are solved together. */
#define PREVENT_SWEEPS 5
/* Two pushes away from what is not among the pairs, with a smaller cosine between them, are from two obstacles. */
#define PREVENT_SAME_OBSTACLE 0.9
/* Contacts earlier than this part of the step are answered as if they were at it: the bound has a division by time. */
#define IMPACT_EARLIEST (1.0 / 64)
/* What gives way by less than this part, since lines and obstacles lead it aside, counts as immovable: it would have to
 * be moved far to make a little room. */
#define IMPACT_STIFF 0.01
/* An impact opens its gap by no more than this many times the way that the two went: where the normal has turned since
 * the start, the gap there says little. */
#define IMPACT_MOST_WAYS 2
/* Impulses that lead a node further than this many times what the fastest node goes in the step, and gaps aim at, have
 * run away: near what is held little gives way, and each makes work for the next. They are taken back.
 * Chosen, not searched for: no scene's bits change by it. Shown by test/attack/cases.txt. */
#define IMPACT_MOST_LEVERS 16
/* Rounds of the inelastic solve; and how many of them without fewer hits are enough, as there is no room. */
#define IMPACT_ZONE_ROUNDS 10
#define IMPACT_ZONE_PATIENCE 4
/* Gauss–Seidel iterations in a round; the next goes on where this one stopped. It ends before that if no gap changes by
 * more than this part of what it has room for. */
#define IMPACT_ZONE_ITERATIONS 150
#define IMPACT_ZONE_CONVERGED 0.05
/* Two constraints of a pair whose weights differ by less, and whose normals have a larger cosine, are one. */
#define IMPACT_ZONE_SAME_PLACE 0.05
#define IMPACT_ZONE_SAME_NORMAL 0.995

/* ---- prevention: the fail-safe (prevent/failsafe.c) -------------------------------------------------------------- */

/* Most rounds in which zones grow, and most cuts of the whole step. */
#define FAILSAFE_ROUNDS 48
#define FAILSAFE_CUTS 3
/* Part of the time up to a hit that is taken: the rest is for the grid's rounding. */
#define FAILSAFE_SAFE_TIME 0.9
/* A smaller fraction of a step is none. */
#define FAILSAFE_LEAST_FRACTION (1.0 / 64)
/* A zone that is carried along and has hit itself more often than this has no room. */
#define FAILSAFE_PATIENCE 4

/* ---- audit (audit.c) --------------------------------------------------------------------------------------------- */

/* Pairs of triangles whose boxes overlap: so many a triangle, and so many besides, before it is called a mistake. A
 * plain mesh has some 13 a triangle, sheets that lie close have more; this is 1 GB for a million triangles. */
#define AUDIT_OVERLAPS 128
#define AUDIT_MORE_OVERLAPS (INT64_C(1) << 24)

#endif
