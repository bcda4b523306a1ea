/* SPDX-License-Identifier: MIT */
/* The version as text, and a name for each result. */
#include <weft/base.h>

#define VERSION_PART(x) #x
#define VERSION_TEXT(major, minor, patch) VERSION_PART(major) "." VERSION_PART(minor) "." VERSION_PART(patch)

const char *weft_version(void)
{
    return VERSION_TEXT(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
}

/* A switch without default, so that the compiler warns about a result that has no name. */
const char *weft_result_name(weft_result r)
{
    switch (r) {
    case WEFT_OK: return "ok";
    case WEFT_ERROR_ARGUMENT: return "bad argument";
    case WEFT_ERROR_STRUCT_SIZE: return "wrong struct_size";
    case WEFT_ERROR_MEMORY: return "out of memory";
    case WEFT_ERROR_RANGE: return "value out of range";
    case WEFT_ERROR_NOT_FINITE: return "not a finite number";
    case WEFT_ERROR_INDEX: return "index out of range";
    case WEFT_ERROR_DEGENERATE: return "degenerate element";
    case WEFT_ERROR_DUPLICATE: return "duplicate";
    case WEFT_ERROR_NON_MANIFOLD: return "not a manifold";
    case WEFT_ERROR_MASS: return "node without mass";
    case WEFT_ERROR_STALE_ID: return "stale id";
    case WEFT_ERROR_NOT_FOUND: return "not found";
    case WEFT_ERROR_CANCELLED: return "cancelled";
    case WEFT_ERROR_DIVERGED: return "diverged";
    case WEFT_ERROR_SNAPSHOT: return "not a matching snapshot";
    case WEFT_ERROR_FILE: return "file cannot be read or written";
    case WEFT_ERROR_FORMAT: return "wrong content of a file";
    case WEFT_ERROR_VERSION: return "file of another version";
    case WEFT_ERROR_CHECKSUM: return "damaged file";
    case WEFT_ERROR_EXISTS: return "file exists already";
    case WEFT_ERROR_LIMIT: return "too many";
    case WEFT_ERROR_BUSY: return "called from within a callback";
    case WEFT_WARNING_HALVED: return "step done in parts";
    case WEFT_WARNING_NOT_CONVERGED: return "not converged";
    case WEFT_WARNING_SQUEEZED: return "squeezed between colliders";
    case WEFT_WARNING_NODE_LIMIT: return "limit of nodes reached";
    case WEFT_WARNING_STRETCHED: return "stretched beyond the limit";
    }
    return "unknown result";
}
