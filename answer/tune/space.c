/* Enumerates the versions of a kernel: the combinations of values of its tuning parameters that
 * satisfy the conditions. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "answer/tune/condition.h"
#include "answer/tune/parts.h"
#include "base/error.h"
#include "base/session/session.h"

enum { LOOK = 1 << 16 }; /* number of combinations between two checks for cancellation */

/* Limits: number of combinations of parameter values, and number of versions that remain after the
 * restrictions. */
static const double MOST_COMBINATIONS = 1e8;
static const size_t MOST_VERSIONS = 2000000;

static void check_combinations(const pm_tuner *t)
{
    double combinations = 1;

    for (size_t p = 0; p < t->space->count; p++)
        combinations *= (double)t->space->parameters[p].count;
    if (combinations > MOST_COMBINATIONS)
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "%s: [tune] has %.3g combinations of values, of up to %g: give parameters fewer "
                 "values",
                 t->program->path, combinations, MOST_COMBINATIONS);
}

void pm_tune_add(pm_tuner *t, const int64_t *values, double measured_s)
{
    const size_t bytes = t->space->count * sizeof *values;
    pm_tune_version *version;

    if (t->count == MOST_VERSIONS)
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "%s: more than %zu versions: restrict them, or give parameters fewer values",
                 t->program->path, MOST_VERSIONS);
    /* the size of the array is a power of two and all of it is used, so double it */
    if ((t->count & (t->count - 1)) == 0) {
        pm_tune_version *more = pm_take(&t->memory, 2 * t->count + 1, sizeof *more);

        if (t->count)
            memcpy(more, t->versions, t->count * sizeof *more);
        t->versions = more;
    }
    version = &t->versions[t->count++];
    *version = (pm_tune_version){.values = pm_take(&t->memory, t->space->count, sizeof *values),
                                 .measured_s = measured_s};
    memcpy(version->values, values, bytes);
}

static bool fulfils(const pm_tuner *t, const int64_t *values)
{
    for (size_t c = 0; c < t->condition_count; c++)
        if (!pm_condition_holds(&t->memory, t->conditions[c], values))
            return false;
    return true;
}

/* Advances to the next combination; the last parameter varies fastest. False: there are no more. */
static bool advance(const pm_tune_space *space, size_t *place)
{
    for (size_t p = space->count; p-- > 0;) {
        if (++place[p] < space->parameters[p].count)
            return true;
        place[p] = 0;
    }
    return false;
}

void pm_tune_enumerate(pm_tuner *t)
{
    const pm_tune_space *space = t->space;
    size_t *place = pm_take(&t->memory, space->count, sizeof *place);
    int64_t *values = pm_take(&t->memory, space->count, sizeof *values);
    size_t seen = 0;

    check_combinations(t);
    do {
        bool allowed;

        for (size_t p = 0; p < space->count; p++)
            values[p] = space->parameters[p].values[place[p]];
        pm_require(&t->memory, t->program->allows(t->program->context, t->size, values, &allowed,
                                                  t->memory.err));
        if (allowed && fulfils(t, values))
            pm_tune_add(t, values, 0);
        if (++seen % LOOK == 0)
            pm_require(&t->memory, pm_session_go_on(t->session, t->memory.err));
    } while (advance(space, place));
}
