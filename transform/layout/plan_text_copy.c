/* Writes the source of functions that read and write structs in their new layout: its parts, which
 * are the buffers of the layout, and whole structs. See plan_text.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part with vector accesses is copied through private variables w0, w1, ... Each is a vector of
 * 16 bytes, or of 8 bytes if the part is aligned to only 8 bytes. The vectors consist of floats if
 * the part has only floats, otherwise of uints. An access through a pointer to such a vector is one
 * instruction. vload4 would promise the alignment of one component only.
 */
#include "transform/layout/plan_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transform/layout/cuda_bits.h"

/* Largest size in bytes of a struct that is read and written by vector accesses. Larger structs
 * would use too many registers, and are seldom read as a whole. */
enum { MOST_WIDE_BYTES = 256, WORD = 4 };

/* A scalar or vector of a field, and its byte offset in the struct that a buffer of the new layout
 * stores. element: row-major index of the scalar if the field is an array, else 0. */
typedef struct {
    const pm_field *field;
    size_t offset, element;
} piece;

typedef struct {
    const pm_plan *plan;
    const pm_part *part;
    size_t chunk;     /* size of a vector access in bytes: 16 or 8 */
    bool floats;      /* true: all fields in the part (buffer of the new layout) are floats */
    const char *base; /* element type of the vector word: float or uint */
} wide;

bool pm_plan_has_type(const pm_plan *plan, size_t part, const char *start, bool all)
{
    const pm_part *p = &plan->parts[part];
    size_t count = 0;

    for (size_t m = 0; m < p->member_count; m++)
        count +=
            strncmp(plan->structure->fields[p->members[m].field].type, start, strlen(start)) == 0;
    return all ? count == p->member_count : count > 0;
}

pm_plan_word pm_plan_word_of(const pm_plan *plan, size_t part)
{
    return (pm_plan_word){pm_plan_has_type(plan, part, "float", true) ? "float" : "uint",
                          plan->parts[part].align >= 16 ? 16 : 8};
}

void pm_plan_text_word(pm_text *out, const pm_plan_names *names, size_t part)
{
    const pm_plan_word word = pm_plan_word_of(names->plan, part);

    if (names->words->is_cuda)
        pm_text_add(out, "%s_%s_word", names->prefix, names->plan->parts[part].name);
    else
        pm_text_add(out, "%s%zu", word.base, word.bytes / WORD);
}

void pm_plan_text_word_type(pm_text *out, const pm_plan_names *names, size_t part)
{
    const pm_plan_word word = pm_plan_word_of(names->plan, part);

    pm_text_add(out,
                "/* Read and written in the place of any members. */\n"
                "typedef struct %s%zu%s__attribute__((may_alias)) {\n    %s %s;\n} ",
                names->words->aligned_before, word.bytes, names->words->aligned_behind,
                pm_kernel_type(names->words, word.base), word.bytes == 16 ? "x, y, z, w" : "x, y");
    pm_plan_text_word(out, names, part);
    pm_text_add(out, ";\n");
}

static wide wide_of(const pm_plan *plan, size_t part)
{
    const pm_plan_word word = pm_plan_word_of(plan, part);

    return (wide){.plan = plan,
                  .part = &plan->parts[part],
                  .chunk = word.bytes,
                  .floats = word.base[0] == 'f',
                  .base = word.base};
}

bool pm_plan_part_is_wide(const pm_plan *plan, size_t part)
{
    const pm_part *p = &plan->parts[part];

    /* Structs with half members have no vector accesses, because as_half() requires cl_khr_fp16. */
    return plan->layout.align > 0 && !p->scalar && p->align >= 8 && p->bytes <= MOST_WIDE_BYTES &&
           !plan->identity && !pm_plan_has_type(plan, part, "half", false);
}

/* Finds the scalar or vector that contains byte `at` of the struct that is stored in a part (buffer
 * of the new layout). Returns false if the byte is padding. */
static bool piece_at(const wide *w, size_t at, piece *found)
{
    for (size_t m = 0; m < w->part->member_count; m++) {
        const pm_member *member = &w->part->members[m];
        const pm_field *field = &w->plan->structure->fields[member->field];
        size_t elements = pm_field_elements(field), behind = at - member->offset;

        if (at < member->offset || behind >= elements * member->stride ||
            behind % member->stride >= field->bytes)
            continue;
        *found = (piece){.field = field,
                         .element = behind / member->stride,
                         .offset = member->offset + behind / member->stride * member->stride};
        return true;
    }
    return false;
}

