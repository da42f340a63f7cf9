/* Records the kernel launches that interpreted host code makes: the kernel, the numbers and sizes
 * of thread blocks, and the arguments. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/host/state.h"

enum { MOST_LAUNCHES = 4096, MOST_ARGUMENTS = 256 };

static const CXType uint_type = {.kind = CXType_UInt};

/* ---- dimensions ---------------------------------------------------------------------------- */

/* Reads the three numbers of a dim3. A plain number is the first dimension; the other two are then
 * 1. */
static void read_dimensions(pm_host_state *state, pm_host_value value, pm_host_value out[3],
                            pm_host_purpose purpose)
{
    out[1] = out[2] = pm_host_integer(1);
    if (value.kind == PM_HOST_RECORD)
        for (size_t d = 0; d < 3; d++)
            out[d] = pm_host_load(&state->heap, (pm_host_place){value.object, value.offset + 4 * d},
                                  uint_type);
    else
        out[0] = value;
    for (size_t d = 0; d < 3; d++) {
        if (out[d].kind == PM_HOST_REAL)
            out[d] = pm_host_convert(out[d], uint_type);
        pm_host_want(state, out[d], purpose);
    }
}

static void read_configuration(pm_host_state *state, pm_host_launch *launch, pm_host_node *call,
                               size_t first, size_t shared)
{
    pm_host_tree *tree = state->tree;

    read_dimensions(state, pm_host_evaluate(state, pm_host_argument(tree, call, first)),
                    launch->grid, PM_HOST_FOR_SIZE);
    read_dimensions(state, pm_host_evaluate(state, pm_host_argument(tree, call, first + 1)),
                    launch->block, PM_HOST_FOR_BLOCK);
    launch->shared = pm_host_arguments(call) > shared
                         ? pm_host_evaluate(state, pm_host_argument(tree, call, shared))
                         : pm_host_integer(0);
    pm_host_want(state, launch->shared, PM_HOST_FOR_BLOCK);
}

/* ---- arguments ----------------------------------------------------------------------------- */

/* Creates a buffer for a pointer argument whose target is unknown. The variable with the pointer
 * points to this buffer afterwards. */
static pm_host_value imply_buffer(pm_host_state *state, pm_host_node *expression, const char *name)
{
    const pm_host_node *variable = expression ? pm_host_variable(state->tree, expression) : NULL;
    pm_host_heap *heap = &state->heap;
    pm_host_place place;
    pm_host_value made;
    size_t object;

    if (variable)
        name = variable->name;
    for (size_t i = 1; i < heap->count; i++)
        if (heap->objects[i].space == PM_HOST_BUFFER && !heap->objects[i].site &&
            !heap->objects[i].symbol && strcmp(heap->objects[i].name, name) == 0)
            return pm_host_pointer((pm_host_place){i, 0});
    object = pm_host_add_object(heap, PM_HOST_BUFFER, name, (CXType){.kind = CXType_Invalid},
                                expression ? expression->line : 0);
    heap->objects[object].bytes = pm_host_unknown(NULL, 0);
    made = pm_host_pointer((pm_host_place){object, 0});
    if (!variable)
        return made;
    place = pm_host_locate(state, expression);
    pm_host_store(heap, place, (CXType){.kind = CXType_Pointer}, made);
    return made;
}

/* Returns the first variable that an expression names, for example data in data.begin(). Returns
 * NULL if it names none. */
static const pm_host_node *variable_in(pm_host_tree *tree, pm_host_node *node, unsigned depth)
{
    const pm_host_node *found = NULL;

    if (!node || depth == 0)
        return NULL;
    pm_host_open(tree, node);
    if (node->named && node->kind != CXCursor_CallExpr &&
        (node->named->kind == CXCursor_VarDecl || node->named->kind == CXCursor_ParmDecl ||
         node->named->kind == CXCursor_FieldDecl))
        return node->named;
    for (size_t i = 0; i < node->count && !found; i++)
        found = variable_in(tree, node->children[i], depth - 1);
    return found;
}

/* Returns the type of the field at `offset` of a struct, or the type itself if it is no struct. */
static CXType type_at(CXType type, uint64_t offset);

typedef struct {
    uint64_t offset;
    CXType found;
} field_search;

static enum CXVisitorResult see_field(CXCursor field, CXClientData data)
{
    field_search *s = data;
    const CXType type = clang_getCanonicalType(clang_getCursorType(field));
    const long long bits = clang_Cursor_getOffsetOfField(field), bytes = clang_Type_getSizeOf(type);

