/* SPDX-License-Identifier: MIT */
/* Types that every part of the API uses: vectors, results, ids, callbacks.
 *
 * All quantities are SI: metres, kilograms, seconds, newtons. State is double.
 * No function prints, exits or aborts on outside data, and nothing is global. */
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(WEFT_SHARED)
#ifdef WEFT_BUILD
#define WEFT_API __declspec(dllexport)
#else
#define WEFT_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 2
#define WEFT_VERSION_PATCH 0

/* "major.minor.patch" of the library that is linked. */
WEFT_API const char *weft_version(void);

typedef struct weft_vec3 {
    double x, y, z;
} weft_vec3;

typedef struct weft_vec2 {
    double u, v;
} weft_vec2;

/* A rotation as a quaternion; {0, 0, 0, 1} is none. Need not be of unit length, must not be zero. */
typedef struct weft_quat {
    double x, y, z, w;
} weft_quat;

/* 0: done. Negative: failed, nothing was changed. Positive: done, with a warning. */
typedef enum weft_result {
    WEFT_OK = 0,
    WEFT_ERROR_ARGUMENT = -1,       /* a NULL or a value that makes no sense together with others */
    WEFT_ERROR_STRUCT_SIZE = -2,    /* struct_size is not that of this library's definition */
    WEFT_ERROR_MEMORY = -3,         /* the allocator returned NULL */
    WEFT_ERROR_RANGE = -4,          /* a number outside its range */
    WEFT_ERROR_NOT_FINITE = -5,     /* NaN or infinity */
    WEFT_ERROR_INDEX = -6,          /* an index out of range */
    WEFT_ERROR_DEGENERATE = -7,     /* an element without area, or that names a node twice */
    WEFT_ERROR_DUPLICATE = -8,      /* the same element, node or constraint twice */
    WEFT_ERROR_NON_MANIFOLD = -9,   /* an edge of three elements, or two that disagree in orientation */
    WEFT_ERROR_MASS = -10,          /* a node without mass */
    WEFT_ERROR_STALE_ID = -11,      /* the thing this id named is gone, or never was */
    WEFT_ERROR_NOT_FOUND = -12,     /* no such name */
    WEFT_ERROR_CANCELLED = -13,     /* weft_sim_cancel was called; the last good state stands */
    WEFT_ERROR_DIVERGED = -14,      /* no acceptable step was found; the last good state stands */
    WEFT_ERROR_SNAPSHOT = -15,      /* not a snapshot of this simulation */
    WEFT_ERROR_FILE = -16,          /* a file that cannot be opened, read or written */
    WEFT_ERROR_FORMAT = -17,        /* a file whose content is wrong: the text says where */
    WEFT_ERROR_VERSION = -18,       /* a file or snapshot of another version */
    WEFT_ERROR_CHECKSUM = -19,      /* a file that is damaged */
    WEFT_ERROR_EXISTS = -20,        /* a file that would be overwritten */
    WEFT_ERROR_LIMIT = -21,         /* more than a stated limit allows */
    WEFT_ERROR_BUSY = -22,          /* called from within a callback, where the simulation is at work */
    WEFT_WARNING_HALVED = 1,        /* the step was done in parts */
    WEFT_WARNING_NOT_CONVERGED = 2, /* done, but the solver stopped at its limit of iterations */
    WEFT_WARNING_SQUEEZED = 3,      /* done, but colliders leave no room for some element */
    WEFT_WARNING_NODE_LIMIT = 4,    /* done, but a cloth would want more nodes than its limit */
    WEFT_WARNING_STRETCHED = 5      /* done, but cloth is stretched by far more than its limit: the log says by what */
} weft_result;

/* Short name of a result, e.g. "index out of range". Never NULL. */
WEFT_API const char *weft_result_name(weft_result r);

