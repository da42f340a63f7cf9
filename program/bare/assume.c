/* Makes a launch of a kernel that no host code launches, from command-line options, and from
 * assumptions where no option is given. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Integer arguments that look like sizes get the problem size. Other integers and floats are 1. The
 * grid covers the problem with one work-item per element. The work-group has the size that the
 * kernel's attributes require, else the size of its tile in local memory, else a usual size.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strings.h"
#include "base/text.h"
#include "compiler/cuda/texture_modes.h"
#include "compiler/language.h"
#include "program/bare/bare.h"
#include "program/file/from_file.h"

typedef struct {
    pm_bare *b;
    size_t kernel; /* index of the kernel in b->wanted */
    const pm_source_kernel *of;
    const pm_bare_plan *total;
    const pm_bare_guess *guess;
    pm_bare_plan *plan;
    pm_bare_launch *launch;
    uint64_t group[3];
    /* sides[d]: name of the number whose value is the problem size in dimension d, such as "width"
     */
    const char *sides[3];
    bool sides_said;
} making;

/* ---- numbers -------------------------------------------------------------------------------- */

/* Adds a named number, such as the problem size n, to the generated workload and returns its name.
 * If an earlier kernel uses this name for another value, the kernel's name is prepended. */
static const char *add_number(const making *m, const char *name, const char *value, bool assumed)
{
    pm_memory *memory = &m->b->memory;
    const pm_bare_number *there = pm_bare_find_number(m->total, name);

    if (there && strcmp(there->value, value) != 0)
        name = pm_format(memory, "%s_%s", m->of->name, name);
    pm_bare_add_number(memory, m->plan, (pm_bare_number){name, value, assumed});
    return name;
}

static const char *said_number(making *m, const char *name)
{
    size_t at;
    const char *value = pm_bare_said(m->b->options->sets, name, &at);

    if (value) {
        m->b->used_sets[at] = true;
        return value;
    }
    value = pm_bare_said(m->b->options->arguments, name, &at);
    if (value && !strchr(value, '['))
        m->b->used_arguments[at] = true;
    return value;
}

/* Adds a named number to the generated workload, and returns its name. Its value is the one that
 * --set or --arg gives for this name, else the guessed problem size. */
static const char *add_side(making *m, const char *name)
{
    const char *said = said_number(m, name);

    if (said)
        return add_number(m, name, said, false);
    return add_number(m, name, pm_format(&m->b->memory, "%llu", (unsigned long long)m->guess->side),
                      true);
}

/* ---- ranges --------------------------------------------------------------------------------- */

size_t pm_bare_dimensions(const pm_bare *b, size_t kernel)
{
    const pm_source_shape *shape = &b->kernels[kernel]->shape;
    const char *said = pm_bare_for(b->options->blocks, kernel);
    size_t dimensions = shape->dimensions ? (size_t)shape->dimensions : 1;
    size_t commas = 0;

    said = said ? said : pm_bare_for(b->options->grids, kernel);
    for (const char *c = said ? said : ""; *c; c++)
        commas += *c == ',';
    return commas + 1 > dimensions ? commas + 1 : dimensions;
}

static bool set_group(making *m, uint64_t x, uint64_t y, uint64_t z)
{
    m->group[0] = x;
    m->group[1] = y;
    m->group[2] = z;
    return true;
}

/* Sets the launch's work-group to a usual size. number: index in a list of usual sizes for launches
 * of `dimensions` dimensions. Returns false if the list has no element with this index. */
static bool usual_group(making *m, size_t dimensions, size_t number)
{
    static const uint64_t flat[][3] = {{256, 1, 1}, {128, 1, 1}, {64, 1, 1}, {32, 1, 1}};
    static const uint64_t square[][3] = {{16, 16, 1}, {32, 8, 1}, {8, 8, 1}, {32, 32, 1}};
    static const uint64_t cube[][3] = {{8, 8, 4}, {4, 4, 4}};
    const uint64_t *group;

    if (number >= (dimensions == 3 ? 2 : 4))
        return false;
    group = dimensions == 1 ? flat[number] : dimensions == 2 ? square[number] : cube[number];
    return set_group(m, group[0], group[1], group[2]);
}

void pm_bare_read_range(const char *text, uint64_t range[3])
{
    char *end = (char *)(uintptr_t)text;

    range[0] = range[1] = range[2] = 1;
    for (size_t d = 0; d < 3; d++) {
        range[d] = strtoull(end, &end, 10);
        if (*end != ',')
            break;
        end++;
    }
}

/* Sets the size of the launch's work-group. Several sizes are possible, and m->guess->group is the
 * index of the one to try. Returns false if there is no further size. */
