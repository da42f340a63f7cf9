/* Reads a workload file and checks everything that does not need its source. See workload_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/file/workload_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "program/file/keys.h"

/* ---- sections ------------------------------------------------------------------------------ */

static void read_workload(pm_workload_file *f, const pm_section *section)
{
    pm_file_text probe = {0};
    const pm_file_slot slots[] = {
        {"name", &f->name},       {"source", &f->source},
        {"options", &f->options}, {"base", &f->base},
        {"class", &f->class},     {"expected.tolerance", &f->expected_tolerance},
        {"title", &f->title},     {"work", &f->work},
        {"probe", &probe},        {"layouts", &f->listed_layouts}};

    for (size_t i = 0; i < section->count; i++)
        if (!pm_file_set_key(slots, sizeof slots / sizeof *slots, section->settings[i].key,
                             &section->settings[i]))
            pm_file_unknown_key(f, section, &section->settings[i],
                                "name, title, source, options, base, class, work, probe, layouts, "
                                "expected.tolerance");
    pm_file_demand(f, section, &f->name, "name", "name = what it is called in tables");
    pm_file_demand(f, section, &f->source, "source", "source = FILE.cl");
    f->probe = pm_file_yes(f, &probe);
}

static void name_parameters(pm_workload_file *f, const pm_section *section)
{
    if (section->count > PM_FILE_PARAMETERS)
        pm_file_read_fault(f, section->line, "%zu parameters; up to %d are possible",
                           section->count, PM_FILE_PARAMETERS);
    for (size_t i = 0; i < section->count; i++) {
        const char *name = section->settings[i].key;

        if (!pm_expression_is_name(name) || strcmp(name, "i") == 0)
            pm_file_read_fault(f, section->settings[i].line,
                               "\"%s\" cannot be a parameter's name: letters, digits "
                               "and _, not min, max or i (which counts repeats)",
                               name);
        f->parameters[f->parameter_count++] = name;
    }
}

/* Reads a section [size NAME], which has the values of the program's parameters. All sizes must
 * have the same parameters. The expression of a value may use the parameters before it. */
static void read_size(pm_workload_file *f, const pm_section *section)
{
    pm_named_number known_so_far[PM_FILE_PARAMETERS];
    char what[PM_EXPRESSION_FAULT];
    int64_t *values = f->values + f->size_count * f->parameter_count;

    for (size_t p = 0; p < f->parameter_count; p++) {
        const pm_setting *setting = pm_section_find(section, f->parameters[p]);
        const pm_numbers before = {p, known_so_far};

        if (!setting)
            pm_file_read_fault(f, section->line,
                               "[size %s] has no \"%s\", which the first size has: give "
                               "it a value here too",
                               section->name, f->parameters[p]);
        if (!pm_expression_integer(setting->value, &before, &values[p], what))
            pm_file_read_fault(f, setting->line, "%s: %s", setting->key, what);
        known_so_far[p] = (pm_named_number){f->parameters[p], values[p]};
    }
    for (size_t i = 0; i < section->count; i++) {
        bool known = false;

        for (size_t p = 0; p < f->parameter_count; p++)
            known |= strcmp(section->settings[i].key, f->parameters[p]) == 0;
        if (!known)
            pm_file_read_fault(f, section->settings[i].line,
                               "parameter \"%s\" is not in the first size: give it a "
                               "value there too",
                               section->settings[i].key);
    }
    f->sizes[f->size_count++] =
        (pm_file_size){.name = section->name, .line = section->line, .values = values};
}

