/* SPDX-License-Identifier: MIT */
#include "verbs.h"

#include <stdio.h>
#include <string.h>

const command_verb verbs[] = {
    {"new", verb_new, "write a starter scene to change as you like"},
    {"run", verb_run, "simulate a scene: a folder with frames, pictures and a report"},
    {"info", verb_info, "say what a scene, a mesh, a motion file or a run is"},
    {"check", verb_check, "look for intersections, exactly: in a mesh, a motion or a run"},
    {"untangle", verb_untangle, "move the vertices of a mesh until it goes through nothing"},
    {"view", verb_view, "show a run or a mesh in the browser, in 3D"},
    {"export", verb_export, "turn a run into files for other programs"},
    {"render", verb_render, "make pictures or a video of a run"},
    {"pattern", verb_pattern, "check, mesh and draw a sewing pattern"},
    {"form", verb_form, "make a dress form to measure, or draft a pattern for it"},
    {"sew", verb_sew, "sew a pattern on a body: pictures of the drape and a report"},
    {"schema", verb_schema, "print what may stand in a scene file, for editors or people"},
    {"manual", verb_manual, "print a manual page, or what completes words in a shell"},
    {NULL, NULL, NULL},
};

const command_verb *verb_find(const char *name)
{
    for (const command_verb *v = verbs; v->name; v++)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

int verb_tell(const command_verb *v, const char *form)
{
    char option[32];
    char *words[] = {option, NULL};
    snprintf(option, sizeof option, "--help%s%s", *form ? "=" : "", form);
    return v->run(1, words);
}