static void add_piece(pm_text *out, const piece *p)
{
    size_t rest = p->element, below = pm_field_elements(p->field);

    pm_text_add(out, "%s", p->field->name);
    for (size_t d = 0; d < p->field->extent_count; d++) {
        below /= p->field->extents[d].count;
        pm_text_add(out, "[%zu]", rest / below);
        rest %= below;
    }
}

/* ---- from vector words to members ----------------------------------------------------------- */

static void add_chunks(pm_text *out, const wide *w, size_t first, size_t count)
{
    if (count > 1)
        pm_text_add(out, "(%s%zu)(", w->base, count * w->chunk / WORD);
    for (size_t c = 0; c < count; c++)
        pm_text_add(out, "%sw%zu", c ? ", " : "", first + c);
    if (count > 1)
        pm_text_add(out, ")");
}

/* Appends an expression for the bytes of one scalar or vector, which are parts of the vector
 * variables w0, w1, .... The expression has the same size as the scalar or vector, but perhaps
 * another type, from which a cast such as as_int() converts it. */
static void add_bits(pm_text *out, const wide *w, const piece *p)
{
    static const char *const pairs[] = {"xy", "zw"};
    size_t chunk = p->offset / w->chunk, word = p->offset % w->chunk / WORD;
    size_t bytes = p->field->bytes, rest = p->offset % WORD;

    if (bytes >= w->chunk)
        add_chunks(out, w, chunk, bytes / w->chunk);
    else if (bytes == 8)
        pm_text_add(out, "w%zu.%s", chunk, pairs[word / 2]);
    else if (bytes == WORD)
        pm_text_add(out, "w%zu.%c", chunk, "xyzw"[word]);
    else
        pm_text_add(out, "as_u%s%zu(w%zu.%c).s%zu", bytes == 2 ? "short" : "char", WORD / bytes,
                    chunk, "xyzw"[word], rest / bytes);
}

/* Writes to `type` the type of the expression that add_bits() appends for a scalar or vector. */
static void bits_type(char *type, size_t size, const wide *w, const piece *p)
{
    size_t bytes = p->field->bytes;

    if (bytes < WORD)
        snprintf(type, size, "u%s", bytes == 2 ? "short" : "char");
    else if (bytes == WORD)
        snprintf(type, size, "%s", w->base);
    else
        snprintf(type, size, "%s%zu", w->base, bytes / WORD);
}

static void add_loaded(pm_text *out, const pm_plan_names *names, const wide *w, const piece *p)
{
    char type[40];

    bits_type(type, sizeof type, w, p);
    pm_text_add(out, "    part.");
    add_piece(out, p);
    pm_text_add(out, " = ");
    if (names->words->is_cuda)
        pm_cuda_bits_value(out, p->field->type, p->offset,
                           &(pm_cuda_words){.name = "w", .chunk = w->chunk, .floats = w->floats});
    else if (strcmp(type, p->field->type) == 0)
        add_bits(out, w, p);
    else {
        pm_text_add(out, "as_%s(", p->field->type);
        add_bits(out, w, p);
        pm_text_add(out, ")");
    }
    pm_text_add(out, ";\n");
}

static const char *space_of(const pm_plan_names *names, bool constant)
{
    return constant ? names->words->constant : names->words->global;
}

/* Appends the head of a generated function up to its first parameter, such as "T_0_load(const T_0
 * *item". qualifier: qualifier of the items that the parameter points to, such as "const ". */
static void add_head(pm_text *out, const pm_plan_names *names, size_t part, const char *verb,
                     const char *space, const char *qualifier)
{
    pm_text_add(out, "%s_%s_%s(%s%s%s_%s *item", names->prefix, names->plan->parts[part].name, verb,
                space, qualifier, names->prefix, names->plan->parts[part].name);
}