    if (bits < 0 || bytes <= 0 || s->offset < (uint64_t)bits / 8 ||
        s->offset >= (uint64_t)(bits / 8 + bytes))
        return CXVisit_Continue;
    s->found = type_at(type, s->offset - (uint64_t)bits / 8);
    return CXVisit_Break;
}

static CXType type_at(CXType type, uint64_t offset)
{
    field_search s = {.found = {.kind = CXType_Invalid}};

    type = pm_host_element(clang_getCanonicalType(type));
    if (!pm_host_is_record(type))
        return type;
    s.offset = pm_host_bytes(type) ? offset % pm_host_bytes(type) : offset;
    clang_Type_visitFields(type, see_field, &s);
    return s.found;
}

/* Marks an object (variable or allocation of the interpreted host code) as used by a launch. Saves
 * the contents that the object has before its first such launch. */
static void use_object(pm_host_state *state, size_t number)
{
    pm_host_object *object = &state->heap.objects[number];

    object->launched = true;
    object->zeros_then = object->zeros && object->cell_count == 0;
    object->then = pm_host_take_snapshot(&state->heap, number);
}

/* An object (variable or allocation of the interpreted host code) is used by a launch. Notes that
 * the launch also uses the GPU's buffers to which pointers in the object lead, and the buffers to
 * which pointers in these buffers lead. type: type of the object's elements. */
static void use_pointers(pm_host_state *state, size_t object, CXType type)
{
    for (size_t c = 0; c < state->heap.objects[object].cell_count; c++) {
        const pm_host_cell cell = state->heap.objects[object].cells[c];
        const CXType pointer = type_at(type, cell.offset);
        pm_host_object *target;
        CXType pointee = {.kind = CXType_Invalid};

        if (!pm_host_leads_to_buffer(&state->heap, cell.value))
            continue;
        target = &state->heap.objects[cell.value.object];
        if (target->launched)
            continue;
        use_object(state, cell.value.object);
        if (pm_host_is_pointer(pointer))
            pointee = pm_host_element(clang_getPointeeType(pointer));
        if (pointee.kind != CXType_Void && pointee.kind != CXType_Invalid)
            target->type = pointee;
        if (!*target->name)
            target->name = state->heap.objects[object].name;
        use_pointers(state, cell.value.object, target->type);
    }
}

static pm_host_value pointer_argument(pm_host_state *state, pm_host_node *expression,
                                      pm_host_value value, CXType pointee, const char *name)
{
    const pm_host_node *variable = variable_in(state->tree, expression, 12);
    pm_host_object *object;

    if (value.kind == PM_HOST_INTEGER && value.integer == 0)
        return value;
    if (value.kind != PM_HOST_POINTER ||
        state->heap.objects[value.object].space == PM_HOST_VARIABLE)
        value = imply_buffer(state, expression, name);
    object = &state->heap.objects[value.object];
    if (!object->launched) {
        use_object(state, value.object);
        if (pointee.kind != CXType_Void && pointee.kind != CXType_Invalid &&
            pointee.kind != CXType_Pointer)
            object->type = pointee;
        if (!*object->name)
            object->name = variable ? variable->name : name;
    }
    if (pointee.kind != CXType_Void && pointee.kind != CXType_Invalid)
        use_pointers(state, value.object, pointee);
    return value;
}

void pm_host_add_argument(pm_host_state *state, pm_host_launch *launch, CXType type,
                          pm_host_node *expression, pm_host_value value, const char *name)
{
    const CXType pointer = {.kind = CXType_Pointer};

    type = clang_getCanonicalType(type);
    /* A parameter that is written as `float x[]` is a pointer, but libclang gives an array type. */
    if (pm_host_is_array(type)) {
        value = pointer_argument(state, expression, value, pm_host_element(type), name);
        type = pointer;
    } else if (pm_host_is_pointer(type))
        value = pointer_argument(state, expression, value,
                                 pm_host_element(clang_getPointeeType(type)), name);
    else
        value = pm_host_convert(value, type);
    if (pm_host_is_integer(type) || pm_host_is_real(type))
        pm_host_want(state, value,
                     pm_host_is_integer(type) ? PM_HOST_FOR_VALUE : PM_HOST_FOR_COUNT);
    /* the struct is copied, because later stores to it must not change the argument of this
     * launch */
    if (value.kind == PM_HOST_RECORD) {
        const size_t copy = pm_host_add_object(&state->heap, PM_HOST_VARIABLE, name, type, 0);

        pm_host_copy(&state->heap, (pm_host_place){copy, 0},
                     (pm_host_place){value.object, value.offset}, pm_host_bytes(type));
        value = pm_host_record((pm_host_place){copy, 0});
        use_pointers(state, copy, type);
    }
    launch->types =
        pm_more(state->memory, launch->types, launch->argument_count, sizeof *launch->types);
    launch->types[launch->argument_count] = type;
    launch->locals =
        pm_more(state->memory, launch->locals, launch->argument_count, sizeof *launch->locals);
    launch->locals[launch->argument_count] = 0;
    *pm_add(state->memory, launch->arguments, launch->argument_count) = value;
}