static void read_buffer(pm_workload_file *f, const pm_section *section)
{
    pm_file_buffer *b = &f->buffers[f->buffer_count++];
    pm_file_text output = {0}, restore = {0}, scratch = {0}, reference = {0};
    const pm_file_slot slots[] = {{"type", &b->type},         {"bytes", &b->bytes},
                                  {"count", &b->count},       {"contents", &b->contents},
                                  {"expected", &b->expected}, {"expected.tolerance", &b->tolerance},
                                  {"output", &output},        {"restore", &restore},
                                  {"scratch", &scratch},      {"reference", &reference},
                                  {"errors", &b->errors},     {"stream", &b->stream},
                                  {"after", &b->after},       {"pointers", &b->pointers},
                                  {"symbol", &b->symbol}};

    *b = (pm_file_buffer){.name = section->name, .line = section->line};
    for (size_t i = 0; i < section->count; i++) {
        const pm_setting *setting = &section->settings[i];

        if (strncmp(setting->key, "contents.", strlen("contents.")) == 0)
            *pm_add(&f->memory, b->fields, b->field_count) =
                (pm_file_field){setting->key + strlen("contents."), pm_file_text_of(setting)};
        else if (!pm_file_set_key(slots, sizeof slots / sizeof *slots, setting->key, setting))
            pm_file_unknown_key(f, section, setting,
                                "type, bytes, count, contents, contents.FIELD, expected, "
                                "expected.tolerance, output, restore, scratch, reference, errors, "
                                "stream, after, pointers, symbol");
    }
    pm_file_demand(f, section, &b->type, "type", "type = float, int4, a struct's name, ...");
    pm_file_demand(f, section, &b->count, "count", "count = elements, such as n + 1");
    b->output = pm_file_yes(f, &output);
    b->restore = pm_file_yes(f, &restore);
    b->scratch = pm_file_yes(f, &scratch);
    b->reference = pm_file_yes(f, &reference);
    if (!b->reference && f->common_count + 1 < f->buffer_count)
        pm_file_read_fault(
            f, section->line,
            "[buffer %s] stands behind a buffer with reference = yes: these come last",
            section->name);
    f->common_count += !b->reference;
}

static void read_symbol(pm_workload_file *f, const pm_section *section)
{
    pm_file_buffer *b = &f->symbols[f->symbol_count++];
    const pm_file_slot slots[] = {
        {"type", &b->type}, {"bytes", &b->bytes}, {"count", &b->count}, {"contents", &b->contents}};

    *b = (pm_file_buffer){.name = section->name, .line = section->line};
    for (size_t i = 0; i < section->count; i++)
        if (!pm_file_set_key(slots, sizeof slots / sizeof *slots, section->settings[i].key,
                             &section->settings[i]))
            pm_file_unknown_key(f, section, &section->settings[i], "type, bytes, count, contents");
    pm_file_demand(f, section, &b->type, "type", "type = float, int4, ...");
    pm_file_demand(f, section, &b->count, "count", "count = elements, such as 25");
    pm_file_demand(f, section, &b->contents, "contents", "contents = random, file PATH, ...");
}

/* Reads the key "repeat = with NAME" of launch `number`: the launch is repeated in turn with the
 * earlier launch NAME. */
static void find_with(pm_workload_file *f, size_t number)
{
    pm_file_launch *launch = &f->launches[number];
    const pm_file_text repeat = launch->texts.repeat;
    const char *name;

    launch->with = number;
    if (!repeat.text || strncmp(repeat.text, "with ", 5) != 0)
        return;
    name = repeat.text + 5 + strspn(repeat.text + 5, " ");
    /* NAME must be a launch before this one. Between the two there may only be launches that are
     * also repeated in turn with NAME. */
    for (size_t l = number; l-- > 0 && (l + 1 == number || f->launches[l + 1].with != l + 1);)
        if (strcmp(f->launches[l].name, name) == 0 && f->launches[l].contents == launch->contents) {
            launch->with = f->launches[l].with;
            return;
        }
    pm_file_read_fault(f, repeat.line,
                       "repeat with \"%.40s\": the launch right before this one, or one "
                       "that it takes turns with",
                       name);
}

