/* Stores pointers that are inside of buffers and struct arguments. See workload.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/workload.h"

enum { POINTER_BYTES = 8 };

static int by_place(const void *a, const void *b)
{
    const pm_pointer *left = a, *right = b;

    return left->at < right->at ? -1 : left->at > right->at;
}

bool pm_pointers_copy(pm_pointers *to, const pm_pointer *items, size_t count)
{
    *to = (pm_pointers){0};
    if (count == 0)
        return true;
    to->items = calloc(count, sizeof *to->items);
    if (!to->items)
        return false;
    memcpy(to->items, items, count * sizeof *items);
    to->count = count;
    qsort(to->items, count, sizeof *to->items, by_place);
    return true;
}

const pm_pointer *pm_pointers_find(const pm_pointers *pointers, size_t at)
{
    const pm_pointer key = {.at = at};

    return pointers->count == 0
               ? NULL
               : bsearch(&key, pointers->items, pointers->count, sizeof key, by_place);
}

bool pm_pointers_are_sound(const pm_pointers *pointers, size_t bytes, const pm_workload *workload)
{
    for (size_t i = 0; i < pointers->count; i++) {
        const pm_pointer *p = &pointers->items[i];

        if (bytes < POINTER_BYTES || p->at > bytes - POINTER_BYTES ||
            p->buffer >= workload->buffer_count || p->offset > workload->buffers[p->buffer].bytes ||
            (i > 0 && p->at - pointers->items[i - 1].at < POINTER_BYTES))
            return false;
    }
    return true;
}

void pm_pointers_clear(const pm_pointers *pointers, void *bytes)
{
    for (size_t i = 0; i < pointers->count; i++)
        memset((char *)bytes + pointers->items[i].at, 0, POINTER_BYTES);
}

/* Replaces the pointers in a buffer or an argument of `bytes` bytes, *of, by copies of `count`
 * pointers. Records an error in the workload if they are not sound. */
static void set_pointers(pm_workload *workload, pm_pointers *of, size_t bytes,
                         const pm_pointer *items, size_t count)
{
    free(of->items);
    if (!pm_pointers_copy(of, items, count))
        pm_fail(&workload->error, PM_FAILED, "%s: out of memory for pointers", workload->program);
    else if (!pm_pointers_are_sound(of, bytes, workload))
        pm_fail(&workload->error, PM_BAD_INPUT,
                "%s: a pointer that overlaps another one, or leads out of its buffer",
                workload->program);
}

void pm_workload_point(pm_workload *workload, size_t buffer, const pm_pointer *items, size_t count)
{
    if (workload && workload->error.status == PM_OK)
        set_pointers(workload, &workload->buffers[buffer].pointers, workload->buffers[buffer].bytes,
                     items, count);
}

void pm_workload_arg_point(pm_workload *workload, const pm_pointer *items, size_t count)
{
    pm_launch *launch;
    pm_arg *arg;

    if (!workload || workload->error.status != PM_OK || workload->launch_count == 0)
        return;
    launch = &workload->launches[workload->launch_count - 1];
    if (launch->arg_count == 0)
        return;
    arg = &launch->args[launch->arg_count - 1];
    set_pointers(workload, &arg->pointers, arg->bytes, items, count);
}
