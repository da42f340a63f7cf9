/* Leaving out what a case does not need. See shrink.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "shrink.h"

#include <string.h>

#include "program.h"

/* The same result, and for the same reason where there is one. */
static bool same(const sr_tally *a, const sr_tally *b)
{
    for (unsigned r = 0; r < SR_RESULTS; r++)
        if (sr_tally_all(a, r) != sr_tally_all(b, r))
            return false;
    return a->reason_count == b->reason_count &&
           (a->reason_count == 0 || strcmp(a->reasons[0].text, b->reasons[0].text) == 0);
}

bool sr_shrink(const sr_options *options, sr_tally *t)
{
    static sr_tally whole, part;
    unsigned char dropped[SR_UNITS] = {0};
    sr_options o = *options;
    sr_program *program = sr_program_create(o.first, NULL, NULL);
    size_t units = program->units < SR_UNITS ? program->units : SR_UNITS;

    sr_program_free(program);
    o.print = false;
    o.quiet = true;
    o.dropped = dropped;
    if (!sr_run_jobs(&o, 1, &whole))
        return false;
    for (size_t i = 0; i < units; i++) {
        part = (sr_tally){0};
        dropped[i] = 1;
        if (!sr_run_jobs(&o, 1, &part))
            return false;
        dropped[i] = same(&whole, &part);
    }
    o.print = true;
    o.quiet = false;
    return sr_run_jobs(&o, 1, t);
}
