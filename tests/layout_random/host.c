/* Running a Workload as a shared library of this machine. See host.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-items of a group are coroutines: each runs until it ends or waits at a barrier. A buffer
 * ends (up to its alignment) at a page that cannot be touched.
 */
#include "host.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "collector/error.h"

enum {
    STACK_BYTES = 256 << 10,
    MAX_GROUP = 256,
    ALIGN = 64,
    PAGE = 4096,
    GUARD_BYTE = 0xa5,
    LOCAL_BYTES = 1 << 18
};

typedef void (*kernel_fn)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                          uint64_t);

/* A group of work-items on its way. */
typedef struct {
    kernel_fn kernel;
    uint64_t args[PM_MAX_ARGS];
    size_t items, group_size, group, item; /* item: of the group, that runs now */
    ucontext_t scheduler, contexts[MAX_GROUP];
    bool ended[MAX_GROUP];
    bool barriers;                  /* there may be some: without, a work-item runs at once */
    unsigned char *stacks, *shared; /* shared: the local argument of a kernel */
} running;

struct lr_host {
    const char *options;
    char base[64], prelude[512];
    running run;
};

/* A buffer between pages that cannot be touched. */
typedef struct {
    unsigned char *map, *start, *data;
    size_t map_bytes, room, bytes; /* room: that can be touched, from start */
} guarded;

/* The group that runs, for the functions that kernels call. */
static _Thread_local running *current;

uint64_t lr_work_item(uint32_t what);
void lr_barrier(void);

uint64_t lr_work_item(uint32_t what)
{
    const running *r = current;
    const uint64_t values[] = {r->group * r->group_size + r->item, r->item, r->group, r->items,
                               r->group_size};

    return values[what];
}

void lr_barrier(void)
{
    running *r = current;

    swapcontext(&r->contexts[r->item], &r->scheduler);
}

/* ---- a launch ---------------------------------------------------------------------------------
 */

static void work_item(void)
{
    running *r = current;
    const uint64_t *a = r->args;

    r->kernel(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12],
              a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24],
              a[25], a[26], a[27], a[28], a[29], a[30], a[31], a[32], a[33], a[34], a[35], a[36],
              a[37], a[38], a[39], a[40], a[41], a[42], a[43], a[44], a[45], a[46], a[47], a[48],
              a[49], a[50], a[51], a[52], a[53], a[54], a[55], a[56], a[57], a[58], a[59], a[60],
              a[61], a[62], a[63]);
    r->ended[r->item] = true;
}

/* Not part of a loop, as getcontext may return twice. */
static __attribute__((noinline)) void start_item(running *r, size_t item)
{
    ucontext_t *context = &r->contexts[item];

    r->ended[item] = false;
    getcontext(context);
    context->uc_stack.ss_sp = r->stacks + item * STACK_BYTES;
    context->uc_stack.ss_size = STACK_BYTES;
    context->uc_link = &r->scheduler;
    makecontext(context, work_item, 0);
}

/* A turn of each work-item; how many have ended. */
static size_t take_turns(running *r)
{
    size_t ended = 0;

    for (r->item = 0; r->item < r->group_size; r->item++)
        swapcontext(&r->scheduler, &r->contexts[r->item]);
    for (size_t i = 0; i < r->group_size; i++)
        ended += r->ended[i];
    return ended;
}

/* All work-items of a group have to end in the same turn. */
static pm_status run_group(running *r, const char *kernel, pm_error *err)
{
    size_t ended;

    for (r->item = 0; !r->barriers && r->item < r->group_size; r->item++)
        work_item();
    if (!r->barriers)
        return PM_OK;
    for (size_t i = 0; i < r->group_size; i++)
        start_item(r, i);
    do {
        ended = take_turns(r);
        if (ended > 0 && ended < r->group_size)
            return pm_fail(err, PM_FAILED, "%s: not all work-items come to a barrier", kernel);
    } while (ended == 0);
    return PM_OK;
}

