/* Builds a workload step by step: source, buffers, launches and arguments. See workload.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/workload.h"
#include "program/contents/fill.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "program/embedded.h"

static void out_of_memory(pm_workload *workload)
{
    if (workload->error.status == PM_OK)
        pm_fail(&workload->error, PM_FAILED, "%s %s %s: out of memory", workload->program,
                workload->variant, workload->size);
}

/* Replaces *text, which the workload owns, by a copy of `value`. */
static void set_text(pm_workload *workload, char **text, const char *value)
{
    free(*text);
    *text = strdup(value);
    if (!*text)
        out_of_memory(workload);
}

/* ---- initial contents --------------------------------------------------------------------- */

/* Contents of at least this size in bytes are in an unnamed file, which other processes can map.
 * Smaller contents are copied to them, because copying is cheaper than mapping. */
enum { MAPPED_BYTES = 1 << 20 };

static bool is_mapped(const pm_workload *workload, const void *data)
{
    for (size_t i = 0; i < workload->contents_count; i++)
        if (workload->contents[i].data == data)
            return true;
    return false;
}

static void free_initial(const pm_workload *workload, void *initial)
{
    if (!is_mapped(workload, initial))
        free(initial);
}

static bool map_contents(pm_contents *contents, size_t bytes)
{
    *contents = (pm_contents){.bytes = bytes};
    contents->file = memfd_create("perfmodel", MFD_CLOEXEC);
    if (contents->file < 0)
        return false;
    contents->data = MAP_FAILED;
    if (ftruncate(contents->file, (off_t)bytes) == 0)
        contents->data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, contents->file, 0);
    if (contents->data != MAP_FAILED) {
        /* Use huge pages, because page faults of small pages would take longer than filling a
         * gigabyte with numbers. */
        madvise(contents->data, bytes, MADV_HUGEPAGE);
        return true;
    }
    close(contents->file);
    return false;
}

void *pm_workload_contents(pm_workload *workload, size_t bytes)
{
    pm_contents *grown;
    void *data;

    if (!workload || workload->error.status != PM_OK)
        return NULL;
    if (bytes >= MAPPED_BYTES) {
        grown = realloc(workload->contents, (workload->contents_count + 1) * sizeof *grown);
        if (!grown) {
            out_of_memory(workload);
            return NULL;
        }
        workload->contents = grown;
        if (map_contents(&grown[workload->contents_count], bytes))
            return grown[workload->contents_count++].data;
    }
    /* plain memory, for small contents or if the system has no unnamed files (memfd) */
    data = calloc(1, bytes ? bytes : 1);
    if (!data)
        out_of_memory(workload);
    return data;
}

int pm_workload_contents_file(const pm_workload *workload, const void *data)
{
    for (size_t i = 0; data && i < workload->contents_count; i++)
        if (workload->contents[i].data == data)
            return workload->contents[i].file;
    for (size_t i = 0; data && i < workload->buffer_count; i++)
        if (workload->buffers[i].lender && workload->buffers[i].initial == data)
            return pm_workload_contents_file(workload->buffers[i].lender, data);
    return -1;
}

/* ---- the workload ------------------------------------------------------------------------- */

pm_workload *pm_workload_create(const char *program, const char *variant, const char *size)
{
    pm_workload *workload = calloc(1, sizeof *workload);

    if (!workload)
        return NULL;
    workload->program = strdup(program);
    workload->variant = strdup(variant);
    workload->size = strdup(size);
    workload->build_options = strdup("-cl-std=CL1.2");
    if (!workload->program || !workload->variant || !workload->size || !workload->build_options) {
        pm_workload_free(workload);
        return NULL;
    }
    return workload;
}

