/* Converts the kernel launches that the interpreter of host code has found, with their arguments
 * and buffers, to the structs of launches.h. See results.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/results.h"

#include <float.h>
#include <limits.h>
#include <string.h>

/* Largest buffer in bytes that the trace engine accepts. */
static const long long MOST_BYTES = 1LL << 30;

/* MOST_TEXT: length of a list of pointers, so that it fits into a value of a workload file */
enum { MOST_FIELDS = 64, MOST_ELEMENTS = 256, MOST_DEPTH = 8, MOST_TEXT = 16000 };

/* ---- values as text ------------------------------------------------------------------------ */

typedef struct {
    pm_host_state *state;
    pm_memory *memory;
    size_t count;
    bool whole; /* true: all parts of the value that were written so far were known */
} writer;

static char *write_fields(writer *w, pm_host_place place, CXType type, unsigned depth);

static char *write_number(writer *w, pm_host_value value, CXType type)
{
    const bool is_unsigned = type.kind == CXType_ULong || type.kind == CXType_ULongLong;

    if (!pm_host_is_known(value)) {
        w->whole = false;
        return pm_copy(w->memory, "");
    }
    value = pm_host_convert(value, type);
    if (value.kind == PM_HOST_REAL)
        return pm_format(w->memory, "%.*g",
                         type.kind == CXType_Double ? DBL_DECIMAL_DIG : FLT_DECIMAL_DIG,
                         value.real);
    return is_unsigned ? pm_format(w->memory, "%llu", (unsigned long long)value.integer)
                       : pm_format(w->memory, "%lld", value.integer);
}

static char *write_part(writer *w, pm_host_place place, CXType type, unsigned depth)
{
    type = clang_getCanonicalType(type);
    if (pm_host_is_record(type) && depth > 0)
        return write_fields(w, place, type, depth - 1);
    if (type.kind == CXType_ConstantArray && depth > 0) {
        const CXType element = clang_getArrayElementType(type);
        const long long count = clang_getArraySize(type);
        char *text = pm_copy(w->memory, "");

        w->whole &= count <= MOST_ELEMENTS;
        for (long long i = 0; i < count && w->whole; i++) {
            const pm_host_place at = {place.object,
                                      place.offset + (uint64_t)i * pm_host_bytes(element)};

            text = pm_format(w->memory, "%s%s%s", text, i ? ", " : "",
                             write_part(w, at, element, depth - 1));
        }
        return pm_format(w->memory, "(%s)", text);
    }
    if (!pm_host_is_integer(type) && !pm_host_is_real(type))
        w->whole = false;
    return write_number(w, pm_host_load(&w->state->heap, place, type), type);
}

typedef struct {
    CXCursor items[MOST_FIELDS];
    size_t count;
} field_list;

static enum CXVisitorResult take_field(CXCursor field, CXClientData data)
{
    field_list *list = data;

    if (list->count < MOST_FIELDS)
        list->items[list->count] = field;
    list->count++;
    return CXVisit_Continue;
}

static char *write_fields(writer *w, pm_host_place place, CXType type, unsigned depth)
{
    char *text = pm_copy(w->memory, "");
    field_list fields = {.count = 0};

    clang_Type_visitFields(type, take_field, &fields);
    if (clang_getCursorKind(clang_getTypeDeclaration(type)) == CXCursor_UnionDecl &&
        fields.count > 0)
        fields.count = 1;
    w->whole &= fields.count > 0 && fields.count <= MOST_FIELDS;
    for (size_t i = 0; i < fields.count && w->whole; i++) {
        const long long bits = clang_Cursor_getOffsetOfField(fields.items[i]);
        const pm_host_place at = {place.object, place.offset + (uint64_t)(bits < 0 ? 0 : bits) / 8};

        w->whole &= bits >= 0;
        text = pm_format(w->memory, "%s%s%s", text, i ? ", " : "",
                         write_part(w, at, clang_getCursorType(fields.items[i]), depth));
    }
    return text;
}

/* Returns the value of a kernel's argument in the syntax of workload files, such as "float4 (1, 2,
 * 3, 4)". Returns NULL if a part of the value is unknown. */
static char *write_value(pm_host_state *state, pm_memory *memory, pm_host_value value, CXType type)
{
    writer w = {.state = state, .memory = memory, .whole = true};
    const char *name = type.kind == CXType_Bool ? "bool" : pm_host_type_text(type, memory);
    char *text;

    if (value.kind == PM_HOST_RECORD)
        text = pm_format(
            memory, "(%s)",
            write_fields(&w, (pm_host_place){value.object, value.offset}, type, MOST_DEPTH));
    else if (pm_host_is_integer(type) || pm_host_is_real(type))
        text = write_number(&w, value, type);
    else
        return NULL;
    return w.whole ? pm_format(memory, "%s %s", name, text) : NULL;
}

