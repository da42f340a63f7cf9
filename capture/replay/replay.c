/* Converts captured launches to the buffers and launches of a replay, from which a workload file is
 * written. See replay.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/replay/replay.h"

#include <stdlib.h>
#include <string.h>

#include "program/workload.h"

enum { LARGEST_GROUP = 1024, LONGEST_VALUE = 4096 };

typedef struct {
    pm_memory *memory;
    pm_replay *replay;
    const pm_source_info *info;
    const pm_captured_launch *launch;
    const pm_source_kernel *kernel;
    const pm_replay_reader *reader;
} filler;

/* ---- launches that a workload file cannot express -------------------------------------------- */

static void refuse(const filler *f, const char *why)
{
    pm_replay *replay = f->replay;
    size_t i = 0;

    while (i < replay->refused_count && strcmp(replay->refused[i].why, why) != 0)
        i++;
    if (i == replay->refused_count)
        pm_add(f->memory, replay->refused, replay->refused_count)->why = why;
    replay->refused[i].launches++;
    replay->refused[i].ns += f->launch->ns;
}

static const pm_source_param *param_of(const filler *f, size_t arg)
{
    return &f->kernel->params[arg];
}

static bool is_zero(const pm_captured_arg *arg)
{
    for (size_t b = 0; b < arg->bytes; b++)
        if (arg->value[b] != 0)
            return false;
    return true;
}

/* Returns true if the kernel's parameter is a buffer, but the launch passes no buffer: a null
 * pointer (8 bytes of zeros), or local memory. */
static bool is_null(const pm_source_param *param, const pm_captured_arg *arg)
{
    return param->takes == PM_TAKES_BUFFER &&
           (arg->kind == PM_CAPTURED_LOCAL || (arg->kind == PM_CAPTURED_VALUE && is_zero(arg)));
}

static const char *fault_of_arg(const filler *f, size_t a)
{
    const pm_captured_arg *arg = &f->launch->args[a];
    const pm_source_param *param = param_of(f, a);

    if (is_null(param, arg))
        return NULL;
    if (arg->kind == PM_CAPTURED_VALUE && arg->bytes > LONGEST_VALUE)
        return "values of more than 4096 bytes";
    if ((arg->kind == PM_CAPTURED_BUFFER) != (param->takes == PM_TAKES_BUFFER) ||
        (arg->kind == PM_CAPTURED_LOCAL) != (param->takes == PM_TAKES_LOCAL))
        return "arguments of unknown kind";
    return NULL;
}

static const char *fault_of_size(const pm_captured_launch *launch)
{
    size_t items = 1;

    for (unsigned d = 0; d < launch->dimensions; d++) {
        const size_t local = launch->local[d] ? launch->local[d] : 1;

        if (launch->global[d] == 0)
            return "launches of no work-item";
        if (launch->global[d] % local != 0)
            return "work-groups that do not divide the global size";
        items = local > LARGEST_GROUP ? local : items * local;
        if (items > LARGEST_GROUP)
            return "work-groups of more than 1024 work-items";
    }
    return NULL;
}

/* Returns true if the contents of __constant__ variables before this launch differ from those
 * before the first launch. A workload file can express only one set of contents. */
static bool has_other_symbols(const filler *f)
{
    const pm_replay *replay = f->replay;

    if (replay->launch_count == 0)
        return false;
    for (size_t a = 0; a < f->launch->symbol_count; a++)
        for (size_t b = 0; b < replay->symbol_count; b++)
            if (strcmp(f->launch->symbols[a].name, replay->symbols[b].name) == 0 &&
                strcmp(f->launch->symbols[a].contents, replay->symbols[b].contents) != 0)
                return true;
    return false;
}

/* Returns true if the name of a __constant__ variable has a namespace. A section's name in a
 * workload file cannot have one. */
static bool has_space(const filler *f)
{
    for (size_t s = 0; s < f->launch->symbol_count; s++)
        if (strchr(f->launch->symbols[s].name, ':'))
            return true;
    return false;
}

