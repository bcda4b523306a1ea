/* SPDX-License-Identifier: MIT */
/* A scene while it is read: what the schema's tables fill. Names are not yet looked up and files not yet read; every
 * value knows its node, and with it its place in the file. */
#ifndef WEFT_IO_SCENE_SCENE_DRAFT_H
#define WEFT_IO_SCENE_SCENE_DRAFT_H

#include "io/scene/yaml_tree.h"

#include <weft/io/scene.h>

/* text NULL: not given. */
typedef struct draft_text {
    const char *text;
    const tree_node *node;
} draft_text;

/* n 0: not given. */
typedef struct draft_list {
    void *items;
    int32_t n;
    const tree_node *node;
} draft_list;

/* Items of lists and maps begin with this. The node of a map's item is its key. */
typedef struct draft_head {
    const char *name;
    const tree_node *node;
} draft_head;

/* An item of a map from names to names. */
typedef struct draft_pair {
    draft_text name, value;
} draft_pair;

typedef struct draft_fabric {
    draft_head head;
    draft_text like;
    weft_fabric fabric;
} draft_fabric;

/* As the words of `side` go; weft_untangle_side has other numbers. */
typedef enum draft_side { DRAFT_SIDE_DYNAMIC, DRAFT_SIDE_OUT, DRAFT_SIDE_IN, DRAFT_SIDE_PLAIN } draft_side;

typedef struct draft_cloth {
    draft_head head;
    bool has_grid, has_mesh, has_centre, has_filter;
    weft_vec3 centre;
    draft_text file, fabric;
    draft_list group_fabrics; /* draft_pair */
    int32_t side;             /* draft_side */
    weft_scene_cloth cloth;
} draft_cloth;

typedef struct draft_key {
    draft_head head;
    weft_key key;
} draft_key;

typedef struct draft_collider {
    draft_head head;
    bool has_motion, has_filter;
    int32_t shape, side; /* weft_collider_kind, draft_side */
    draft_text file, motion_file;
    draft_list keys; /* draft_key */
    weft_scene_collider collider;
} draft_collider;

typedef enum draft_select {
    SELECT_CORNERS,
    SELECT_WARP_START,
    SELECT_WARP_END,
    SELECT_WEFT_START,
    SELECT_WEFT_END,
    SELECT_BORDER,
    SELECT_ALL
} draft_select;

typedef struct draft_attachment {
    draft_head head;
    bool has_select, has_near, has_box, has_rod;
    draft_select select;
    draft_text cloth, collider, group;
    draft_list nodes;   /* int32_t */
    draft_list keys;    /* draft_key */
    draft_list targets; /* weft_vec3 */
    draft_list weights; /* double */
    weft_vec3 near_point, box_min, box_max;
    double near_radius;
    weft_attachment_def def;
} draft_attachment;

typedef struct draft_tie {
    draft_head head;
    draft_text cloth_a, cloth_b;
    draft_list nodes_a, nodes_b; /* int32_t */
    weft_tie_def def;
} draft_tie;

typedef struct draft_layer {
    draft_head head;
    draft_text inner, outer;
} draft_layer;

typedef struct draft_scene {
    draft_head head;
    int32_t version;
    draft_text name;
    draft_list fabrics, cloths, colliders, attachments, ties, layers;
    weft_sim_def sim;
    weft_scene_gust gust;
    weft_scene_output output;
    weft_scene_picture picture;
} draft_scene;

#endif
