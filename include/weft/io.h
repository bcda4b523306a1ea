/* SPDX-License-Identifier: MIT */
/* All of libweft-io: scenes, meshes, caches, exports. Needs libyaml and libzstd. */
#ifndef WEFT_IO_H
#define WEFT_IO_H

#include <weft/io/body.h>
#include <weft/io/export.h>
#include <weft/io/pattern.h>
#include <weft/io/scene.h>

#endif