/* ---- buffers ------------------------------------------------------------------------------- */

static bool is_beyond(pm_host_value value, long long most)
{
    return value.assumed && (value.too_large || (value.kind == PM_HOST_INTEGER &&
                                                 (value.integer < 0 || value.integer > most)));
}

static bool is_launch_too_large(const pm_host_launch *launch)
{
    if (launch->is_opencl)
        return is_beyond(launch->block[0], 1024) || is_beyond(launch->block[1], 1024) ||
               is_beyond(launch->block[2], 64) || is_beyond(launch->grid[0], LLONG_MAX) ||
               is_beyond(launch->grid[1], LLONG_MAX) || is_beyond(launch->grid[2], LLONG_MAX);
    return is_beyond(launch->grid[0], INT_MAX) || is_beyond(launch->grid[1], USHRT_MAX) ||
           is_beyond(launch->grid[2], USHRT_MAX) || is_beyond(launch->block[0], 1024) ||
           is_beyond(launch->block[1], 1024) || is_beyond(launch->block[2], 64) ||
           is_beyond(launch->shared, 48 << 10);
}

bool pm_host_is_too_large(const pm_host_state *state, double most)
{
    double bytes = 0;
    bool assumed = false;

    for (size_t i = 1; i < state->heap.count; i++) {
        const pm_host_object *object = &state->heap.objects[i];

        if (!object->launched || object->bytes.kind != PM_HOST_INTEGER)
            continue;
        if (is_beyond(object->bytes, MOST_BYTES))
            return true;
        if (!object->bytes.assumed)
            continue;
        bytes += (double)(unsigned long long)object->bytes.integer;
        assumed |= object->bytes.assumed;
    }
    for (size_t i = 0; i < state->launch_count; i++) {
        if (is_launch_too_large(&state->launches[i]))
            return true;
        for (size_t k = 0; k < state->launches[i].argument_count; k++)
            if (state->launches[i].arguments[k].assumed &&
                state->launches[i].arguments[k].too_large)
                return true;
    }
    return assumed && bytes > most;
}

static bool is_taken(const pm_source_launches *out, const char *name)
{
    for (size_t i = 0; i < out->buffer_count; i++)
        if (strcmp(out->buffers[i].name, name) == 0)
            return true;
    return false;
}

static char *name_buffer(pm_source_launches *out, const char *name)
{
    char *made = pm_copy(&out->memory, *name ? name : "buffer");

    for (size_t i = 2; is_taken(out, made); i++)
        made = pm_format(&out->memory, "%s_%zu", *name ? name : "buffer", i);
    return made;
}

static uint64_t element_bytes(const pm_host_object *object)
{
    const uint64_t bytes = object->type.kind == CXType_Invalid ? 1 : pm_host_bytes(object->type);

    return bytes ? bytes : 1;
}

/* Returns the element type of a buffer in the syntax of workload files. An unknown type becomes
 * "uchar". A type of unknown size, such as the target of a cl_mem, becomes "". */
static char *type_of(const pm_host_object *object, pm_memory *memory)
{
    if (object->type.kind == CXType_Invalid)
        return pm_copy(memory, "uchar");
    if (pm_host_is_pointer(object->type))
        return pm_format(memory, "%s *",
                         pm_host_type_text(clang_getPointeeType(object->type), memory));
    return pm_host_bytes(object->type) ? pm_host_type_text(object->type, memory)
                                       : pm_copy(memory, "");
}

static void add_buffer(pm_host_state *state, const pm_host_object *object, pm_source_launches *out)
{
    const pm_host_value bytes = object->bytes;
    pm_launch_buffer buffer = {
        .name = name_buffer(out, object->name),
        .type = type_of(object, &out->memory),
        .elements =
            bytes.kind == PM_HOST_INTEGER && bytes.integer > 0
                ? ((uint64_t)bytes.integer + element_bytes(object) - 1) / element_bytes(object)
                : 0,
        .assumed = bytes.assumed || bytes.kind != PM_HOST_INTEGER,
        .zeros = object->zeros_then,
        .line = object->line,
        .decided_by =
            pm_host_origins(state->tree, (pm_host_node *)(uintptr_t)object->site, &out->memory),
        .pointers = pm_copy(&out->memory, ""),
        .fields = pm_copy(&out->memory, ""),
        .symbol = pm_copy(&out->memory, object->symbol ? object->symbol : ""),
        .changes = object->changes};

    pm_host_write_contents(object, &out->memory, &buffer);
    *pm_add(&out->memory, out->buffers, out->buffer_count) = buffer;
}

static void describe_pointers(pm_host_state *state, size_t *numbers, size_t object,
                              pm_source_launches *out);

