/* SPDX-License-Identifier: MIT */
/* The sewing patterns in the folder of data, without ".json". */
#ifndef WEFT_TEST_IO_REAL_PATTERNS_H
#define WEFT_TEST_IO_REAL_PATTERNS_H

static const char *const real_files[] = {"patterns_freesewing/circleskirt_sandy",
                                         "patterns_freesewing/pencilskirt_penelope",
                                         "patterns_freesewing/summertrousers_paco",
                                         "patterns_freesewing/sweatshirt_sven",
                                         "patterns_freesewing/tank_aaron",
                                         "patterns_freesewing/trousers_titan",
                                         "patterns_freesewing/tshirt_teagan",
                                         "patterns_garmentcode/dress_pencil_specification",
                                         "patterns_garmentcode/gpg_jacket_hood",
                                         "patterns_garmentcode/gpg_jumpsuit_sleeveless",
                                         "patterns_garmentcode/gpg_pants_straight_sides",
                                         "patterns_garmentcode/gpg_skirt_4_panels",
                                         "patterns_garmentcode/gpg_skirt_8_panels",
                                         "patterns_garmentcode/gpg_tee",
                                         "patterns_garmentcode/hoody_mean_specification",
                                         "patterns_garmentcode/js_mean_all_specification",
                                         "patterns_garmentcode/shirt_mean_specification"};
enum { N_REAL = sizeof real_files / sizeof *real_files };

#endif
