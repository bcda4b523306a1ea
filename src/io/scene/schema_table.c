/* SPDX-License-Identifier: MIT */
/* The table of all that may stand in a scene. A new key is a new line here, and nothing else. */
#include "io/scene/schema.h"

#include <limits.h>

_Static_assert(sizeof(weft_integrator) == sizeof(int32_t) && sizeof(weft_response) == sizeof(int32_t) &&
                   sizeof(weft_contact) == sizeof(int32_t) && sizeof(draft_select) == sizeof(int32_t),
               "choices are written as int32_t");

#define IN(type, member) .offset = offsetof(type, member)
#define GIVEN(type, member) .given = offsetof(type, member)
#define CLOSED(a, b) .range = RANGE_CLOSED, .min = (a), .max = (b)
#define OPEN(a, b) .range = RANGE_OPEN, .min = (a), .max = (b)
#define OR_ZERO(a, b) .range = RANGE_OR_ZERO, .min = (a), .max = (b)
#define LENGTH(a) .range = RANGE_LENGTH, .max = (a)
#define DIRECTION .range = RANGE_DIRECTION
#define ANYWHERE .unit = "m", .range = RANGE_CLOSED, .min = -1e6, .max = 1e6
#define NODES .range = RANGE_CLOSED, .min = 0, .max = INT32_MAX
#define ONLY(value) (1u << (value))
#define CHOICES(...)                                                                                                   \
    .choices = (const char *const[])                                                                                   \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

/* ---- fabrics ----------------------------------------------------------------------------------------------------- */

#define FABRIC(name) #name, SCHEMA_NUMBER, IN(draft_fabric, fabric.name)

static const schema_field fabric_fields[] = {
    {"like", SCHEMA_NAME, IN(draft_fabric, like), .of = "fabric", .is_input = true, .otherwise = "default",
     .text = "the fabric that this one is like but for the keys below: one of the library, or one written above"},
    {FABRIC(density), .unit = "kg/m²", OPEN(0, 100), .text = "mass per area"},
    {FABRIC(stretch_warp), .unit = "N/m", CLOSED(1e-3, 1e7), .text = "Young's modulus times thickness along warp"},
    {FABRIC(stretch_weft), .unit = "N/m", CLOSED(1e-3, 1e7), .text = "the same along weft"},
    {FABRIC(shear), .unit = "N/m", CLOSED(0, 1e7), .text = "shear modulus times thickness"},
    {FABRIC(poisson), CLOSED(0, 0.95),
     .text = "geometric mean of the two Poisson ratios; of the membrane only, springs have their own"},
    {FABRIC(bending_warp), .unit = "N·m", CLOSED(0, 1e3), .text = "bending rigidity against curling along warp"},
    {FABRIC(bending_weft), .unit = "N·m", CLOSED(0, 1e3), .text = "the same along weft"},
    {FABRIC(damping_stretch), .unit = "s", CLOSED(0, 10), .text = "relaxation time of stretch and shear"},
    {FABRIC(damping_bending), .unit = "s", CLOSED(0, 10), .text = "relaxation time of bending"},
    {FABRIC(thickness), .unit = "m", CLOSED(0, 0.1), .text = "distance kept from colliders"},
    {FABRIC(friction), CLOSED(0, 10), .text = "friction with colliders: tangential over normal force"},
    {FABRIC(dissipation), CLOSED(0, 1), .text = "speed after over speed before an impact"},
    {FABRIC(stretch_limit), OR_ZERO(1.001, 10),
     .text = "largest length over rest length along warp and weft; 0: no limit"},
    {.key = NULL}};

static void fabric_defaults(void *draft)
{
    *(draft_fabric *)draft = (draft_fabric){.fabric = weft_fabric_default()};
}

static const schema_object fabric_object = {
    .name = "fabric",
    .title = "A fabric",
    .text =
        "What cloth is made of. Warp runs along the first direction of a grid (`u` of a mesh), weft along the second.",
    .size = sizeof(draft_fabric),
    .defaults = fabric_defaults,
    .fields = fabric_fields,
    .base = "like"};

/* ---- cloths ------------------------------------------------------------------------------------------------------ */

static const schema_field grid_fields[] = {
    {"size", SCHEMA_VEC2, IN(draft_cloth, cloth.grid.size_warp), .unit = "m", CLOSED(1e-4, 250), .required = true,
     .text = "along warp and weft"},
    {"nodes", SCHEMA_INTEGER2, IN(draft_cloth, cloth.grid.n_warp), CLOSED(2, 8192), .required = true,
     .text = "number of nodes along warp and weft, at most 2^24 in all"},
    {"corner", SCHEMA_VEC3, IN(draft_cloth, cloth.grid.corner), ANYWHERE, .text = "where the node (0, 0) is"},
    {"centre", SCHEMA_VEC3, IN(draft_cloth, centre), GIVEN(draft_cloth, has_centre), ANYWHERE, .not_with = "corner",
     .is_input = true, .otherwise = "by `corner`", .text = "where the middle is, instead of `corner`"},
    {"warp", SCHEMA_VEC3, IN(draft_cloth, cloth.grid.axis_warp), DIRECTION,
     .text = "direction from node (0, 0) to node (1, 0)"},
    {"weft", SCHEMA_VEC3, IN(draft_cloth, cloth.grid.axis_weft), DIRECTION,
     .text =
         "direction from node (0, 0) to node (0, 1), made perpendicular to `warp`; the front is at `warp` × `weft`"},
    {.key = NULL}};