static const char *parameter_name(pm_host_state *state, const pm_host_node *kernel, size_t index)
{
    const pm_host_node *parameter =
        kernel ? pm_host_declared(state->tree,
                                  clang_Cursor_getArgument(kernel->cursor, (unsigned)index))
               : NULL;

    return parameter && *parameter->name ? parameter->name : "buffer";
}

/* ---- launches by <<<>>> and by cudaLaunchKernel -------------------------------------------- */

/* Saves, before a launch, the values of __device__ and __constant__ variables that the host code
 * has written. If the values were already saved at an earlier launch, records instead whether they
 * have changed since then. */
static void use_symbols(pm_host_state *state)
{
    for (size_t i = 0; i < state->symbol_count; i++) {
        const size_t number = state->symbols[i];
        const CXType type = state->heap.objects[number].type;

        if (!state->heap.objects[number].filled)
            continue;
        if (state->heap.objects[number].launched) {
            state->heap.objects[number].changes |=
                !pm_host_equals_snapshot(&state->heap, number, &state->heap.objects[number].then);
            continue;
        }
        for (size_t c = 0; c < state->heap.objects[number].cell_count; c++)
            pm_host_want(state, state->heap.objects[number].cells[c].value, PM_HOST_FOR_VALUE);
        use_object(state, number);
        use_pointers(state, number, type);
    }
}

bool pm_host_is_bound(const pm_host_state *state, const pm_host_binding *global)
{
    const CXCursor type = clang_getTypeDeclaration(global->declaration->type);
    const CXString name = clang_getCursorSpelling(type);
    const bool is_texture = strcmp(clang_getCString(name), "texture") == 0;

    clang_disposeString(name);
    return is_texture && pm_host_has_pointers(&state->heap, global->place, 8);
}

/* A launch may read all textures that are bound to texture references at file scope. Marks their
 * buffers as used by the launch. */
static void use_references(pm_host_state *state)
{
    for (size_t i = 0; i < state->global_count; i++)
        if (pm_host_is_bound(state, &state->globals[i]))
            use_pointers(state, state->globals[i].place.object,
                         state->globals[i].declaration->type);
}

void pm_host_keep_launch(pm_host_state *state, const pm_host_launch *launch)
{
    use_symbols(state);
    use_references(state);
    if (state->launch_count < MOST_LAUNCHES && !state->exhausted)
        *pm_add(state->memory, state->launches, state->launch_count) = *launch;
}

/* Returns the kernel that an expression names, or to which its function pointer points. *name
 * becomes the kernel's name with template arguments. Returns NULL if the kernel is unknown. */
static pm_host_node *kernel_of(pm_host_state *state, pm_host_node *callee, const char **name)
{
    const pm_host_value value = pm_host_evaluate(state, callee);

    if (value.kind != PM_HOST_FUNCTION || !pm_host_is_kernel(state->tree, value.function))
        return NULL;
    *name = value.text ? value.text : pm_host_kernel_name(value.function, state->memory);
    return value.function;
}

void pm_host_record_launch(pm_host_state *state, pm_host_node *call, pm_host_node *configuration)
{
    pm_host_launch launch = {.node = call, .times = 1};
    pm_host_node *kernel = pm_host_is_kernel(state->tree, call->named) ? call->named : NULL;
    const size_t count = pm_host_arguments(call);

    launch.kernel = kernel ? pm_host_kernel_name(kernel, state->memory) : call->name;
    if (!kernel)
        kernel = kernel_of(state, call->children[0], &launch.kernel);
    read_configuration(state, &launch, configuration, 0, 2);
    for (size_t i = 0; i < count && i < MOST_ARGUMENTS; i++) {
        pm_host_node *argument = pm_host_argument(state->tree, call, i);
        const CXType type = kernel && kernel->kind == CXCursor_FunctionDecl
                                ? clang_getArgType(clang_getCursorType(kernel->cursor), (unsigned)i)
                                : argument->type;

        pm_host_add_argument(state, &launch, type, argument, pm_host_evaluate(state, argument),
                             parameter_name(state, kernel, i));
    }
    if (*launch.kernel)
        pm_host_keep_launch(state, &launch);
}

