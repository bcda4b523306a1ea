/* SPDX-License-Identifier: MIT */
/* What is behind the last complete chunk of a file that was not closed. */
#ifndef WEFT_IO_CACHE_CACHE_TAIL_H
#define WEFT_IO_CACHE_CACHE_TAIL_H

#include "io/cache/cache_file.h"

/* Sets all->torn unless it may be what a writer that was stopped has left: the beginning of the next chunk, or of index
 * and footer. *is_index: an index begins there. */
weft_result cache_tail_check(cache_chunks *all, const cache_file *f, bool *is_index, weft_error *e);

#endif
