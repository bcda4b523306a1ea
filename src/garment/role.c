/* SPDX-License-Identifier: MIT */
/* Words are looked for in names in any case: "front", "ftorso", "sleeve_l", "Lback", "left_hood", "pant_f_r" … */
#include "garment/role.h"

#include <stddef.h>
#include <string.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool has(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (; text && *text; text++) {
        size_t k = 0;
        while (k < n && lower(text[k]) == word[k])
            k++;
        if (k == n)
            return true;
    }
    return false;
}

static bool has_any(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (has(text, *words))
            return true;
    return false;
}

static bool edges_have(const weft_panel *p, const char *const *words)
{
    for (int32_t i = 0; i < p->n_edges; i++)
        if (has_any(p->edges[i].name, words))
            return true;
    return false;
}

/* A letter as a word of its own: at an end and next to '_', '-', ' ' or '.'. */
static bool has_letter(const char *name, char letter)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < n; i++) {
        bool before = i == 0 || strchr("_-. ", name[i - 1]), after = i + 1 == n || strchr("_-. ", name[i + 1]);
        if (lower(name[i]) == letter && before && after)
            return true;
    }
    return false;
}

static role_side side_of(const char *name)
{
    char first = lower(name[0]);
    /* "Lback", "lfsleeve": a first letter before a word of ours */
    bool glued = has(name, "lback") || has(name, "lfront") || has(name, "lhood") || has(name, "lfsleeve") ||
                 has(name, "lbsleeve");
    bool glued_right = has(name, "rback") || has(name, "rfront") || has(name, "rhood") || has(name, "rfsleeve") ||
                       has(name, "rbsleeve");
    if (has(name, "left") || has_letter(name, 'l') || (first == 'l' && glued))
        return ROLE_ON_LEFT;
    if (has(name, "right") || has_letter(name, 'r') || (first == 'r' && glued_right))
        return ROLE_ON_RIGHT;
    return ROLE_BOTH;
}

static role_part part_of(const weft_panel *p)
{
    static const char *const sleeves[] = {"sleeve", "arm_", NULL}, *const cuffs[] = {"cuff", NULL};
    static const char *const bands[] = {"waistband", "belt", "waist_band", NULL}, *const collars[] = {"collar",
                                                                                                      "neckband", NULL};
    static const char *const hoods[] = {"hood", NULL}, *const skirts[] = {"skirt", NULL};
    static const char *const legs[] = {"pant", "leg", "trouser", NULL}, *const leg_edges[] = {"inseam", "crotch", NULL};
    static const char *const torso_edges[] = {"shoulder", "armhole", "neck", NULL}, *const waist[] = {"waist", NULL};
    static const char *const torsos[] = {"torso", "bodice", "shirt", NULL};
    const char *n = p->name;
    if (has_any(n, cuffs))
        return ROLE_CUFF;
    if (has_any(n, sleeves))
        return ROLE_SLEEVE;
    if (has_any(n, hoods))
        return ROLE_HOOD;
    if (has_any(n, bands))
        return ROLE_WAISTBAND;
    if (has_any(n, collars))
        return ROLE_COLLAR;
    if (edges_have(p, leg_edges) || has_any(n, legs))
        return ROLE_LEG;
    if (has_any(n, torsos) || edges_have(p, torso_edges))
        return ROLE_TORSO;
    if (has_any(n, skirts) || edges_have(p, waist))
        return ROLE_SKIRT;
    return has(n, "front") || has(n, "back") ? ROLE_TORSO : ROLE_UNKNOWN;
}

panel_role role_of(const weft_panel *p)
{
    const char *n = p->name;
    bool back = has(n, "back") || has(n, "btorso") || has(n, "bsleeve") || has_letter(n, 'b');
    bool front = has(n, "front") || has(n, "ftorso") || has(n, "fsleeve") || has_letter(n, 'f');
    role_part part = part_of(p);
    return (panel_role){part, back ? ROLE_BACK : ROLE_FRONT, side_of(n), part == ROLE_SLEEVE && (back || front)};
}
