/* Writes a summary of the kernel launches that a capture has recorded, and of the launches that it
 * has left out with the reasons. See tell.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/tell.h"

#include <stdlib.h>
#include <string.h>

static const char *const reasons[PM_LEFT_REASONS] = {
    [PM_LEFT_NOT_LONGEST] = "others took longer (--longest takes more)",
    [PM_LEFT_SHORT] = "all launches of their kernels take little time (--share takes more)",
    [PM_LEFT_NOT_CHOSEN] = "they were not chosen",
    [PM_LEFT_BYTES] = "contents would be too large (--max-bytes allows more)",
    [PM_LEFT_LARGE] = "buffers have more than 4 GiB",
    [PM_LEFT_SECONDS] = "recording took too long (--max-seconds allows more)",
    [PM_LEFT_SLOW] = "recording them would take long in relation to the program (--first or "
                     "--launches choose them)",
    [PM_LEFT_KIND] = "the program is a binary, perhaps of a cache that can be emptied, or SPIR-V",
    [PM_LEFT_LINKED] = "the program was linked of several sources",
    [PM_LEFT_IMAGE] = "images are arguments",
    [PM_LEFT_PIPE] = "pipes are arguments",
    [PM_LEFT_SVM] = "pointers lead to memory that clSVMAlloc did not allocate",
    [PM_LEFT_UNSET] = "arguments are missing, or too many",
    [PM_LEFT_USER_EVENT] = "the host held commands back by an event of its own",
    [PM_LEFT_CALLBACK] = "a callback launched them",
    [PM_LEFT_GRAPH] = "streams were being captured into graphs",
    [PM_LEFT_POINTERS] = "pointers in structs and in memory lead to more than 192 buffers",
    [PM_LEFT_LAYOUT] = "the driver is older than CUDA 12.4 and does not tell where arguments lie",
    [PM_LEFT_CLUSTERS] = "blocks are launched in clusters",
    [PM_LEFT_UNREADABLE] = "buffers could not be read or stored",
};

void pm_summary_file(pm_memory *memory, pm_capture_summary *summary, const char *file)
{
    *pm_add(memory, summary->files, summary->file_count) = pm_copy(memory, file);
}

static void add_left(pm_memory *memory, pm_capture_summary *summary, const char *why,
                     uint64_t launches, uint64_t ns)
{
    size_t i = 0;

    while (i < summary->left_count && strcmp(summary->left[i].why, why) != 0)
        i++;
    if (i == summary->left_count)
        pm_add(memory, summary->left, summary->left_count)->why = why;
    summary->left[i].launches += launches;
    summary->left[i].ns += ns;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Returns true if a launch of the kernel is in a workload file of the capture. */
static bool is_captured(const pm_captured_kernel *kernel, const pm_replay *replays, size_t count)
{
    for (size_t p = 0; p < count; p++)
        for (size_t l = 0; l < replays[p].launch_count; l++)
            if (replays[p].launches[l].from->kernel == kernel)
                return true;
    return false;
}

static void add_kernel(pm_memory *memory, pm_capture_summary *summary,
                       const pm_captured_kernel *kernel, const pm_replay *replays, size_t count)
{
    const bool captured = is_captured(kernel, replays, count);
    uint64_t ns = 0, launches = 0;

    for (unsigned r = 0; r < PM_LEFT_REASONS; r++) {
        const pm_captured_total *total = &kernel->totals[r];

        ns += total->ns;
        launches += total->launches;
        summary->untimed += total->untimed;
        if (r != PM_CAPTURED && total->launches > 0)
            add_left(memory, summary, reasons[r], total->launches, total->ns);
    }
    summary->ns += ns;
    summary->launches += launches;
    summary->kernels += launches > 0;
    summary->kernels_captured += captured;
    summary->of_kernels_ns += captured ? ns : 0;
}

static void add_replay(pm_memory *memory, pm_capture_summary *summary, const pm_replay *replay)
{
    summary->captured += replay->launch_count;
    for (size_t l = 0; l < replay->launch_count; l++)
        summary->captured_ns += replay->launches[l].from->ns;
    for (size_t r = 0; r < replay->refused_count; r++)
        add_left(memory, summary, replay->refused[r].why, replay->refused[r].launches,
                 replay->refused[r].ns);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const pm_capture_left *left = a, *right = b;

    return left->ns < right->ns ? 1 : left->ns > right->ns ? -1 : strcmp(left->why, right->why);
}

void pm_summary_fill(pm_memory *memory, pm_capture_summary *summary, const pm_captured *captured,
                     const pm_replay *replays, size_t replay_count)
{
    for (size_t p = 0; p < captured->count; p++) {
        const pm_captured_process *process = &captured->processes[p];

        summary->processes++;
        pm_captured_count(process);
        for (size_t k = 0; k < process->kernel_count; k++)
            add_kernel(memory, summary, process->kernels[k], replays, replay_count);
    }
    for (size_t p = 0; p < replay_count; p++)
        add_replay(memory, summary, &replays[p]);
    if (summary->left_count > 0)
        qsort(summary->left, summary->left_count, sizeof *summary->left, by_time);
}
