/* Host code of OpenCL: where its kernels are, and how its launches are written. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels are in string literals of the host code, or in a .cl file whose name is in one of them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"
#include "base/text.h"
#include "program/embedded.h"
#include "session/session.h"
#include "suite/bare/bare.h"

enum { MOST_BYTES = 16 << 20, MOST_FILES = 16 };

/* ---- the host code --------------------------------------------------------------------------- */

/* Reads a file; the text is the bare source's. NULL: it cannot be read. */
static const char *read_text(pm_bare *b, const char *path, pm_error *err)
{
    char *text = NULL;
    const char *copy;

    if (pm_file_read(path, MOST_BYTES, "a source", &text, err) != PM_OK)
        return NULL;
    copy = pm_copy(&b->memory, text);
    free(text);
    return copy;
}

static void fail_without_launches(pm_bare *b)
{
    if (strstr(b->host_text, "<<<") || strstr(b->host_text, "hipLaunchKernel"))
        pm_bare_fault(b,
                      "%s: host code of CUDA or HIP: give the file a name that ends in .cu or "
                      ".hip",
                      b->path);
    if (!strstr(b->host_text, "clEnqueueNDRangeKernel") && !strstr(b->host_text, "clEnqueueTask"))
        pm_bare_fault(b,
                      "%s: no OpenCL host code: nothing in it calls clEnqueueNDRangeKernel. Name "
                      "the source of the kernels (.cl, .cu, .hip) or a workload file",
                      b->path);
    if (b->options->kernels)
        pm_bare_fault(b, "%s: its host code does not launch kernel %.100s", b->path,
                      b->options->kernels[0]);
    pm_bare_fault(b,
                  "%s: no launch was found by following its host code. Name the .cl file of its "
                  "kernels, with --kernel, --grid and --block",
                  b->path);
}

/* ---- where its kernels are ------------------------------------------------------------------- */

/* Whether a text has a kernel of the name. */
static bool has_kernel(const char *text, const char *kernel)
{
    const size_t length = strlen(kernel);

    for (const char *at = text; (at = strstr(at, kernel)); at += length)
        if ((at == text || !pm_is_word(at[-1])) &&
            at[length + strspn(at + length, " \t\r\n")] == '(' && strstr(text, "kernel"))
            return true;
    return false;
}

static size_t count_kernels(const pm_bare *b, const char *text)
{
    size_t count = 0;

    for (size_t i = 0; i < b->wanted_count; i++)
        count += has_kernel(text, b->wanted[i]);
    return count;
}

/* Takes the file as the kernels' source if it has more of those that are launched. name: as seen
 * from the host code's folder. */
static void try_file(pm_bare *b, const char *folder, const char *name, size_t *most)
{
    pm_error unused = {0};
    const char *path = *name == '/' ? name : pm_format(&b->memory, "%s%s", folder, name);
    const char *text = read_text(b, path, &unused);
    const size_t count = text ? count_kernels(b, text) : 0;

    if (count <= *most)
        return;
    *most = count;
    b->source_path = path;
    b->source_name = name;
}

/* Tries files whose names are in string literals, as they stand there and without folders. */
static void try_named_files(pm_bare *b, const char *folder, size_t *most)
{
    static const char ending[] = ".cl\"";
    const char *at = b->host_text;

    for (size_t i = 0; i < MOST_FILES && (at = strstr(at, ending)); i++, at += sizeof ending - 1) {
        const char *begin = at, *name, *slash;

        while (begin > b->host_text && begin[-1] != '"' && begin[-1] != '\n')
            begin--;
        name = pm_format(&b->memory, "%.*s", (int)(at + 3 - begin), begin);
        slash = strrchr(name, '/');
        try_file(b, folder, name, most);
        if (slash)
            try_file(b, folder, slash + 1, most);
    }
}

/* Launches of kernels that the source does not have are left out. */
static void keep_kernels_of(pm_bare *b, const char *text)
{
    size_t count = 0;

    for (size_t i = 0; i < b->host.launch_count; i++) {
        const char *kernel = b->host.launches[i].kernel;

        if (has_kernel(text, kernel))
            b->host.launches[count++] = b->host.launches[i];
        else
            pm_session_leave_out(b->session, "%s: kernel %s left out: %s does not have it", b->path,
                                 kernel, b->source_path);
    }
    b->host.launch_count = count;
}