static bool choose_group(making *m, size_t dimensions)
{
    const pm_source_shape *shape = &m->of->shape;
    const char *said = pm_bare_for(m->b->options->blocks, m->kernel);
    size_t number = m->guess->group;

    if (said) {
        pm_bare_read_range(said, m->group);
        return number == 0;
    }
    if (shape->group[0])
        return number == 0 && set_group(m, shape->group[0], shape->group[1], shape->group[2]);
    if (shape->most_items && dimensions == 1)
        return number == 0 && set_group(m, shape->most_items, 1, 1);
    if (shape->tile[0] && (shape->tile[1] > 1) == (dimensions > 1)) {
        if (number == 0)
            return set_group(m, shape->tile[0], shape->tile[1], 1);
        number--;
    }
    if (!usual_group(m, dimensions, number))
        return false;
    while (shape->most_items && m->group[0] * m->group[1] * m->group[2] > shape->most_items)
        m->group[m->group[2] > 1 ? 2 : m->group[1] > 1 ? 1 : 0] /= 2;
    return true;
}

/* Chooses the kernel parameter that is the problem size in each dimension, such as width and
 * height. If the kernel has fewer such parameters than dimensions, the last one is used again. If
 * it has none, a new number "n" is used. */
static void choose_sides(making *m, size_t dimensions)
{
    const pm_source_param *found[3] = {NULL};
    size_t count = 0;
    const char *other;

    for (size_t p = 0; p < m->of->param_count && count < dimensions; p++)
        if (pm_bare_is_extent(&m->of->params[p]))
            found[count++] = &m->of->params[p];
    if (count >= 2 && pm_bare_looks_vertical(found[0]->name) &&
        !pm_bare_looks_vertical(found[1]->name)) {
        const pm_source_param *first = found[0];

        found[0] = found[1];
        found[1] = first;
    }
    other = count > 0 ? found[count - 1]->name : "n";
    for (size_t d = 0; d < dimensions; d++)
        m->sides[d] = add_side(m, d < count ? found[d]->name : other);
}

/* Appends the grid's expression for one dimension: enough work-groups of `items` work-items for
 * `side` work-items. It is the number of blocks for CUDA, and the number of work-items for
 * OpenCL. */
static void add_cover(const making *m, pm_text *text, const char *side, unsigned long long items)
{
    if (items == 1)
        pm_text_add(text, "%s", side);
    else
        pm_text_add(text, "(%s + %llu) / %llu", side, items - 1, items);
    if (items > 1 && !m->b->has_blocks)
        pm_text_add(text, " * %llu", items);
}

static void say_range(making *m, size_t dimensions)
{
    const char *grid = pm_bare_for(m->b->options->grids, m->kernel);
    pm_text text = {.memory = &m->b->memory}, block = {.memory = &m->b->memory};
    uint64_t said[3] = {0};

    if (grid)
        pm_bare_read_range(grid, said);
    for (size_t d = 0; d < dimensions; d++) {
        const unsigned long long items = m->group[d];

        pm_text_add(&text, "%s", d ? ", " : "");
        if (grid)
            pm_text_add(&text, "%llu",
                        (unsigned long long)said[d] * (m->b->has_blocks ? 1 : items));
        else
            add_cover(m, &text, m->sides[d], items);
        pm_text_add(&block, "%s%llu", d ? ", " : "", items);
    }
    m->launch->grid = pm_text_get(&text);
    m->launch->block = pm_text_get(&block);
    m->launch->range_assumed = !grid || !pm_bare_for(m->b->options->blocks, m->kernel);
}

static void say_shared(making *m)
{
    const char *said = pm_bare_for(m->b->options->shared, m->kernel);
    const uint64_t items = m->group[0] * m->group[1] * m->group[2];

    if (said)
        m->launch->shared = strtoull(said, NULL, 10) ? said : NULL;
    else if (m->of->shape.element)
        m->launch->shared =
            pm_format(&m->b->memory, "%llu", (unsigned long long)items * m->of->shape.element);
    if (!said && m->of->shape.element)
        *pm_add(&m->b->memory, m->plan->said, m->plan->said_count) = pm_format(
            &m->b->memory, "%s: %s bytes of shared memory", m->of->name, m->launch->shared);
}

/* ---- arguments ------------------------------------------------------------------------------ */

static bool has_buffer(const pm_bare_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->buffer_count; i++)
        if (strcmp(plan->buffers[i].name, name) == 0)
            return true;
    return false;
}

/* Returns a name for a new buffer. No other buffer, no type and no reserved word of workload files
 * has this name. It may equal the name of a number. */
