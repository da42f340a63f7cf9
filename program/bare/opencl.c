/* Finds the source of the kernels that OpenCL host code launches. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The source is a string literal of the host code, or a .cl file whose name is a string literal.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "base/text.h"
#include "program/bare/bare.h"
#include "program/embedded.h"

enum { MOST_BYTES = 16 << 20, MOST_FILES = 16 };

/* ---- the host code --------------------------------------------------------------------------- */

/* Reads a file. Returns its text, which b->memory owns. NULL: the file cannot be read. */
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

/* ---- files with the kernels ------------------------------------------------------------------ */

/* Returns whether the source `text` probably defines the kernel: it has the word "kernel", and the
 * kernel's name before a parenthesis. */
static bool has_kernel(const char *text, const char *kernel)
{
    const size_t length = strlen(kernel);

    for (const char *at = text; (at = pm_find_word(at, kernel)) != NULL; at += length)
        if (at[length + strspn(at + length, " \t\r\n")] == '(' && strstr(text, "kernel"))
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

/* Counts the launched kernels that a .cl file defines. If there are more than *most, makes the file
 * b->source_path and sets *most to the number. name: path of the file, relative to `folder`, which
 * is the folder of the host code, or absolute. */
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

/* Looks for kernels in each .cl file whose name is a string literal in the host code. The literal's
 * path is tried as it is, and without its folders. */
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

/* Removes launches of kernels that `text`, the source of the kernels, does not define. */
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