/* Raises an error unless the launch has the keys global and local, or grid and block. */
static void demand_sizes(const pm_workload_file *f, const pm_section *section,
                         const pm_file_launch_texts *texts)
{
    const bool is_cuda = texts->grid.text || texts->block.text;

    if (is_cuda && (texts->global.text || texts->local.text))
        pm_file_read_fault(f, section->line,
                           "[launch %s] has grid or block beside global or local: either grid "
                           "and block, or global and local",
                           section->name);
    if (is_cuda) {
        pm_file_demand(f, section, &texts->grid, "grid",
                       "grid = blocks of threads, 1 to 3 expressions with commas");
        pm_file_demand(f, section, &texts->block, "block",
                       "block = threads of a block, such as 128 or 16, 16");
    } else {
        pm_file_demand(f, section, &texts->global, "global",
                       "global = work-items, 1 to 3 expressions with commas");
        pm_file_demand(f, section, &texts->local, "local",
                       "local = work-items of a work-group, such as 128 or 16, 16, or NULL");
    }
}

static void read_launch(pm_workload_file *f, const pm_section *section)
{
    pm_file_launch *launch = &f->launches[f->launch_count++];
    pm_file_slot slots[PM_LAUNCH_SLOTS + 1];
    pm_file_text contents = {0};

    *launch = (pm_file_launch){.name = section->name, .line = section->line};
    pm_file_launch_slots(&launch->texts, slots);
    slots[PM_LAUNCH_SLOTS] = (pm_file_slot){"contents", &contents};
    for (size_t i = 0; i < section->count; i++)
        if (!pm_file_set_key(slots, PM_LAUNCH_SLOTS + 1, section->settings[i].key,
                             &section->settings[i]))
            pm_file_unknown_key(f, section, &section->settings[i], PM_LAUNCH_KEYS ", contents");
    launch->contents = pm_file_yes(f, &contents);
    /* A launch without the key `kernel` runs the kernel with the launch's name. */
    if (!launch->texts.kernel.text)
        launch->texts.kernel = (pm_file_text){.text = section->name, .line = section->line};
    demand_sizes(f, section, &launch->texts);
    find_with(f, f->launch_count - 1);
}

/* ---- all sections -------------------------------------------------------------------------- */

typedef void (*read_fn)(pm_workload_file *f, const pm_section *section);

/* The kinds of sections of a workload file, in the order in which they are read. Variants come
 * after launches, because they refer to launches. */
