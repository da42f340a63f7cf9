/* Follows the OpenCL calls by which the captured program creates kernels and sets their arguments.
 * See layer.h.
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

/* ---- records of programs and kernels --------------------------------------------------------- */

static bool record_headers(const pm_layer_program *program)
{
    bool done = true;

    for (size_t i = 0; done && i < program->header_count; i++) {
        const pm_layer_header *header = &program->headers[i];
        pm_text record = {0};
        char id[40];

        done = pm_rec_contents_file(header->text, strlen(header->text), id);
        pm_text_add(&record, "header %u", program->id);
        pm_rec_word(&record, header->path);
        pm_rec_word(&record, id);
        done = pm_rec_write(&record) && done;
    }
    return done;
}

static void record_program(pm_layer_program *program)
{
    static const char *const kinds[] = PM_RECORD_KINDS;
    pm_text record = {0};
    char id[40] = "-";
    bool done = true;

    program->id = ++pm_recording_get()->next_id;
    if (program->kind == PM_FROM_SOURCE)
        done =
            program->source && pm_rec_contents_file(program->source, strlen(program->source), id);
    if (!done)
        program->kind = PM_FROM_SEVERAL;
    pm_text_add(&record, "program %u %s %s", program->id, kinds[program->kind], id);
    pm_rec_word(&record, program->options ? program->options : "");
    pm_rec_write(&record);
    if (!record_headers(program))
        program->kind = PM_FROM_SEVERAL;
}

static const char *word_of(cl_kernel_arg_address_qualifier address)
{
    return address == CL_KERNEL_ARG_ADDRESS_GLOBAL     ? "global"
           : address == CL_KERNEL_ARG_ADDRESS_CONSTANT ? "constant"
           : address == CL_KERNEL_ARG_ADDRESS_LOCAL    ? "local"
                                                       : "private";
}

/* Adds the driver's description of a parameter to the kernel. False if the driver does not describe
 * it. */
static bool add_param(pm_rec_entry *entry, cl_kernel handle, cl_uint i)
{
    cl_kernel_arg_address_qualifier address = 0;
    cl_kernel_arg_type_qualifier qualifier = 0;
    char type[128] = "", name[128] = "";
    pm_text word = {0};

    if (next()->clGetKernelArgInfo(handle, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address,
                                   &address, NULL) != CL_SUCCESS ||
        next()->clGetKernelArgInfo(handle, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type - 1, type,
                                   NULL) != CL_SUCCESS ||
        next()->clGetKernelArgInfo(handle, i, CL_KERNEL_ARG_NAME, sizeof name - 1, name, NULL) !=
            CL_SUCCESS)
        return false;
    next()->clGetKernelArgInfo(handle, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                               &qualifier, NULL);
    entry->read_only[i] =
        address == CL_KERNEL_ARG_ADDRESS_CONSTANT || (qualifier & CL_KERNEL_ARG_TYPE_CONST) != 0;
    pm_text_add(&word, "%s:%s:%s", word_of(address), type, name);
    pm_rec_word(&entry->params, pm_text_get(&word));
    pm_text_free(&word);
    return true;
}

/* Returns the entry in the records of the kernel with this name in the program's last build. Adds
 * an entry if the kernel is new. */
static pm_rec_entry *entry_of(pm_layer_program *program, cl_kernel handle, const char *name,
                              cl_uint args)
{
    const pm_recording *rec = pm_recording_get();
    pm_rec_entry *entry;

    if (program->id == 0)
        record_program(program);
    for (size_t i = rec->entry_count; i-- > 0;)
        if (rec->entries[i]->program == program->id && strcmp(rec->entries[i]->name, name) == 0)
            return rec->entries[i];
    entry = pm_rec_new_entry(program->id, program->kind, name, args);
    for (cl_uint i = 0; entry && i < args; i++)
        if (!add_param(entry, handle, i)) {
            pm_text_free(&entry->params);
            break;
        }
    return entry;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void forget(void *object)
{
    pm_layer_kernel *kernel = object;

    for (cl_uint i = 0; i < kernel->arg_count; i++)
        free(kernel->args[i].value);
    free(kernel->args);
}

static char *name_of(cl_kernel handle)
{
    size_t size = 0;
    char *name;

    if (next()->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size) != CL_SUCCESS)
        return NULL;
    name = calloc(1, size + 1);
    if (name &&
        next()->clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, size, name, NULL) != CL_SUCCESS) {
        free(name);
        return NULL;
    }
    return name;
}

