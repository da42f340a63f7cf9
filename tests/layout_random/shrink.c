/* Leaving out what a case does not need. See shrink.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "shrink.h"

#include <string.h>

#include "program.h"

/* The same results of all kinds, and for the same reason where it is a refusal. */
static bool same(const lr_tally *a, const lr_tally *b)
{
    for (unsigned r = LR_EQUAL; r < LR_RESULTS; r++)
        if ((lr_tally_all(a, r) == 0) != (lr_tally_all(b, r) == 0))
            return false;
    return a->reason_count == b->reason_count &&
           (a->reason_count == 0 || strcmp(a->reasons[0].text, b->reasons[0].text) == 0);
}

bool lr_shrink(const lr_options *options, lr_tally *t)
{
    static lr_tally whole, part;
    unsigned char dropped[LR_UNITS] = {0};
    lr_options o = *options;
    lr_program *program = lr_program_create(o.first, NULL);
    size_t units = program->units < LR_UNITS ? program->units : LR_UNITS;

    lr_program_free(program);
    o.quiet = true;
    o.print = false;
    o.dropped = dropped;
    if (!lr_run_jobs(&o, 1, &whole))
        return false;
    for (size_t i = units; i-- > 0;) {
        part = (lr_tally){0};
        dropped[i] = 1;
        if (!lr_run_jobs(&o, 1, &part))
            return false;
        dropped[i] = same(&whole, &part);
    }
    o.quiet = false;
    o.print = true;
    return lr_run_jobs(&o, 1, t);
}