void pm_workload_free(pm_workload *workload)
{
    if (!workload)
        return;
    for (size_t i = 0; i < workload->buffer_count; i++) {
        free(workload->buffers[i].name);
        free(workload->buffers[i].origin);
        pm_fills_free(workload->buffers[i].rules);
        free(workload->buffers[i].pointers.items);
        if (!workload->buffers[i].lender)
            free_initial(workload, workload->buffers[i].initial);
    }
    for (size_t i = 0; i < workload->contents_count; i++) {
        munmap(workload->contents[i].data, workload->contents[i].bytes);
        close(workload->contents[i].file);
        pm_contents_later_free(workload->contents[i].later);
    }
    free(workload->contents);
    for (size_t i = 0; i < workload->launch_count; i++) {
        free(workload->launches[i].kernel);
        free(workload->launches[i].label);
        for (size_t a = 0; a < workload->launches[i].arg_count; a++) {
            free(workload->launches[i].args[a].large);
            free(workload->launches[i].args[a].pointers.items);
        }
    }
    if (workload->free_context)
        workload->free_context(workload->check_context);
    for (size_t i = 0; workload->expected && i < workload->reference->buffer_count; i++)
        free(workload->expected[i]);
    free(workload->expected);
    pm_workload_free(workload->reference);
    pm_workload_free_symbols(workload);
    pm_workload_free_textures(workload);
    free(workload->buffers);
    free(workload->launches);
    free(workload->program);
    free(workload->variant);
    free(workload->size);
    free(workload->source);
    free(workload->source_path);
    free(workload->build_options);
    free(workload->origin);
    free(workload);
}

pm_workload *pm_workload_rename(pm_workload *workload, const char *variant, pm_error *err)
{
    free(workload->variant);
    workload->variant = strdup(variant);
    if (workload->variant)
        return workload;
    pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    pm_workload_free(workload);
    return NULL;
}

/* Largest source text in bytes. No source that a person wrote is larger. */
enum { MOST_SOURCE_BYTES = 16 << 20 };

/* Replaces the source, which is the text of a host program, by the OpenCL C in its string
 * literals. */
static void take_embedded(pm_workload *workload, const char *path)
{
    char *text = pm_embedded_opencl(workload->source);

    free(workload->source);
    workload->source = text;
    if (!text)
        out_of_memory(workload);
    else if (!*text)
        pm_fail(&workload->error, PM_BAD_INPUT, "%s: no OpenCL C in its string literals", path);
}

void pm_workload_source_file(pm_workload *workload, const char *path)
{
    if (!workload || workload->error.status != PM_OK)
        return;
    free(workload->source);
    workload->source = NULL;
    if (pm_file_read(path, MOST_SOURCE_BYTES, "a file with OpenCL C", &workload->source,
                     &workload->error) == PM_OK)
        set_text(workload, &workload->source_path, path);
    if (workload->error.status == PM_OK && pm_has_embedded(path))
        take_embedded(workload, path);
}

void pm_workload_source(pm_workload *workload, const char *name)
{
    char relative[512], path[4096];

    if (!workload || workload->error.status != PM_OK)
        return;
    snprintf(relative, sizeof relative, "kernels/%s", name);
    if (pm_share_path(relative, path, sizeof path, &workload->error) == PM_OK)
        pm_workload_source_file(workload, path);
}

void pm_workload_options(pm_workload *workload, const char *format, ...)
{
    char *options = NULL;
    va_list args;
    int length;

    if (!workload || workload->error.status != PM_OK)
        return;
    va_start(args, format);
    length = vasprintf(&options, format, args);
    va_end(args);
    if (length < 0) {
        out_of_memory(workload);
        return;
    }
    free(workload->build_options);
    workload->build_options = options;
}

size_t pm_workload_buffer(pm_workload *workload, const char *name, size_t bytes, void *initial,
                          unsigned flags)
{
    pm_buffer *grown;

    if (!workload || workload->error.status != PM_OK) {
        if (workload)
            free_initial(workload, initial);
        else
            free(initial);
        return 0;
    }
    grown = realloc(workload->buffers, (workload->buffer_count + 1) * sizeof *grown);
    if (!grown) {
        free_initial(workload, initial);
        out_of_memory(workload);
        return 0;
    }
    workload->buffers = grown;
    grown[workload->buffer_count] = (pm_buffer){.bytes = bytes, .initial = initial, .flags = flags};
    set_text(workload, &grown[workload->buffer_count].name, name);
    return workload->buffer_count++;
}

void pm_workload_origin(pm_workload *workload, size_t buffer, const char *origin)
{
    if (workload && workload->error.status == PM_OK)
        set_text(workload, &workload->buffers[buffer].origin, origin);
}