/* Returns the index in out->buffers of a buffer of the interpreter's memory, and adds the buffer if
 * no earlier launch uses it. numbers[object]: index of the buffer plus 1; 0: not added yet. */
static size_t buffer_of(pm_host_state *state, size_t *numbers, size_t object,
                        pm_source_launches *out)
{
    if (numbers[object] == 0) {
        add_buffer(state, &state->heap.objects[object], out);
        numbers[object] = out->buffer_count;
        describe_pointers(state, numbers, object, out);
    }
    return numbers[object] - 1;
}

/* Returns the pointers to buffers that are stored in an object's first `bytes` bytes, in the syntax
 * of workload files. The text "0: a, 8: b + 64" means a pointer to buffer a at byte 0, and a
 * pointer to byte 64 of b at byte 8. Adds to `out` the buffers that it does not have yet. */
static char *pointers_of(pm_host_state *state, size_t *numbers, size_t object, uint64_t bytes,
                         pm_source_launches *out)
{
    char *text = pm_copy(&out->memory, "");

    for (size_t c = 0; c < state->heap.objects[object].cell_count; c++) {
        const pm_host_cell cell = state->heap.objects[object].cells[c];
        size_t number;

        if (cell.offset >= bytes || !pm_host_leads_to_buffer(&state->heap, cell.value) ||
            strlen(text) > MOST_TEXT)
            continue;
        number = buffer_of(state, numbers, cell.value.object, out);
        text = pm_format(&out->memory, "%s%s%llu: %s", text, *text ? ", " : "",
                         (unsigned long long)cell.offset, out->buffers[number].name);
        if (cell.value.offset)
            text =
                pm_format(&out->memory, "%s + %llu", text, (unsigned long long)cell.value.offset);
    }
    return text;
}

/* Describes, for a buffer that was just added to `out`, the pointers that it contains. If the
 * buffer contains pointers, its elements are structs, and the known values of the other fields of
 * these structs are described, too. */
static void describe_pointers(pm_host_state *state, size_t *numbers, size_t object,
                              pm_source_launches *out)
{
    const size_t number = numbers[object] - 1;
    char *pointers = pointers_of(state, numbers, object, UINT64_MAX, out);
    const pm_host_object *of = &state->heap.objects[object];

    out->buffers[number].pointers = pointers;
    if (*pointers && of->bytes.kind == PM_HOST_INTEGER && of->bytes.integer > 0)
        out->buffers[number].fields =
            pm_host_fields_of(state, object, of->type, (uint64_t)of->bytes.integer, &out->memory);
}

/* ---- textures ------------------------------------------------------------------------------ */

/* Adds the texture that is bound to a texture reference at file scope. The reference's first bytes
 * are a texture object: a pointer to the texels, and four 32-bit numbers. Adds nothing if one of
 * the numbers is unknown. */
static void write_texture(pm_host_state *state, size_t *numbers, const pm_host_binding *global,
                          pm_source_launches *out)
{
    enum { POINTER = 8, NUMBERS = 4, WORD = 4 };
    const char *pointers = pointers_of(state, numbers, global->place.object, POINTER, out);
    char *bytes = pm_copy(&out->memory, "0000000000000000");

    for (uint64_t i = 0; i < NUMBERS; i++) {
        const pm_host_place at = {global->place.object, POINTER + WORD * i};
        const pm_host_value value = pm_host_load(&state->heap, at, (CXType){.kind = CXType_UInt});

        if (value.kind != PM_HOST_INTEGER)
            return;
        for (unsigned b = 0; b < WORD; b++)
            bytes =
                pm_format(&out->memory, "%s%02x", bytes, (unsigned)(value.integer >> 8 * b & 255));
    }
    *pm_add(&out->memory, out->textures, out->texture_count) =
        (pm_launch_texture){pm_copy(&out->memory, global->declaration->name),
                            pm_format(&out->memory, "bytes 0x%s (%s)", bytes, pointers)};
}

/* ---- launches ------------------------------------------------------------------------------ */

static uint64_t dimension(pm_host_value value)
{
    return value.kind == PM_HOST_INTEGER && value.integer > 0 ? (uint64_t)value.integer : 0;
}

/* Returns the bytes of a struct argument as a text of a workload file: hexadecimal digits and, if
 * the struct has pointers to buffers, the list of these in parentheses. */
static char *struct_bytes(pm_host_state *state, size_t *numbers, pm_host_value value, CXType type,
                          pm_source_launches *out)
{
    char *bytes =
        pm_host_bytes_of(state, (pm_host_place){value.object, value.offset}, type, &out->memory);
    /* the argument's copy of the struct starts at offset 0 of an object of its own */
    const char *pointers =
        bytes ? pointers_of(state, numbers, value.object, pm_host_bytes(type), out) : "";

    return *pointers ? pm_format(&out->memory, "%s (%s)", bytes, pointers) : bytes;
}

