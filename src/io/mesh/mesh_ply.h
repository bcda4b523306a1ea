/* SPDX-License-Identifier: MIT */
/* What the head of a PLY file says: elements one after the other, each with properties. */
#ifndef WEFT_IO_MESH_MESH_PLY_H
#define WEFT_IO_MESH_MESH_PLY_H

#include "io/mesh/mesh_scan.h"

typedef enum ply_form { PLY_ASCII, PLY_LITTLE, PLY_BIG } ply_form;

typedef enum ply_type {
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT32,
    PLY_FLOAT64
} ply_type;

/* What a property is for us. The first five are scalars of a vertex, in this order. */
typedef enum ply_role { PLY_X, PLY_Y, PLY_Z, PLY_U, PLY_V, PLY_CORNERS, PLY_UNUSED } ply_role;

typedef enum ply_kind { PLY_VERTEX, PLY_FACE, PLY_OTHER } ply_kind;

typedef struct ply_property {
    bool is_list;
    ply_type count_type; /* of a list */
    ply_type type;
    ply_role role;
} ply_property;

typedef struct ply_element {
    char name[32]; /* for messages; cut if longer */
    ply_kind kind;
    uint64_t n;
    size_t first, n_properties; /* in `properties` */
} ply_element;

typedef struct ply_head {
    ply_form form;
    ply_element *elements;
    size_t n_elements;
    int64_t room_elements;
    ply_property *properties;
    size_t n_properties;
    int64_t room_properties;
} ply_head;

/* Leaves the scan at the first byte after the head. Free the head in any case. */
weft_result ply_head_read(mesh_scan *s, ply_head *head);
void ply_head_free(ply_head *head);

size_t ply_type_size(ply_type type);

#endif