size_t pm_workload_share(pm_workload *workload, const pm_workload *from, size_t buffer)
{
    const pm_buffer *like = &from->buffers[buffer];
    size_t index = pm_workload_buffer(workload, like->name, like->bytes, NULL, like->flags);

    if (workload && workload->error.status == PM_OK) {
        workload->buffers[index].initial = like->initial;
        workload->buffers[index].lender = from;
        if (!pm_pointers_copy(&workload->buffers[index].pointers, like->pointers.items,
                              like->pointers.count))
            out_of_memory(workload);
        if (like->origin)
            pm_workload_origin(workload, index, like->origin);
    }
    return index;
}

/* Returns whether the sizes of a launch are valid on every device. OpenCL 1.2 requires that the
 * local size divides the global size. */
static bool launch_is_sound(const pm_launch *launch)
{
    if (launch->dimensions < 1 || launch->dimensions > 3)
        return false;
    for (unsigned d = 0; d < launch->dimensions; d++)
        if (launch->local[d] == 0 || launch->global[d] == 0 ||
            launch->global[d] % launch->local[d] != 0)
            return false;
    return true;
}

/* Grows the array of launches if it is full. The capacity is a power of two, so that thousands of
 * launches are not copied each time. */
static bool make_room(pm_workload *workload)
{
    const size_t count = workload->launch_count;
    pm_launch *grown;

    if ((count & (count - 1)) != 0)
        return true;
    grown = realloc(workload->launches, (count ? 2 * count : 1) * sizeof *grown);
    if (grown)
        workload->launches = grown;
    return grown != NULL;
}

void pm_workload_launch(pm_workload *workload, const char *kernel, unsigned dimensions,
                        const size_t *global, const size_t *local)
{
    pm_launch launch = {.dimensions = dimensions, .global = {1, 1, 1}, .local = {1, 1, 1}};

    if (!workload || workload->error.status != PM_OK)
        return;
    for (unsigned d = 0; d < dimensions && d < 3; d++) {
        launch.global[d] = global[d];
        launch.local[d] = local[d];
    }
    if (!launch_is_sound(&launch)) {
        pm_fail(&workload->error, PM_BAD_INPUT,
                "%s %s %s: launch of %s: work-groups must divide the global size, in 1 to 3 "
                "dimensions",
                workload->program, workload->variant, workload->size, kernel);
        return;
    }
    if (!make_room(workload)) {
        out_of_memory(workload);
        return;
    }
    workload->launches[workload->launch_count] = launch;
    set_text(workload, &workload->launches[workload->launch_count].kernel, kernel);
    workload->launch_count++;
}

/* Returns the launch that was added last. NULL if building the workload has failed already. If it
 * has no launch, returns NULL and records an error that a launch must come before `what`. */
static pm_launch *last_launch(pm_workload *workload, const char *what)
{
    if (!workload || workload->error.status != PM_OK)
        return NULL;
    if (workload->launch_count > 0)
        return &workload->launches[workload->launch_count - 1];
    pm_fail(&workload->error, PM_BAD_INPUT, "%s: an %s before the first launch", workload->program,
            what);
    return NULL;
}

void pm_workload_label(pm_workload *workload, const char *label)
{
    pm_launch *launch = last_launch(workload, "label");

    if (launch && label)
        set_text(workload, &launch->label, label);
}

void pm_workload_offset(pm_workload *workload, const size_t *offset)
{
    pm_launch *launch = last_launch(workload, "offset");

    for (unsigned d = 0; launch && d < launch->dimensions; d++)
        launch->offset[d] = offset[d];
}

void pm_workload_shared(pm_workload *workload, size_t bytes)
{
    pm_launch *launch = last_launch(workload, "amount of shared memory");

    if (launch)
        launch->shared = bytes;
}

/* Adds an argument to the launch that was added last. A value of more than 16 bytes is copied. */
static void add_arg(pm_workload *workload, pm_arg arg)
{
    pm_launch *launch = last_launch(workload, "argument");

    if (!launch)
        return;
    if (launch->arg_count == PM_MAX_ARGS) {
        pm_fail(&workload->error, PM_BAD_INPUT, "%s: kernel %s has more than %d arguments",
                workload->program, launch->kernel, PM_MAX_ARGS);
        return;
    }
    if (arg.large) {
        unsigned char *own = malloc(arg.bytes);

        if (!own) {
            out_of_memory(workload);
            return;
        }
        arg.large = memcpy(own, arg.large, arg.bytes);
    }
    if (!pm_pointers_copy(&arg.pointers, arg.pointers.items, arg.pointers.count)) {
        free(arg.large);
        out_of_memory(workload);
        return;
    }
    launch->args[launch->arg_count++] = arg;
}

