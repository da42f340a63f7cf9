/* Runs the work-groups of a launch on this machine. See machine.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every work-item is a coroutine that runs until it ends or comes to a barrier; where the source
 * has none, all of a group are one. A buffer ends (up to its alignment) at a page that cannot be
 * touched, and what is around it must not change, for what memory.c does not get to see.
 */
#include "machine.h"

#include <dlfcn.h>
#include <errno.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "base/error.h"
#include "memory.h"

enum {
    STACK_BYTES = 64 << 10,
    MAX_GROUP = 256,
    ALIGN = 64,
    PAGE = 4096,
    GAP = 1 << 24, /* bytes around a buffer, more than the largest wrong index reaches */
    GUARD_BYTE = 0xa5,
    LOCAL_BYTES = 1 << 18,
    MOST_ACCESSES = 20000000,
    LOCAL_FENCE = 1,
    GLOBAL_FENCE = 2
};

typedef struct {
    unsigned char *map, *data, *start, *end; /* start to end: range of accessible addresses */
    size_t bytes, map_bytes;
} guarded;

typedef int (*switch_fn)(ucontext_t *from, const ucontext_t *to);

struct rd_machine {
    rd_memory memory;
    rd_kernel kernel;
    switch_fn switch_to;
    const pm_launch *launch;
    uint64_t args[PM_MAX_ARGS], random;
    /* item: number in the group of the work-item that runs now */
    size_t group[3], item, group_size;
    size_t group_number, coroutines; /* of the group */
    ucontext_t scheduler, contexts[MAX_GROUP];
    size_t order[MAX_GROUP];
    bool ended[MAX_GROUP], gave_up;
    unsigned fence[MAX_GROUP], line[MAX_GROUP]; /* fence and line of the barrier where each
                                                 * work-item waits */
    unsigned char *stacks, *shared;             /* shared: a local argument */
    guarded buffers[RD_ANYWHERE];
};

static _Thread_local rd_machine *current;

/* ---- functions that kernels call --------------------------------------------------------------
 */

uint64_t rd_work_item(uint32_t what, uint32_t dimension);
void rd_barrier(uint32_t fence, uint32_t line);

uint64_t rd_work_item(uint32_t what, uint32_t dimension)
{
    const rd_machine *m = current;
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

void rd_barrier(uint32_t fence, uint32_t line)
{
    rd_machine *m = current;

    m->fence[m->item] = fence;
    m->line[m->item] = line;
    m->switch_to(&m->contexts[m->item], &m->scheduler);
}

/* ---- a group ----------------------------------------------------------------------------------
 */

static void give_up(void *context)
{
    rd_machine *m = context;

    m->gave_up = true;
    m->switch_to(&m->contexts[m->item], &m->scheduler);
}

static void run_item(rd_machine *m)
{
    const uint64_t *a = m->args;

#define FOUR(i) a[i], a[(i) + 1], a[(i) + 2], a[(i) + 3]
#define SIXTEEN(i) FOUR(i), FOUR((i) + 4), FOUR((i) + 8), FOUR((i) + 12)
    m->kernel(SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48));
    m->ended[m->item] = true;
}

static void choose_item(rd_machine *m, size_t i)
{
    m->item = m->order[i];
    m->memory.item = (uint32_t)(m->group_number * m->group_size + m->item + 1);
}

static void coroutine(void)
{
    rd_machine *m = current;

    if (m->coroutines > 1)
        run_item(m);
    for (size_t i = 0; m->coroutines == 1 && i < m->group_size; i++) {
        choose_item(m, i);
        run_item(m);
    }
}

/* Outside of a loop, because getcontext may return twice. */
static __attribute__((noinline)) void start_item(rd_machine *m, size_t item)
{
    ucontext_t *context = &m->contexts[item];

    m->ended[item] = false;
    getcontext(context);
    context->uc_stack.ss_sp = m->stacks + item * STACK_BYTES;
    context->uc_stack.ss_size = STACK_BYTES;
    context->uc_link = &m->scheduler;
    makecontext(context, coroutine, 0);
}

static size_t below(rd_machine *m, size_t n)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(m->random >> 33) % n;
}

static void shuffle(rd_machine *m)
{
    for (size_t i = 0; i < m->group_size; i++) {
        size_t j = below(m, i + 1);

        m->order[i] = m->order[j];
        m->order[j] = i;
    }
}

