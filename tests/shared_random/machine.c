/* Running work-groups. See machine.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every work-item runs until it ends or comes to a barrier. A buffer ends (up to its alignment) at
 * a page that cannot be touched, for what memory.c does not get to see.
 */
#include "machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "collector/error.h"
#include "memory.h"

enum {
    STACK_BYTES = 64 << 10,
    MAX_GROUP = 256,
    ALIGN = 16,
    PAGE = 4096,
    LOCAL_BYTES = 1 << 14,
    MOST_ACCESSES = 20000000,
    LOCAL_FENCE = 1,
    GLOBAL_FENCE = 2
};

typedef struct {
    unsigned char *map, *data;
    size_t map_bytes;
} guarded;

struct sr_machine {
    sr_memory memory;
    sr_entry entry;
    const pm_launch *launch;
    uint64_t args[PM_MAX_ARGS], random;
    size_t group[3], item, group_size; /* item: of the group, that runs now */
    ucontext_t scheduler, contexts[MAX_GROUP];
    size_t order[MAX_GROUP];
    bool ended[MAX_GROUP], gave_up;
    unsigned fence[MAX_GROUP], line[MAX_GROUP]; /* of the barrier that it waits at */
    unsigned char *stacks, *shared;             /* shared: a local argument */
    guarded buffers[SR_ANYWHERE];
};

static _Thread_local sr_machine *current;

/* ---- what kernels call ------------------------------------------------------------------------
 */

uint64_t sr_work_item(uint32_t what, uint32_t dimension);
void sr_barrier(uint32_t fence, uint32_t line);

uint64_t sr_work_item(uint32_t what, uint32_t dimension)
{
    const sr_machine *m = current;
    const pm_launch *l = m->launch;
    size_t in_dimension[3] = {m->item % l->local[0], m->item / l->local[0] % l->local[1],
                              m->item / l->local[0] / l->local[1]};
    uint32_t d = dimension < 3 ? dimension : 2;
    const uint64_t values[] = {l->offset[d] + m->group[d] * l->local[d] + in_dimension[d],
                               in_dimension[d],
                               m->group[d],
                               l->global[d],
                               l->local[d],
                               l->global[d] / l->local[d],
                               l->offset[d],
                               l->dimensions};

    if (dimension >= l->dimensions)
        return what >= 3 && what <= 5;
    return values[what];
}

void sr_barrier(uint32_t fence, uint32_t line)
{
    sr_machine *m = current;

    m->fence[m->item] = fence;
    m->line[m->item] = line;
    swapcontext(&m->contexts[m->item], &m->scheduler);
}

/* ---- a group ----------------------------------------------------------------------------------
 */

static void give_up(void *context)
{
    sr_machine *m = context;

    m->gave_up = true;
    swapcontext(&m->contexts[m->item], &m->scheduler);
}

static void work_item(void)
{
    current->entry(current->args);
    current->ended[current->item] = true;
}

/* Not part of a loop, as getcontext may return twice. */
static __attribute__((noinline)) void start_item(sr_machine *m, size_t item)
{
    ucontext_t *context = &m->contexts[item];

    m->ended[item] = false;
    getcontext(context);
    context->uc_stack.ss_sp = m->stacks + item * STACK_BYTES;
    context->uc_stack.ss_size = STACK_BYTES;
    context->uc_link = &m->scheduler;
    makecontext(context, work_item, 0);
}

static size_t below(sr_machine *m, size_t n)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(m->random >> 33) % n;
}

static void shuffle(sr_machine *m)
{
    for (size_t i = 0; i < m->group_size; i++) {
        size_t j = below(m, i + 1);

        m->order[i] = m->order[j];
        m->order[j] = i;
    }
}

/* A turn of each work-item; how many have ended. */
static size_t take_turns(sr_machine *m, size_t group)
{
    size_t ended = 0;

    shuffle(m);
    for (size_t i = 0; i < m->group_size && !m->gave_up; i++) {
        m->item = m->order[i];
        m->memory.item = (uint32_t)(group * m->group_size + m->item + 1);
        swapcontext(&m->scheduler, &m->contexts[m->item]);
    }
    for (size_t i = 0; i < m->group_size; i++)
        ended += m->ended[i];
    return ended;
}