static const schema_object grid_object = {
    .name = "grid",
    .title = "A grid",
    .text = "A flat rectangle. Node (i, j), i along warp, has the number i + n · j, n being the first of `nodes`.",
    .size = sizeof(draft_cloth),
    .fields = grid_fields};

static const schema_field mesh_fields[] = {
    {"file", SCHEMA_FILE, IN(draft_cloth, file), .required = true,
     .text = "OBJ, PLY or STL; the order of its vertices is kept"},
    {"scale", SCHEMA_NUMBER, IN(draft_cloth, cloth.transform.scale), .unit = "m", CLOSED(1e-6, 1e6),
     .text = "what one unit of the file is"},
    {"z_up", SCHEMA_BOOLEAN, IN(draft_cloth, cloth.transform.z_up), .text = "the file's z points up"},
    {"position", SCHEMA_VEC3, IN(draft_cloth, cloth.transform.position), ANYWHERE,
     .text = "where the file's origin comes to be"},
    {"rotation", SCHEMA_ROTATION, IN(draft_cloth, cloth.transform.rotation), .text = "about the file's origin"},
    {"rest", SCHEMA_CHOICE, IN(draft_cloth, cloth.rest), CHOICES("shape", "uv"),
     .text = "the cloth at rest: `shape`, as the mesh is; or `uv`, flat, as the file's texture coordinates have it"},
    {"uv_scale", SCHEMA_NUMBER, IN(draft_cloth, cloth.uv_scale), .unit = "m", CLOSED(1e-6, 1e6),
     .only = ONLY(WEFT_REST_UV), .text = "what one unit of the texture coordinates is"},
    {.key = NULL}};

static const schema_object mesh_object = {
    .name = "mesh",
    .title = "A mesh",
    .text =
        "Triangles and quads from a file; larger polygons are cut into triangles. Without `uv`, warp is where x (on "
        "faces across it, y) of the file points on each face.",
    .size = sizeof(draft_cloth),
    .fields = mesh_fields,
    .selector = "rest"};

#define ADAPT(name) #name, SCHEMA_NUMBER, IN(draft_cloth, cloth.model.adapt.name)

static const schema_field adapt_fields[] = {
    {"max_level", SCHEMA_INTEGER, IN(draft_cloth, cloth.model.adapt.max_level), CLOSED(0, 12),
     .text = "how often a face may split into four; 0: the mesh stays as it is"},
    {ADAPT(refine_angle), .unit = "rad", CLOSED(1e-3, 3),
     .text = "the biggest faces at a node split where a normal beside it is off the node's by more than this"},
    {ADAPT(coarsen_angle), .unit = "rad", CLOSED(0, 1.5),
     .text = "four faces merge where all normals are off by less than this; at most half of `refine_angle`"},
    {ADAPT(coarsen_way), .unit = "m", CLOSED(0, 1), .text = "and where no point moves by more than this"},
    {ADAPT(min_size), .unit = "m", CLOSED(0, 1e3), .text = "sides do not get shorter than this"},
    {"node_limit", SCHEMA_INTEGER, IN(draft_cloth, cloth.model.adapt.node_limit), CLOSED(0, 100000000),
     .text = "of the cloth, beyond which faces no longer split; 0: none"},
    {ADAPT(interval), .unit = "s", CLOSED(0, 10),
     .text = "least time between two looks at the cloth; fewer than one in 128 faces wait for up to four"},
    {.key = NULL}};

static const schema_object adapt_object = {
    .name = "adapt",
    .title = "Detail where the cloth bends",
    .text =
        "Faces split into four where the cloth bends, and merge again where it is flat. Neighbours differ by one level "
        "at most.",
    .size = sizeof(draft_cloth),
    .fields = adapt_fields};

/* What collides with what: the same for cloths and colliders, but that colliders do not collide with themselves. */
#define BITS .range = RANGE_CLOSED, .min = 0, .max = 4294967295.0
#define FILTER_FIELDS(draft, thing)                                                                                    \
    {"category", SCHEMA_BITS, IN(draft, thing.filter.category), BITS,                                                  \
     .text = "sum of the categories that it is of, which are 1, 2, 4, 8 and so on"},                                   \
    {                                                                                                                  \
        "mask", SCHEMA_BITS, IN(draft, thing.filter.mask), BITS, .text = "sum of the categories that it collides with" \
    }

static const char filter_text[] =
    "Two things collide if each is of a category that is in the other's mask. Those that do not go through each other, "
    "and audits do not tell of it. All is of category 1 and collides with all categories: to leave something out, make "
    "it `category: 2`, and the other's `mask: 4294967293`, which is all but 2.";

static const schema_field cloth_filter_fields[] = {
    FILTER_FIELDS(draft_cloth, cloth),
    {"itself", SCHEMA_BOOLEAN, IN(draft_cloth, cloth.filter.itself), .text = "the cloth collides with itself"},
    {.key = NULL}};

static const schema_object cloth_filter_object = {.name = "filter",
                                                  .title = "A filter",
                                                  .text = filter_text,
                                                  .size = sizeof(draft_cloth),
                                                  .fields = cloth_filter_fields};

