/* SPDX-License-Identifier: MIT */
/* stats.csv beside its cache. The cache has every frame first, so a blow may leave the file without the last lines, or
 * with some that the cache no longer has; what a late audit found is in the file alone. */
#ifndef TOOL_STATS_FILE_H
#define TOOL_STATS_FILE_H

#include "run_folder.h"
#include "stats.h"

/* Fills in what the table does not know of the audit, from the text of a stats.csv: of lines with the same frame, time
 * and hash, under the same names of columns. Anything else in the text is passed over. */
void stats_recall(stats_table *table, const char *csv);
/* The same from the file of a folder, if there is one. */
void stats_recall_file(stats_table *table, const run_folder *folder);
/* Whether the file is that of the table, to the byte. */
bool stats_file_is(const run_folder *folder, const page *csv);

#endif