static pm_status run_group(sr_machine *m, size_t group, pm_error *err)
{
    const char *kernel = m->launch->kernel;
    size_t ended;

    m->memory.local_epoch++;
    m->memory.global_epoch++;
    for (size_t i = 0; i < m->group_size; i++)
        start_item(m, i);
    for (;;) {
        ended = take_turns(m, group);
        if (m->gave_up)
            return pm_fail(err, PM_FAILED, "%s: %s", kernel, m->memory.error);
        if (ended == m->group_size)
            return PM_OK;
        for (size_t i = 1; i < m->group_size; i++)
            if (ended > 0 || m->line[i] != m->line[0])
                return pm_fail(err, PM_FAILED, "%s: not all work-items come to a barrier", kernel);
        m->memory.local_epoch += (m->fence[0] & LOCAL_FENCE) != 0;
        m->memory.global_epoch += (m->fence[0] & GLOBAL_FENCE) != 0;
    }
}

/* ---- launches ---------------------------------------------------------------------------------
 */

static pm_status set_arguments(sr_machine *m, pm_error *err)
{
    const pm_launch *l = m->launch;

    memset(m->args, 0, sizeof m->args);
    for (size_t i = 0; i < l->arg_count; i++) {
        const pm_arg *arg = &l->args[i];

        if (arg->kind == PM_ARG_BUFFER)
            m->args[i] = (uintptr_t)m->buffers[arg->buffer].data;
        else if (arg->kind == PM_ARG_VALUE && arg->bytes <= 8)
            memcpy(&m->args[i], arg->value, arg->bytes);
        else if (arg->kind == PM_ARG_LOCAL && arg->bytes <= LOCAL_BYTES)
            m->args[i] = (uintptr_t)m->shared;
        else
            return pm_fail(err, PM_FAILED, "%s: argument %zu is of a kind that is not run here",
                           l->kernel, i);
    }
    return PM_OK;
}