static const schema_field cloth_fields[] = {
    {"grid", SCHEMA_OBJECT, .object = &grid_object, GIVEN(draft_cloth, has_grid), .text = "a rectangle"},
    {"mesh", SCHEMA_OBJECT, .object = &mesh_object, GIVEN(draft_cloth, has_mesh), .text = "or any shape, from a file"},
    {"fabric", SCHEMA_NAME, IN(draft_cloth, fabric), .of = "fabric",
     .text = "name of a fabric in `fabrics` or in the library"},
    {"group_fabrics", SCHEMA_NAMES, IN(draft_cloth, group_fabrics), .of = "fabric", .otherwise = "none",
     .text = "meshes: for names of groups (`g` or `o`) in the OBJ file the name of their fabric"},
    {"stretch", SCHEMA_CHOICE, IN(draft_cloth, cloth.model.stretch), CHOICES("springs", "membrane"),
     .text = "model of stretch: `springs` of quads (triangles are always membrane), or `membrane` for all"},
    {"law", SCHEMA_CHOICE, IN(draft_cloth, cloth.model.law), CHOICES("consistent", "villard"),
     .text = "stiffness of springs: `consistent` whatever the mesh, or as in `villard` 2002"},
    {"bending", SCHEMA_CHOICE, IN(draft_cloth, cloth.model.bending), CHOICES("auto", "beams", "tensor", "hinges"),
     .text = "model of bending; `auto`: `beams` for flat quads, else the curvature `tensor`"},
    {"limit", SCHEMA_CHOICE, IN(draft_cloth, cloth.model.limit), CHOICES("stiffen", "provot", "none"),
     .text = "how the fabric's `stretch_limit` is kept: by stiffening, by shortening after the step, or not"},
    {"pressure", SCHEMA_NUMBER, IN(draft_cloth, cloth.model.pressure), .unit = "Pa", CLOSED(-1e6, 1e6),
     .text = "overpressure inside a closed piece whose front is outside"},
    {"adapt", SCHEMA_OBJECT, .object = &adapt_object, .text = "detail where the cloth bends"},
    {"velocity", SCHEMA_VEC3, IN(draft_cloth, cloth.velocity), .unit = "m/s", LENGTH(1e4), .text = "at the start"},
    {"filter", SCHEMA_OBJECT, .object = &cloth_filter_object, GIVEN(draft_cloth, has_filter),
     .otherwise = "with all, and itself", .text = "what it collides with"},
    {"side", SCHEMA_CHOICE, IN(draft_cloth, side), CHOICES("dynamic", "out", "in", "plain"),
     .text = "where other things belong that intersect it: `out`, on its front; `in`, on its back; `dynamic`, found "
             "out; `plain`, on neither. `layers` go before it"},
    {"front", SCHEMA_COLOR, IN(draft_cloth, cloth.front), .text = "its front in pictures"},
    {"back", SCHEMA_COLOR, IN(draft_cloth, cloth.back), .text = "its back in pictures"},
    {.key = NULL}};

static void cloth_defaults(void *draft)
{
    *(draft_cloth *)draft = (draft_cloth){.fabric = {.text = "default"},
                                          .cloth = {.grid = weft_grid_def_default(),
                                                    .transform = {.scale = 1, .rotation = {0, 0, 0, 1}},
                                                    .uv_scale = 1,
                                                    .model = {.adapt = weft_adapt_default()},
                                                    .filter = weft_filter_default(),
                                                    .front = {0.75, 0.22, 0.17},
                                                    .back = {0.93, 0.79, 0.55}}};
}

static const schema_object cloth_object = {.name = "cloth",
                                           .title = "A cloth",
                                           .text = "Exactly one of `grid` and `mesh` gives its shape.",
                                           .size = sizeof(draft_cloth),
                                           .defaults = cloth_defaults,
                                           .fields = cloth_fields,
                                           .one_of = "grid mesh"};

/* ---- keys -------------------------------------------------------------------------------------------------------- */

static const schema_field key_fields[] = {
    {"time", SCHEMA_NUMBER, IN(draft_key, key.time), .unit = "s", CLOSED(-1e6, 1e6), .required = true,
     .text = "later than that of the key before"},
    {"position", SCHEMA_VEC3, IN(draft_key, key.position), ANYWHERE, .text = "where it is then"},
    {"rotation", SCHEMA_ROTATION, IN(draft_key, key.rotation), .text = "how it is turned then"},
    {.key = NULL}};

static void key_defaults(void *draft)
{
    *(draft_key *)draft = (draft_key){.key = {.rotation = {0, 0, 0, 1}}};
}

static const schema_object key_object = {
    .name = "key",
    .title = "A key",
    .text =
        "Where something is at a time. Between keys it moves in a straight line and turns the shortest way about one "
        "axis, both at constant speed; before the first and after the last it stands still.",
    .size = sizeof(draft_key),
    .defaults = key_defaults,
    .fields = key_fields};

/* ---- colliders --------------------------------------------------------------------------------------------------- */

#define ROUND .only = ONLY(WEFT_COLLIDER_SPHERE) | ONLY(WEFT_COLLIDER_CAPSULE) | ONLY(WEFT_COLLIDER_CYLINDER)
#define LONG .only = ONLY(WEFT_COLLIDER_CAPSULE) | ONLY(WEFT_COLLIDER_CYLINDER)
#define BOXES .only = ONLY(WEFT_COLLIDER_BOX)
#define MESHES .only = ONLY(WEFT_COLLIDER_MESH)

