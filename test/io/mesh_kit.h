/* SPDX-License-Identifier: MIT */
/* What the tests of the mesh readers share. Include after cmocka.h. */
#ifndef WEFT_TEST_IO_MESH_KIT_H
#define WEFT_TEST_IO_MESH_KIT_H

#include "data_file.h"

#include <weft/io/mesh.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline weft_mesh kit_bytes(weft_mesh_format format, const void *bytes, size_t size)
{
    /* As long as the input and no longer, so that a sanitizer sees a reader that goes beyond it. */
    void *exact = malloc(size ? size : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    weft_mesh mesh;
    weft_error e = {0};
    weft_result r = weft_mesh_parse(format, "in", exact, size, &mesh, &e);
    free(exact);
    if (r != WEFT_OK)
        fail_msg("%s", e.text);
    return mesh;
}

static inline weft_mesh kit_text(weft_mesh_format format, const char *text)
{
    return kit_bytes(format, text, strlen(text));
}

static inline void kit_wrong_bytes(weft_mesh_format format, const void *bytes, size_t size, const char *message)
{
    weft_mesh mesh;
    weft_error e = {0};
    weft_result r = weft_mesh_parse(format, "in", bytes, size, &mesh, &e);
    if (r != WEFT_ERROR_FORMAT || e.code != r || strcmp(e.text, message) != 0)
        fail_msg("got %d: %s\nexpected: %s", (int)r, e.text, message);
    assert_null(mesh.positions);
    assert_int_equal(mesh.n_nodes, 0);
}

static inline void kit_wrong(weft_mesh_format format, const char *text, const char *message)
{
    kit_wrong_bytes(format, text, strlen(text), message);
}

static inline void kit_same_ints(const int32_t *got, const int32_t *expected, int n)
{
    assert_non_null(got);
    for (int i = 0; i < n; i++)
        assert_int_equal(got[i], expected[i]);
}

static inline void kit_same_point(weft_vec3 p, double x, double y, double z)
{
    if (p.x != x || p.y != y || p.z != z)
        fail_msg("got %.17g %.17g %.17g, expected %.17g %.17g %.17g", p.x, p.y, p.z, x, y, z);
}

static inline void kit_make_folder(char folder[256])
{
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, 256, "%s/weft_mesh_XXXXXX", tmp && strlen(tmp) < 200 ? tmp : "/tmp");
    assert_non_null(mkdtemp(folder));
}

static inline void kit_write(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

#endif
