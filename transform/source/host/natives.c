/* Executes calls of functions that the interpreter of host code implements itself: functions of
 * CUDA's runtime and of the C library. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A HIP function does the same as the CUDA function with the corresponding name. Other functions of
 * CUDA's runtime have bodies in the prelude of host code (compiler/cuda/host), which the
 * interpreter executes.
 */
#include <math.h>
#include <string.h>

#include "transform/source/host/state.h"

/* Largest number of elements that a vector's constructor fills. */
enum { MOST_FILLED = 8192 };

typedef struct native native;
struct native {
    /* name of the function; a HIP function is found by the name of its CUDA equivalent */
    const char *name;
    /* Executes a call of the function. of: this entry of the table. of->index: index of the
     * argument that functions of this kind need, such as the number of bytes of an allocation. */
    pm_host_value (*follow)(pm_host_state *state, pm_host_node *call, const native *of);
    size_t index;
    double (*one)(double);
    double (*two)(double, double);
};

static pm_host_value argument(pm_host_state *state, pm_host_node *call, size_t index)
{
    return pm_host_evaluate(state, pm_host_argument(state->tree, call, index));
}

static void evaluate_all(pm_host_state *state, pm_host_node *call)
{
    for (size_t i = 0; i < pm_host_arguments(call); i++)
        argument(state, call, i);
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Gives a buffer the name and the element type of the pointer variable that receives its
 * address. */
static void describe(pm_host_state *state, pm_host_node *target, pm_host_place place, size_t buffer)
{
    const pm_host_object *holder = &state->heap.objects[place.object];
    pm_host_object *object = &state->heap.objects[buffer];
    pm_host_node *bare = pm_host_bare(state->tree, target);
    const pm_host_node *variable = NULL;
    CXType type = {.kind = CXType_Invalid};

    if (bare && bare->kind == CXCursor_UnaryOperator && bare->count == 1)
        variable = pm_host_variable(state->tree, bare->children[0]);
    if (place.object != 0 && pm_host_is_pointer(holder->type)) {
        type = clang_getPointeeType(holder->type);
        if (!*object->name && pm_host_is_of_root(state, place.object))
            object->name = holder->name;
    } else if (bare) {
        type = clang_getPointeeType(clang_getCanonicalType(clang_getPointeeType(bare->type)));
    }
    if (!*object->name && variable && state->depth <= 1)
        object->name = variable->name;
    type = pm_host_element(type);
    if (type.kind != CXType_Void && type.kind != CXType_Invalid)
        object->type = type;
}

/* Executes a function such as cudaMalloc(&p, bytes), whose first argument is the address of a
 * pointer. Stores the address of the new memory in this pointer. index: index of the argument with
 * the number of bytes. */
static pm_host_value allocate_for(pm_host_state *state, pm_host_node *call, size_t index,
                                  pm_host_space space)
{
    pm_host_node *target = pm_host_argument(state->tree, call, 0);
    const pm_host_value pointer = pm_host_evaluate(state, target);
    const pm_host_value made = pm_host_allocate(state, call, space, argument(state, call, index));
    const pm_host_place place = pointer.kind == PM_HOST_POINTER
                                    ? (pm_host_place){pointer.object, pointer.offset}
                                    : (pm_host_place){0};

    describe(state, target, place, made.object);
    if (place.object != 0)
        pm_host_store(&state->heap, place, (CXType){.kind = CXType_Pointer}, made);
    return pm_host_integer(0);
}

static pm_host_value follow_allocation(pm_host_state *state, pm_host_node *call, const native *of)
{
    return allocate_for(state, call, of->index, PM_HOST_BUFFER);
}

static pm_host_value follow_aligned(pm_host_state *state, pm_host_node *call, const native *of)
{
    return allocate_for(state, call, of->index, PM_HOST_ALLOCATED);
}

/* Executes cudaMallocPitch(&p, &pitch, width, height). Each row of the memory is padded to a
 * multiple of 512 bytes. */
static pm_host_value follow_pitch(pm_host_state *state, pm_host_node *call, const native *of)
{
    const CXType type = {.kind = CXType_ULong};
    pm_host_node *target = pm_host_argument(state->tree, call, 0);
    const pm_host_value pointer = pm_host_evaluate(state, target);
    const pm_host_value pitch = argument(state, call, 1);
    pm_host_value width = argument(state, call, 2), made;

    (void)of;
    if (width.kind == PM_HOST_INTEGER)
        width.integer = (width.integer + 511) / 512 * 512;
    made = pm_host_allocate(
        state, call, PM_HOST_BUFFER,
        pm_host_calculate(CXBinaryOperator_Mul, width, argument(state, call, 3), type, 0));
    if (pitch.kind == PM_HOST_POINTER)
        pm_host_store(&state->heap, (pm_host_place){pitch.object, pitch.offset}, type, width);
    if (pointer.kind == PM_HOST_POINTER) {
        const pm_host_place place = {pointer.object, pointer.offset};

        describe(state, target, place, made.object);
        pm_host_store(&state->heap, place, (CXType){.kind = CXType_Pointer}, made);
    }
    return pm_host_integer(0);
}

static pm_host_value follow_malloc(pm_host_state *state, pm_host_node *call, const native *of)
{
    pm_host_value bytes = argument(state, call, of->index), made;

    if (of->index == 1 && strcmp(of->name, "calloc") == 0)
        bytes = pm_host_calculate(CXBinaryOperator_Mul, argument(state, call, 0), bytes,
                                  (CXType){.kind = CXType_ULong}, 0);
    made = pm_host_allocate(state, call, PM_HOST_ALLOCATED, bytes);
    if (strcmp(of->name, "calloc") == 0)
        pm_host_clear(&state->heap, made.object);
    return made;
}

/* Executes pm_fill(first, count, value) of the prelude for host code. */
static pm_host_value follow_fill(pm_host_state *state, pm_host_node *call, const native *of)
{
    pm_host_node *first = pm_host_argument(state->tree, call, 0);
    const CXType type =
        clang_getCanonicalType(clang_getPointeeType(clang_getCanonicalType(first->type)));
    const pm_host_value pointer = pm_host_evaluate(state, first), count = argument(state, call, 1);
    const pm_host_value value = argument(state, call, 2);

    (void)of;
    if (pointer.kind != PM_HOST_POINTER)
        return pm_host_integer(0);
    if (count.kind != PM_HOST_INTEGER || count.integer > MOST_FILLED) {
        pm_host_forget(&state->heap, pointer.object);
        return pm_host_integer(0);
    }
    for (long long i = 0; i < count.integer; i++)
        pm_host_store(
            &state->heap,
            (pm_host_place){pointer.object, pointer.offset + (uint64_t)i * pm_host_bytes(type)},
            type, pm_host_convert(value, type));
    return pm_host_integer(0);
}

static pm_host_value follow_free(pm_host_state *state, pm_host_node *call, const native *of)
{
    const pm_host_value pointer = argument(state, call, of->index);

    if (pointer.kind == PM_HOST_POINTER && pointer.offset == 0)
        state->heap.objects[pointer.object].freed = true;
    return pm_host_integer(0);
}

/* Returns the result of a function that copies memory: for a CUDA function the error code 0, for a
 * function of the C library the address of the target. */
static pm_host_value result_of_copy(const native *of, pm_host_value target)
{
    return strncmp(of->name, "cuda", 4) == 0 ? pm_host_integer(0) : target;
}

static pm_host_value follow_memset(pm_host_state *state, pm_host_node *call, const native *of)
{
    const pm_host_value target = argument(state, call, 0), byte = argument(state, call, 1);

    if (target.kind != PM_HOST_POINTER)
        return result_of_copy(of, target);
    state->heap.objects[target.object].filled = true;
    if (byte.kind == PM_HOST_INTEGER && byte.integer == 0 && target.offset == 0)
        pm_host_clear(&state->heap, target.object);
    else if (state->heap.objects[target.object].space != PM_HOST_BUFFER ||
             !state->heap.objects[target.object].launched)
        pm_host_forget(&state->heap, target.object);
    return result_of_copy(of, target);
}

/* Returns whether a copy fills a buffer of the GPU with pointers to buffers. */
static bool is_copy_of_pointers(const pm_host_state *state, pm_host_value to, pm_host_value from,
                                pm_host_value bytes)
{
    return pm_host_leads_to_buffer(&state->heap, to) && from.kind == PM_HOST_POINTER &&
           bytes.kind == PM_HOST_INTEGER && bytes.integer > 0 &&
           pm_host_has_pointers(&state->heap, (pm_host_place){from.object, from.offset},
                                (uint64_t)bytes.integer);
}

static pm_host_value follow_memcpy(pm_host_state *state, pm_host_node *call, const native *of)
{
    const pm_host_value to = argument(state, call, 0), from = argument(state, call, 1);
    const pm_host_value bytes = argument(state, call, 2);
    const uint64_t size =
        bytes.kind == PM_HOST_INTEGER && bytes.integer > 0 ? (uint64_t)bytes.integer : 0;
    const pm_host_object *target, *source;
    bool in_host;

    if (to.kind != PM_HOST_POINTER)
        return result_of_copy(of, to);
    target = &state->heap.objects[to.object];
    source = &state->heap.objects[from.kind == PM_HOST_POINTER ? from.object : 0];
    in_host = from.kind == PM_HOST_POINTER && source->space != PM_HOST_BUFFER &&
              target->space != PM_HOST_BUFFER && size > 0;
    if (in_host || is_copy_of_pointers(state, to, from, bytes))
        pm_host_copy(&state->heap, (pm_host_place){to.object, to.offset},
                     (pm_host_place){from.object, from.offset}, size);
    else if (target->space == PM_HOST_BUFFER)
        pm_host_fill_buffer(state, (pm_host_place){to.object, to.offset}, from, size);
    else
        pm_host_forget(&state->heap, to.object);
    return result_of_copy(of, to);
}

/* ---- the C library ------------------------------------------------------------------------- */

static pm_host_value follow_exit(pm_host_state *state, pm_host_node *call, const native *of)
{
    (void)of;
    evaluate_all(state, call);
    state->ended = true;
    return pm_host_unknown(NULL, 0);
}

/* Executes a function that changes no memory, such as printf: evaluates its arguments and returns
 * 0. */
static pm_host_value follow_nothing(pm_host_state *state, pm_host_node *call, const native *of)
{
    (void)of;
    evaluate_all(state, call);
    return pm_host_integer(0);
}

static pm_host_value follow_math(pm_host_state *state, pm_host_node *call, const native *of)
{
    const pm_host_value a = argument(state, call, 0);
    const pm_host_value b = of->two ? argument(state, call, 1) : pm_host_integer(0);
    const double x = a.kind == PM_HOST_REAL ? a.real : (double)a.integer;
    const double y = b.kind == PM_HOST_REAL ? b.real : (double)b.integer;
    pm_host_value result;

    if (!pm_host_is_known(a) || !pm_host_is_known(b))
        return a.kind == PM_HOST_UNKNOWN ? a : pm_host_unknown(b.origin, b.line);
    result = pm_host_real(of->two ? of->two(x, y) : of->one(x));
    result.no_arguments = a.no_arguments || b.no_arguments;
    result.assumed = a.assumed || b.assumed;
    return result;
}

static pm_host_value follow_launch(pm_host_state *state, pm_host_node *call, const native *of)
{
    (void)of;
    pm_host_record_call(state, call);
    return pm_host_integer(0);
}

static pm_host_value follow_launch_by_configuration(pm_host_state *state, pm_host_node *call,
                                                    const native *of)
{
    (void)of;
    pm_host_record_configured(state, call);
    return pm_host_integer(0);
}

/* ---- table of functions by name ------------------------------------------------------------ */

static const native natives[] = {
    {.name = "cudaMalloc", .follow = follow_allocation, .index = 1},
    {.name = "cudaMallocManaged", .follow = follow_allocation, .index = 1},
    {.name = "cudaMallocAsync", .follow = follow_allocation, .index = 1},
    {.name = "cudaMallocFromPoolAsync", .follow = follow_allocation, .index = 1},
    {.name = "cudaMallocHost", .follow = follow_allocation, .index = 1},
    {.name = "cudaHostAlloc", .follow = follow_allocation, .index = 1},
    {.name = "cudaHostMalloc", .follow = follow_allocation, .index = 1},
    {.name = "cudaExtMallocWithFlags", .follow = follow_allocation, .index = 1},
    {.name = "cuMemAlloc", .follow = follow_allocation, .index = 1},
    {.name = "cudaMallocPitch", .follow = follow_pitch},
    {.name = "cudaLaunchKernel", .follow = follow_launch},
    {.name = "cudaLaunchCooperativeKernel", .follow = follow_launch},
    {.name = "cudaLaunchKernelEx", .follow = follow_launch_by_configuration},
    {.name = "posix_memalign", .follow = follow_aligned, .index = 2},
    {.name = "malloc", .follow = follow_malloc, .index = 0},
    {.name = "calloc", .follow = follow_malloc, .index = 1},
    {.name = "realloc", .follow = follow_malloc, .index = 1},
    {.name = "aligned_alloc", .follow = follow_malloc, .index = 1},
    {.name = "pm_fill", .follow = follow_fill},
    {.name = "cudaFree", .follow = follow_free},
    {.name = "cudaFreeAsync", .follow = follow_free},
    {.name = "cudaFreeHost", .follow = follow_free},
    {.name = "free", .follow = follow_free},
    {.name = "cudaMemset", .follow = follow_memset},
    {.name = "cudaMemsetAsync", .follow = follow_memset},
    {.name = "memset", .follow = follow_memset},
    {.name = "cudaMemcpy", .follow = follow_memcpy},
    {.name = "cudaMemcpyAsync", .follow = follow_memcpy},
    {.name = "memcpy", .follow = follow_memcpy},
    {.name = "memmove", .follow = follow_memcpy},
    {.name = "exit", .follow = follow_exit},
    {.name = "_exit", .follow = follow_exit},
    {.name = "_Exit", .follow = follow_exit},
    {.name = "quick_exit", .follow = follow_exit},
    {.name = "abort", .follow = follow_exit},
    {.name = "printf", .follow = follow_nothing},
    {.name = "fprintf", .follow = follow_nothing},
    {.name = "puts", .follow = follow_nothing},
    {.name = "fflush", .follow = follow_nothing},
    {.name = "fwrite", .follow = follow_nothing},
    {.name = "getenv", .follow = follow_nothing},
    {.name = "sqrt", .follow = follow_math, .one = sqrt},
    {.name = "sqrtf", .follow = follow_math, .one = sqrt},
    {.name = "cbrt", .follow = follow_math, .one = cbrt},
    {.name = "ceil", .follow = follow_math, .one = ceil},
    {.name = "ceilf", .follow = follow_math, .one = ceil},
    {.name = "floor", .follow = follow_math, .one = floor},
    {.name = "floorf", .follow = follow_math, .one = floor},
    {.name = "round", .follow = follow_math, .one = round},
    {.name = "roundf", .follow = follow_math, .one = round},
    {.name = "fabs", .follow = follow_math, .one = fabs},
    {.name = "fabsf", .follow = follow_math, .one = fabs},
    {.name = "exp", .follow = follow_math, .one = exp},
    {.name = "expf", .follow = follow_math, .one = exp},
    {.name = "exp2", .follow = follow_math, .one = exp2},
    {.name = "log", .follow = follow_math, .one = log},
    {.name = "logf", .follow = follow_math, .one = log},
    {.name = "log2", .follow = follow_math, .one = log2},
    {.name = "log2f", .follow = follow_math, .one = log2},
    {.name = "log10", .follow = follow_math, .one = log10},
    {.name = "sin", .follow = follow_math, .one = sin},
    {.name = "cos", .follow = follow_math, .one = cos},
    {.name = "pow", .follow = follow_math, .two = pow},
    {.name = "powf", .follow = follow_math, .two = pow},
    {.name = "fmin", .follow = follow_math, .two = fmin},
    {.name = "fminf", .follow = follow_math, .two = fmin},
    {.name = "fmax", .follow = follow_math, .two = fmax},
    {.name = "fmaxf", .follow = follow_math, .two = fmax},
    {.name = "fmod", .follow = follow_math, .two = fmod},
};

static bool is_called(const char *name, const char *known)
{
    if (strncmp(name, "hip", 3) == 0 && strncmp(known, "cuda", 4) == 0)
        return strcmp(name + 3, known + 4) == 0;
    return strcmp(name, known) == 0;
}

bool pm_host_call_native(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result)
{
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        if (is_called(name, natives[i].name)) {
            *result = natives[i].follow(state, call, &natives[i]);
            return true;
        }
    return pm_host_call_symbol(state, call, name, result) ||
           pm_host_call_text(state, call, name, result) ||
           pm_host_call_reader(state, call, name, result) ||
           pm_host_call_opencl(state, call, name, result);
}

bool pm_host_allocates(const char *name)
{
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        if (is_called(name, natives[i].name))
            return natives[i].follow == follow_allocation || natives[i].follow == follow_pitch ||
                   natives[i].follow == follow_launch ||
                   natives[i].follow == follow_launch_by_configuration;
    return pm_host_opencl_matters(name);
}
