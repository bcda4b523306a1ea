/* SPDX-License-Identifier: MIT */
/* The judge before things with known answers. */
#ifndef WEFT_TEST_ATTACK_SELF_TEST_H
#define WEFT_TEST_ATTACK_SELF_TEST_H

int attack_self_test(void); /* 0: it judges right; 1: it does not, and says where */

#endif