/* What went wrong, for a person. Functions that take one accept NULL. */
typedef struct weft_error {
    weft_result code;
    int32_t element; /* node, face, fabric … that the text names; -1 if none */
    char text[504];
} weft_error;

/* Ids are values. They stay unique over the life of a simulation: the generation tells reuse. {0, 0} is none. */
typedef struct weft_cloth_id {
    int32_t index;
    uint32_t generation;
} weft_cloth_id;

typedef struct weft_collider_id {
    int32_t index;
    uint32_t generation;
} weft_collider_id;

typedef struct weft_attachment_id {
    int32_t index;
    uint32_t generation;
} weft_attachment_id;

typedef struct weft_tie_id {
    int32_t index;
    uint32_t generation;
} weft_tie_id;

/* Which things collide: two do if each is of a category that is in the other's mask. Those that do not go through each
 * other as if the other were not there: nothing keeps them apart, and nothing tells of it. */
typedef struct weft_filter {
    uint32_t category; /* a bit for each category that it is of; 1 */
    uint32_t mask;     /* of the categories that it collides with; 0xffffffff */
    bool itself;       /* cloth: it collides with itself; true */
} weft_filter;

WEFT_API weft_filter weft_filter_default(void);

/* On which side of an object's surface other objects belong; sides are told by the order of its triangles' corners. */
typedef enum weft_untangle_side {
    WEFT_SIDE_DYNAMIC = 0, /* found out: the smaller part that a contour cuts off is the intruder */
    WEFT_SIDE_OUT = 1,     /* where normals point: corners run counter-clockwise as seen from there */
    WEFT_SIDE_IN = -1,     /* the other */
    WEFT_SIDE_PLAIN = 2    /* no side is preferred: contours are shortened, nothing else */
} weft_untangle_side;

/* ---- callbacks ---------------------------------------------------------------------------------------------------
 *
 * They run in the middle of a function of the simulation that they belong to. Called from within one, for that same
 * simulation,
 *   - functions that change it return WEFT_ERROR_BUSY and do nothing; what was running goes on;
 *   - weft_sim_destroy does nothing either, which the log is told (weft_log_fn): destroy when the call has returned;
 *   - functions that read it (const weft_sim *) work in the callbacks for forces, sizes and the log. They tell of the
 *     last part of a step that is done; of what a whole step adds up (forces on colliders and attachments, squeezed
 *     pairs), as far as it has got. In allocators and parallel_for, where data may be half made, they return
 *     WEFT_ERROR_BUSY, and weft_sim_hash 0;
 *   - weft_sim_time and weft_sim_cancel always work.
 * Other simulations may be made and used. Callbacks return: one that is left by longjmp or an exception leaves its
 * simulation busy for good. */

/* One allocator function, as in Lua: new_size 0 frees and returns NULL, ptr NULL allocates. Returns NULL when out of
 * memory, and the old block then stays as it was. Called only from the thread that calls the API. It reads and
 * changes nothing of the simulation: WEFT_ERROR_BUSY. */
typedef void *(*weft_alloc_fn)(void *user, void *ptr, size_t old_size, size_t new_size);

typedef enum weft_log_level { WEFT_LOG_DEBUG = 0, WEFT_LOG_INFO = 1, WEFT_LOG_WARNING = 2 } weft_log_level;

/* Called from the thread that calls the API. The text is valid during the call only. May read the
 * simulation, not change it: WEFT_ERROR_BUSY. Is not called from within itself. */
typedef void (*weft_log_fn)(void *user, weft_log_level level, const char *text);

/* Runs run(context, i) for every i in [0, n), in any order, on any threads, and returns when all are done. Given in
 * place of the library's own threads by programs that have a job system. The results do not depend on it. It reads
 * and changes nothing of the simulation: WEFT_ERROR_BUSY. */
typedef void (*weft_parallel_for_fn)(void *user, int32_t n, void (*run)(void *context, int32_t i), void *context);

#ifdef __cplusplus
}
#endif
#endif