void pm_plan_text_part_load(pm_text *out, const pm_plan_names *names, size_t part, bool constant)
{
    const wide w = wide_of(names->plan, part);
    const char *space = space_of(names, constant);
    pm_text type = {0};
    piece p;

    pm_plan_text_word(&type, names, part);
    pm_text_add(out, "%s%s_%s ", names->words->function, names->prefix, w.part->name);
    add_head(out, names, part, constant ? "load_constant" : "load", space, "const ");
    pm_text_add(out, ")\n{\n");
    for (size_t c = 0; c < w.part->bytes / w.chunk; c++)
        pm_text_add(out, "    const %s w%zu = ((%sconst %s *)item)[%zu];\n", pm_text_get(&type), c,
                    space, pm_text_get(&type), c);
    out->failed |= type.failed;
    pm_text_free(&type);
    pm_text_add(out, "    %s_%s part;\n\n", names->prefix, w.part->name);
    for (size_t at = 0; at < w.part->bytes; at++)
        if (piece_at(&w, at, &p) && p.offset == at)
            add_loaded(out, names, &w, &p);
    pm_text_add(out, "    return part;\n}\n");
}

/* ---- from members to vector words ----------------------------------------------------------- */

/* Appends OpenCL C code for the 4-byte word at byte `at` of the struct `part`. The word consists of
 * fields of 1 or 2 bytes, and of 0 for padding. */
static void add_small(pm_text *out, const wide *w, size_t at)
{
    pm_text_add(out, "as_uint((uchar4)(");
    for (size_t byte = at; byte < at + WORD; byte++) {
        piece p;

        if (byte > at)
            pm_text_add(out, ", ");
        if (!piece_at(w, byte, &p)) {
            pm_text_add(out, "0");
            continue;
        }
        pm_text_add(out, p.field->bytes == 2 ? "as_uchar2(part." : "as_uchar(part.");
        add_piece(out, &p);
        pm_text_add(out, ")");
        byte += p.field->bytes - 1;
    }
    pm_text_add(out, "))");
}

/* Appends code for the next component of a vector literal: the bytes from `at` on of the struct
 * that a buffer of the new layout stores. Returns the component's size in bytes, at most `room`. */
static size_t add_words(pm_text *out, const wide *w, size_t at, size_t room)
{
    char type[40];
    size_t bytes;
    piece p = {0};

    if (!piece_at(w, at, &p) && !piece_at(w, at + 1, &p) && !piece_at(w, at + 2, &p) &&
        !piece_at(w, at + 3, &p)) {
        pm_text_add(out, w->floats ? "0.0f" : "0");
        return WORD;
    }
    bytes = p.field->bytes;
    if (bytes < WORD) {
        add_small(out, w, at);
        return WORD;
    }
    bits_type(type, sizeof type, w, &p);
    if (strcmp(type, p.field->type) != 0)
        pm_text_add(out, "as_%s(", type);
    pm_text_add(out, "part.");
    add_piece(out, &p);
    if (strcmp(type, p.field->type) != 0)
        pm_text_add(out, ")");
    if (bytes <= room)
        return bytes;
    pm_text_add(out, ".s");
    for (size_t word = 0; word < room / WORD; word++)
        pm_text_add(out, "%zx", (at - p.offset) / WORD + word);
    return room;
}

/* Appends CUDA code for the 4-byte word at byte `at` of the struct that is stored in a part (buffer
 * of the new layout). */
static void add_cuda_word(pm_text *out, const wide *w, size_t at)
{
    pm_cuda_terms terms = {.out = out, .floats = w->floats};
    pm_text name = {0};
    piece p;

    for (size_t byte = at; byte < at + WORD;) {
        if (!piece_at(w, byte, &p)) {
            byte++;
            continue;
        }
        pm_text_add(&name, "part.");
        add_piece(&name, &p);
        byte += pm_cuda_bits_term(&terms, p.field->type, pm_text_get(&name), byte - p.offset, byte);
        pm_text_free(&name);
    }
    if (terms.count == 0)
        pm_text_add(out, w->floats ? "0.0f" : "0");
}