static pm_status run_launch(sr_machine *m, const sr_library *library, pm_error *err)
{
    const pm_launch *l = m->launch;
    size_t groups[3];

    m->entry = sr_library_entry(library, l->kernel);
    m->group_size = l->local[0] * l->local[1] * l->local[2];
    if (!m->entry || m->group_size > MAX_GROUP)
        return pm_fail(err, PM_FAILED, "no kernel %s, or its groups are too large", l->kernel);
    if (set_arguments(m, err) != PM_OK)
        return PM_FAILED;
    for (size_t d = 0; d < 3; d++)
        groups[d] = l->global[d] / l->local[d];
    m->memory.group_size = (uint32_t)m->group_size;
    sr_memory_launch(&m->memory);
    for (size_t g = 0; g < groups[0] * groups[1] * groups[2]; g++) {
        m->group[0] = g % groups[0];
        m->group[1] = g / groups[0] % groups[1];
        m->group[2] = g / groups[0] / groups[1];
        /* Local memory does not keep what an earlier group left there. */
        memset(library->local_start, 0xa5, (size_t)(library->local_end - library->local_start));
        if (run_group(m, g, err) != PM_OK)
            return PM_FAILED;
    }
    return PM_OK;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static pm_status new_buffer(guarded *g, const pm_buffer *buffer, pm_error *err)
{
    size_t padded = (buffer->bytes + ALIGN - 1) / ALIGN * ALIGN;
    size_t room = (padded + PAGE - 1) / PAGE * PAGE;

    g->map_bytes = room + 2 * (size_t)PAGE;
    g->map = mmap(NULL, g->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g->map == MAP_FAILED) {
        g->map = NULL;
        return pm_fail(err, PM_FAILED, "no memory for buffer %s", buffer->name);
    }
    g->data = g->map + PAGE + room - padded;
    if (mprotect(g->map + PAGE, room, PROT_READ | PROT_WRITE) != 0)
        return pm_fail(err, PM_FAILED, "buffer %s: %s", buffer->name, strerror(errno));
    if (buffer->initial)
        memcpy(g->data, buffer->initial, buffer->bytes);
    else
        memset(g->data, buffer->flags & PM_BUFFER_POISON ? 0xff : 0, buffer->bytes);
    return PM_OK;
}

static pm_status set_memory(sr_machine *m, const pm_workload *w, const sr_library *library,
                            bool races, pm_error *err)
{
    const sr_region own = {.name = "local memory",
                           .start = library->local_start,
                           .bytes = (size_t)(library->local_end - library->local_start),
                           .local = true};
    const sr_region given = {
        .name = "a local argument", .start = m->shared, .bytes = LOCAL_BYTES, .local = true};
    bool added = true;

    if (w->buffer_count > SR_ANYWHERE)
        return pm_fail(err, PM_FAILED, "%zu buffers are too many", w->buffer_count);
    for (size_t i = 0; i < w->buffer_count && added; i++) {
        sr_region buffer = {.name = w->buffers[i].name,
                            .bytes = w->buffers[i].bytes,
                            .constant = !races || !(w->buffers[i].flags & PM_BUFFER_OUTPUT)};

        if (new_buffer(&m->buffers[i], &w->buffers[i], err) != PM_OK)
            return PM_FAILED;
        buffer.start = m->buffers[i].data;
        added = sr_memory_add(&m->memory, &buffer);
    }
    added = added && sr_memory_add(&m->memory, &own) && sr_memory_add(&m->memory, &given);
    m->memory.code_start = library->code_start;
    m->memory.code_end = library->code_end;
    m->memory.accesses = 0;
    m->memory.most = MOST_ACCESSES;
    return added ? PM_OK : pm_fail(err, PM_FAILED, "out of memory");
}

static void release_memory(sr_machine *m)
{
    sr_memory_clear(&m->memory);
    for (size_t i = 0; i < SR_ANYWHERE; i++)
        if (m->buffers[i].map)
            munmap(m->buffers[i].map, m->buffers[i].map_bytes);
    memset(m->buffers, 0, sizeof m->buffers);
}

static void tell_ranges(const sr_machine *m, size_t count, sr_range *ranges)
{
    for (size_t i = 0; i < count; i++) {
        const sr_region *r = &m->memory.regions[i];

        ranges[i] = (sr_range){0};
        if (r->low)
            ranges[i] = (sr_range){(size_t)(r->low - r->start), (size_t)(r->high - r->start)};
    }
}

pm_status sr_machine_run(sr_machine *m, const pm_workload *w, const sr_library *library,
                         uint64_t order, sr_range *ranges, pm_error *err)
{
    const void *outputs[SR_ANYWHERE] = {0};
    pm_status status = set_memory(m, w, library, !ranges, err);

    current = m;
    m->random = order;
    m->gave_up = false;
    sr_memory_use(&m->memory);
    for (size_t i = 0; i < w->launch_count && status == PM_OK; i++) {
        m->launch = &w->launches[i];
        status = run_launch(m, library, err);
    }
    if (status == PM_OK) {
        for (size_t i = 0; i < w->buffer_count; i++)
            outputs[i] = w->buffers[i].flags & PM_BUFFER_OUTPUT ? m->buffers[i].data : NULL;
        status = w->check(w, w->check_context, outputs, err);
    }
    if (ranges && status == PM_OK)
        tell_ranges(m, w->buffer_count, ranges);
    release_memory(m);
    return status;
}

sr_machine *sr_machine_create(void)
{
    sr_machine *m = calloc(1, sizeof *m);

    if (m)
        m->stacks = malloc((size_t)MAX_GROUP * STACK_BYTES);
    if (m)
        m->shared = aligned_alloc(ALIGN, LOCAL_BYTES);
    if (!m || !m->stacks || !m->shared) {
        sr_machine_free(m);
        return NULL;
    }
    m->memory.free_start = m->stacks;
    m->memory.free_end = m->stacks + (size_t)MAX_GROUP * STACK_BYTES;
    m->memory.give_up = give_up;
    m->memory.context = m;
    return m;
}

void sr_machine_free(sr_machine *m)
{
    if (!m)
        return;
    free(m->stacks);
    free(m->shared);
    free(m);
}
