/* SPDX-License-Identifier: MIT */
/* Ctrl-C and SIGTERM during a run: the first asks for an end after the frame, the second cancels the step. */
#ifndef TOOL_INTERRUPT_H
#define TOOL_INTERRUPT_H

#include <weft/weft.h>

/* From now on signals are counted. Also: a reader of our output that has gone, or a limit on the size of files, does
 * not end the program, but is an error of the write. */
void interrupt_watch(void);
/* The simulation whose step the second signal cancels; NULL: none. */
void interrupt_set_sim(weft_sim *sim);
/* The first signal that came, 0: none. */
int interrupt_signal(void);
/* Signals end the program again, as usual. */
void interrupt_ignore_no_more(void);

#endif