static pm_launch_argument write_argument(pm_host_state *state, size_t *numbers, pm_host_value value,
                                         CXType type, pm_source_launches *out)
{
    pm_launch_argument argument = {.kind = PM_LAUNCH_VALUE};

    if (!pm_host_is_pointer(type)) {
        argument.value = write_value(state, &out->memory, value, type);
        if (value.kind == PM_HOST_RECORD)
            argument.bytes = struct_bytes(state, numbers, value, type, out);
        return argument;
    }
    if (value.kind != PM_HOST_POINTER) {
        argument.kind = PM_LAUNCH_NULL;
        return argument;
    }
    argument.kind = PM_LAUNCH_BUFFER;
    argument.buffer = buffer_of(state, numbers, value.object, out);
    argument.offset = value.offset / element_bytes(&state->heap.objects[value.object]);
    return argument;
}

static void write_launch(pm_host_state *state, size_t *numbers, const pm_host_launch *from,
                         pm_source_launches *out)
{
    pm_source_launch launch = {.kernel = pm_copy(&out->memory, from->kernel),
                               .shared = dimension(from->shared),
                               .times = from->times ? from->times : 1,
                               .line = from->node->line};

    for (size_t d = 0; d < 3; d++) {
        launch.grid[d] = dimension(from->grid[d]);
        launch.block[d] = dimension(from->block[d]);
    }
    for (size_t i = 0; i < from->argument_count; i++) {
        const pm_launch_argument argument =
            from->locals[i]
                ? (pm_launch_argument){.kind = PM_LAUNCH_LOCAL, .offset = from->locals[i]}
                : write_argument(state, numbers, from->arguments[i], from->types[i], out);

        *pm_add(&out->memory, launch.arguments, launch.argument_count) = argument;
    }
    *pm_add(&out->memory, out->launches, out->launch_count) = launch;
}

/* ---- assumptions --------------------------------------------------------------------------- */

static void add_needed(pm_source_launches *out, const char *name)
{
    for (size_t i = 0; i < out->needed_count; i++)
        if (strcmp(out->needed[i], name) == 0)
            return;
    *pm_add(&out->memory, out->needed, out->needed_count) = pm_copy(&out->memory, name);
}

static void write_assumptions(const pm_host_state *state, pm_source_launches *out)
{
    for (size_t i = 0; i < state->setting_count; i++) {
        const pm_host_setting *setting = &state->settings[i];

        if (!setting->assumed || !setting->used)
            continue;
        *pm_add(&out->memory, out->assumptions, out->assumption_count) =
            (pm_launch_assumption){.name = pm_copy(&out->memory, setting->name),
                                   .value = pm_format(&out->memory, "%lld", setting->value.integer),
                                   .line = setting->line};
        add_needed(out, setting->name);
    }
    if (state->most_argument > 0)
        *pm_add(&out->memory, out->assumptions, out->assumption_count) =
            (pm_launch_assumption){.name = pm_copy(&out->memory, "the program's largest argument"),
                                   .value = pm_format(&out->memory, "%lld", state->most_argument)};
    for (size_t i = 0; i < state->wanted_count; i++)
        add_needed(out, state->wanted[i].name);
}

/* If launch `number` equals the next launch, adds its repetitions to the repetitions of the next
 * launch. Returns true if the launches were equal. */
static bool add_to_next(pm_host_state *state, size_t number)
{
    const pm_host_launch *launch = &state->launches[number];
    pm_host_launch *next = &state->launches[number + 1];

    if (number + 1 >= state->launch_count || !pm_host_same_launch(state, launch, next))
        return false;
    next->times += launch->times;
    next->node = launch->node;
    return true;
}

void pm_host_write(pm_host_state *state, pm_source_launches *out)
{
    size_t *numbers = pm_take(&out->memory, state->heap.count + 1, sizeof *numbers);

    for (size_t i = 0; i < state->symbol_count; i++)
        if (state->heap.objects[state->symbols[i]].launched)
            buffer_of(state, numbers, state->symbols[i], out);
    for (size_t i = 0; i < state->launch_count; i++)
        if (!add_to_next(state, i))
            write_launch(state, numbers, &state->launches[i], out);
    for (size_t i = 0; i < state->global_count && out->launch_count > 0; i++)
        if (pm_host_is_bound(state, &state->globals[i]))
            write_texture(state, numbers, &state->globals[i], out);
    for (size_t i = 0; i < state->launch_count; i++)
        out->is_opencl |= state->launches[i].is_opencl;
    out->build_options = pm_copy(&out->memory, state->cl_options ? state->cl_options : "");
    if (out->launch_count > 0)
        write_assumptions(state, out);
}