static void add_stored(pm_text *out, const pm_plan_names *names, size_t part, size_t chunk)
{
    const bool is_cuda = names->words->is_cuda;
    const wide of = wide_of(names->plan, part), *w = &of;

    pm_text_add(out, "    ((%s", names->words->global);
    pm_plan_text_word(out, names, part);
    pm_text_add(out, " *)item)[%zu] = %s", chunk, is_cuda ? "" : "(");
    pm_plan_text_word(out, names, part);
    pm_text_add(out, is_cuda ? "{" : ")(");
    for (size_t at = 0; at < w->chunk;) {
        if (at > 0)
            pm_text_add(out, ", ");
        if (is_cuda)
            add_cuda_word(out, w, chunk * w->chunk + at);
        at += is_cuda ? WORD : add_words(out, w, chunk * w->chunk + at, w->chunk - at);
    }
    pm_text_add(out, is_cuda ? "};\n" : ");\n");
}

void pm_plan_text_part_store(pm_text *out, const pm_plan_names *names, size_t part)
{
    const wide w = wide_of(names->plan, part);

    pm_text_add(out, "%svoid ", names->words->function);
    add_head(out, names, part, "store", space_of(names, false), "");
    pm_text_add(out, ", %s_%s part)\n{\n", names->prefix, w.part->name);
    for (size_t c = 0; c < w.part->bytes / w.chunk; c++)
        add_stored(out, names, part, c);
    pm_text_add(out, "}\n");
}

/* ---- whole structs ------------------------------------------------------------------------- */

/* MOST_UNROLLED: an array with at most this number of scalars is copied scalar by scalar; longer
 * arrays are copied in a loop. */
enum { MOST_UNROLLED = 16, MOST_EXTENTS = 8 };

/* Subscripts of an array field in one assignment of a copy: numbers, or loop variables. */
typedef struct {
    const char *subscripts[MOST_EXTENTS];
    char numbers[MOST_EXTENTS][24];
} place;

/* Sets the subscripts of the scalar with row-major index `element` of an array field. */
static void number_place(const pm_field *field, size_t element, place *at)
{
    size_t below = pm_field_elements(field);

    for (size_t d = 0; d < field->extent_count; d++) {
        below /= field->extents[d].count;
        snprintf(at->numbers[d], sizeof at->numbers[d], "%zu", element / below);
        at->subscripts[d] = at->numbers[d];
        element %= below;
    }
}

/* Appends the heads of loops over all dimensions of an array field: for (int k0 = ..) for (int k1 =
 * ..). */
static void add_loops(pm_text *out, const pm_field *field, place *at)
{
    for (size_t d = 0; d < field->extent_count; d++) {
        snprintf(at->numbers[d], sizeof at->numbers[d], "k%zu", d);
        at->subscripts[d] = at->numbers[d];
        pm_text_add(out, "%*sfor (int k%zu = 0; k%zu < %zu; k%zu++)\n", (int)(4 + 4 * d), "", d, d,
                    field->extents[d].count, d);
    }
    pm_text_add(out, "%*s", (int)(4 * field->extent_count), "");
}

static void add_source_member(pm_text *out, const pm_field *field, const place *at)
{
    size_t subscript = 0;

    pm_text_add(out, "value.");
    for (const char *c = field->access ? field->access : field->path; *c; c++)
        if (*c == '[')
            pm_text_add(out, "[%s", at->subscripts[subscript++]);
        else
            pm_text_put(out, c, 1);
}

/* Appends code for a field of an element in the new layout, as an lvalue. If the buffer with the
 * field has no vector accesses, the lvalue is in memory. Otherwise it is in the private variable
 * part0, part1, ..., a copy of the struct that the buffer stores. */
static void add_part_member(pm_text *out, const pm_plan_names *names,
                            const pm_plan_element *element, size_t field, const place *at)
{
    const pm_field *f = &names->plan->structure->fields[field];
    size_t part, member;

    pm_plan_find(names->plan, field, &part, &member);
    if (!pm_plan_part_is_wide(names->plan, part)) {
        pm_plan_text_member(out, names->plan, element, field, at->subscripts, f->extent_count);
        return;
    }
    pm_text_add(out, "part%zu.%s", part, f->name);
    for (size_t d = 0; d < f->extent_count; d++)
        pm_text_add(out, "[%s]", at->subscripts[d]);
}