static void note_kernel(cl_program program_handle, cl_kernel handle)
{
    pm_layer *layer = pm_layer_get();
    pm_layer_program *program;
    pm_layer_kernel *kernel;
    cl_uint count = 0;
    char *name = handle ? name_of(handle) : NULL;

    if (!name || next()->clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL) !=
                     CL_SUCCESS) {
        free(name);
        return;
    }
    pm_rec_lock();
    program = pm_rec_find(&layer->programs, program_handle);
    kernel = program ? pm_rec_put(&layer->kernels, handle, sizeof *kernel, forget) : NULL;
    if (kernel) {
        kernel->args = calloc(count + 1, sizeof *kernel->args);
        kernel->arg_count = kernel->args ? count : 0;
        kernel->entry = kernel->args ? entry_of(program, handle, name, count) : NULL;
    }
    pm_rec_unlock();
    free(name);
}

static cl_kernel CL_API_CALL create(cl_program program, const char *name, cl_int *code)
{
    cl_kernel kernel = next()->clCreateKernel(program, name, code);

    note_kernel(program, kernel);
    return kernel;
}

static cl_int CL_API_CALL create_all(cl_program program, cl_uint count, cl_kernel *kernels,
                                     cl_uint *count_ret)
{
    cl_uint made = 0;
    cl_int code = next()->clCreateKernelsInProgram(program, count, kernels, &made);

    if (count_ret)
        *count_ret = made;
    for (cl_uint i = 0; code == CL_SUCCESS && kernels && i < made && i < count; i++)
        note_kernel(program, kernels[i]);
    return code;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void set(pm_rec_arg *arg, size_t bytes, const void *value, bool svm)
{
    if (!value || bytes > arg->bytes || !arg->value) {
        free(arg->value);
        arg->value = value ? malloc(bytes) : NULL;
    }
    arg->set = !value || arg->value;
    arg->svm = svm;
    arg->bytes = bytes;
    if (value && arg->value)
        memcpy(arg->value, value, bytes);
}

static void note_arg(cl_kernel handle, cl_uint i, size_t bytes, const void *value, bool svm)
{
    pm_layer_kernel *kernel;

    pm_rec_lock();
    kernel = pm_rec_find(&pm_layer_get()->kernels, handle);
    if (kernel && i < kernel->arg_count)
        set(&kernel->args[i], bytes, value, svm);
    pm_rec_unlock();
}

static cl_int CL_API_CALL set_arg(cl_kernel kernel, cl_uint i, size_t bytes, const void *value)
{
    cl_int code = next()->clSetKernelArg(kernel, i, bytes, value);

    if (code == CL_SUCCESS)
        note_arg(kernel, i, bytes, value, false);
    return code;
}

static cl_int CL_API_CALL set_svm_arg(cl_kernel kernel, cl_uint i, const void *pointer)
{
    cl_int code = next()->clSetKernelArgSVMPointer(kernel, i, pointer);

    if (code == CL_SUCCESS)
        note_arg(kernel, i, sizeof pointer, &pointer, true);
    return code;
}

/* Tracks a cloned kernel, which starts with the arguments of the original. */
static cl_kernel CL_API_CALL clone_kernel(cl_kernel original, cl_int *code)
{
    cl_kernel handle = next()->clCloneKernel(original, code);
    pm_layer *layer = pm_layer_get();
    const pm_layer_kernel *from;
    pm_layer_kernel *kernel;

    if (!handle)
        return handle;
    pm_rec_lock();
    kernel = pm_rec_put(&layer->kernels, handle, sizeof *kernel, forget);
    from = pm_rec_find(&layer->kernels, original);
    if (kernel && from) {
        kernel->entry = from->entry;
        kernel->args = calloc(from->arg_count + 1, sizeof *kernel->args);
        kernel->arg_count = kernel->args ? from->arg_count : 0;
        for (cl_uint i = 0; i < kernel->arg_count; i++)
            if (from->args[i].set)
                set(&kernel->args[i], from->args[i].bytes, from->args[i].value, from->args[i].svm);
    }
    pm_rec_unlock();
    return handle;
}

void pm_layer_fill_kernels(pm_layer_dispatch *own)
{
    own->clCreateKernel = create;
    own->clCreateKernelsInProgram = create_all;
    own->clSetKernelArg = set_arg;
    own->clSetKernelArgSVMPointer = set_svm_arg;
    own->clCloneKernel = clone_kernel;
}
