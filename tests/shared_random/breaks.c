/* Breaking sources. See breaks.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "breaks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

/* The source with `with` in place of `length` bytes at `at`. */
static void replace(pm_workload *w, const char *at, size_t length, const char *with)
{
    size_t bytes = strlen(w->source) + strlen(with) + 1;
    char *source = sr_need(malloc(bytes));

    snprintf(source, bytes, "%.*s%s%s", (int)(at - w->source), w->source, with, at + length);
    free(w->source);
    w->source = source;
}

static bool drop_barriers(pm_workload *w)
{
    static const char barrier[] = "barrier(";
    char *at = strstr(w->source, barrier);
    bool found = at;

    for (; at; at = strstr(w->source, barrier))
        replace(w, at, sizeof barrier - 1, "(void)(");
    return found;
}

/* The last element that the source names of an array that is only read becomes the next one. */
static bool shift_index(pm_workload *w, const sr_program *p)
{
    for (size_t a = 0; a < p->array_count; a++) {
        const char *name = p->arrays[a].name, *found = NULL;
        size_t length = strlen(name);

        for (const char *at = w->source; (at = strstr(at, name)) && !p->arrays[a].written; at++)
            if (at[length] == '[' && at > w->source && !isalnum((unsigned char)at[-1]) &&
                at[-1] != '_')
                found = at;
        if (!found)
            continue;
        replace(w, found + length, 1, "[1 + ");
        return true;
    }
    return false;
}

bool sr_break_source(pm_workload *w, const sr_program *p, sr_break how)
{
    return how == SR_BREAK_BARRIER ? drop_barriers(w) : shift_index(w, p);
}