static void add_assignment(pm_text *out, const pm_plan_names *names, const pm_plan_element *element,
                           size_t field, const place *at, bool load)
{
    const pm_field *f = &names->plan->structure->fields[field];

    pm_text_add(out, "    ");
    if (load)
        add_source_member(out, f, at);
    else
        add_part_member(out, names, element, field, at);
    pm_text_add(out, " = ");
    if (load)
        add_part_member(out, names, element, field, at);
    else
        add_source_member(out, f, at);
    pm_text_add(out, ";\n");
}

/* Appends the parameters of T_load and T_store: pointers to the parts (buffers of the new layout)
 * p0, p1, ..., then the number of elements, if the plan needs it, and the index. */
static void add_parameters(pm_text *out, const pm_plan_names *names, const char *space,
                           const char *qualifier)
{
    for (size_t i = 0; i < names->plan->part_count; i++) {
        pm_text_add(out, "%s%s", space, qualifier);
        pm_plan_text_part_type(out, names, i);
        pm_text_add(out, " *p%zu, ", i);
    }
    if (names->plan->needs_count)
        pm_text_add(out, "%s count, ", names->words->count);
    pm_text_add(out, "%s i", names->words->index);
}

/* Appends assignments that copy all fields: from the parts (buffers of the new layout) to the
 * struct `value` if `load` is true, else from `value` to the parts. */
static void add_copies(pm_text *out, const pm_plan_names *names, bool load)
{
    const pm_plan *plan = names->plan;
    const char **parts = calloc(plan->part_count, sizeof *parts);
    char(*part_names)[24] = calloc(plan->part_count, sizeof *part_names);
    pm_plan_element element = {.parts = parts, .index = "i", .count = "count"};

    out->failed |= !parts || !part_names;
    for (size_t i = 0; !out->failed && i < plan->part_count; i++) {
        snprintf(part_names[i], sizeof part_names[i], "p%zu", i);
        parts[i] = part_names[i];
    }
    for (size_t f = 0; !out->failed && f < plan->structure->field_count; f++) {
        const pm_field *field = &plan->structure->fields[f];
        size_t elements = pm_field_elements(field);
        place at = {.subscripts = {NULL}};

        if (elements > MOST_UNROLLED) {
            add_loops(out, field, &at);
            add_assignment(out, names, &element, f, &at, load);
        } else
            for (size_t e = 0; e < elements; e++) {
                number_place(field, e, &at);
                add_assignment(out, names, &element, f, &at, load);
            }
    }
    free(part_names);
    free(parts);
}

void pm_plan_text_load(pm_text *out, const pm_plan_names *names, bool constant)
{
    const pm_plan *plan = names->plan;
    const char *suffix = constant ? "_constant" : "";

    pm_text_add(out, "%s%s %s_load%s(", names->words->function, names->structure, names->prefix,
                suffix);
    add_parameters(out, names, space_of(names, constant), "const ");
    pm_text_add(out, ")\n{\n");
    for (size_t i = 0; i < plan->part_count; i++)
        if (pm_plan_part_is_wide(plan, i))
            pm_text_add(out, "    const %s_%s part%zu = %s_%s_load%s(p%zu + i);\n", names->prefix,
                        plan->parts[i].name, i, names->prefix, plan->parts[i].name, suffix, i);
    pm_text_add(out, "    %s value;\n\n", names->structure);
    add_copies(out, names, true);
    pm_text_add(out, "    return value;\n}\n");
}

void pm_plan_text_store(pm_text *out, const pm_plan_names *names)
{
    const pm_plan *plan = names->plan;
    bool wide_parts = false;

    pm_text_add(out, "%s%s %s_store(", names->words->function, names->structure, names->prefix);
    add_parameters(out, names, space_of(names, false), "");
    pm_text_add(out, ", %s value)\n{\n", names->structure);
    for (size_t i = 0; i < plan->part_count; i++)
        if (pm_plan_part_is_wide(plan, i)) {
            pm_text_add(out, "    %s_%s part%zu;\n", names->prefix, plan->parts[i].name, i);
            wide_parts = true;
        }
    pm_text_add(out, wide_parts ? "\n" : "");
    add_copies(out, names, false);
    for (size_t i = 0; i < plan->part_count; i++)
        if (pm_plan_part_is_wide(plan, i))
            pm_text_add(out, "    %s_%s_store(p%zu + i, part%zu);\n", names->prefix,
                        plan->parts[i].name, i, i);
    pm_text_add(out, "    return value;\n}\n");
}
