/* Executes OpenCL's host functions: buffers, arguments of kernels, and launches. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/host/state.h"

static const CXType size_type = {.kind = CXType_ULong};

static pm_host_value argument(pm_host_state *state, pm_host_node *call, size_t index)
{
    return pm_host_evaluate(state, pm_host_argument(state->tree, call, index));
}

static pm_host_place place_of(pm_host_value pointer)
{
    return pointer.kind == PM_HOST_POINTER ? (pm_host_place){pointer.object, pointer.offset}
                                           : (pm_host_place){0};
}

/* Returns the value at an address. If the value of an integer variable is unknown, returns the
 * value that the user set or that is assumed for the variable. */
static pm_host_value load(pm_host_state *state, pm_host_place place, CXType type)
{
    const pm_host_node *variable = state->heap.objects[place.object].declaration;
    const pm_host_value value = pm_host_load(&state->heap, place, type);

    if (value.kind != PM_HOST_UNKNOWN || !variable || !pm_host_is_integer(variable->type))
        return value;
    return pm_host_settle(state, variable, variable->type, value);
}

/* Stores CL_SUCCESS in the integer to which argument number `index` of a call points. */
static void succeed(pm_host_state *state, pm_host_node *call, size_t index)
{
    const pm_host_value error = argument(state, call, index);

    pm_host_store(&state->heap, place_of(error), (CXType){.kind = CXType_Int}, pm_host_integer(0));
}

/* ---- buffers ------------------------------------------------------------------------------- */

/* Records whether a buffer contains only zeros. It does if the memory from which it is filled
 * contains only zeros. */
static void fill(pm_host_state *state, pm_host_value buffer, pm_host_value from)
{
    const pm_host_object *source = &state->heap.objects[place_of(from).object];

    if (buffer.kind == PM_HOST_POINTER)
        state->heap.objects[buffer.object].zeros =
            from.kind == PM_HOST_POINTER && source->zeros && source->cell_count == 0;
}

/* Executes clCreateBuffer(context, flags, bytes, from, &error). */
static pm_host_value create_buffer(pm_host_state *state, pm_host_node *call)
{
    const pm_host_value made =
        pm_host_allocate(state, call, PM_HOST_BUFFER, argument(state, call, 2));
    const pm_host_value from = argument(state, call, 3);

    if (from.kind == PM_HOST_POINTER)
        fill(state, made, from);
    succeed(state, call, 4);
    return made;
}

/* Executes clCreateSubBuffer(buffer, flags, type, &region, &error). */
static pm_host_value create_part(pm_host_state *state, pm_host_node *call)
{
    pm_host_value made = argument(state, call, 0);
    const pm_host_value region = argument(state, call, 3);
    const pm_host_value offset = pm_host_load(&state->heap, place_of(region), size_type);

    if (made.kind == PM_HOST_POINTER && offset.kind == PM_HOST_INTEGER)
        made.offset += (uint64_t)offset.integer;
    succeed(state, call, 4);
    return made;
}

static pm_host_value allocate_shared(pm_host_state *state, pm_host_node *call)
{
    return pm_host_allocate(state, call, PM_HOST_BUFFER, argument(state, call, 2));
}

static pm_host_value release(pm_host_state *state, pm_host_node *call)
{
    const pm_host_value buffer = argument(state, call, strcmp(call->name, "clSVMFree") == 0);

    if (buffer.kind == PM_HOST_POINTER && buffer.offset == 0)
        state->heap.objects[buffer.object].freed = true;
    return pm_host_integer(0);
}

/* Executes clEnqueueWriteBuffer(queue, buffer, blocking, offset, bytes, from, ...). */
static pm_host_value write_buffer(pm_host_state *state, pm_host_node *call)
{
    fill(state, argument(state, call, 1), argument(state, call, 5));
    return pm_host_integer(0);
}

/* Executes clEnqueueFillBuffer(queue, buffer, &pattern, pattern bytes, offset, bytes, ...). */
static pm_host_value fill_buffer(pm_host_state *state, pm_host_node *call)
{
    const pm_host_value buffer = argument(state, call, 1), pattern = argument(state, call, 2);
    const pm_host_value value = pm_host_load(&state->heap, place_of(pattern), size_type);
    bool truth = true;

    pm_host_truth(value, &truth);
    if (buffer.kind == PM_HOST_POINTER) {
        if (truth)
            state->heap.objects[buffer.object].zeros = false;
        else
            pm_host_clear(&state->heap, buffer.object);
    }
    return pm_host_integer(0);
}

