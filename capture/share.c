/* Selects the kernels of a captured program that together take a given fraction of the time of all
 * its kernels. See records.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "capture/records.h"

typedef struct {
    pm_captured_kernel *kernel;
    uint64_t ns; /* time of all its launches */
} timed_kernel;

void pm_captured_count(const pm_captured_process *process)
{
    for (size_t k = 0; k < process->kernel_count; k++)
        process->kernels[k]->totals[PM_CAPTURED] = (pm_captured_total){0};
    for (size_t l = 0; l < process->launch_count; l++) {
        const pm_captured_launch *launch = &process->launches[l];

        for (size_t k = 0; k < process->kernel_count && !launch->dropped; k++)
            if (process->kernels[k] == launch->kernel) {
                process->kernels[k]->totals[PM_CAPTURED].launches++;
                process->kernels[k]->totals[PM_CAPTURED].ns += launch->ns;
            }
    }
}

static int by_time(const void *a, const void *b)
{
    const timed_kernel *left = a, *right = b;

    return left->ns < right->ns ? 1 : left->ns > right->ns ? -1 : 0;
}

/* Lists the kernels of all processes, by decreasing time. Returns the time of all of them. */
static uint64_t list_kernels(pm_memory *memory, const pm_captured *captured, timed_kernel **list,
                             size_t *count)
{
    uint64_t all = 0;

    for (size_t p = 0; p < captured->count; p++) {
        const pm_captured_process *process = &captured->processes[p];

        pm_captured_count(process);
        for (size_t k = 0; k < process->kernel_count; k++) {
            timed_kernel *found = pm_add(memory, *list, *count);

            *found = (timed_kernel){.kernel = process->kernels[k]};
            for (unsigned r = 0; r < PM_LEFT_REASONS; r++)
                found->ns += found->kernel->totals[r].ns;
            all += found->ns;
        }
    }
    if (*count > 0)
        qsort(*list, *count, sizeof **list, by_time);
    return all;
}

/* Drops the captured launches of a kernel from the capture, and counts them as PM_LEFT_SHORT. */
static void drop(const pm_captured *captured, pm_captured_kernel *kernel)
{
    pm_captured_total *total = &kernel->totals[PM_LEFT_SHORT];

    for (size_t p = 0; p < captured->count; p++)
        for (size_t l = 0; l < captured->processes[p].launch_count; l++) {
            pm_captured_launch *launch = &captured->processes[p].launches[l];

            if (launch->kernel != kernel || launch->dropped)
                continue;
            launch->dropped = true;
            total->launches++;
            total->ns += launch->ns;
        }
}

void pm_captured_choose(pm_memory *memory, const pm_captured *captured, double share)
{
    timed_kernel *list = NULL;
    size_t count = 0;
    const double all = (double)list_kernels(memory, captured, &list, &count);
    double sum = 0;

    for (size_t k = 0; k < count; k++) {
        /* A kernel without a known time is not dropped, because it may take long. */
        if (list[k].ns > 0 && sum >= share * all)
            drop(captured, list[k].kernel);
        sum += (double)list[k].ns;
    }
}