static pm_status run_launch(running *r, void *library, const pm_launch *launch,
                            const guarded *buffers, pm_error *err)
{
    /* POSIX lets a pointer to data become one to a function this way alone. */
    *(void **)&r->kernel = dlsym(library, launch->kernel);
    if (!r->kernel)
        return pm_fail(err, PM_FAILED, "no kernel %s", launch->kernel);
    memset(r->args, 0, sizeof r->args);
    for (size_t i = 0; i < launch->arg_count; i++) {
        const pm_arg *arg = &launch->args[i];

        if (arg->kind == PM_ARG_BUFFER)
            r->args[i] = (uintptr_t)buffers[arg->buffer].data;
        else if (arg->kind == PM_ARG_VALUE && arg->bytes <= 8)
            memcpy(&r->args[i], arg->value, arg->bytes);
        else if (arg->kind == PM_ARG_LOCAL && arg->bytes <= LOCAL_BYTES)
            r->args[i] = (uintptr_t)r->shared;
        else
            return pm_fail(err, PM_FAILED, "%s: argument %zu is of a kind that is not run here",
                           launch->kernel, i);
    }
    r->items = launch->global[0] * launch->global[1] * launch->global[2];
    r->group_size = launch->local[0] * launch->local[1] * launch->local[2];
    if (launch->dimensions != 1 || r->group_size > MAX_GROUP || launch->offset[0] != 0)
        return pm_fail(err, PM_FAILED, "%s: a launch of %u dimensions is not run here",
                       launch->kernel, launch->dimensions);
    for (r->group = 0; r->group < r->items / r->group_size; r->group++)
        if (run_group(r, launch->kernel, err) != PM_OK)
            return PM_FAILED;
    return PM_OK;
}

/* ---- buffers ----------------------------------------------------------------------------------
 */

static pm_status new_buffer(guarded *g, const pm_buffer *buffer, pm_error *err)
{
    size_t padded = (buffer->bytes + ALIGN - 1) / ALIGN * ALIGN;

    g->bytes = buffer->bytes;
    g->room = (padded + PAGE - 1) / PAGE * PAGE;
    g->map_bytes = g->room + 2 * (size_t)PAGE;
    g->map = mmap(NULL, g->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g->map == MAP_FAILED) {
        g->map = NULL;
        return pm_fail(err, PM_FAILED, "no memory for buffer %s", buffer->name);
    }
    g->start = g->map + PAGE;
    g->data = g->start + g->room - padded;
    if (mprotect(g->start, g->room, PROT_READ | PROT_WRITE) != 0)
        return pm_fail(err, PM_FAILED, "buffer %s: %s", buffer->name, strerror(errno));
    memset(g->start, GUARD_BYTE, g->room);
    if (buffer->initial)
        memcpy(g->data, buffer->initial, g->bytes);
    else
        memset(g->data, buffer->flags & PM_BUFFER_POISON ? 0xff : 0, g->bytes);
    return PM_OK;
}

static pm_status check_guards(const guarded *g, const char *name, pm_error *err)
{
    for (const unsigned char *p = g->start; p < g->start + g->room; p++)
        if ((p < g->data || p >= g->data + g->bytes) && *p != GUARD_BYTE)
            return pm_fail(err, PM_FAILED, "%s: written at %td, its size is %zu", name, p - g->data,
                           g->bytes);
    return PM_OK;
}