static const struct {
    const char *kind;
    bool named;
    read_fn read;
} kinds[] = {{"workload", false, read_workload},
             {"size", true, read_size},
             {"tune", false, pm_file_read_tune},
             {"buffer", true, read_buffer},
             {"symbol", true, read_symbol},
             {"texture", true, pm_file_read_texture},
             {"launch", true, read_launch},
             {"variant", true, pm_file_read_variant},
             {"reference", false, pm_file_read_reference},
             {"contents", false, pm_file_read_contents},
             {"layout", true, pm_file_read_layout}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void check_kind(const pm_workload_file *f, const pm_section *section)
{
    for (size_t k = 0; k < KINDS; k++) {
        if (strcmp(section->kind, kinds[k].kind) != 0)
            continue;
        if (kinds[k].named == (*section->name != '\0'))
            return;
        pm_file_read_fault(f, section->line,
                           kinds[k].named ? "[%s] needs a name: [%s NAME]"
                                          : "[%s] takes no name: write [%s]",
                           section->kind, section->kind);
    }
    pm_file_read_fault(
        f, section->line,
        "no section is called [%s]; there are: [workload], [size NAME], "
        "[tune], [buffer NAME], [symbol NAME], [texture NAME], [launch NAME], [variant NAME], "
        "[layout NAME], [reference], [contents]",
        section->kind);
}

static const pm_section *first_of(const pm_workload_file *f, const char *kind)
{
    for (size_t s = 0; s < f->sections.count; s++)
        if (strcmp(f->sections.items[s].kind, kind) == 0)
            return &f->sections.items[s];
    return NULL;
}

/* Allocates an array with one member for each section of this kind in the file. */
static void *room_for(pm_workload_file *f, const char *kind, size_t size)
{
    size_t count = 0;

    for (size_t s = 0; s < f->sections.count; s++)
        count += strcmp(f->sections.items[s].kind, kind) == 0;
    return pm_take(&f->memory, count, size);
}

static void check_sections(pm_workload_file *f)
{
    static const char *const needed[] = {"workload", "size", "launch"};
    const pm_section *first = first_of(f, "size");

    for (size_t s = 0; s < f->sections.count; s++)
        check_kind(f, &f->sections.items[s]);
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        if (!first_of(f, needed[k]))
            pm_leave(&f->memory, PM_BAD_INPUT,
                     "%s: it has no [%s%s]; perfmodel advise --template prints a workload "
                     "file to start from",
                     f->path, needed[k], k ? " NAME" : "");
    f->parameters = pm_take(&f->memory, first->count, sizeof *f->parameters);
    f->values = room_for(f, "size", first->count * sizeof *f->values);
    f->sizes = room_for(f, "size", sizeof *f->sizes);
    f->buffers = room_for(f, "buffer", sizeof *f->buffers);
    f->symbols = room_for(f, "symbol", sizeof *f->symbols);
    f->textures = room_for(f, "texture", sizeof *f->textures);
    f->launches = room_for(f, "launch", sizeof *f->launches);
    f->variants = room_for(f, "variant", sizeof *f->variants);
    f->layouts = room_for(f, "layout", sizeof *f->layouts);
    name_parameters(f, first);
}

/* Raises an error if the file lacks the section [reference] although a buffer needs it, or the
 * section [contents] although a launch needs it. */
static void check_uses(const pm_workload_file *f)
{
    for (size_t i = 0; !f->reference && i < f->buffer_count; i++)
        if (f->buffers[i].errors.text || f->buffers[i].after.text ||
            (f->buffers[i].reference && !f->contents))
            pm_file_read_fault(f, f->buffers[i].line,
                               "[buffer %s] is for the reference, and there is no [reference]",
                               f->buffers[i].name);
    for (size_t l = 0; !f->contents && l < f->launch_count; l++)
        if (f->launches[l].contents)
            pm_file_read_fault(f, f->launches[l].line,
                               "[launch %s] has contents = yes: add [contents] with source = FILE, "
                               "which has its kernel",
                               f->launches[l].name);
}

static void describe(void *file)
{
    pm_workload_file *f = file;
    const char *slash;

    f->path = f->sections.path;
    slash = strrchr(f->path, '/');
    f->folder = pm_format(&f->memory, "%.*s", slash ? (int)(slash - f->path) + 1 : 0, f->path);
    check_sections(f);
    for (size_t k = 0; k < KINDS; k++)
        for (size_t s = 0; s < f->sections.count; s++)
            if (strcmp(f->sections.items[s].kind, kinds[k].kind) == 0)
                kinds[k].read(f, &f->sections.items[s]);
    check_uses(f);
}

pm_workload_file *pm_workload_file_parse(char *text, const char *path, pm_error *err)
{
    pm_workload_file *f = calloc(1, sizeof *f);

    if (!f) {
        pm_fail(err, PM_FAILED, "%s: out of memory", path);
        return NULL;
    }
    if (pm_sections_parse(text, path, &f->sections, err) == PM_OK &&
        pm_attempt(&f->memory, describe, f, err) == PM_OK)
        return f;
    pm_workload_file_free(f);
    return NULL;
}

pm_workload_file *pm_workload_file_read(const char *path, pm_error *err)
{
    static const char wanted[] = "a workload file (perfmodel advise --template prints one)";
    char *text;
    pm_workload_file *f = NULL;

    if (pm_file_read(path, PM_SECTIONS_BYTES, wanted, &text, err) == PM_OK)
        f = pm_workload_file_parse(text, path, err);
    free(text);
    return f;
}

void pm_workload_file_free(pm_workload_file *f)
{
    if (!f)
        return;
    pm_memory_free(&f->memory);
    pm_sections_free(&f->sections);
    free(f);
}

/* ---- lists --------------------------------------------------------------------------------- */