static const schema_field motion_fields[] = {
    {"file", SCHEMA_FILE, IN(draft_collider, motion_file), .required = true,
     .text = "PC2 or MDD with the mesh's points, or a sequence of OBJ files, as `name_####.obj`"},
    {"fps", SCHEMA_NUMBER, IN(draft_collider, collider.motion_fps), .unit = "1/s", CLOSED(1e-3, 1e5),
     .text = "frames a second of the file; MDD has times of its own"},
    {.key = NULL}};

static const schema_object motion_object = {.name = "motion",
                                            .title = "A motion",
                                            .text = "Points that move in the file's frame, over a mesh.",
                                            .size = sizeof(draft_collider),
                                            .fields = motion_fields};

static const schema_field collider_filter_fields[] = {FILTER_FIELDS(draft_collider, collider), {.key = NULL}};

static const schema_object collider_filter_object = {.name = "filter",
                                                     .title = "A filter of a collider",
                                                     .text = "As that of a cloth.",
                                                     .size = sizeof(draft_collider),
                                                     .fields = collider_filter_fields};

static const schema_field collider_fields[] = {
    {"shape", SCHEMA_CHOICE, IN(draft_collider, shape), .required = true,
     CHOICES("plane", "sphere", "capsule", "cylinder", "box", "mesh"),
     .text = "`plane`: solid below y = 0; `capsule` and `cylinder`: along y; all around their origin"},
    {"radius", SCHEMA_NUMBER, IN(draft_collider, collider.def.radius), .unit = "m", CLOSED(1e-4, 1e3), ROUND,
     .text = "of its cross-section"},
    {"height", SCHEMA_NUMBER, IN(draft_collider, collider.def.height), .unit = "m", CLOSED(0, 1e3), LONG,
     .text = "along y; the round ends of a capsule come on top"},
    {"size", SCHEMA_VEC3, IN(draft_collider, collider.def.size), .unit = "m", CLOSED(1e-4, 1e3), BOXES,
     .text = "along x, y and z"},
    {"file", SCHEMA_FILE, IN(draft_collider, file), .required = true, MESHES, .text = "OBJ, PLY or STL"},
    {"scale", SCHEMA_NUMBER, IN(draft_collider, collider.transform.scale), .unit = "m", CLOSED(1e-6, 1e6), MESHES,
     .text = "what one unit of the file is"},
    {"z_up", SCHEMA_BOOLEAN, IN(draft_collider, collider.transform.z_up), MESHES, .text = "the file's z points up"},
    {"motion", SCHEMA_OBJECT, .object = &motion_object, GIVEN(draft_collider, has_motion), MESHES,
     .text = "moves the mesh's points"},
    {"position", SCHEMA_VEC3, IN(draft_collider, collider.def.position), ANYWHERE, .not_with = "keys",
     .text = "where its origin is"},
    {"rotation", SCHEMA_ROTATION, IN(draft_collider, collider.def.rotation), .not_with = "keys",
     .text = "how it is turned about its origin"},
    {"keys", SCHEMA_LIST, IN(draft_collider, keys), .object = &key_object, .otherwise = "it stands still",
     .text = "moves it, instead of `position` and `rotation`"},
    {"friction", SCHEMA_NUMBER, IN(draft_collider, collider.def.friction), CLOSED(0, 100),
     .text = "times the fabric's"},
    {"dissipation", SCHEMA_NUMBER, IN(draft_collider, collider.def.dissipation), CLOSED(0, 1),
     .text = "times the fabric's"},
    {"filter", SCHEMA_OBJECT, .object = &collider_filter_object, GIVEN(draft_collider, has_filter),
     .otherwise = "with all", .text = "what it collides with"},
    {"side", SCHEMA_CHOICE, IN(draft_collider, side), CHOICES("dynamic", "out", "in", "plain"), MESHES,
     .text = "where cloth belongs that intersects it: `out`, where its normals point; `in`, on the other side; "
             "`dynamic`, outside if it is closed, else found out; `plain`, on neither"},
    {"color", SCHEMA_COLOR, IN(draft_collider, collider.color), .text = "in pictures"},
    {"visible", SCHEMA_BOOLEAN, IN(draft_collider, collider.visible), .text = "drawn in pictures"},
    {.key = NULL}};

static void collider_defaults(void *draft)
{
    *(draft_collider *)draft = (draft_collider){.collider = {.def = weft_collider_def_default(),
                                                             .transform = {.scale = 1, .rotation = {0, 0, 0, 1}},
                                                             .motion_fps = 24,
                                                             .filter = weft_filter_default(),
                                                             .color = {0.62, 0.64, 0.67},
                                                             .visible = true}};
}

static const schema_object collider_object = {.name = "collider",
                                              .title = "A collider",
                                              .text = "What cloth collides with, and does not move by it.",
                                              .size = sizeof(draft_collider),
                                              .defaults = collider_defaults,
                                              .fields = collider_fields,
                                              .selector = "shape"};

/* ---- attachments and ties ---------------------------------------------------------------------------------------- */

