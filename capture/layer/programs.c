/* Follows the OpenCL calls by which the captured application creates and builds OpenCL programs,
 * and stores their sources, options and headers. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "capture/layer/layer.h"

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

static pm_layer_program *find(cl_program handle)
{
    return pm_rec_find(&pm_layer_get()->programs, handle);
}

static void forget_headers(pm_layer_program *program)
{
    for (size_t i = 0; i < program->header_count; i++) {
        free(program->headers[i].path);
        free(program->headers[i].text);
    }
    free(program->headers);
    program->headers = NULL;
    program->header_count = 0;
}

static void forget(void *object)
{
    pm_layer_program *program = object;

    free(program->source);
    free(program->options);
    forget_headers(program);
}

/* Adds an OpenCL program to the table of programs. source was allocated with malloc; the program
 * owns it from now on. */
static void note(cl_program handle, int kind, char *source)
{
    pm_layer *layer = pm_layer_get();
    pm_layer_program *program = NULL;

    pm_rec_lock();
    if (handle)
        program = pm_rec_put(&layer->programs, handle, sizeof *program, forget);
    if (program) {
        program->kind = kind;
        program->source = source;
    } else {
        free(source);
    }
    pm_rec_unlock();
}

/* ---- creating programs ----------------------------------------------------------------------- */

/* Joins the strings of a source. A length of 0 means that the string ends with '\0'. */
static char *join(cl_uint count, const char **strings, const size_t *lengths)
{
    pm_text text = {0};

    for (cl_uint i = 0; i < count; i++)
        pm_text_put(&text, strings[i], lengths && lengths[i] ? lengths[i] : strlen(strings[i]));
    return pm_text_take(&text);
}

static cl_program CL_API_CALL with_source(cl_context context, cl_uint count, const char **strings,
                                          const size_t *lengths, cl_int *code)
{
    cl_program program = next()->clCreateProgramWithSource(context, count, strings, lengths, code);

    if (program)
        note(program, PM_FROM_SOURCE, join(count, strings, lengths));
    return program;
}

static cl_program CL_API_CALL with_binary(cl_context context, cl_uint count,
                                          const cl_device_id *devices, const size_t *lengths,
                                          const unsigned char **binaries, cl_int *status,
                                          cl_int *code)
{
    cl_program program =
        next()->clCreateProgramWithBinary(context, count, devices, lengths, binaries, status, code);

    note(program, PM_FROM_BINARY, NULL);
    return program;
}

static cl_program CL_API_CALL with_il(cl_context context, const void *il, size_t length,
                                      cl_int *code)
{
    cl_program program = next()->clCreateProgramWithIL(context, il, length, code);

    note(program, PM_FROM_IL, NULL);
    return program;
}

static cl_program CL_API_CALL with_built_in(cl_context context, cl_uint count,
                                            const cl_device_id *devices, const char *names,
                                            cl_int *code)
{
    cl_program program =
        next()->clCreateProgramWithBuiltInKernels(context, count, devices, names, code);

    note(program, PM_FROM_BUILT_IN, NULL);
    return program;
}

/* ---- building -------------------------------------------------------------------------------- */

/* Stores the options and headers of a build of a program. Each build becomes a separate program in
 * the records. Headers are read now, because they may change later. */
static void note_build(cl_program handle, const char *options)
{
    pm_layer_program *program;

    pm_rec_lock();
    program = find(handle);
    if (program && program->kind == PM_FROM_SOURCE) {
        program->id = 0;
        free(program->options);
        program->options = options ? strdup(options) : NULL;
        forget_headers(program);
        pm_layer_find_headers(program);
    }
    pm_rec_unlock();
}

/* Returns the options with -cl-kernel-arg-info, with which OpenCL 1.2 drivers describe kernel
 * parameters. NULL if memory runs out. */
static char *with_arg_info(const char *options)
{
    static const char wanted[] = "-cl-kernel-arg-info";
    pm_text text = {0};

    if (options)
        pm_text_add(&text, "%s ", options);
    if (!options || !strstr(options, wanted))
        pm_text_add(&text, "%s", wanted);
    return pm_text_take(&text);
}

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices,
                                const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                void *user)
{
    char *longer = with_arg_info(options);
    cl_int code;

    note_build(program, options);
    code = next()->clBuildProgram(program, count, devices, longer ? longer : options, notify, user);
    if (code == CL_INVALID_BUILD_OPTIONS)
        code = next()->clBuildProgram(program, count, devices, options, notify, user);
    free(longer);
    return code;
}

/* Adds headers that the program passes to the compiler as text. Their paths begin with the folder
 * EMBEDDED, which does not exist. */
static void add_embedded(cl_program handle, cl_uint count, const cl_program *headers,
                         const char **names)
{
    static const char folder[] = "/embedded/";
    pm_layer_program *program;

    pm_rec_lock();
    program = find(handle);
    for (cl_uint i = 0; program && i < count; i++) {
        const pm_layer_program *header = find(headers[i]);
        pm_text path = {0};

        pm_text_add(&path, "%s%s", folder, names[i]);
        if (header && header->source && !path.failed)
            pm_layer_add_header(program, pm_text_get(&path), header->source);
        pm_text_free(&path);
    }
    pm_rec_unlock();
}

static cl_int CL_API_CALL compile(cl_program program, cl_uint count, const cl_device_id *devices,
                                  const char *options, cl_uint header_count,
                                  const cl_program *headers, const char **names,
                                  void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    char *longer = with_arg_info(options);
    cl_int code;

    note_build(program, options);
    add_embedded(program, header_count, headers, names);
    code = next()->clCompileProgram(program, count, devices, longer ? longer : options,
                                    header_count, headers, names, notify, user);
    if (code == CL_INVALID_COMPILER_OPTIONS)
        code = next()->clCompileProgram(program, count, devices, options, header_count, headers,
                                        names, notify, user);
    free(longer);
    return code;
}

/* Adds a program that clLinkProgram made to the table of programs. If it was linked from one
 * program, it gets that program's source. If it was linked from several, it cannot be captured,
 * because no single source could build it. */
static void note_link(cl_program linked, cl_uint count, const cl_program *inputs)
{
    const pm_layer_program *input;
    pm_layer_program *program;

    note(linked, PM_FROM_SEVERAL, NULL);
    pm_rec_lock();
    program = find(linked);
    input = count == 1 ? find(inputs[0]) : NULL;
    if (program && input) {
        program->kind = input->kind;
        program->source = input->source ? strdup(input->source) : NULL;
        program->options = input->options ? strdup(input->options) : NULL;
        for (size_t i = 0; i < input->header_count; i++)
            pm_layer_add_header(program, input->headers[i].path, input->headers[i].text);
    }
    pm_rec_unlock();
}

static cl_program CL_API_CALL link_programs(cl_context context, cl_uint count,
                                            const cl_device_id *devices, const char *options,
                                            cl_uint input_count, const cl_program *inputs,
                                            void(CL_CALLBACK *notify)(cl_program, void *),
                                            void *user, cl_int *code)
{
    cl_program linked = next()->clLinkProgram(context, count, devices, options, input_count, inputs,
                                              notify, user, code);

    if (linked)
        note_link(linked, input_count, inputs);
    return linked;
}

void pm_layer_fill_programs(pm_layer_dispatch *own)
{
    own->clCreateProgramWithSource = with_source;
    own->clCreateProgramWithBinary = with_binary;
    own->clCreateProgramWithIL = with_il;
    own->clCreateProgramWithBuiltInKernels = with_built_in;
    own->clBuildProgram = build;
    own->clCompileProgram = compile;
    own->clLinkProgram = link_programs;
}