/* Runs each work-item until its next barrier. Returns the number that have ended. */
static size_t take_turns(rd_machine *m)
{
    size_t ended = 0;

    shuffle(m);
    for (size_t i = 0; i < m->coroutines && !m->gave_up; i++) {
        choose_item(m, i);
        m->switch_to(&m->scheduler, &m->contexts[m->coroutines > 1 ? m->item : 0]);
    }
    for (size_t i = 0; i < m->group_size; i++)
        ended += m->ended[i];
    return ended;
}

static pm_status run_group(rd_machine *m, pm_error *err)
{
    const char *kernel = m->launch->kernel;
    size_t ended;

    m->memory.local_epoch++;
    m->memory.global_epoch++;
    /* A group that was stopped has left its stacks in use. */
    ASAN_UNPOISON_MEMORY_REGION(m->stacks, MAX_GROUP * STACK_BYTES);
    for (size_t i = 0; i < m->coroutines; i++)
        start_item(m, i);
    for (;;) {
        ended = take_turns(m);
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

static pm_status set_arguments(rd_machine *m, pm_error *err)
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

static pm_status run_launch(rd_machine *m, const rd_library *library, bool barriers, pm_error *err)
{
    const pm_launch *l = m->launch;
    size_t groups[3];

    m->kernel = rd_library_kernel(library, l->kernel);
    m->group_size = l->local[0] * l->local[1] * l->local[2];
    if (!m->kernel || m->group_size > MAX_GROUP)
        return pm_fail(err, PM_FAILED, "no kernel %s, or its groups are too large", l->kernel);
    m->coroutines = barriers ? m->group_size : 1;
    if (set_arguments(m, err) != PM_OK)
        return PM_FAILED;
    for (size_t d = 0; d < 3; d++)
        groups[d] = l->global[d] / l->local[d];
    rd_memory_launch(&m->memory, (uint32_t)m->group_size);
    for (size_t g = 0; g < groups[0] * groups[1] * groups[2]; g++) {
        m->group[0] = g % groups[0];
        m->group[1] = g / groups[0] % groups[1];
        m->group[2] = g / groups[0] / groups[1];
        /* Overwrites local memory, so that no contents of an earlier group remain. */
        memset(library->local_start, 0xa5, (size_t)(library->local_end - library->local_start));
        m->group_number = g;
        if (run_group(m, err) != PM_OK)
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

    g->map_bytes = room + 2 * (size_t)GAP;
    g->map =
        mmap(NULL, g->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (g->map == MAP_FAILED) {
        g->map = NULL;
        return pm_fail(err, PM_FAILED, "no memory for buffer %s", buffer->name);
    }
    g->start = g->map + GAP;
    g->end = g->start + room;
    g->data = g->end - padded;
    g->bytes = buffer->bytes;
    if (mprotect(g->start, room, PROT_READ | PROT_WRITE) != 0)
        return pm_fail(err, PM_FAILED, "buffer %s: %s", buffer->name, strerror(errno));
    memset(g->start, GUARD_BYTE, (size_t)(g->data - g->start));
    memset(g->data + g->bytes, GUARD_BYTE, (size_t)(g->end - g->data) - g->bytes);
    if (buffer->initial)
        memcpy(g->data, buffer->initial, buffer->bytes);
    else
        memset(g->data, buffer->flags & PM_BUFFER_POISON ? 0xff : 0, buffer->bytes);
    return PM_OK;
}

static bool is_guard(const unsigned char *start, const unsigned char *end)
{
    while (start < end && *start == GUARD_BYTE)
        start++;
    return start == end;
}

/* Copies the outputs, if the bytes around them are unchanged. */
static pm_status take_outputs(const rd_machine *m, const pm_workload *w, const void **outputs,
                              pm_error *err)
{
    for (size_t i = 0; i < w->buffer_count; i++) {
        const guarded *g = &m->buffers[i];

        if (!is_guard(g->start, g->data) || !is_guard(g->data + g->bytes, g->end))
            return pm_fail(err, PM_FAILED, "written beside %s, which has %zu bytes",
                           w->buffers[i].name, g->bytes);
        outputs[i] = w->buffers[i].flags & PM_BUFFER_OUTPUT ? g->data : NULL;
    }
    return PM_OK;
}

static size_t local_argument(const pm_workload *w)
{
    size_t most = 0;

    for (size_t l = 0; l < w->launch_count; l++)
        for (size_t i = 0; i < w->launches[l].arg_count; i++)
            if (w->launches[l].args[i].kind == PM_ARG_LOCAL && w->launches[l].args[i].bytes > most)
                most = w->launches[l].args[i].bytes;
    return most;
}

static pm_status set_memory(rd_machine *m, const pm_workload *w, const rd_library *library,
                            bool races, pm_error *err)
{
    const rd_region own = {.name = "local memory",
                           .start = library->local_start,
                           .bytes = (size_t)(library->local_end - library->local_start),
                           .local = true};
    const rd_region given = {
        .name = "a local argument", .start = m->shared, .bytes = local_argument(w), .local = true};
    bool added = true;

    if (w->buffer_count > RD_ANYWHERE)
        return pm_fail(err, PM_FAILED, "%zu buffers are too many", w->buffer_count);
    for (size_t i = 0; i < w->buffer_count && added; i++) {
        rd_region buffer = {.name = w->buffers[i].name,
                            .bytes = w->buffers[i].bytes,
                            .constant = !races || !(w->buffers[i].flags & PM_BUFFER_OUTPUT)};

        if (new_buffer(&m->buffers[i], &w->buffers[i], err) != PM_OK)
            return PM_FAILED;
        buffer.start = m->buffers[i].data;
        added = rd_memory_add(&m->memory, &buffer);
    }
    added = added && rd_memory_add(&m->memory, &own) && rd_memory_add(&m->memory, &given);
    m->memory.code_start = library->code_start;
    m->memory.code_end = library->code_end;
    m->memory.accesses = 0;
    m->memory.most = MOST_ACCESSES;
    return added ? PM_OK : pm_fail(err, PM_FAILED, "out of memory");
}

static void release_memory(rd_machine *m)
{
    rd_memory_clear(&m->memory);
    for (size_t i = 0; i < RD_ANYWHERE; i++)
        if (m->buffers[i].map)
            munmap(m->buffers[i].map, m->buffers[i].map_bytes);
    memset(m->buffers, 0, sizeof m->buffers);
}

static void tell_ranges(const rd_machine *m, size_t count, rd_range *ranges)
{
    for (size_t i = 0; i < count; i++) {
        const rd_region *r = &m->memory.regions[i];

        ranges[i] = (rd_range){0};
        if (r->low)
            ranges[i] = (rd_range){(size_t)(r->low - r->start), (size_t)(r->high - r->start)};
    }
}

pm_status rd_machine_run(rd_machine *m, const pm_workload *w, const rd_library *library,
                         uint64_t order, rd_range *ranges, pm_error *err)
{
    const void *outputs[RD_ANYWHERE] = {0};
    const bool barriers = strstr(w->source, "barrier") || strstr(w->source, "__syncthreads");
    pm_status status = set_memory(m, w, library, !ranges, err);

    current = m;
    m->random = order;
    m->gave_up = false;
    rd_memory_use(&m->memory);
    for (size_t i = 0; i < w->launch_count && status == PM_OK; i++) {
        m->launch = &w->launches[i];
        status = run_launch(m, library, barriers, err);
    }
    if (status == PM_OK)
        status = take_outputs(m, w, outputs, err);
    if (status == PM_OK)
        status = w->check(w, outputs, err);
    if (ranges && status == PM_OK)
        tell_ranges(m, w->buffer_count, ranges);
    release_memory(m);
    return status;
}

/* Calls the C library's function, because the address sanitizer replaces it by one that warns. */
static switch_fn find_switch(void)
{
    void *libc = dlopen("libc.so.6", RTLD_LAZY);
    switch_fn found;

    *(void **)&found = libc ? dlsym(libc, "swapcontext") : NULL;
    return found;
}

rd_machine *rd_machine_create(bool padded)
{
    rd_machine *m = calloc(1, sizeof *m);

    if (m)
        m->stacks = malloc((size_t)MAX_GROUP * STACK_BYTES);
    if (m)
        m->shared = aligned_alloc(ALIGN, LOCAL_BYTES);
    if (m)
        m->switch_to = find_switch();
    if (!m || !m->stacks || !m->shared || !m->switch_to) {
        rd_machine_free(m);
        return NULL;
    }
    m->memory.free_start = m->stacks;
    m->memory.free_end = m->stacks + (size_t)MAX_GROUP * STACK_BYTES;
    m->memory.padded = padded;
    m->memory.give_up = give_up;
    m->memory.context = m;
    return m;
}

void rd_machine_free(rd_machine *m)
{
    if (!m)
        return;
    free(m->stacks);
    free(m->shared);
    free(m);
}
