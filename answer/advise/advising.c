/* Functions that several files of answer/advise/ call while perfmodel searches for the fastest
 * version of a program. They build the workload (launches and buffers) of a version, find the
 * version's rows in the table of counted events, and free memory. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "answer/advise/parts.h"
#include "base/session/session.h"
#include "program/suite/suite.h"

void pm_advise_release(pm_advising *a)
{
    pm_workload_free(a->workload);
    pm_workload_free(a->written);
    pm_source_close(a->source);
    pm_memory_free(&a->shared.memory);
    a->workload = NULL;
    a->written = NULL;
    a->source = NULL;
    a->shared = (pm_staged){0};
}

pm_workload *pm_advise_build(pm_advising *a, const char *variant)
{
    pm_workload *workload =
        pm_program_build(a->program, variant, a->size, pm_session_chosen(a->session)->seed,
                         a->session, a->memory.err);

    if (!workload)
        pm_give_up(&a->memory, a->memory.err->status);
    return workload;
}

bool pm_advise_is_of(const pm_advising *a, size_t row, const char *variant)
{
    const pm_sample *s = pm_dataset_sample(a->rows, row);

    return strcmp(s->variant, variant) == 0 && strcmp(s->size, a->size) == 0 &&
           strcmp(s->program, a->program->info.name) == 0;
}