void pm_host_record_call(pm_host_state *state, pm_host_node *call)
{
    const CXType pointer = {.kind = CXType_Pointer};
    pm_host_launch launch = {.node = call, .times = 1};
    pm_host_node *kernel = kernel_of(state, pm_host_argument(state->tree, call, 0), &launch.kernel);
    const pm_host_value list = pm_host_evaluate(state, pm_host_argument(state->tree, call, 3));
    CXType type;

    if (!kernel)
        return;
    type = clang_getCursorType(kernel->cursor);
    read_configuration(state, &launch, call, 1, 4);
    for (int i = 0; i < clang_getNumArgTypes(type) && i < MOST_ARGUMENTS; i++) {
        const CXType parameter = clang_getCanonicalType(clang_getArgType(type, (unsigned)i));
        pm_host_value value = pm_host_unknown(NULL, 0);

        if (list.kind == PM_HOST_POINTER)
            value = pm_host_load(
                &state->heap, (pm_host_place){list.object, list.offset + 8 * (uint64_t)i}, pointer);
        if (value.kind == PM_HOST_POINTER)
            value =
                pm_host_load(&state->heap, (pm_host_place){value.object, value.offset}, parameter);
        pm_host_add_argument(state, &launch, parameter, NULL, value,
                             parameter_name(state, kernel, (size_t)i));
    }
    pm_host_keep_launch(state, &launch);
}

void pm_host_record_configured(pm_host_state *state, pm_host_node *call)
{
    /* BLOCK, SHARED: byte offsets of blockDim and dynamicSmemBytes in cudaLaunchConfig_t; gridDim
     * is at offset 0. FIRST: index in the call of the kernel's first argument. */
    enum { BLOCK = 12, SHARED = 24, FIRST = 2 };
    const CXType size_type = {.kind = CXType_ULong};
    pm_host_launch launch = {.node = call, .times = 1};
    pm_host_node *kernel = kernel_of(state, pm_host_argument(state->tree, call, 1), &launch.kernel);
    const pm_host_value of = pm_host_evaluate(state, pm_host_argument(state->tree, call, 0));
    const pm_host_place place =
        of.kind == PM_HOST_POINTER ? (pm_host_place){of.object, of.offset} : (pm_host_place){0};

    if (!kernel)
        return;
    read_dimensions(state, pm_host_record(place), launch.grid, PM_HOST_FOR_SIZE);
    read_dimensions(state, pm_host_record((pm_host_place){place.object, place.offset + BLOCK}),
                    launch.block, PM_HOST_FOR_BLOCK);
    launch.shared =
        pm_host_load(&state->heap, (pm_host_place){place.object, place.offset + SHARED}, size_type);
    for (size_t i = FIRST; i < pm_host_arguments(call) && i < MOST_ARGUMENTS; i++) {
        pm_host_node *argument = pm_host_argument(state->tree, call, i);
        const CXType type =
            kernel->kind == CXCursor_FunctionDecl
                ? clang_getArgType(clang_getCursorType(kernel->cursor), (unsigned)(i - FIRST))
                : argument->type;

        pm_host_add_argument(state, &launch, type, argument, pm_host_evaluate(state, argument),
                             parameter_name(state, kernel, i - FIRST));
    }
    pm_host_keep_launch(state, &launch);
}

/* ---- comparing launches -------------------------------------------------------------------- */

static bool same_value(const pm_host_heap *heap, pm_host_value a, pm_host_value b)
{
    return pm_host_same_value(a, b) ||
           (a.kind == PM_HOST_POINTER && b.kind == PM_HOST_POINTER && a.offset == b.offset &&
            heap->objects[a.object].site && heap->objects[a.object].freed &&
            heap->objects[a.object].site == heap->objects[b.object].site);
}

bool pm_host_same_launch(const pm_host_state *state, const pm_host_launch *a,
                         const pm_host_launch *b)
{
    bool same = strcmp(a->kernel, b->kernel) == 0 && a->argument_count == b->argument_count &&
                same_value(&state->heap, a->shared, b->shared);

    for (size_t d = 0; same && d < 3; d++)
        same = same_value(&state->heap, a->grid[d], b->grid[d]) &&
               same_value(&state->heap, a->block[d], b->block[d]);
    for (size_t i = 0; same && i < a->argument_count; i++)
        same = same_value(&state->heap, a->arguments[i], b->arguments[i]) &&
               a->locals[i] == b->locals[i];
    return same;
}