static pm_status run_launches(lr_host *host, const pm_workload *w, void *library, guarded *buffers,
                              pm_error *err)
{
    const void **outputs = calloc(w->buffer_count + 1, sizeof *outputs);
    pm_status status = outputs ? PM_OK : pm_fail(err, PM_FAILED, "out of memory");

    for (size_t i = 0; i < w->buffer_count && status == PM_OK; i++)
        status = new_buffer(&buffers[i], &w->buffers[i], err);
    current = &host->run;
    host->run.barriers = strstr(w->source, "barrier");
    for (size_t i = 0; i < w->launch_count && status == PM_OK; i++)
        status = run_launch(&host->run, library, &w->launches[i], buffers, err);
    for (size_t i = 0; i < w->buffer_count && status == PM_OK; i++) {
        status = check_guards(&buffers[i], w->buffers[i].name, err);
        outputs[i] = w->buffers[i].flags & PM_BUFFER_OUTPUT ? buffers[i].data : NULL;
    }
    if (status == PM_OK)
        status = w->check(w, w->check_context, outputs, err);
    free(outputs);
    return status;
}

/* ---- compiling --------------------------------------------------------------------------------
 */

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool written = file && fputs(text, file) >= 0;

    return (!file || fclose(file) == 0) && written;
}

/* The first line of clang's messages that says "error". */
static void first_error(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    bool found = false;

    *line = '\0';
    while (file && !found && fgets(line, (int)size, file))
        found = strstr(line, "error") || strstr(line, "undefined");
    line[strcspn(line, "\n")] = '\0';
    if (file)
        fclose(file);
}

static pm_status compile(const lr_host *host, const pm_workload *w, char *library, size_t size,
                         pm_error *err)
{
    const char *b = host->base;
    char input[128], messages[128], command[2048], line[512];

    snprintf(input, sizeof input, "%s.cl", b);
    snprintf(messages, sizeof messages, "%s.txt", b);
    snprintf(library, size, "%s.so", b);
    if (!write_text(input, w->source))
        return pm_fail(err, PM_FAILED, "%s: %s", input, strerror(errno));
    snprintf(command, sizeof command,
             "'%s' -x cl %s -cl-no-stdinc -include '%s' %s -fPIC -c '%s' -o '%s.o' "
             "2>'%s' && ld -shared -o '%s' '%s.o' 2>>'%s'",
             PM_CLANG, w->build_options, host->prelude, host->options, input, b, messages, library,
             b, messages);
    if (system(command) == 0)
        return PM_OK;
    first_error(messages, line, sizeof line);
    return pm_fail(err, PM_BAD_INPUT, "%s", line);
}

pm_status lr_host_run(lr_host *host, const pm_workload *workload, pm_error *err)
{
    guarded *buffers = calloc(workload->buffer_count + 1, sizeof *buffers);
    char path[128];
    pm_status status;
    void *library;

    if (!buffers)
        return pm_fail(err, PM_FAILED, "out of memory");
    status = compile(host, workload, path, sizeof path, err);
    if (status == PM_OK) {
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        status = library ? run_launches(host, workload, library, buffers, err)
                         : pm_fail(err, PM_BAD_INPUT, "%s", dlerror());
        if (library)
            dlclose(library);
    }
    for (size_t i = 0; i < workload->buffer_count; i++)
        if (buffers[i].map)
            munmap(buffers[i].map, buffers[i].map_bytes);
    free(buffers);
    return status;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

lr_host *lr_host_open(const char *options, const char *base, pm_error *err)
{
    lr_host *host = calloc(1, sizeof *host);

    if (host)
        host->run.stacks = malloc((size_t)MAX_GROUP * STACK_BYTES);
    if (host)
        host->run.shared = aligned_alloc(ALIGN, LOCAL_BYTES);
    if (!host || !host->run.stacks || !host->run.shared) {
        lr_host_close(host);
        pm_fail(err, PM_FAILED, "out of memory");
        return NULL;
    }
    host->options = options;
    snprintf(host->prelude, sizeof host->prelude, "%s/tests/layout_random/host.cl", PM_SOURCE_DIR);
    snprintf(host->base, sizeof host->base, "%s", base);
    return host;
}

void lr_host_close(lr_host *host)
{
    if (!host)
        return;
    free(host->run.stacks);
    free(host->run.shared);
    free(host);
}
