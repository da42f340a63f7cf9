/* Writes the text of a workload file for a source that has none, and the list of assumptions (such
 * as sizes) that it is based on. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "program/bare/bare.h"
#include "program/file/from_file.h"

static const char ASSUMED[] = "   # assumed";
static const char UNKNOWN[] = "   # to be filled in: how many elements?";

/* ---- names ---------------------------------------------------------------------------------- */

/* Writes the name of the program for tables: the source's file name without its suffix. If this is
 * also the name of a program of the suite, the suffix stays. */
static void add_name(pm_text *text, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char stem[PM_SECTION_NAME] = "";

    for (int whole = 0; whole < 2; whole++) {
        length = whole ? strlen(name) : length;
        length = length < sizeof stem ? length : sizeof stem - 1;
        for (size_t i = 0; i < length; i++)
            stem[i] = isalnum((unsigned char)name[i]) || strchr("_.-", name[i]) ? name[i] : '_';
        stem[length] = '\0';
        if (!pm_suite_find(stem))
            break;
    }
    pm_text_add(text, "%s", stem);
}

/* Writes a text to a workload file. Braces are doubled, because a single brace starts an
 * expression. */
static void add_plain(pm_text *text, const char *plain)
{
    for (; *plain; plain++)
        pm_text_add(text, *plain == '{' || *plain == '}' ? "%c%c" : "%c", *plain, *plain);
}

bool pm_bare_is_random(const pm_bare_buffer *buffer)
{
    return !buffer->zeros && !buffer->is_opaque && !buffer->is_pointer &&
           !(buffer->contents && *buffer->contents) && (buffer->reads || !buffer->writes);
}

/* Returns whether random values of a struct's field need an upper bound, because they are integers
 * of at least 4 bytes and may be indices. */
static bool is_bounded(const pm_field *field)
{
    pm_file_type type;

    return pm_file_type_find(field->type, &type) && type.scalar->bytes >= 4 &&
           (type.scalar->kind == PM_SCALAR_SIGNED || type.scalar->kind == PM_SCALAR_UNSIGNED);
}

bool pm_bare_has_bound(const pm_bare_buffer *buffer)
{
    const pm_struct *of = buffer->structure;

    if (!pm_bare_is_random(buffer))
        return false;
    for (size_t f = 0; of && f < of->field_count; f++)
        if (is_bounded(&of->fields[f]))
            return true;
    return buffer->is_integer;
}

/* ---- sections ------------------------------------------------------------------------------- */

/* Writes the line `contents = ...` of the workload file, without its key, for a buffer of integers.
 * The line also gives the upper bound of the integers, buffer->below. */
static void write_integers(pm_text *text, const pm_bare_buffer *buffer)
{
    switch (buffer->integers) {
    case PM_BARE_POSITIONS:
        pm_text_add(text, "each i %% (%s)\n", buffer->below);
        break;
    case PM_BARE_ONES:
        pm_text_add(text, "constant 1\n");
        break;
    case PM_BARE_ZEROS:
        pm_text_add(text, "zeros\n");
        break;
    default:
        pm_text_add(text, "random 0, %s - 1\n", buffer->below);
    }
}

/* Returns whether the host code gives the contents of a field of the buffer's struct. */
static bool gives_field(const pm_bare_buffer *buffer, const pm_field *field)
{
    const size_t length = strlen(field->path);

    for (const char *at = buffer->fields; at && (at = strstr(at, "contents.")); at++)
        if (strncmp(at + strlen("contents."), field->path, length) == 0 &&
            at[strlen("contents.") + length] == ' ')
            return true;
    return false;
}

static void write_buffer_contents(pm_text *text, const pm_bare_buffer *buffer)
{
    const pm_struct *of = buffer->structure;

    if (buffer->count && buffer->contents && *buffer->contents)
        pm_text_add(text, "contents = %s\n", buffer->contents);
    if (!buffer->count || !pm_bare_is_random(buffer))
        return;
    if (buffer->is_integer) {
        pm_text_add(text, "contents = ");
        write_integers(text, buffer);
        return;
    }
    pm_text_add(text, "contents = random\n");
    for (size_t f = 0; of && f < of->field_count; f++)
        if (is_bounded(&of->fields[f]) && !gives_field(buffer, &of->fields[f])) {
            pm_text_add(text, "contents.%s = ", of->fields[f].path);
            write_integers(text, buffer);
        }
}

static void write_buffer(pm_text *text, const pm_bare_buffer *buffer, bool comments)
{
    pm_text_add(text, "[buffer %s]\ntype = %s\n", buffer->name, buffer->type);
    if (buffer->is_opaque)
        pm_text_add(text, "bytes = %zu\n", buffer->element);
    if (buffer->count)
        pm_text_add(text, "count = %s%s\n", buffer->count,
                    !comments               ? ""
                    : buffer->count_unknown ? UNKNOWN
                    : buffer->count_assumed ? ASSUMED
                                            : "");
    else
        pm_text_add(text, "count = %llu\n", (unsigned long long)buffer->trial);
    write_buffer_contents(text, buffer);
    if (buffer->structure && buffer->fields)
        pm_text_add(text, "%s", buffer->fields);
    if (buffer->pointers && *buffer->pointers)
        pm_text_add(text, "pointers = %s\n", buffer->pointers);
    if (buffer->symbol && *buffer->symbol)
        pm_text_add(text, "symbol = %s\n", buffer->symbol);
    if (buffer->reads && buffer->writes)
        pm_text_add(text, "restore = yes\n");
    if (buffer->writes)
        pm_text_add(text, "output = yes\n");
    if (comments)
        pm_text_add(text, "\n");
}