static const char *buffer_name(const making *m, const char *name)
{
    static const char *const words[] = {"null", "local", "bytes", NULL};
    pm_file_type type;

    if (!*name)
        name = "buffer";
    if (has_buffer(m->total, name) || has_buffer(m->plan, name) || pm_listed(words, name) ||
        pm_file_type_find(name, &type))
        name = pm_format(&m->b->memory, "%.20s_%.20s", m->of->name, name);
    for (size_t i = 2; has_buffer(m->total, name) || has_buffer(m->plan, name); i++)
        name = pm_format(&m->b->memory, "%.38s_%zu", name, i);
    return strlen(name) < 48 ? name : pm_format(&m->b->memory, "%.47s", name);
}

static bool has_pointer(const pm_struct *structure)
{
    for (size_t f = 0; f < structure->field_count; f++)
        if (pm_file_is_pointer(structure->fields[f].type))
            return true;
    return false;
}

void pm_bare_describe_type(const pm_bare *b, pm_bare_buffer *buffer)
{
    pm_file_type type;
    bool is_whole;

    buffer->is_known = pm_file_type_find(buffer->type, &type);
    if (!buffer->is_known && pm_file_is_pointer(buffer->type)) {
        buffer->is_known = true;
        buffer->is_pointer = true;
        buffer->element = sizeof(uint64_t);
        return;
    }
    if (buffer->is_known) {
        buffer->element = type.width == 3 && b->has_blocks ? 3 * type.scalar->bytes : type.bytes;
        is_whole = type.scalar->kind == PM_SCALAR_SIGNED || type.scalar->kind == PM_SCALAR_UNSIGNED;
        buffer->is_integer = is_whole && type.scalar->bytes >= 4;
        buffer->is_narrow = is_whole && type.scalar->bytes < 4;
        return;
    }
    for (size_t s = 0; s < b->info->structs.count && !buffer->structure; s++)
        if (strcmp(b->info->structs.items[s].name, buffer->type) == 0)
            buffer->structure = &b->info->structs.items[s];
    for (size_t s = 0; s < b->info->passed.count && !buffer->structure; s++)
        if (strcmp(b->info->passed.items[s].name, buffer->type) == 0 &&
            has_pointer(&b->info->passed.items[s]))
            buffer->structure = &b->info->passed.items[s];
    if (buffer->structure) {
        buffer->element = buffer->structure->bytes;
        buffer->is_known = true;
    }
}

void pm_bare_describe_element(const pm_bare *b, const pm_source_param *param,
                              pm_bare_buffer *buffer)
{
    buffer->type = param->structure != PM_NO_STRUCT ? b->info->structs.items[param->structure].name
                                                    : param->type;
    if (!*buffer->type && param->element <= 1)
        buffer->type = "uchar";
    pm_bare_describe_type(b, buffer);
    if (buffer->is_known)
        return;
    buffer->type = "element";
    buffer->element = param->element ? param->element : 1;
    buffer->is_opaque = true;
}

/* Gives a buffer the element type that --arg gives, because PTX does not tell the type. said: the
 * value of --arg, for messages. */
static void retype_buffer(making *m, const char *type, const char *said, pm_bare_buffer *buffer)
{
    const pm_bare_buffer before = *buffer;

    *buffer = (pm_bare_buffer){.name = before.name,
                               .type = type,
                               .below = before.below,
                               .count_assumed = before.count_assumed};
    pm_bare_describe_type(m->b, buffer);
    if (!buffer->is_known)
        pm_bare_fault(m->b, "--arg %.60s=%.60s: %.40s is no type; write float[COUNT] or the like",
                      buffer->name, said, type);
}

/* Sets a buffer's number of elements from the value of an option such as --arg a=float[n]. said:
 * that value. Raises PM_BAD_INPUT if it is malformed. */
static void say_buffer(making *m, const pm_source_param *param, const char *said,
                       pm_bare_buffer *buffer)
{
    const char *open = strchr(said, '['), *close = strrchr(said, ']');
    const char *type;

    if (!open || !close || close[1] || close == open + 1)
        pm_bare_fault(m->b, "--arg %s=%.60s: TYPE[COUNT] is wanted, such as float[n], or null",
                      param->name, said);
    type = pm_format(&m->b->memory, "%.*s", (int)(open - said), said);
    if (pm_language_of(m->b->path) == PM_LANGUAGE_PTX && *type)
        retype_buffer(m, type, said, buffer);
    else if (*type && strcmp(type, buffer->type) != 0 && *param->type)
        pm_bare_fault(m->b, "--arg %s=%.60s: kernel %s takes %s there: write %s=%s[COUNT]",
                      param->name, said, m->of->name, buffer->type, param->name, buffer->type);
    buffer->count = pm_format(&m->b->memory, "%.*s", (int)(close - open - 1), open + 1);
}