void pm_workload_arg_buffer(pm_workload *workload, size_t buffer)
{
    add_arg(workload, (pm_arg){.kind = PM_ARG_BUFFER, .buffer = buffer});
}

void pm_workload_arg_part(pm_workload *workload, size_t buffer, size_t offset)
{
    add_arg(workload, (pm_arg){.kind = PM_ARG_BUFFER, .buffer = buffer, .offset = offset});
}

void pm_workload_arg_null(pm_workload *workload)
{
    add_arg(workload, (pm_arg){.kind = PM_ARG_NULL});
}

void pm_workload_arg_local(pm_workload *workload, size_t bytes)
{
    add_arg(workload, (pm_arg){.kind = PM_ARG_LOCAL, .bytes = bytes});
}

void pm_workload_arg_value(pm_workload *workload, const void *value, size_t bytes)
{
    pm_arg arg = {.kind = PM_ARG_VALUE, .bytes = bytes};

    if (bytes > PM_MOST_VALUE) {
        if (workload && workload->error.status == PM_OK)
            pm_fail(&workload->error, PM_BAD_INPUT,
                    "%s: an argument of %zu bytes; up to %zu are "
                    "possible",
                    workload->program, bytes, PM_MOST_VALUE);
        return;
    }
    if (bytes > sizeof arg.value)
        arg.large = (unsigned char *)(uintptr_t)value; /* add_arg copies it */
    else
        memcpy(arg.value, value, bytes);
    add_arg(workload, arg);
}

const void *pm_arg_value(const pm_arg *arg)
{
    return arg->large ? arg->large : arg->value;
}

void pm_workload_args(pm_workload *workload, const pm_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_arg(workload, args[i]);
}

pm_arg pm_arg_int(int32_t value)
{
    pm_arg arg = {.kind = PM_ARG_VALUE, .bytes = sizeof value};

    memcpy(arg.value, &value, sizeof value);
    return arg;
}

void pm_workload_arg_int(pm_workload *workload, int32_t value)
{
    add_arg(workload, pm_arg_int(value));
}

void pm_workload_arg_ulong(pm_workload *workload, uint64_t value)
{
    pm_workload_arg_value(workload, &value, sizeof value);
}

void pm_workload_arg_float(pm_workload *workload, float value)
{
    pm_workload_arg_value(workload, &value, sizeof value);
}

void pm_workload_check(pm_workload *workload, pm_check_fn check, void *context,
                       void (*free_context)(void *context))
{
    if (!workload) {
        if (free_context)
            free_context(context);
        return;
    }
    workload->check = check;
    workload->check_context = context;
    workload->free_context = free_context;
}

static bool arg_is_sound(const pm_workload *workload, const pm_arg *arg)
{
    return arg->kind != PM_ARG_BUFFER ||
           (arg->buffer < workload->buffer_count &&
            (arg->offset == 0 || arg->offset < workload->buffers[arg->buffer].bytes));
}

static pm_status find_fault(const pm_workload *workload, pm_error *err)
{
    if (workload->error.status != PM_OK)
        return pm_fail(err, workload->error.status, "%s", workload->error.text);
    if (!workload->source || workload->launch_count == 0)
        return pm_fail(err, PM_BAD_INPUT, "%s %s %s: a workload needs a source and a launch",
                       workload->program, workload->variant, workload->size);
    for (size_t i = 0; i < workload->launch_count; i++)
        for (size_t a = 0; a < workload->launches[i].arg_count; a++)
            if (!arg_is_sound(workload, &workload->launches[i].args[a]))
                return pm_fail(err, PM_BAD_INPUT,
                               "%s: kernel %s, argument %zu: no such buffer, or an offset behind "
                               "its end",
                               workload->program, workload->launches[i].kernel, a);
    return PM_OK;
}

pm_workload *pm_workload_finish(pm_workload *workload, pm_error *err)
{
    if (!workload) {
        pm_fail(err, PM_FAILED, "out of memory for a workload");
        return NULL;
    }
    if (find_fault(workload, err) != PM_OK) {
        pm_workload_free(workload);
        return NULL;
    }
    return workload;
}