#define PINS .only = ONLY(WEFT_ATTACH_PIN) | ONLY(WEFT_ATTACH_SOFT) | ONLY(WEFT_ATTACH_CLAMP)
#define SOFT .only = ONLY(WEFT_ATTACH_SOFT)
#define RODS .only = ONLY(WEFT_ATTACH_ROD)

static const schema_field near_fields[] = {
    {"point", SCHEMA_VEC3, IN(draft_attachment, near_point), ANYWHERE, .required = true, .text = "the centre"},
    {"radius", SCHEMA_NUMBER, IN(draft_attachment, near_radius), .unit = "m", CLOSED(0, 1e6), .required = true,
     .text = "how far away a node may be"},
    {.key = NULL}};

static const schema_object near_object = {.name = "near",
                                          .title = "Nodes near a point",
                                          .text = "The nodes that are in a ball at the start.",
                                          .size = sizeof(draft_attachment),
                                          .fields = near_fields};

static const schema_field box_fields[] = {
    {"min", SCHEMA_VEC3, IN(draft_attachment, box_min), ANYWHERE, .required = true, .text = "least x, y and z"},
    {"max", SCHEMA_VEC3, IN(draft_attachment, box_max), ANYWHERE, .required = true, .text = "largest x, y and z"},
    {.key = NULL}};

static const schema_object box_object = {.name = "box",
                                         .title = "Nodes in a box",
                                         .text = "The nodes that are in a box at the start.",
                                         .size = sizeof(draft_attachment),
                                         .fields = box_fields};

static const schema_field rod_fields[] = {
    {"point", SCHEMA_VEC3, IN(draft_attachment, def.rod_point), ANYWHERE, .required = true,
     .text = "a point of the rod; nodes are put on the rod at the first step"},
    {"direction", SCHEMA_VEC3, IN(draft_attachment, def.rod_direction), DIRECTION, .text = "along the rod"},
    {"friction", SCHEMA_NUMBER, IN(draft_attachment, def.rod_friction), CLOSED(0, 10),
     .text = "tangential over normal force"},
    {.key = NULL}};

static const schema_object rod_object = {.name = "rod",
                                         .title = "A rod",
                                         .text = "An endless line on which rings slide.",
                                         .size = sizeof(draft_attachment),
                                         .fields = rod_fields};

static const schema_field attachment_fields[] = {
    {"cloth", SCHEMA_NAME, IN(draft_attachment, cloth), .of = "cloth", .required = true,
     .text = "whose nodes are held"},
    {"kind", SCHEMA_CHOICE, IN(draft_attachment, def.kind), CHOICES("pin", "rod", "collider", "soft", "clamp"),
     .text =
         "`pin`: held, or moved by keys; `rod`: slides along a rod; `collider`: moves with a collider; `soft`: pulled "
         "by a spring to where a pin would hold it; `clamp`: a line of border nodes held as by a pin, and the "
         "direction "
         "in which the cloth leaves it"},
    {"nodes", SCHEMA_INTEGERS, IN(draft_attachment, nodes), NODES, .otherwise = "none", .text = "numbers of nodes"},
    {"select", SCHEMA_CHOICE, IN(draft_attachment, select), GIVEN(draft_attachment, has_select), .otherwise = "none",
     CHOICES("corners", "warp_start", "warp_end", "weft_start", "weft_end", "border", "all"),
     .text = "nodes (i, j) of an n × m grid: `warp_start` i = 0, `warp_end` i = n − 1, `weft_start` j = 0, `weft_end` "
             "j = m − 1; `border` all of these, `corners` the four where two of them meet; `all`, of meshes, too"},
    {"group", SCHEMA_TEXT, IN(draft_attachment, group), .otherwise = "none",
     .text = "nodes of the faces in this group (`g` or `o`) of the OBJ file"},
    {"near", SCHEMA_OBJECT, .object = &near_object, GIVEN(draft_attachment, has_near), .text = "nodes near a point"},
    {"box", SCHEMA_OBJECT, .object = &box_object, GIVEN(draft_attachment, has_box), .text = "nodes in a box"},
    {"targets", SCHEMA_VEC3S, IN(draft_attachment, targets), ANYWHERE, PINS, .otherwise = "where the nodes are",
     .text = "where the nodes are held, one each, in their order"},
    {"keys", SCHEMA_LIST, IN(draft_attachment, keys), .object = &key_object, PINS, .otherwise = "held still",
     .text = "move the targets: as a body that is at the first key when the nodes are at their targets"},
    {"stiffness", SCHEMA_NUMBER, IN(draft_attachment, def.stiffness), .unit = "N/m", CLOSED(1e-6, 1e7), SOFT,
     .text = "of each node's spring"},
    {"weights", SCHEMA_NUMBERS, IN(draft_attachment, weights), CLOSED(0, 1e3), SOFT, .otherwise = "1 each",
     .text = "times `stiffness`, one each of the nodes"},
    {"rod", SCHEMA_OBJECT, .object = &rod_object, GIVEN(draft_attachment, has_rod), RODS, .required = true,
     .text = "the rod"},
    {"collider", SCHEMA_NAME, IN(draft_attachment, collider), .of = "collider", .required = true,
     .only = ONLY(WEFT_ATTACH_COLLIDER), .text = "that the nodes move with; not a mesh with a motion"},
    {.key = NULL}};