static void write_launch(const pm_bare *b, pm_text *text, const pm_bare_launch *launch,
                         bool comments)
{
    const char *note = comments && launch->range_assumed ? ASSUMED : "";

    if (comments && launch->trouble)
        pm_text_add(text, "# With these sizes: %s\n", launch->trouble);
    pm_text_add(text, "[launch %s]\n", launch->name);
    if (strcmp(launch->name, launch->kernel) != 0)
        pm_text_add(text, "kernel = %s\n", launch->kernel);
    pm_text_add(text, "%s = %s%s\n", b->has_blocks ? "grid" : "global", launch->grid, note);
    pm_text_add(text, "%s = %s%s\n", b->has_blocks ? "block" : "local", launch->block, note);
    if (launch->shared)
        pm_text_add(text, "shared = %s\n", launch->shared);
    for (size_t i = 0; i < launch->argument_count; i++)
        pm_text_add(text, "%s%s", i ? ", " : "arguments = ", launch->arguments[i]);
    if (launch->argument_count)
        pm_text_add(text, "\n");
    if (launch->times > 1)
        pm_text_add(text, "repeat = %llu\n", (unsigned long long)launch->times);
    if (comments)
        pm_text_add(text, "\n");
}

/* Writes the path of the .cl file that the host code loads, relative to the workload file. source:
 * path of the host code relative to the workload file. comments: true if the workload file is for
 * the user; false if only perfmodel reads the text, from the folder of the source. */
static void add_source_beside(const pm_bare *b, pm_text *text, const char *source, bool comments)
{
    const char *slash = strrchr(source, '/');

    for (const char *c = source; comments && slash && c <= slash && *b->source_name != '/'; c++)
        add_plain(text, (const char[]){*c, '\0'});
    add_plain(text, b->source_name);
}

static bool has_assumed(const pm_bare_plan *plan)
{
    for (size_t i = 0; i < plan->number_count; i++)
        if (plan->numbers[i].assumed)
            return true;
    return false;
}

char *pm_bare_write(const pm_bare *b, const pm_bare_plan *plan, const char *source, bool comments)
{
    const char *blank = comments ? "\n" : "", *slash = strrchr(source, '/');
    pm_text text = {0};

    if (comments)
        pm_text_add(&text,
                    "# What `perfmodel init` knows of %s. Lines that say \"assumed\" are guesses, "
                    "and so are\n# random contents: put what your program has in their place.\n\n",
                    slash ? slash + 1 : source);
    pm_text_add(&text, "[workload]\nname = ");
    add_name(&text, b->path);
    pm_text_add(&text, "\nsource = ");
    if (b->source_name)
        add_source_beside(b, &text, source, comments);
    else
        add_plain(&text, comments ? source : slash ? slash + 1 : source);
    if (b->build_options) {
        pm_text_add(&text, "\noptions = ");
        add_plain(&text, b->build_options);
    }
    pm_text_add(&text, "\n%s[size %s]\n", blank, has_assumed(plan) ? "assumed" : "given");
    for (size_t i = 0; i < plan->number_count; i++)
        pm_text_add(&text, "%s = %s%s\n", plan->numbers[i].name, plan->numbers[i].value,
                    comments && plan->numbers[i].assumed ? ASSUMED : "");
    pm_text_add(&text, "%s", blank);
    for (size_t i = 0; i < plan->buffer_count; i++)
        write_buffer(&text, &plan->buffers[i], comments);
    for (size_t i = 0; i < b->host.texture_count; i++)
        pm_text_add(&text, "[texture %s]\nobject = %s\n", b->host.textures[i].name,
                    b->host.textures[i].object);
    for (size_t i = 0; i < plan->launch_count; i++)
        write_launch(b, &text, &plan->launches[i], comments);
    return pm_text_take(&text);
}

/* ---- assumptions ---------------------------------------------------------------------------- */

/* Returns the value of a number of elements for the list of assumptions: if `count` is the name of
 * a number, its value, else `count`. */
static const char *shown(const pm_bare_plan *plan, const char *count)
{
    const pm_bare_number *number = pm_bare_find_number(plan, count);

    return number ? number->value : count;
}

/* Returns the contents of a buffer of integers in words for the user, such as "random below
 * 1024". */
