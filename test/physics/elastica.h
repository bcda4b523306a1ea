/* SPDX-License-Identifier: MIT */
/* The heavy elastica: a strip that cannot stretch, clamped level at one end, bent by its weight. */
#ifndef WEFT_TEST_PHYSICS_ELASTICA_H
#define WEFT_TEST_PHYSICS_ELASTICA_H

typedef struct elastica {
    double drop, reach; /* of the free end, below and beyond the clamp, m */
} elastica;

/* length in m, weight per area in N/m², bending rigidity in N·m. */
elastica elastica_tip(double length, double weight, double rigidity);

#endif