static void find_source(pm_bare *b)
{
    const char *slash = strrchr(b->path, '/');
    const char *folder =
        pm_format(&b->memory, "%.*s", slash ? (int)(slash - b->path) + 1 : 0, b->path);
    const char *stem = slash ? slash + 1 : b->path;
    char *embedded = pm_embedded_opencl(b->host_text);
    size_t most;
    pm_error err = {0};
    const char *text;

    if (!embedded)
        pm_leave(&b->memory, PM_FAILED, "%s: out of memory", b->path);
    text = pm_copy(&b->memory, embedded);
    free(embedded);
    most = count_kernels(b, text);
    try_named_files(b, folder, &most);
    if (most == 0)
        try_file(b, folder,
                 pm_format(&b->memory, "%.*s.cl", (int)(strrchr(stem, '.') - stem), stem), &most);
    if (most == 0)
        pm_bare_fault(b,
                      "%s: the OpenCL C of kernel %.100s was found neither in its string literals "
                      "nor in a .cl file that they name. Name the .cl file itself, with --kernel, "
                      "--grid and --block",
                      b->path, b->wanted[0]);
    if (b->source_name)
        text = read_text(b, b->source_path, &err);
    if (text && most < b->wanted_count)
        keep_kernels_of(b, text);
}

void pm_bare_read_opencl(pm_bare *b)
{
    b->host_text = read_text(b, b->path, b->memory.err);
    if (!b->host_text)
        pm_give_up(&b->memory, b->memory.err->status);
    if (!pm_bare_read_host(b) || !b->host.is_opencl)
        fail_without_launches(b);
    find_source(b);
    pm_bare_choose_launches(b);
    if (!b->build_options && *b->host.build_options)
        b->build_options = b->host.build_options;
    pm_bare_read_text(b);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* A local size that divides the global one, as a driver chooses it. */
static void choose_local(const uint64_t global[3], uint64_t local[3])
{
    static const uint64_t most[3][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
    const size_t dimensions = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;

    for (size_t d = 0; d < 3; d++) {
        local[d] = most[dimensions - 1][d];
        while (global[d] % local[d] != 0)
            local[d]--;
    }
}

static bool is_known(const uint64_t range[3])
{
    return range[0] && range[1] && range[2];
}

static const char *say_sizes(pm_bare *b, const uint64_t range[3])
{
    const size_t dimensions = range[2] > 1 ? 3 : range[1] > 1 ? 2 : 1;
    pm_text text = {.memory = &b->memory};

    for (size_t d = 0; d < dimensions; d++)
        pm_text_add(&text, "%s%s", d ? ", " : "", pm_bare_say_number(b, range[d]));
    return pm_text_get(&text);
}

/* The options' grid is in work-groups. Global sizes become multiples of the local size. */
static void settle_sizes(pm_bare *b, const pm_bare_launch *launch, const char *said_grid,
                         uint64_t global[3], const uint64_t local[3])
{
    bool rounded = false;

    if (said_grid)
        pm_bare_read_range(said_grid, global);
    for (size_t d = 0; d < 3; d++) {
        const uint64_t groups = said_grid ? global[d] : (global[d] + local[d] - 1) / local[d];

        rounded |= groups * local[d] != global[d];
        global[d] = groups * local[d];
    }
    if (rounded && !said_grid)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) = pm_format(
            &b->memory, "%s: global size rounded up to a multiple of the local size", launch->name);
}

void pm_bare_say_opencl_ranges(pm_bare *b, size_t l, const pm_bare_plan *assumed,
                               pm_bare_launch *launch)
{
    const pm_source_launch *of = &b->host.launches[l];
    const pm_source_shape *shape = &b->kernels[l]->shape;
    const char *said_grid = pm_bare_for(b->options->grids, 0);
    const char *said_block = pm_bare_for(b->options->blocks, 0);
    uint64_t global[3], local[3];

    memcpy(global, of->grid, sizeof global);
    memcpy(local, of->block, sizeof local);
    launch->range_assumed = !said_block && !is_known(local) && !shape->group[0];
    if (said_block) {
        pm_bare_read_range(said_block, local);
    } else if (!is_known(local) && shape->group[0]) {
        for (size_t d = 0; d < 3; d++)
            local[d] = shape->group[d] ? shape->group[d] : 1;
    } else if (!is_known(local) && is_known(global)) {
        choose_local(global, local);
    }
    if (!is_known(local) || (!said_grid && !is_known(global))) {
        launch->grid = assumed->launches[0].grid;
        launch->block = assumed->launches[0].block;
        launch->range_assumed = true;
        return;
    }
    settle_sizes(b, launch, said_grid, global, local);
    launch->grid = say_sizes(b, global);
    launch->block = say_sizes(b, local);
}

const char *pm_bare_opencl_value(pm_bare *b, const char *value, const pm_source_param *param)
{
    const char *blank = strchr(value, ' '), *inner = strstr(value, "((");

    if (!blank || !*param->type)
        return value;
    if (inner && strstr(inner, "))")) /* a vector is a union in host code */
        return pm_format(&b->memory, "%s (%.*s)", param->type,
                         (int)(strstr(inner, "))") - inner - 2), inner + 2);
    if (strchr(value, '('))
        return value;
    if (blank[1 + strspn(blank + 1, "0123456789")] || strlen(blank + 1) > 18)
        return pm_format(&b->memory, "%s%s", param->type, blank);
    return pm_format(&b->memory, "%s %s", param->type,
                     pm_bare_say_number(b, strtoull(blank + 1, NULL, 10)));
}
