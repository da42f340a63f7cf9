/* Makes the access table of a kernel, which has a row with counts and a class for each memory
 * instruction.
 *
 * The classes of accesses are those of Nakai and Ohno 2017, section 5.1 (figure 11, as printed,
 * cannot reach all of them). ShareCoalesc: work-items of a warp have the same address. Otherwise
 * the class depends on the mean number of other work-items whose address is less than 128 bytes
 * after the first work-item's. The class is UnCoalesc if the mean is less than 1, else Coalesc. The
 * paper rounds the mean down to a whole number, so a mean below 1 counts as 0. A gather whose
 * addresses are adjacent only now and then is therefore not coalesced.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/count.h"

#include <string.h>

/* ---- the table ----------------------------------------------------------------------------- */

static const char SHARED_ADDRESS[] = "ShareCoalesc";

static const char *space_name(pm_space space)
{
    static const char *const names[] = {"global", "shared", "constant", "private"};

    return names[space];
}

static const char *kind_name(pm_access_kind kind)
{
    static const char *const names[] = {"load", "store", "atomic"};

    return names[kind];
}

static void make(pm_trace_kernel *kernel, const pm_kernel_code *code, pm_memory *memory)
{
    kernel->kernel = pm_copy(memory, code->name);
    kernel->accesses = pm_take(memory, code->site_count, sizeof *kernel->accesses);
    for (size_t i = 0; i < code->site_count; i++) {
        const pm_site *site = &code->sites[i];

        if (site->row < kernel->access_count || site->row == PM_NO_ROW)
            continue;
        kernel->accesses[kernel->access_count++] =
            (pm_access){.kind = kind_name(site->kind),
                        .space = space_name(site->space),
                        .bytes = site->bytes,
                        .line = site->line,
                        .column = site->column,
                        .buffer = pm_copy(memory, site->object),
                        .structure = pm_copy(memory, site->structure),
                        .field = pm_copy(memory, site->field),
                        .loop = code->loops[site->loop].line,
                        .access_class = ""};
    }
}

void pm_access_table_add(pm_trace_kernel *kernel, const pm_kernel_code *code,
                         const pm_launch_counts *counts, pm_memory *memory)
{
    if (!kernel->accesses)
        make(kernel, code, memory);
    for (size_t i = 0; i < code->site_count; i++) {
        pm_access *access;

        if (code->sites[i].row == PM_NO_ROW)
            continue;
        access = &kernel->accesses[code->sites[i].row];
        access->executions += counts->sites[i].executions;
        access->work_items += counts->sites[i].work_items;
        access->transactions += counts->sites[i].transactions;
        access->coalesced_threads += counts->sites[i].near;
        if (counts->sites[i].same)
            access->access_class = SHARED_ADDRESS;
    }
    kernel->launches++;
    kernel->sampled += counts->sampled;
}

void pm_access_table_finish(pm_trace_kernel *kernel)
{
    kernel->sampled /= kernel->launches > 0 ? (double)kernel->launches : 1;
    for (size_t i = 0; i < kernel->access_count; i++) {
        pm_access *access = &kernel->accesses[i];

        if (access->executions <= 0 || strcmp(access->space, "global") != 0) {
            access->coalesced_threads = 0;
            access->access_class = "";
            continue;
        }
        access->coalesced_threads /= access->executions;
        if (access->access_class != SHARED_ADDRESS)
            access->access_class = access->coalesced_threads >= 2 ? "Coalesc" : "UnCoalesc";
    }
}
