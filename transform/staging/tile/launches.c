/* Finds the launches of a kernel in the staging request, and facts about the kernel's arrays that
 * follow from them, such as whether an array is temporary (its contents are needed neither before
 * nor after a launch). See kernel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/staging/tile/kernel.h"

/* ---- launches of one kernel ----------------------------------------------------------------- */

void pm_launches_find(const pm_stage_request *request, const char *kernel, pm_memory *memory,
                      pm_kernel_launches *launches)
{
    size_t most = 0;

    *launches =
        (pm_kernel_launches){.any = request->launch_count > 0, .local_bytes = request->local_bytes};
    memcpy(launches->work_group, request->work_group, sizeof launches->work_group);
    for (size_t l = 0; l < request->launch_count; l++) {
        const pm_stage_launch *launch = &request->launches[l];
        size_t size[3] = {1, 1, 1}, items;

        if (strcmp(launch->kernel, kernel) != 0)
            continue;
        *pm_add(memory, launches->items, launches->count) = launch;
        for (unsigned d = 0; d < launch->dimensions && d < 3; d++)
            size[d] = launch->local[d];
        items = size[0] * size[1] * size[2];
        launches->several |= most > 0 && memcmp(size, launches->work_group, sizeof size) != 0;
        if (items > most) {
            most = items;
            memcpy(launches->work_group, size, sizeof size);
        }
    }
}

/* ---- arrays and local memory ---------------------------------------------------------------- */

/* Returns true if the array is temporary: the request names it as temporary, or every launch passes
 * a temporary buffer for it. */
static bool is_temporary(const pm_stage_request *request, const pm_kernel_launches *launches,
                         const pm_index_array *array)
{
    const char *names = request->scratch;
    bool any = false, all = true;

    while (names && *names) {
        size_t length = strcspn(names, "+");

        if (strlen(array->name) == length && strncmp(array->name, names, length) == 0)
            return true;
        names += length + (names[length] == '+');
    }
    for (size_t l = 0; l < launches->count; l++)
        if (array->argument < launches->items[l]->arg_count) {
            any = true;
            all &= launches->items[l]->args[array->argument].scratch;
        }
    return any && all;
}

/* Returns the number of the array's elements. Returns 0 if it is unknown, or if it differs between
 * launches. */
static size_t count_elements(const pm_kernel_launches *launches, const pm_index_array *array)
{
    size_t elements = 0;

    for (size_t l = 0; l < launches->count; l++) {
        const pm_stage_launch *launch = launches->items[l];
        size_t own;

        if (array->argument >= launch->arg_count || array->element_bytes == 0)
            return 0;
        own = launch->args[array->argument].buffer_bytes / array->element_bytes;
        if (own == 0 || (elements > 0 && own != elements))
            return 0;
        elements = own;
    }
    return elements;
}

void pm_launches_describe(const pm_stage_request *request, const pm_index *index, pm_memory *memory,
                          pm_kernel_launches *launches)
{
    size_t taken = index->local_bytes, most = 0;

    for (size_t l = 0; l < launches->count; l++)
        if (launches->items[l]->shared > most)
            most = launches->items[l]->shared;
    taken += most;
    launches->free_bytes = launches->local_bytes > taken ? launches->local_bytes - taken : 0;
    launches->arrays = pm_take(memory, index->array_count, sizeof *launches->arrays);
    for (size_t a = 0; a < index->array_count; a++)
        launches->arrays[a] =
            (pm_launched_array){.temporary = is_temporary(request, launches, &index->arrays[a]),
                                .elements = count_elements(launches, &index->arrays[a])};
}
