/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <signal.h>
#include <string.h>

/* A handler can only be told things by statics. */
static volatile sig_atomic_t first_signal, n_signals, is_over;
static weft_sim *volatile running;

static void on_signal(int number)
{
    if (is_over) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    if (n_signals == 0)
        first_signal = number;
    if (n_signals < 2)
        n_signals = n_signals + 1;
    weft_sim *sim = running;
    if (n_signals == 2 && sim)
        weft_sim_cancel(sim);
}

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void interrupt_watch(void)
{
    first_signal = n_signals = is_over = 0;
    set_handler(SIGINT, on_signal);
    set_handler(SIGTERM, on_signal);
    /* Under nohup a terminal that goes away is to be of no matter. */
    struct sigaction old;
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        set_handler(SIGHUP, on_signal);
    set_handler(SIGPIPE, SIG_IGN);
    set_handler(SIGXFSZ, SIG_IGN);
}

void interrupt_set_sim(weft_sim *sim)
{
    running = sim;
}

int interrupt_signal(void)
{
    return first_signal;
}

void interrupt_ignore_no_more(void)
{
    running = NULL;
    is_over = 1;
}