/* ---- programs and kernels ------------------------------------------------------------------ */

static pm_host_value build(pm_host_state *state, pm_host_node *call)
{
    const char *options = pm_host_text(state, argument(state, call, 3));

    if (options && *options && !state->cl_options)
        state->cl_options = options;
    return pm_host_integer(0);
}

static pm_host_value create_kernel(pm_host_state *state, pm_host_node *call)
{
    pm_host_cl_kernel *kernel = pm_take(state->memory, 1, sizeof *kernel);
    const char *name = pm_host_text(state, argument(state, call, 1));

    *kernel = (pm_host_cl_kernel){.object = pm_host_add_object(&state->heap, PM_HOST_VARIABLE, "",
                                                               (CXType){.kind = CXType_Invalid},
                                                               call->line),
                                  .name = name ? name : ""};
    *pm_add(state->memory, state->cl_kernels, state->cl_kernel_count) = kernel;
    succeed(state, call, 2);
    return pm_host_pointer((pm_host_place){kernel->object, 0});
}

static pm_host_cl_kernel *find_kernel(pm_host_state *state, pm_host_value value)
{
    for (size_t i = state->cl_kernel_count; i-- > 0 && value.kind == PM_HOST_POINTER;)
        if (state->cl_kernels[i]->object == value.object)
            return state->cl_kernels[i];
    return NULL;
}

static pm_host_cl_argument *find_argument(pm_host_state *state, pm_host_node *call)
{
    pm_host_cl_kernel *kernel = find_kernel(state, argument(state, call, 0));
    const pm_host_value index = argument(state, call, 1);

    if (!kernel || index.kind != PM_HOST_INTEGER || index.integer < 0 ||
        index.integer >= PM_HOST_CL_ARGUMENTS)
        return NULL;
    if ((size_t)index.integer >= kernel->argument_count)
        kernel->argument_count = (size_t)index.integer + 1;
    return &kernel->arguments[index.integer];
}

/* Returns the type of the value to which a pointer points: by the pointer's type or, if that is
 * void *, by the type of the variable. */
static CXType type_behind(pm_host_state *state, const pm_host_node *pointer, pm_host_place place)
{
    const CXType type = clang_getCanonicalType(clang_getPointeeType(pointer->type));

    if (type.kind != CXType_Void && type.kind != CXType_Invalid)
        return pm_host_element(type);
    return pm_host_element(state->heap.objects[place.object].type);
}

/* Executes clSetKernelArg(kernel, index, bytes, &value). */
static pm_host_value set_argument(pm_host_state *state, pm_host_node *call)
{
    pm_host_cl_argument *to = find_argument(state, call);
    const pm_host_value bytes = argument(state, call, 2);
    pm_host_node *pointer = pm_host_bare(state->tree, pm_host_argument(state->tree, call, 3));
    const pm_host_value value = pm_host_evaluate(state, pointer);
    const pm_host_place place = place_of(value);

    if (!to || !pointer)
        return pm_host_integer(0);
    *to = (pm_host_cl_argument){.is_set = true, .value = pm_host_unknown(NULL, 0)};
    if (value.kind == PM_HOST_INTEGER && value.integer == 0) {
        pm_host_want(state, bytes, PM_HOST_FOR_BLOCK);
        to->local = bytes.kind == PM_HOST_INTEGER && bytes.integer > 0 ? (uint64_t)bytes.integer
                                                                       /* local memory whose size is
                                                                        * unknown counts as 1
                                                                        * byte */
                                                                       : 1;
        return pm_host_integer(0);
    }
    to->type = type_behind(state, pointer, place);
    if (pointer->kind == CXCursor_UnaryOperator && pointer->unary == CXUnaryOperator_AddrOf &&
        pointer->count == 1)
        to->expression = pointer->children[0];
    to->value =
        to->expression ? pm_host_evaluate(state, to->expression) : load(state, place, to->type);
    return pm_host_integer(0);
}