static const char *add_buffer(making *m, const pm_source_param *param, const char *said)
{
    pm_bare_buffer buffer = {.name = buffer_name(m, param->name)};

    pm_bare_describe_element(m->b, param, &buffer);
    buffer.below = m->sides[0];
    buffer.count_assumed = !said;
    if (said)
        say_buffer(m, param, said, &buffer);
    *pm_add(&m->b->memory, m->plan->buffers, m->plan->buffer_count) = buffer;
    return buffer.name;
}

/* Returns a vector argument whose components are all 1, as a text for the workload file. */
static const char *vector_of(const making *m, const pm_source_param *param,
                             const pm_file_type *type)
{
    pm_text text = {.memory = &m->b->memory};

    pm_text_add(&text, "%s (", param->type);
    for (size_t i = 0; i < type->width; i++)
        pm_text_add(&text, "%s1", i ? ", " : "");
    pm_text_add(&text, ")");
    return pm_text_get(&text);
}

static const char *zero_bytes(const making *m, size_t bytes)
{
    pm_text text = {.memory = &m->b->memory};

    pm_text_add(&text, "bytes 0x");
    for (size_t i = 0; i < bytes; i++)
        pm_text_add(&text, "00");
    return pm_text_get(&text);
}

static void note_value(making *m, const char *name, const char *value)
{
    const char *text = pm_format(&m->b->memory, "%s = %s", name, value);

    for (size_t i = 0; i < m->plan->said_count; i++)
        if (strcmp(m->plan->said[i], text) == 0)
            return;
    *pm_add(&m->b->memory, m->plan->said, m->plan->said_count) = text;
}

/* Returns the type of the texels that the source fetches by a function such as tex2D: the template
 * argument of its first use in the source. If the source has none, returns the largest type. */
static const char *texel_type(const making *m, const char *fetch)
{
    const char *at = strstr(m->b->workload->source, fetch);
    pm_file_type type;
    char name[16] = "";

    if (at && at[strlen(fetch)] == '<')
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + strlen(fetch) + 1, ">(;"),
                 at + strlen(fetch) + 1);
    return pm_file_type_find(name, &type) && type.width != 3 ? pm_copy(&m->b->memory, name)
                                                             : "float4";
}

/* Assumes a texture for a parameter of which only the type is known. It has random texels, its
 * width is the problem size, and coordinates are clamped. */
static const char *texture_of(making *m, const pm_source_param *param)
{
    enum { MOST_SIDE = 1 << 14 };
    /* The fetch may be in a header, which is not searched. It is then assumed to have two
     * coordinates. */
    const bool is_plane = !strstr(m->b->workload->source, "tex1D");
    const uint32_t side = (uint32_t)(m->guess->side < MOST_SIDE ? m->guess->side : MOST_SIDE);
    pm_bare_buffer buffer = {.name = buffer_name(m, param->name),
                             .type = texel_type(m, is_plane ? "tex2D" : "tex1Dfetch"),
                             .below = m->sides[0],
                             .count_assumed = true};
    pm_text text = {.memory = &m->b->memory};
    uint32_t numbers[4] = {side, is_plane ? side : 0, 0, PM_TEXTURE_CLAMP | PM_TEXTURE_CLAMP << 2};

    pm_bare_describe_type(m->b, &buffer);
    numbers[2] = side * (uint32_t)buffer.element;
    buffer.count =
        pm_format(&m->b->memory, "%llu", (unsigned long long)side * (is_plane ? side : 1));
    *pm_add(&m->b->memory, m->plan->buffers, m->plan->buffer_count) = buffer;
    pm_text_add(&text, "bytes 0x0000000000000000");
    for (size_t i = 0; i < 4; i++)
        for (unsigned bit = 0; bit < 32; bit += 8)
            pm_text_add(&text, "%02x", (unsigned)(numbers[i] >> bit & 255));
    pm_text_add(&text, " (0: %s)", buffer.name);
    return pm_text_get(&text);
}