static void attachment_defaults(void *draft)
{
    *(draft_attachment *)draft = (draft_attachment){.def = weft_attachment_def_default()};
}

static const schema_object attachment_object = {
    .name = "attachment",
    .title = "An attachment",
    .text =
        "Holds nodes of a cloth. Exactly one of `nodes`, `select`, `group`, `near` and `box` says which. A node may be "
        "held by one `pin`, `clamp`, `rod` or `collider` only.",
    .size = sizeof(draft_attachment),
    .defaults = attachment_defaults,
    .fields = attachment_fields,
    .selector = "kind",
    .one_of = "nodes select group near box"};

static const schema_field tie_fields[] = {
    {"cloth_a", SCHEMA_NAME, IN(draft_tie, cloth_a), .of = "cloth", .required = true, .text = "one cloth"},
    {"nodes_a", SCHEMA_INTEGERS, IN(draft_tie, nodes_a), NODES, .required = true, .text = "nodes of it"},
    {"cloth_b", SCHEMA_NAME, IN(draft_tie, cloth_b), .of = "cloth", .otherwise = "`cloth_a`",
     .text = "another cloth, or the same"},
    {"nodes_b", SCHEMA_INTEGERS, IN(draft_tie, nodes_b), NODES, .required = true,
     .text = "nodes of it, as many as `nodes_a`: the first is tied to the first, the second to the second …"},
    {"stiffness", SCHEMA_NUMBER, IN(draft_tie, def.stiffness), .unit = "N/m", CLOSED(1e-6, 1e7),
     .text = "of each spring"},
    {"length", SCHEMA_NUMBER, IN(draft_tie, def.length), .unit = "m", CLOSED(0, 1e3), .text = "of each spring at rest"},
    {"damping", SCHEMA_NUMBER, IN(draft_tie, def.damping), .unit = "s", CLOSED(0, 10), .text = "relaxation time"},
    {.key = NULL}};

static void tie_defaults(void *draft)
{
    *(draft_tie *)draft = (draft_tie){.def = weft_tie_def_default()};
}

static const schema_object tie_object = {.name = "tie",
                                         .title = "A tie",
                                         .text =
                                             "Springs between pairs of nodes: seams that pull shut, laces, buttons.",
                                         .size = sizeof(draft_tie),
                                         .defaults = tie_defaults,
                                         .fields = tie_fields};

static const schema_field layer_fields[] = {
    {"inner", SCHEMA_NAME, IN(draft_layer, inner), .of = "cloth", .required = true, .text = "what is worn below"},
    {"outer", SCHEMA_NAME, IN(draft_layer, outer), .of = "cloth", .required = true, .text = "what is worn over it"},
    {.key = NULL}};

static void layer_defaults(void *draft)
{
    *(draft_layer *)draft = (draft_layer){.inner = {.text = NULL}};
}

static const schema_object layer_object = {
    .name = "layer",
    .title = "A layer",
    .text =
        "Two cloths of which one is worn over the other, with their fronts outside: where they intersect, each goes "
        "to its side.",
    .size = sizeof(draft_layer),
    .defaults = layer_defaults,
    .fields = layer_fields};

/* ---- forces, solver, output, picture ----------------------------------------------------------------------------- */

static const schema_field gust_fields[] = {{"strength", SCHEMA_NUMBER, IN(draft_scene, gust.strength), CLOSED(0, 1),
                                            .text = "share of the wind's speed by which it swells and ebbs"},
                                           {"period", SCHEMA_NUMBER, IN(draft_scene, gust.period), .unit = "s",
                                            CLOSED(0.01, 1e4), .text = "from gust to gust"},
                                           {.key = NULL}};

static const schema_object gust_object = {
    .name = "gust",
    .title = "Gusts",
    .text = "The air moves with `wind` · (1 + `strength` · sin(2π t / `period`)), taken at the middle of each step.",
    .size = sizeof(draft_scene),
    .fields = gust_fields};

static const schema_field forces_fields[] = {
    {"gravity", SCHEMA_VEC3, IN(draft_scene, sim.gravity), .unit = "m/s²", LENGTH(1e4), .text = "y is up"},
    {"wind", SCHEMA_VEC3, IN(draft_scene, sim.wind), .unit = "m/s", LENGTH(1e3), .text = "velocity of the air"},
    {"gust", SCHEMA_OBJECT, .object = &gust_object, .text = "changes of the wind"},
    {"air_density", SCHEMA_NUMBER, IN(draft_scene, sim.air_density), .unit = "kg/m³", CLOSED(0, 100),
     .text = "0: no drag"},
    {"drag_normal", SCHEMA_NUMBER, IN(draft_scene, sim.drag_normal), CLOSED(0, 10),
     .text = "drag coefficient of air that flows against the cloth"},
    {"drag_tangential", SCHEMA_NUMBER, IN(draft_scene, sim.drag_tangential), CLOSED(0, 10),
     .text = "drag coefficient of air that flows along the cloth"},
    {"air_viscosity", SCHEMA_NUMBER, IN(draft_scene, sim.air_viscosity), .unit = "N·s/m³", CLOSED(0, 1e4),
     .text = "force per area and velocity against any motion"},
    {.key = NULL}};

static const schema_object forces_object = {.name = "forces",
                                            .title = "Forces",
                                            .text = "What acts on all cloth.",
                                            .size = sizeof(draft_scene),
                                            .fields = forces_fields};

