/* SPDX-License-Identifier: MIT */
/* Words are looked for in names in any case: "front", "ftorso", "sleeve_l", "Lback", "left_hood", "pant_f_r" … */
#include "garment/role.h"

#include <stddef.h>
#include <string.h>

static char lower_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool name_has(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (; text && *text; text++) {
        size_t k = 0;
        while (k < n && lower_letter(text[k]) == word[k])
            k++;
        if (k == n)
            return true;
    }
    return false;
}

static bool name_has_any(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (name_has(text, *words))
            return true;
    return false;
}

static bool edge_names_have(const weft_panel *p, const char *const *words)
{
    for (int32_t i = 0; i < p->n_edges; i++)
        if (name_has_any(p->edges[i].name, words))
            return true;
    return false;
}

/* A letter as a word of its own: at an end and next to '_', '-', ' ' or '.'. */
static bool name_has_letter(const char *name, char letter)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < n; i++) {
        bool before = i == 0 || strchr("_-. ", name[i - 1]), after = i + 1 == n || strchr("_-. ", name[i + 1]);
        if (lower_letter(name[i]) == letter && before && after)
            return true;
    }
    return false;
}

static role_side role_side_of(const char *name)
{
    char first = lower_letter(name[0]);
    /* "Lback", "lfsleeve": a first letter before a word of ours */
    bool glued = name_has(name, "lback") || name_has(name, "lfront") || name_has(name, "lhood") ||
                 name_has(name, "lfsleeve") || name_has(name, "lbsleeve");
    bool glued_right = name_has(name, "rback") || name_has(name, "rfront") || name_has(name, "rhood") ||
                       name_has(name, "rfsleeve") || name_has(name, "rbsleeve");
    if (name_has(name, "left") || name_has_letter(name, 'l') || (first == 'l' && glued))
        return ROLE_ON_LEFT;
    if (name_has(name, "right") || name_has_letter(name, 'r') || (first == 'r' && glued_right))
        return ROLE_ON_RIGHT;
    return ROLE_BOTH;
}

static role_part role_part_of(const weft_panel *p)
{
    static const char *const sleeves[] = {"sleeve", "arm_", NULL}, *const cuffs[] = {"cuff", NULL};
    static const char *const bands[] = {"waistband", "belt", "waist_band", NULL}, *const collars[] = {"collar",
                                                                                                      "neckband", NULL};
    static const char *const hoods[] = {"hood", NULL}, *const skirts[] = {"skirt", NULL};
    static const char *const legs[] = {"pant", "leg", "trouser", NULL}, *const leg_edges[] = {"inseam", "crotch", NULL};
    static const char *const torso_edges[] = {"shoulder", "armhole", "neck", NULL}, *const waist[] = {"waist", NULL};
    static const char *const torsos[] = {"torso", "bodice", "shirt", NULL};
    const char *n = p->name;
    if (name_has_any(n, cuffs))
        return ROLE_CUFF;
    if (name_has_any(n, sleeves))
        return ROLE_SLEEVE;
    if (name_has_any(n, hoods))
        return ROLE_HOOD;
    if (name_has_any(n, bands))
        return ROLE_WAISTBAND;
    if (name_has_any(n, collars))
        return ROLE_COLLAR;
    if (edge_names_have(p, leg_edges) || name_has_any(n, legs))
        return ROLE_LEG;
    if (name_has_any(n, torsos) || edge_names_have(p, torso_edges))
        return ROLE_TORSO;
    if (name_has_any(n, skirts) || edge_names_have(p, waist))
        return ROLE_SKIRT;
    return name_has(n, "front") || name_has(n, "back") ? ROLE_TORSO : ROLE_UNKNOWN;
}

panel_role role_of(const weft_panel *p)
{
    const char *n = p->name;
    bool back = name_has(n, "back") || name_has(n, "btorso") || name_has(n, "bsleeve") || name_has_letter(n, 'b');
    bool front = name_has(n, "front") || name_has(n, "ftorso") || name_has(n, "fsleeve") || name_has_letter(n, 'f');
    role_part part = role_part_of(p);
    return (panel_role){part, back ? ROLE_BACK : ROLE_FRONT, role_side_of(n), part == ROLE_SLEEVE && (back || front)};
}

bool role_is_band(const weft_panel *panel)
{
    role_part part = role_part_of(panel);
    return part == ROLE_CUFF || part == ROLE_WAISTBAND || part == ROLE_COLLAR;
}
