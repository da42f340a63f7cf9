/* Builds a workload's OpenCL program for a device.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An OpenCL compiler refuses a program if it does not know one of the build options. Warning
 * options, and options of other vendors' compilers, are therefore left out with a notice. They
 * would not change the code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "collector/opencl/opencl.h"
#include "program/build_words.h"

/* Copies the first line of the device compiler's build log that is about an error. A pm_error has
 * space for only one line. */
static void first_error(cl_program program, cl_device_id device, char *line, size_t size)
{
    size_t length = 0;
    char *log, *start;

    line[0] = '\0';
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length) !=
            CL_SUCCESS ||
        length == 0 || !(log = calloc(length + 1, 1)))
        return;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, length, log, NULL) ==
        CL_SUCCESS) {
        start = strstr(log, "error:");
        while (start && start > log && start[-1] != '\n')
            start--;
        if (!start)
            start = log;
        snprintf(line, size, "%.*s", (int)strcspn(start, "\n"), start);
    }
    free(log);
}

/* ---- options -------------------------------------------------------------------------------- */

static bool is_for(const pm_device *device, pm_word_kind kind)
{
    return kind != PM_WORD_WARNING && kind != PM_WORD_VENDOR && kind != PM_WORD_RESTRICT &&
           ((kind != PM_WORD_NVIDIA && kind != PM_WORD_REGISTERS) || device->is_nvidia);
}

/* Returns the workload's build options, without options that the device's compiler does not know;
 * NULL if out of memory. The caller frees the text. standard: replaces the workload's option
 * -cl-std; may be NULL. */
static char *options_for(const pm_opencl_building *b, const char *standard, const pm_log *log)
{
    const char *rest = b->workload->build_options;
    char *word = malloc(strlen(rest) + 1);
    pm_text text = {0};
    pm_build_word found;

    while (word && pm_build_word_next(&rest, word, &found)) {
        if (!is_for(b->device, found.kind)) {
            pm_once_notice(b->once, log,
                           "build option %s is left out for %s: it changes no code there", word,
                           b->device->name);
            continue;
        }
        pm_text_add(&text, "%s", text.length > 0 ? " " : "");
        if (standard && found.kind == PM_WORD_STANDARD)
            pm_text_add(&text, "%s", standard);
        else
            pm_text_put(&text, found.start, found.length);
    }
    free(word);
    if (!word) {
        pm_text_free(&text);
        return NULL;
    }
    return pm_text_take(&text);
}

static bool has_blank_folder(const pm_workload *workload)
{
    const char *rest = workload->build_options;
    char *word = malloc(strlen(rest) + 1);
    pm_build_word found;
    bool blank = false;

    while (word && pm_build_word_next(&rest, word, &found))
        blank |= found.kind == PM_WORD_FOLDER && strpbrk(word, " \t");
    free(word);
    return blank;
}

/* Returns whether the build options require OpenCL C 2. OpenCL C 3.0 may still build such a source,
 * but many features of version 2 are optional in it. */
static bool asks_for_2(const char *options)
{
    return strstr(options, "-cl-std=CL2") != NULL;
}

/* ---- building ------------------------------------------------------------------------------- */

static cl_int build(const pm_opencl_building *b, const char *options, cl_program *program,
                    char *line, size_t size)
{
    const char *source = b->workload->source;
    cl_int code;

    *program = clCreateProgramWithSource(b->context, 1, &source, NULL, &code);
    if (code != CL_SUCCESS)
        return code;
    code = clBuildProgram(*program, 1, &b->id, options, NULL, NULL);
    if (code == CL_SUCCESS)
        return CL_SUCCESS;
    first_error(*program, b->id, line, size);
    if (!*line)
        snprintf(line, size, "%s", pm_opencl_error_name(code));
    clReleaseProgram(*program);
    *program = NULL;
    return code;
}

/* Builds a source for OpenCL C 2 as OpenCL C 3.0 instead. A device that does not support version 2
 * may still support all features that the source uses. */
static cl_int build_later(const pm_opencl_building *b, cl_program *program)
{
    char *options = options_for(b, "-cl-std=CL3.0", NULL), line[512] = "";
    cl_int code = options ? build(b, options, program, line, sizeof line) : CL_OUT_OF_HOST_MEMORY;

    if (code == CL_SUCCESS)
        pm_once_notice(b->once, b->log, "%s does not build OpenCL C 2; built as -cl-std=CL3.0",
                       b->device->name);
    free(options);
    return code;
}

pm_status pm_opencl_build(const pm_opencl_building *b, cl_program *program, pm_error *err)
{
    const pm_workload *w = b->workload;
    char *options = options_for(b, NULL, b->log), line[512] = "";
    pm_status status = PM_OK;

    *program = NULL;
    if (!options)
        return pm_fail(err, PM_FAILED, "%s: out of memory for build options", w->program);
    if (build(b, options, program, line, sizeof line) != CL_SUCCESS &&
        !(asks_for_2(options) && build_later(b, program) == CL_SUCCESS))
        status = pm_fail(
            err, PM_FAILED, "%s: does not compile on %s with \"%s\": %s%s",
            w->source_path ? w->source_path : w->program, b->device->name, options, line,
            has_blank_folder(w) ? " (a folder's name has blanks, which this compiler may not take)"
                                : "");
    free(options);
    return status;
}

cl_int pm_opencl_binary(cl_program program, char **binary, size_t *bytes, const char **call)
{
    unsigned char *found;
    size_t length = 0;
    cl_int code = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL);

    *call = "CL_PROGRAM_BINARY_SIZES";
    if (code != CL_SUCCESS || length == 0)
        return code == CL_SUCCESS ? CL_INVALID_BINARY : code;
    *call = "CL_PROGRAM_BINARIES";
    found = calloc(length + 1, 1);
    if (!found)
        return CL_OUT_OF_HOST_MEMORY;
    code = clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof found, &found, NULL);
    if (code != CL_SUCCESS) {
        free(found);
        return code;
    }
    *binary = (char *)found;
    *bytes = length;
    return CL_SUCCESS;
}