static const schema_field solver_fields[] = {
    {"integrator", SCHEMA_CHOICE, IN(draft_scene, sim.integrator), CHOICES("bdf2", "implicit", "explicit"),
     .text = "`bdf2`: second order, little damping; `implicit`: Euler's, damps; `explicit`: needs small steps"},
    {"newton_tolerance", SCHEMA_NUMBER, IN(draft_scene, sim.newton_tolerance), .unit = "m", CLOSED(1e-12, 1),
     .text = "solve until no node would move more than this"},
    {"newton_limit", SCHEMA_INTEGER, IN(draft_scene, sim.newton_limit), CLOSED(1, 1000),
     .text = "Newton steps a time step at most; up to six times as many where the last still moved a node far"},
    {"linear_tolerance", SCHEMA_NUMBER, IN(draft_scene, sim.linear_tolerance), CLOSED(1e-12, 0.5),
     .text = "error of the inner solve in the energy norm"},
    {"linear_limit", SCHEMA_INTEGER, IN(draft_scene, sim.linear_limit), CLOSED(1, 1000000),
     .text = "conjugate-gradient iterations a Newton step at most"},
    {"halving_limit", SCHEMA_INTEGER, IN(draft_scene, sim.halving_limit), CLOSED(0, 10),
     .text = "how often a step that fails is halved"},
    {"velocity_bound", SCHEMA_NUMBER, IN(draft_scene, sim.velocity_bound), CLOSED(1e-6, 10),
     .text = "`explicit`: most way in a step over the shortest edge at the node"},
    {"contact", SCHEMA_CHOICE, IN(draft_scene, sim.contact), CHOICES("coarse", "fine"),
     .text =
         "of cloth with cloth and with analytic colliders, in the solve; `coarse`: quick, but layers hover and fast "
         "sliding over cloth is braked; `fine`: layers lie at their thickness and slide by Coulomb's law, for "
         "up to three times the time where rumpled cloth rests on itself"},
    {"contact_radius", SCHEMA_NUMBER, IN(draft_scene, sim.contact_radius), .unit = "m", CLOSED(0, 0.1),
     .text = "contact begins this much beyond the thickness; 0: a tenth of the edge length, at most 0.5 mm"},
    {"contact_stiffness", SCHEMA_NUMBER, IN(draft_scene, sim.contact_stiffness), CLOSED(1e-3, 1e3),
     .text = "times the fabric's mean stretch stiffness"},
    {"pair_radius", SCHEMA_NUMBER, IN(draft_scene, sim.pair_radius), .unit = "m", CLOSED(0, 0.1),
     .text =
         "contact of cloth with cloth and with meshes begins this much beyond the thickness; 0: a quarter of the edge "
         "length, at most 4 mm"},
    {"response", SCHEMA_CHOICE, IN(draft_scene, sim.response), CHOICES("weft", "provot", "none"),
     .text = "to collisions of cloth with cloth and meshes; `weft`: nothing passes through; `provot`: neither, by the "
             "method of 1997; `none`: it passes through"},
    {"threads", SCHEMA_INTEGER, IN(draft_scene, sim.n_threads), CLOSED(0, 256),
     .text = "0: one a core; the result is the same to the last bit"},
    {"world_scale", SCHEMA_INTEGER, IN(draft_scene, sim.world_scale), CLOSED(0, 12),
     .text = "cloth stays within ±256 · 2^`world_scale` m, with steps of 2^(`world_scale` − 32) m"},
    {.key = NULL}};

static const schema_object solver_object = {.name = "solver",
                                            .title = "Solver",
                                            .text = "How steps in time are made.",
                                            .size = sizeof(draft_scene),
                                            .fields = solver_fields};

static const schema_field output_fields[] = {
    {"fps", SCHEMA_NUMBER, IN(draft_scene, output.fps), .unit = "1/s", CLOSED(1e-3, 1e5), .text = "frames a second"},
    {"frames", SCHEMA_INTEGER, IN(draft_scene, output.frames), CLOSED(0, 1e6),
     .text = "how many, beside the one at the start"},
    {"steps_per_frame", SCHEMA_INTEGER, IN(draft_scene, output.steps_per_frame), CLOSED(1, 100000),
     .text = "a step is 1 / (`fps` · `steps_per_frame`), within [1e-7, 0.5] s"},
    {"restart_every", SCHEMA_INTEGER, IN(draft_scene, output.restart_every), CLOSED(1, 1e6),
     .text = "frames from one restart point to the next"},
    {"compression", SCHEMA_INTEGER, IN(draft_scene, output.compression), CLOSED(1, 19), .text = "zstd's level"},
    {"contacts", SCHEMA_BOOLEAN, IN(draft_scene, output.contacts),
     .text = "store what pressed on nodes in each frame, and which of them were left no room"},
    {.key = NULL}};

static const schema_object output_object = {.name = "output",
                                            .title = "Output",
                                            .text = "What is written, and how often.",
                                            .size = sizeof(draft_scene),
                                            .fields = output_fields};

static const schema_field camera_fields[] = {
    {"eye", SCHEMA_VEC3, IN(draft_scene, picture.eye), ANYWHERE, .required = true, .text = "where it stands"},
    {"target", SCHEMA_VEC3, IN(draft_scene, picture.target), ANYWHERE, .required = true, .text = "what it looks at"},
    {.key = NULL}};

