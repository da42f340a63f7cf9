/* Times CUDA launches by CUPTI's records, else by CUDA events before and after them. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/cuda.h"

/* MOST_SEARCHED: number of oldest launches among which the launch of a CUPTI record is searched */
enum { MOST_RUNNING = 1 << 16, MOST_SEARCHED = 4096 };

bool pm_cuda_take_events(pm_cu_context context, pm_cuda_running *launch)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();

    for (size_t i = cuda->event_count; i-- > 0;)
        if (cuda->events[i].context == context) {
            launch->start = cuda->events[i].start;
            launch->end = cuda->events[i].end;
            cuda->events[i] = cuda->events[--cuda->event_count];
            return true;
        }
    return cuda->event_create(&launch->start, 0) == 0 && cuda->event_create(&launch->end, 0) == 0;
}

void pm_cuda_give_events(const pm_cuda_running *launch)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();

    if (cuda->event_count == cuda->event_room) {
        size_t room = cuda->event_room * 2 + 64;
        pm_cuda_events *grown = reallocarray(cuda->events, room, sizeof *grown);

        if (!grown)
            /* without memory for the list of free events, these two events are never used again and
             * never freed */
            return;
        cuda->events = grown;
        cuda->event_room = room;
    }
    cuda->events[cuda->event_count++] =
        (pm_cuda_events){launch->context, launch->start, launch->end};
}

bool pm_cuda_elapsed(const pm_cuda_running *launch, uint64_t *ns)
{
    float milliseconds = 0;

    if (pm_cuda_layer_get()->event_elapsed(&milliseconds, launch->start, launch->end) != 0 ||
        !(milliseconds >= 0))
        return false;
    *ns = (uint64_t)((double)milliseconds * 1e6);
    return true;
}

void pm_cuda_await(const pm_cuda_running *launch)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();

    if (cuda->running_first + cuda->running_count == cuda->running_room &&
        cuda->running_first > cuda->running_count) {
        memcpy(cuda->running, cuda->running + cuda->running_first,
               cuda->running_count * sizeof *cuda->running);
        cuda->running_first = 0;
    }
    if (cuda->running_first + cuda->running_count == cuda->running_room) {
        size_t room = cuda->running_room * 2 + 256;
        pm_cuda_running *grown =
            room <= MOST_RUNNING ? reallocarray(cuda->running, room, sizeof *grown) : NULL;

        if (!grown) {
            pm_rec_count(launch->entry, launch->reason, false, 0);
            return;
        }
        cuda->running = grown;
        cuda->running_room = room;
    }
    cuda->running[cuda->running_first + cuda->running_count++] = *launch;
}

/* Adds a finished launch to the statistics, with the time between its two events. If the GPU was
 * idle, the start event got its timestamp before the host had submitted the launch, so this time
 * includes host_ns, the host's time to submit it. The longest launches are chosen by a lower bound:
 * the time minus host_ns. The lower bound is comparable with times of recorded launches, which do
 * not include host_ns (pm_cuda_hold). */
static void count(const pm_cuda_running *launch)
{
    uint64_t ns = 0;
    const bool timed = pm_cuda_elapsed(launch, &ns);

    if (timed)
        pm_rec_learn(launch->entry, launch->items, ns > launch->host_ns ? ns - launch->host_ns : 0);
    pm_rec_count(launch->entry, launch->reason, timed, ns);
    pm_cuda_give_events(launch);
}

/* Returns whether a launch belongs to a CUPTI record. entry, entry_items: the launch's kernel and
 * number of work-items. name, items: those of the record. */
static bool is_of(const pm_rec_entry *entry, uint64_t entry_items, const char *name, uint64_t items)
{
    return entry_items == items && strcmp(entry->name, name) == 0;
}

/* Finds the launch to which a CUPTI record belongs: the first launch of this kernel with this
 * number of work-items that has no time yet. This is correct because CUPTI's records come nearly in
 * the order of the launches. Correlation ids cannot be used, because those of records and of
 * callbacks differ if the program launches through CUDA's runtime. */
void pm_cuda_kernel_ended(const char *name, uint64_t items, uint64_t ns)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    pm_cuda_running *first = cuda->running + cuda->running_first;
    const size_t most = cuda->running_count < MOST_SEARCHED ? cuda->running_count : MOST_SEARCHED;
    size_t i = 0;

    while (i < most && !is_of(first[i].entry, first[i].items, name, items))
        i++;
    if (i < most) {
        pm_rec_learn(first[i].entry, items, ns);
        pm_rec_count(first[i].entry, first[i].reason, true, ns);
        /* remove launch i from the list: move the launches before it by one, because they are
         * few */
        memmove(first + 1, first, i * sizeof *first);
        cuda->running_first++;
        cuda->running_count--;
        return;
    }
    for (size_t r = 0; r < cuda->recorded_count; r++) {
        pm_rec_launch *recorded = cuda->recorded[r];

        if (recorded && recorded->ns == 0 && is_of(recorded->entry, recorded->items, name, items)) {
            recorded->ns = ns > 0 ? ns : 1;
            return;
        }
    }
}

void pm_cuda_harvest(size_t most)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    size_t done = 0;

    if (cuda->has_activity)
        most = 0;

    while (done < most && done < cuda->running_count &&
           cuda->event_query(cuda->running[cuda->running_first + done].end) == 0)
        count(&cuda->running[cuda->running_first + done++]);
    cuda->running_first += done;
    cuda->running_count -= done;
    pm_rec_write_totals(false);
}

void pm_cuda_settle(bool driver)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();

    if (driver)
        pm_cuda_harvest(SIZE_MAX);
    for (size_t i = 0; i < cuda->running_count; i++)
        pm_rec_count(cuda->running[cuda->running_first + i].entry,
                     cuda->running[cuda->running_first + i].reason, false, 0);
    /* CUPTI has already reported the times of all launches that ended. Launches that still run when
     * their context ends are counted without a time. */
    cuda->running_count = 0;
    cuda->event_count = 0;
}