static const char *value_of(making *m, const pm_source_param *param, const char *said)
{
    pm_file_type type;

    if (param->is_texture)
        return texture_of(m, param);
    if (pm_bare_is_extent(param))
        return pm_format(&m->b->memory, "%s %s", param->type, add_side(m, param->name));
    if (said && pm_bare_is_integer(param->type))
        return pm_format(&m->b->memory, "%s %s", param->type,
                         add_number(m, param->name, said, false));
    if (said)
        return pm_format(&m->b->memory, "%s %s", param->type, said);
    if (!*param->type || !pm_file_type_find(param->type, &type)) {
        note_value(m, param->name, "zeros");
        return zero_bytes(m, param->bytes);
    }
    note_value(m, param->name, "1");
    return type.width > 1 ? vector_of(m, param, &type)
                          : pm_format(&m->b->memory, "%s 1", param->type);
}

static const char *local_of(making *m, const pm_source_param *param, const char *said)
{
    const uint64_t items = m->group[0] * m->group[1] * m->group[2];

    if (said) {
        pm_bare_buffer buffer = {.type = param->type};

        say_buffer(m, param, said, &buffer);
        return pm_format(&m->b->memory, "local (%s) * %zu", buffer.count,
                         param->element ? param->element : 1);
    }
    note_value(m, param->name,
               pm_format(&m->b->memory, "%s[%llu]", *param->type ? param->type : "local memory",
                         (unsigned long long)items));
    return pm_format(&m->b->memory, "local %llu",
                     (unsigned long long)items * (param->element ? param->element : 1));
}

/* Returns the value that the user gave for a kernel parameter by the option --arg or --set. NULL:
 * the user gave none. */
static const char *said_of(making *m, const pm_source_param *param)
{
    size_t at = 0;
    const char *said = pm_bare_said(m->b->options->arguments, param->name, &at);

    if (said)
        m->b->used_arguments[at] = true;
    if (said || param->takes != PM_TAKES_VALUE)
        return said;
    said = pm_bare_said(m->b->options->sets, param->name, &at);
    if (said)
        m->b->used_sets[at] = true;
    return said;
}

static const char *argument_of(making *m, const pm_source_param *param)
{
    const char *said = said_of(m, param);

    switch (param->takes) {
    case PM_TAKES_VALUE:
        return value_of(m, param, said);
    case PM_TAKES_LOCAL:
        return local_of(m, param, said);
    case PM_TAKES_BUFFER:
        return (said && strcasecmp(said, "null") == 0) || (!said && param->is_unused)
                   ? "null"
                   : add_buffer(m, param, said);
    default:
        pm_bare_fault(m->b,
                      "%s:%u: kernel %s takes an image, a sampler, a pipe or a queue (%s), which "
                      "cannot be traced: name another with --kernel",
                      m->b->path, m->of->line, m->of->name, param->name);
    }
}

/* ---- the plan ------------------------------------------------------------------------------- */

/* Returns the name of a kernel without namespaces and template arguments. It becomes the name of a
 * section of the workload file, which must not contain them. */
static const char *short_name(const making *m)
{
    const char *kernel = m->of->name;
    size_t end = strcspn(kernel, "<"), begin = end;

    if (!kernel[end] && !strchr(kernel, ':'))
        return kernel;
    while (begin > 0 && kernel[begin - 1] != ':')
        begin--;
    return pm_format(&m->b->memory, "%.*s", (int)(end - begin), kernel + begin);
}

static const char *launch_name(const making *m)
{
    const char *name = short_name(m);

    for (size_t i = 0; i < m->total->launch_count; i++)
        if (strcmp(m->total->launches[i].name, name) == 0)
            return pm_format(&m->b->memory, "%.36s_%zu", name, m->total->launch_count + 1);
    return strlen(name) < 48 ? name : pm_format(&m->b->memory, "%.47s", name);
}

bool pm_bare_guess_launch(pm_bare *b, size_t kernel, const pm_bare_plan *total,
                          const pm_bare_guess *guess, pm_bare_plan *plan)
{
    const size_t dimensions = pm_bare_dimensions(b, kernel);
    making m = {.b = b,
                .kernel = kernel,
                .of = b->kernels[kernel],
                .total = total,
                .guess = guess,
                .plan = plan};

    *plan = (pm_bare_plan){0};
    m.launch = pm_add(&b->memory, plan->launches, plan->launch_count);
    *m.launch = (pm_bare_launch){.name = launch_name(&m), .kernel = b->wanted[kernel], .times = 1};
    if (!choose_group(&m, dimensions))
        return false;
    choose_sides(&m, dimensions);
    say_range(&m, dimensions);
    say_shared(&m);
    m.launch->arguments = pm_take(&b->memory, m.of->param_count + 1, sizeof *m.launch->arguments);
    for (size_t p = 0; p < m.of->param_count; p++)
        m.launch->arguments[m.launch->argument_count++] = argument_of(&m, &m.of->params[p]);
    return true;
}