static const schema_object camera_object = {.name = "camera",
                                            .title = "A camera",
                                            .text = "Without one, the whole run is framed.",
                                            .size = sizeof(draft_scene),
                                            .fields = camera_fields};

static const schema_field picture_fields[] = {
    {"width", SCHEMA_INTEGER, IN(draft_scene, picture.width), .unit = "pixels", CLOSED(16, 8192),
     .text = "of a picture"},
    {"height", SCHEMA_INTEGER, IN(draft_scene, picture.height), .unit = "pixels", CLOSED(16, 8192),
     .text = "of a picture"},
    {"samples", SCHEMA_INTEGER, IN(draft_scene, picture.samples), CLOSED(1, 1024), .text = "per pixel"},
    {"camera", SCHEMA_OBJECT, .object = &camera_object, GIVEN(draft_scene, picture.has_camera),
     .text = "where the picture is taken from"},
    {"direction", SCHEMA_VEC3, IN(draft_scene, picture.direction), DIRECTION,
     .text = "without `camera`: from the scene to the eye"},
    {"view_angle", SCHEMA_NUMBER, IN(draft_scene, picture.view_angle), .unit = "degrees", CLOSED(1, 150),
     .text = "from the picture's lower to its upper edge"},
    {"color", SCHEMA_CHOICE, IN(draft_scene, picture.coloring),
     CHOICES("sides", "stretch", "level", "intersections", "warp", "weft", "shear", "speed", "distance", "pressure"),
     .text =
         "`sides`: front and back of each cloth; `stretch`: blue where shorter than at rest, red at the limit; "
         "`level`: the darker the more often faces have split; `intersections`: red where triangles intersect, orange "
         "where they are nearer to a collider than the thickness, purple where colliders left no room; `warp`, `weft`: "
         "stretch along these; `shear`: what "
         "they "
         "lack to a right angle; `speed`; `distance`: to colliders, up to 50 mm; `pressure` of contacts, from both "
         "sides together"},
    {"wire", SCHEMA_BOOLEAN, IN(draft_scene, picture.wire), .text = "draw the mesh's lines on the cloth"},
    {"ground", SCHEMA_BOOLEAN, IN(draft_scene, picture.ground), .text = "draw a ground where there is no plane"},
    {"background", SCHEMA_COLOR, IN(draft_scene, picture.background), .text = "behind all"},
    {.key = NULL}};

static const schema_object picture_object = {.name = "picture",
                                             .title = "Picture",
                                             .text = "How pictures are made.",
                                             .size = sizeof(draft_scene),
                                             .fields = picture_fields};

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static const schema_field scene_fields[] = {
    {"weft", SCHEMA_INTEGER, IN(draft_scene, version), CLOSED(1, 1), .text = "version of the format of the file"},
    {"name", SCHEMA_TEXT, IN(draft_scene, name), .otherwise = "the file's, without its ending", .text = "of the scene"},
    {"fabrics", SCHEMA_MAP, IN(draft_scene, fabrics), .object = &fabric_object, .otherwise = "none",
     .text = "fabrics by name, beside those of the library"},
    {"cloths", SCHEMA_MAP, IN(draft_scene, cloths), .object = &cloth_object, .required = true,
     .text = "cloths by name, at least one"},
    {"colliders", SCHEMA_MAP, IN(draft_scene, colliders), .object = &collider_object, .otherwise = "none",
     .text = "colliders by name"},
    {"attachments", SCHEMA_LIST, IN(draft_scene, attachments), .object = &attachment_object, .otherwise = "none",
     .text = "what holds nodes"},
    {"ties", SCHEMA_LIST, IN(draft_scene, ties), .object = &tie_object, .otherwise = "none",
     .text = "springs between nodes"},
    {"layers", SCHEMA_LIST, IN(draft_scene, layers), .object = &layer_object, .otherwise = "none",
     .text = "which cloth is worn over which"},
    {"forces", SCHEMA_OBJECT, .object = &forces_object, .text = "gravity and air"},
    {"solver", SCHEMA_OBJECT, .object = &solver_object, .text = "how steps are made"},
    {"output", SCHEMA_OBJECT, .object = &output_object, .text = "frames"},
    {"picture", SCHEMA_OBJECT, .object = &picture_object, .text = "how pictures are made"},
    {.key = NULL}};

/* What the library has no say in has its defaults here. */
static void scene_defaults(void *draft)
{
    draft_scene *d = draft;
    *d = (draft_scene){.version = 1,
                       .sim = weft_sim_def_default(),
                       .gust = {.strength = 0, .period = 2},
                       .output = {60, 120, 1, 20, 1, true},
                       .picture = {.width = 960,
                                   .height = 720,
                                   .samples = 16,
                                   .direction = {0.5, 0.45, 1},
                                   .view_angle = 30,
                                   .ground = false,
                                   .background = {0.93, 0.93, 0.93}}};
    d->sim.n_threads = 0;
}

const schema_object schema_scene = {.name = "scene",
                                    .title = "The scene",
                                    .text = "The keys of the file itself.",
                                    .size = sizeof(draft_scene),
                                    .defaults = scene_defaults,
                                    .fields = scene_fields};