static const char *say_integers(pm_bare *b, const pm_bare_plan *plan, const pm_bare_buffer *buffer)
{
    static const char *const names[] = {[PM_BARE_RANDOM] = "random below ",
                                        [PM_BARE_POSITIONS] = "0, 1, 2 and so on below ",
                                        [PM_BARE_ONES] = "all 1",
                                        [PM_BARE_ZEROS] = "all 0"};
    const bool is_bounded =
        buffer->integers == PM_BARE_RANDOM || buffer->integers == PM_BARE_POSITIONS;

    return pm_format(&b->memory, "%s%s", names[buffer->integers],
                     is_bounded ? shown(plan, buffer->below) : "");
}

static bool has_contents(const pm_bare_buffer *buffer)
{
    return buffer->contents && *buffer->contents;
}

/* Returns whether nothing is assumed about a buffer, because the host code gives its number of
 * elements and its contents. */
static bool is_given(const pm_bare_buffer *buffer)
{
    return !buffer->count_assumed && (has_contents(buffer) || (buffer->symbol && *buffer->symbol &&
                                                               !pm_bare_is_random(buffer)));
}

static bool are_alike(const pm_bare_buffer *one, const pm_bare_buffer *other)
{
    return strcmp(one->type, other->type) == 0 && one->count_assumed == other->count_assumed &&
           strcmp(one->count, other->count) == 0 && has_contents(one) == has_contents(other) &&
           pm_bare_is_random(one) == pm_bare_is_random(other);
}

/* Returns a line for the list of assumptions, such as "x, y: float[1048576], random". It describes
 * buffer `first` and all later buffers with equal properties. NULL: the line of an earlier buffer
 * includes this one, or nothing is assumed about the buffer. */
static const char *say_buffers(pm_bare *b, const pm_bare_plan *plan, size_t first)
{
    const pm_bare_buffer *buffer = &plan->buffers[first];
    pm_text text = {.memory = &b->memory};

    if (is_given(buffer))
        return NULL;
    for (size_t i = 0; i < first; i++)
        if (are_alike(&plan->buffers[i], buffer))
            return NULL;
    for (size_t i = first; i < plan->buffer_count; i++)
        if (are_alike(&plan->buffers[i], buffer))
            pm_text_add(&text, "%s%s", i > first ? ", " : "", plan->buffers[i].name);
    pm_text_add(&text, ": %s[%s]", buffer->type, shown(plan, buffer->count));
    if (buffer->is_pointer)
        pm_text_add(&text, ", pointers");
    else if (has_contents(buffer))
        pm_text_add(&text, ", as in the host code");
    else if (!pm_bare_is_random(buffer))
        pm_text_add(&text, buffer->writes && !buffer->reads ? "" : ", zeros");
    else if (buffer->is_integer)
        pm_text_add(&text, ", %s", say_integers(b, plan, buffer));
    else if (buffer->integers != PM_BARE_RANDOM && pm_bare_has_bound(buffer))
        pm_text_add(&text, ", random, its integers %s", say_integers(b, plan, buffer));
    else
        pm_text_add(&text, ", random");
    return pm_text_get(&text);
}

static bool have_one_range(const pm_bare_launch *one, const pm_bare_launch *other)
{
    return one->range_assumed && other->range_assumed && strcmp(one->grid, other->grid) == 0 &&
           strcmp(one->block, other->block) == 0;
}

/* Returns a line for the list of assumptions, such as "scale, add: grid (n + 255) / 256, block
 * 256". It describes launch `first` and all later launches with the same grid and block. NULL: the
 * line of an earlier launch includes this one. */
static const char *say_range(pm_bare *b, const pm_bare_plan *plan, size_t first)
{
    const pm_bare_launch *launch = &plan->launches[first];
    pm_text text = {.memory = &b->memory};

    for (size_t i = 0; i < first; i++)
        if (have_one_range(&plan->launches[i], launch))
            return NULL;
    for (size_t i = first; i < plan->launch_count; i++)
        if (have_one_range(&plan->launches[i], launch))
            pm_text_add(&text, "%s%s", i > first ? ", " : "", plan->launches[i].name);
    pm_text_add(&text, ": %s %s, %s %s", b->has_blocks ? "grid" : "global", launch->grid,
                b->has_blocks ? "block" : "local", launch->block);
    return pm_text_get(&text);
}

const char *const *pm_bare_assumed(pm_bare *b, const pm_bare_plan *plan)
{
    const char **list = NULL;
    size_t count = 0;

    for (size_t i = 0; i < plan->number_count; i++)
        if (plan->numbers[i].assumed)
            *pm_add(&b->memory, list, count) =
                pm_format(&b->memory, "%s = %s", plan->numbers[i].name, plan->numbers[i].value);
    for (size_t i = 0; i < plan->said_count; i++)
        *pm_add(&b->memory, list, count) = plan->said[i];
    for (size_t i = 0; i < plan->buffer_count; i++) {
        const char *said = say_buffers(b, plan, i);

        if (said)
            *pm_add(&b->memory, list, count) = said;
    }
    for (size_t i = 0; i < plan->launch_count; i++) {
        const char *said = plan->launches[i].range_assumed ? say_range(b, plan, i) : NULL;

        if (said)
            *pm_add(&b->memory, list, count) = said;
    }
    *pm_add(&b->memory, list, count) = NULL;
    return list;
}