/* Returns the reason why a workload file cannot express the launch. NULL if it can. */
static const char *fault_of(filler *f)
{
    const char *fault = fault_of_size(f->launch);

    f->kernel = NULL;
    for (size_t k = 0; k < f->info->kernel_count; k++)
        if (strcmp(f->info->kernels[k].name, f->launch->kernel->name) == 0)
            f->kernel = &f->info->kernels[k];
    if (!f->kernel)
        return "kernels that the source does not show";
    if (f->kernel->param_count != f->launch->arg_count)
        return "launches with more or fewer arguments than the kernel of the source takes";
    for (size_t a = 0; !fault && a < f->launch->arg_count; a++)
        fault = fault_of_arg(f, a);
    if (!fault && has_space(f))
        fault = "variables in __constant__ memory that are in a namespace";
    if (!fault && has_other_symbols(f))
        fault = "launches before which the program changed __constant__ memory";
    return fault;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static bool has_buffer(const pm_replay *replay, const char *name)
{
    for (size_t i = 0; i < replay->buffer_count; i++)
        if (strcmp(replay->buffers[i].name, name) == 0)
            return true;
    return false;
}

/* Returns the largest number that a buffer with the name `wanted` has so far; 0 if no buffer has
 * the name. The number becomes a suffix of the buffer's name. */
static size_t last_number(const pm_replay *replay, const char *wanted)
{
    for (size_t i = replay->buffer_count; i-- > 0;)
        if (strcmp(replay->buffers[i].wanted, wanted) == 0)
            return replay->buffers[i].number;
    return 0;
}

static void name_buffer(const filler *f, const pm_source_param *param, pm_replay_buffer *buffer)
{
    buffer->wanted = *param->name ? pm_copy(f->memory, param->name) : "buffer";
    buffer->number = last_number(f->replay, buffer->wanted);
    do {
        buffer->number++;
        buffer->name = buffer->number == 1
                           ? pm_format(f->memory, "%.40s", buffer->wanted)
                           : pm_format(f->memory, "%.36s_%zu", buffer->wanted, buffer->number);
    } while (has_buffer(f->replay, buffer->name) || pm_replay_type_bytes(buffer->name));
}

/* Sets the element type of a buffer to the type of the kernel's parameter, if this type's size
 * divides the buffer's size. Otherwise sets it to bytes. */
static void find_element(const filler *f, const pm_source_param *param, const pm_captured_arg *arg,
                         pm_replay_buffer *buffer)
{
    const pm_struct *structure =
        param->structure == PM_NO_STRUCT ? NULL : &f->info->structs.items[param->structure];

    buffer->type = pm_copy(f->memory, structure ? structure->name : param->type);
    buffer->element = structure ? structure->bytes : pm_replay_type_bytes(param->type);
    if (buffer->element == 0 || buffer->bytes % buffer->element != 0 ||
        arg->at % buffer->element != 0) {
        buffer->type = "uchar";
        buffer->element = 1;
    }
}

static size_t add_buffer(const filler *f, const pm_source_param *param, const pm_captured_arg *arg)
{
    pm_replay_buffer buffer = {.buffer = arg->buffer,
                               .offset = arg->offset,
                               .bytes = arg->bytes,
                               .first = arg->before,
                               .last = arg->before};

    name_buffer(f, param, &buffer);
    find_element(f, param, arg, &buffer);
    *pm_add(f->memory, f->replay->buffers, f->replay->buffer_count) = buffer;
    return f->replay->buffer_count - 1;
}

/* Returns the index of the replay's buffer for a buffer argument. Takes the latest buffer of the
 * same range of captured memory whose contents at this point equal the contents captured before the
 * launch. Adds a new buffer if there is none. */
static size_t buffer_of(const filler *f, const pm_source_param *param, const pm_captured_arg *arg)
{
    for (size_t i = f->replay->buffer_count; i-- > 0;) {
        const pm_replay_buffer *buffer = &f->replay->buffers[i];

        if (buffer->buffer == arg->buffer && buffer->offset == arg->offset &&
            buffer->bytes == arg->bytes && arg->at % buffer->element == 0 &&
            strcmp(buffer->last, arg->before) == 0)
            return i;
    }
    return add_buffer(f, param, arg);
}

/* ---- launches -------------------------------------------------------------------------------- */

static void add_arg(const filler *f, size_t a, pm_replay_launch *launch)
{
    const pm_captured_arg *arg = &f->launch->args[a];
    const pm_source_param *param = param_of(f, a);
    pm_replay_arg *to = &launch->args[a];

    to->bytes = arg->bytes;
    if (is_null(param, arg)) {
        to->kind = PM_REPLAY_NULL;
    } else if (arg->kind == PM_CAPTURED_BUFFER) {
        to->kind = PM_REPLAY_BUFFER;
        to->buffer = buffer_of(f, param, arg);
        to->start = arg->at / f->replay->buffers[to->buffer].element;
        f->replay->buffers[to->buffer].written |=
            arg->after && strcmp(arg->before, arg->after) != 0;
    } else if (arg->kind == PM_CAPTURED_LOCAL) {
        to->kind = PM_REPLAY_LOCAL;
    } else {
        to->kind = PM_REPLAY_VALUE;
        to->value = arg->value;
        to->type =
            pm_replay_type_bytes(param->type) == arg->bytes ? pm_copy(f->memory, param->type) : "";
    }
}

/* ---- pointers in memory -----------------------------------------------------------------------
 */

/* Returns the index of the replay's buffer for a memory allocation of the launch: the buffer of an
 * argument if one has the same id, else a buffer of its own. */
static size_t buffer_of_memory(const filler *f, const pm_captured_memory *memory,
                               const pm_replay_launch *launch)
{
    static char name[] = "memory";
    const pm_source_param param = {.name = name, .structure = PM_NO_STRUCT};
    const pm_captured_arg arg = {.kind = PM_CAPTURED_BUFFER,
                                 .bytes = memory->bytes,
                                 .buffer = memory->id,
                                 .before = memory->before};

    for (size_t a = 0; a < launch->arg_count; a++)
        if (launch->args[a].kind == PM_REPLAY_BUFFER && f->launch->args[a].buffer == memory->id)
            return launch->args[a].buffer;
    return buffer_of(f, &param, &arg);
}

static void find_in_buffer(const filler *f, size_t number, const size_t *buffers)
{
    pm_replay_buffer *buffer = &f->replay->buffers[number];
    uint8_t *bytes = strcmp(buffer->first, PM_CAPTURED_ANY) == 0
                         ? NULL
                         : f->reader->read(f->reader->user, buffer->first, buffer->bytes);

    if (bytes)
        buffer->pointers =
            pm_replay_find_pointers(f->memory, bytes, buffer->bytes, f->launch, buffers);
    free(bytes);
}

/* Finds pointers in the launch's struct arguments, and in the contents of the replay's buffers from
 * number `first` on. The earlier buffers were searched for earlier launches. */
static void find_pointers(const filler *f, size_t first, pm_replay_launch *launch)
{
    const pm_captured_launch *from = f->launch;
    size_t *buffers = pm_take(f->memory, from->memory_count + 1, sizeof *buffers);

    for (size_t m = 0; m < from->memory_count; m++)
        buffers[m] = buffer_of_memory(f, &from->memories[m], launch);
    for (size_t a = 0; a < launch->arg_count && from->memory_count > 0; a++)
        if (launch->args[a].kind == PM_REPLAY_VALUE)
            launch->args[a].pointers = pm_replay_find_pointers(
                f->memory, launch->args[a].value, launch->args[a].bytes, from, buffers);
    for (size_t b = first; b < f->replay->buffer_count && from->memory_count > 0; b++)
        find_in_buffer(f, b, buffers);
    for (size_t m = 0; m < from->memory_count; m++) {
        pm_replay_buffer *buffer = &f->replay->buffers[buffers[m]];

        if (!from->memories[m].after)
            continue;
        buffer->written |= strcmp(from->memories[m].before, from->memories[m].after) != 0;
        buffer->last = from->memories[m].after;
    }
}

/* Marks the argument's buffer if the kernel may have written to it and the contents after the
 * launch were not recorded. A marked buffer must be restored before another run, and has no
 * expected contents. */
static void mark_unknown(const filler *f, size_t a, const pm_replay_launch *launch)
{
    const pm_source_param *param = param_of(f, a);
    pm_replay_buffer *buffer = &f->replay->buffers[launch->args[a].buffer];

    if (param->is_read_only || (param->structure != PM_NO_STRUCT && !param->written))
        return;
    buffer->written = true;
    buffer->unknown = true;
}

static void add_launch(const filler *f)
{
    pm_replay_launch *launch = pm_add(f->memory, f->replay->launches, f->replay->launch_count);
    const size_t first = f->replay->buffer_count;

    if (f->replay->symbol_count == 0) {
        f->replay->symbols = f->launch->symbols;
        f->replay->symbol_count = f->launch->symbol_count;
    }
    launch->from = f->launch;
    launch->kernel = f->launch->kernel->name;
    launch->plain = f->launch->kernel->plain;
    memcpy(launch->local, f->launch->local, sizeof launch->local);
    if (f->launch->local[0] == 0) {
        pm_workload_usual_group(f->launch->dimensions, f->launch->global, launch->local);
        launch->local_chosen = true;
    }
    launch->arg_count = f->launch->arg_count;
    launch->args = pm_take(f->memory, launch->arg_count + 1, sizeof *launch->args);
    for (size_t a = 0; a < launch->arg_count; a++)
        add_arg(f, a, launch);
    find_pointers(f, first, launch);
    for (size_t a = 0; a < launch->arg_count; a++)
        if (launch->args[a].kind == PM_REPLAY_BUFFER && f->launch->args[a].after)
            f->replay->buffers[launch->args[a].buffer].last = f->launch->args[a].after;
    for (size_t a = 0; a < launch->arg_count; a++)
        if (launch->args[a].kind == PM_REPLAY_BUFFER && f->launch->args[a].unknown)
            mark_unknown(f, a, launch);
}

void pm_replay_fill(pm_memory *memory, pm_replay *replay, const pm_source_info *info,
                    const pm_replay_reader *reader)
{
    filler f = {.memory = memory, .replay = replay, .info = info, .reader = reader};

    for (size_t l = 0; l < replay->process->launch_count; l++) {
        const char *fault;

        f.launch = &replay->process->launches[l];
        if (f.launch->dropped || f.launch->kernel->program != replay->program)
            continue;
        fault = fault_of(&f);
        if (fault)
            refuse(&f, fault);
        else
            add_launch(&f);
    }
}
