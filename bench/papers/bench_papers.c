/* SPDX-License-Identifier: MIT */
/* Measures all that the four papers report, one paper after the other, beside their tables; then one table with the
 * time each took and whether it was as promised. */
#include "bench.h"
#include "bench_table.h"
#include "say.h"

#include <stdio.h>
#include <string.h>

typedef struct paper {
    const char *name, *title;
    int (*run)(const bench_options *o);
} paper;

static const paper papers[] = {
    {"villard", "Villard and Borouchaki 2002: table 1, figures 7, 8, 15, 16", bench_villard},
    {"volino", "Volino and Magnenat-Thalmann 1994: tables 1 and 2, section 3.3", bench_volino},
    {"provot", "Provot 1997: figure 5, the ribbon", bench_provot},
    {"garments", "Provot 1997: figures 7 to 9, garments on a mannequin without interpenetration", bench_garments},
    {"ye", "Ye and Zhao 2012: figures 3, 4, 6, 7 and 8, and beyond", bench_ye},
};
enum { N_PAPERS = sizeof papers / sizeof *papers };

int bench_papers(const bench_options *o)
{
    int codes[N_PAPERS];
    double seconds[N_PAPERS];
    bench_options each = *o;
    bool any = false;
    each.only = NULL;
    for (int i = 0; i < N_PAPERS; i++) {
        codes[i] = -1;
        if (o->only && strcmp(o->only, papers[i].name) != 0)
            continue;
        printf("%s%s\n\n", any ? "\n\n" : "", papers[i].title);
        fflush(stdout);
        double from = bench_clock();
        codes[i] = papers[i].run(&each);
        seconds[i] = bench_clock() - from;
        any = true;
    }
    if (!any)
        return say_wrong("there is no paper '%s': there are villard, volino, provot, garments, ye", o->only);
    static const bench_column columns[] = {{"bench", "bench", -10}, {"wall s", "wall_s", 8}, {"result", "result", -24}};
    bench_table t;
    int worst = EXIT_FINE;
    puts("");
    table_begin(&t, columns, 3);
    for (int i = 0; i < N_PAPERS; i++) {
        if (codes[i] < 0)
            continue;
        table_text(&t, papers[i].name);
        table_number(&t, 1, seconds[i]);
        table_text(&t, codes[i] == EXIT_FINE ? "as promised" : codes[i] == EXIT_NO ? "not all as promised" : "failed");
        worst = codes[i] > worst ? codes[i] : worst;
    }
    int code = table_end(&t, o, "papers");
    return code > worst ? code : worst;
}