/* Executes clSetKernelArgSVMPointer(kernel, index, pointer). */
static pm_host_value set_pointer(pm_host_state *state, pm_host_node *call)
{
    pm_host_cl_argument *to = find_argument(state, call);
    pm_host_node *pointer = pm_host_bare(state->tree, pm_host_argument(state->tree, call, 2));

    if (to && pointer)
        *to = (pm_host_cl_argument){.is_set = true,
                                    .value = pm_host_evaluate(state, pointer),
                                    .type = pointer->type,
                                    .expression = pointer};
    return pm_host_integer(0);
}

/* ---- launches ------------------------------------------------------------------------------ */

static void add_arguments(pm_host_state *state, pm_host_launch *launch,
                          const pm_host_cl_kernel *kernel)
{
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const pm_host_cl_argument *from = &kernel->arguments[i];

        pm_host_add_argument(state, launch, from->type, from->expression, from->value, "buffer");
        launch->locals[i] = from->local;
    }
}

/* Reads the first `dimensions` elements of an array of sizes, such as a global size. Missing
 * dimensions are 1. */
static void read_sizes(pm_host_state *state, pm_host_value array, long long dimensions,
                       pm_host_purpose purpose, pm_host_value out[3])
{
    const pm_host_place place = place_of(array);

    for (size_t d = 0; d < 3; d++) {
        out[d] = pm_host_integer(1);
        if ((long long)d >= dimensions)
            continue;
        out[d] = place.object
                     ? load(state, (pm_host_place){place.object, place.offset + 8 * (uint64_t)d},
                            size_type)
                     : pm_host_unknown(NULL, 0);
        pm_host_want(state, out[d], purpose);
    }
}

/* Executes clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, ...). */
static pm_host_value launch_range(pm_host_state *state, pm_host_node *call)
{
    const pm_host_cl_kernel *kernel = find_kernel(state, argument(state, call, 1));
    const pm_host_value dimensions = argument(state, call, 2);
    pm_host_launch launch = {
        .node = call, .times = 1, .is_opencl = true, .shared = pm_host_integer(0)};

    if (!kernel || !*kernel->name || dimensions.kind != PM_HOST_INTEGER)
        return pm_host_integer(0);
    launch.kernel = kernel->name;
    read_sizes(state, argument(state, call, 4), dimensions.integer, PM_HOST_FOR_SIZE, launch.grid);
    read_sizes(state, argument(state, call, 5), dimensions.integer, PM_HOST_FOR_BLOCK,
               launch.block);
    add_arguments(state, &launch, kernel);
    pm_host_keep_launch(state, &launch);
    return pm_host_integer(0);
}

/* Executes clEnqueueTask(queue, kernel, ...). */
static pm_host_value launch_task(pm_host_state *state, pm_host_node *call)
{
    const pm_host_cl_kernel *kernel = find_kernel(state, argument(state, call, 1));
    pm_host_launch launch = {
        .node = call, .times = 1, .is_opencl = true, .shared = pm_host_integer(0)};

    if (!kernel || !*kernel->name)
        return pm_host_integer(0);
    launch.kernel = kernel->name;
    for (size_t d = 0; d < 3; d++)
        launch.grid[d] = launch.block[d] = pm_host_integer(1);
    add_arguments(state, &launch, kernel);
    pm_host_keep_launch(state, &launch);
    return pm_host_integer(0);
}

/* ---- table of functions by name ------------------------------------------------------------ */

static const struct {
    const char *name;
    pm_host_value (*follow)(pm_host_state *state, pm_host_node *call);
    bool matters;
} functions[] = {
    {"clCreateBuffer", create_buffer, true},
    {"clCreateSubBuffer", create_part, true},
    {"clSVMAlloc", allocate_shared, true},
    {"clReleaseMemObject", release, false},
    {"clSVMFree", release, false},
    {"clEnqueueWriteBuffer", write_buffer, false},
    {"clEnqueueFillBuffer", fill_buffer, false},
    {"clBuildProgram", build, false},
    {"clCompileProgram", build, false},
    {"clCreateKernel", create_kernel, true},
    {"clSetKernelArg", set_argument, true},
    {"clSetKernelArgSVMPointer", set_pointer, true},
    {"clEnqueueNDRangeKernel", launch_range, true},
    {"clEnqueueTask", launch_task, true},
};

bool pm_host_call_opencl(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0) {
            *result = functions[i].follow(state, call);
            return true;
        }
    return false;
}

bool pm_host_opencl_matters(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].matters;
    return false;
}
