/* Reads a workload file and checks everything that does not need its source. See workload_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/file/workload_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

/* A slot of a section: a key, and the member that gets its value. */
typedef struct {
    const char *key;
    pm_file_text *place;
} slot;

/* Reports a fault in a line and ends the reading. */
#define fault(f, line, ...)                                                                        \
    (pm_workload_file_fault(f, line, (f)->memory.err, __VA_ARGS__),                                \
     pm_give_up(&(f)->memory, PM_BAD_INPUT))

/* ---- keys of sections ---------------------------------------------------------------------- */

static pm_file_text text_of(const pm_setting *setting)
{
    return (pm_file_text){.text = setting->value, .line = setting->line};
}

/* Stores a setting in the slot with its key. Returns false if no slot has the key. */
static bool put(const slot *slots, size_t count, const char *key, const pm_setting *setting)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(slots[i].key, key) == 0) {
            *slots[i].place = text_of(setting);
            return true;
        }
    return false;
}

static void unknown_key(const pm_workload_file *f, const pm_section *section,
                        const pm_setting *setting, const char *right)
{
    fault(f, setting->line, "[%s] has no key \"%s\"; it has: %s", section->kind, setting->key,
          right);
}

static bool yes_or_no(const pm_workload_file *f, const pm_file_text *text)
{
    const bool yes = text->text && strcmp(text->text, "yes") == 0;

    if (text->text && !yes && strcmp(text->text, "no") != 0)
        fault(f, text->line, "\"%.40s\": yes or no", text->text);
    return yes;
}

static void demand(const pm_workload_file *f, const pm_section *section, const pm_file_text *text,
                   const char *key, const char *how)
{
    if (!text->text)
        fault(f, section->line, "[%s%s%s] has no \"%s\": add %s", section->kind,
              *section->name ? " " : "", section->name, key, how);
}

/* ---- sections ------------------------------------------------------------------------------ */

static void read_workload(pm_workload_file *f, const pm_section *section)
{
    const slot slots[] = {{"name", &f->name},       {"source", &f->source},
                          {"options", &f->options}, {"base", &f->base},
                          {"class", &f->class},     {"expected.tolerance", &f->expected_tolerance}};

    for (size_t i = 0; i < section->count; i++)
        if (!put(slots, sizeof slots / sizeof *slots, section->settings[i].key,
                 &section->settings[i]))
            unknown_key(f, section, &section->settings[i],
                        "name, source, options, base, class, expected.tolerance");
    demand(f, section, &f->name, "name", "name = what it is called in tables");
    demand(f, section, &f->source, "source", "source = FILE.cl");
}

static void name_parameters(pm_workload_file *f, const pm_section *section)
{
    if (section->count > PM_FILE_PARAMETERS)
        fault(f, section->line, "%zu parameters; up to %d are possible", section->count,
              PM_FILE_PARAMETERS);
    for (size_t i = 0; i < section->count; i++) {
        const char *name = section->settings[i].key;

        if (!pm_expression_is_name(name) || strcmp(name, "i") == 0)
            fault(f, section->settings[i].line,
                  "\"%s\" cannot be a parameter's name: letters, digits "
                  "and _, not min, max or i (which counts repeats)",
                  name);
        f->parameters[f->parameter_count++] = name;
    }
}

/* Reads a size. All sizes have the same parameters. The expression of a parameter may use the
 * parameters before it. */
static void read_size(pm_workload_file *f, const pm_section *section)
{
    pm_named_number known_so_far[PM_FILE_PARAMETERS];
    char what[PM_EXPRESSION_FAULT];
    int64_t *values = f->values + f->size_count * f->parameter_count;

    for (size_t p = 0; p < f->parameter_count; p++) {
        const pm_setting *setting = pm_section_find(section, f->parameters[p]);
        const pm_numbers before = {p, known_so_far};

        if (!setting)
            fault(f, section->line,
                  "[size %s] has no \"%s\", which the first size has: give "
                  "it a value here too",
                  section->name, f->parameters[p]);
        if (!pm_expression_integer(setting->value, &before, &values[p], what))
            fault(f, setting->line, "%s: %s", setting->key, what);
        known_so_far[p] = (pm_named_number){f->parameters[p], values[p]};
    }
    for (size_t i = 0; i < section->count; i++) {
        bool known = false;

        for (size_t p = 0; p < f->parameter_count; p++)
            known |= strcmp(section->settings[i].key, f->parameters[p]) == 0;
        if (!known)
            fault(f, section->settings[i].line,
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
    pm_file_text output = {0}, restore = {0}, scratch = {0};
    const slot slots[] = {{"type", &b->type},         {"bytes", &b->bytes},
                          {"count", &b->count},       {"contents", &b->contents},
                          {"expected", &b->expected}, {"expected.tolerance", &b->tolerance},
                          {"output", &output},        {"restore", &restore},
                          {"scratch", &scratch}};

    *b = (pm_file_buffer){.name = section->name, .line = section->line};
    for (size_t i = 0; i < section->count; i++) {
        const pm_setting *setting = &section->settings[i];

        if (strncmp(setting->key, "contents.", strlen("contents.")) == 0)
            *pm_add(&f->memory, b->fields, b->field_count) =
                (pm_file_field){setting->key + strlen("contents."), text_of(setting)};
        else if (!put(slots, sizeof slots / sizeof *slots, setting->key, setting))
            unknown_key(f, section, setting,
                        "type, bytes, count, contents, contents.FIELD, expected, "
                        "expected.tolerance, output, restore, scratch");
    }
    demand(f, section, &b->type, "type", "type = float, int4, a struct's name, ...");
    demand(f, section, &b->count, "count", "count = elements, such as n + 1");
    b->output = yes_or_no(f, &output);
    b->restore = yes_or_no(f, &restore);
    b->scratch = yes_or_no(f, &scratch);
}

static void read_symbol(pm_workload_file *f, const pm_section *section)
{
    pm_file_buffer *b = &f->symbols[f->symbol_count++];
    const slot slots[] = {
        {"type", &b->type}, {"bytes", &b->bytes}, {"count", &b->count}, {"contents", &b->contents}};

    *b = (pm_file_buffer){.name = section->name, .line = section->line};
    for (size_t i = 0; i < section->count; i++)
        if (!put(slots, sizeof slots / sizeof *slots, section->settings[i].key,
                 &section->settings[i]))
            unknown_key(f, section, &section->settings[i], "type, bytes, count, contents");
    demand(f, section, &b->type, "type", "type = float, int4, ...");
    demand(f, section, &b->count, "count", "count = elements, such as 25");
    demand(f, section, &b->contents, "contents", "contents = random, file PATH, ...");
}

enum { LAUNCH_SLOTS = 9 };

static void fill_slots(pm_file_launch_texts *texts, slot slots[LAUNCH_SLOTS])
{
    slots[0] = (slot){"kernel", &texts->kernel};
    slots[1] = (slot){"global", &texts->global};
    slots[2] = (slot){"local", &texts->local};
    slots[3] = (slot){"offset", &texts->offset};
    slots[4] = (slot){"arguments", &texts->arguments};
    slots[5] = (slot){"repeat", &texts->repeat};
    slots[6] = (slot){"grid", &texts->grid};
    slots[7] = (slot){"block", &texts->block};
    slots[8] = (slot){"shared", &texts->shared};
}

#define LAUNCH_KEYS "kernel, global, local, grid, block, shared, offset, arguments, repeat"

/* Reads "repeat = with NAME": the launch alternates with the earlier launch NAME. */
static void find_with(pm_workload_file *f, size_t number)
{
    pm_file_launch *launch = &f->launches[number];
    const pm_file_text repeat = launch->texts.repeat;
    const char *name;

    launch->with = number;
    if (!repeat.text || strncmp(repeat.text, "with ", 5) != 0)
        return;
    name = repeat.text + 5 + strspn(repeat.text + 5, " ");
    /* Launches between the two must also alternate with the earlier launch. */
    for (size_t l = number; l-- > 0 && (l + 1 == number || f->launches[l + 1].with != l + 1);)
        if (strcmp(f->launches[l].name, name) == 0) {
            launch->with = f->launches[l].with;
            return;
        }
    fault(f, repeat.line,
          "repeat with \"%.40s\": the launch right before this one, or one "
          "that it takes turns with",
          name);
}

/* Fails unless the launch has the keys global and local, or grid and block. */
static void demand_sizes(const pm_workload_file *f, const pm_section *section,
                         const pm_file_launch_texts *texts)
{
    const bool is_cuda = texts->grid.text || texts->block.text;

    if (is_cuda && (texts->global.text || texts->local.text))
        fault(f, section->line,
              "[launch %s] has grid or block beside global or local: either grid "
              "and block, or global and local",
              section->name);
    if (is_cuda) {
        demand(f, section, &texts->grid, "grid",
               "grid = blocks of threads, 1 to 3 expressions with commas");
        demand(f, section, &texts->block, "block",
               "block = threads of a block, such as 128 or 16, 16");
    } else {
        demand(f, section, &texts->global, "global",
               "global = work-items, 1 to 3 expressions with commas");
        demand(f, section, &texts->local, "local",
               "local = work-items of a work-group, such as 128 or 16, 16, or NULL");
    }
}

static void read_launch(pm_workload_file *f, const pm_section *section)
{
    pm_file_launch *launch = &f->launches[f->launch_count++];
    slot slots[LAUNCH_SLOTS];

    *launch = (pm_file_launch){.name = section->name, .line = section->line};
    fill_slots(&launch->texts, slots);
    for (size_t i = 0; i < section->count; i++)
        if (!put(slots, LAUNCH_SLOTS, section->settings[i].key, &section->settings[i]))
            unknown_key(f, section, &section->settings[i], LAUNCH_KEYS);
    if (!launch->texts.kernel
             .text) /* a launch without the key `kernel` runs the kernel with the launch's name */
        launch->texts.kernel = (pm_file_text){.text = section->name, .line = section->line};
    demand_sizes(f, section, &launch->texts);
    find_with(f, f->launch_count - 1);
}

/* Stores the value of a variant's key launch.NAME.KEY. NAME may contain dots. */
static void override(const pm_workload_file *f, pm_file_variant *variant, const pm_setting *setting)
{
    const char *name = setting->key + strlen("launch."), *dot = strrchr(name, '.');
    slot slots[LAUNCH_SLOTS];

    for (size_t l = 0; dot && l < f->launch_count; l++) {
        if (strlen(f->launches[l].name) != (size_t)(dot - name) ||
            strncmp(f->launches[l].name, name, (size_t)(dot - name)) != 0)
            continue;
        fill_slots(&variant->launches[l], slots);
        if (!put(slots, LAUNCH_SLOTS, dot + 1, setting))
            fault(f, setting->line, "a launch has no key \"%s\"; it has: " LAUNCH_KEYS, dot + 1);
        if (strcmp(dot + 1, "repeat") == 0 && f->launches[l].with != l)
            fault(f, setting->line, "launch %s repeats with %s: say it of that one",
                  f->launches[l].name, f->launches[f->launches[l].with].name);
        return;
    }
    fault(f, setting->line, "\"%s\": write launch.NAME.KEY, with the NAME of a [launch NAME]",
          setting->key);
}

/* Reads a [variant] or the [reference] section. `tolerance` gets the value of the key tolerance;
 * NULL: the section has no such key. */
static void read_version(pm_workload_file *f, const pm_section *section, pm_file_variant *variant,
                         pm_file_text *tolerance)
{
    const slot slots[] = {
        {"source", &variant->source}, {"options", &variant->options}, {"tolerance", tolerance}};

    *variant = (pm_file_variant){.name = section->name, .line = section->line};
    variant->launches = pm_take(&f->memory, f->launch_count, sizeof *variant->launches);
    for (size_t i = 0; i < section->count; i++) {
        const pm_setting *setting = &section->settings[i];

        if (strncmp(setting->key, "launch.", strlen("launch.")) == 0)
            override(f, variant, setting);
        else if (!put(slots, tolerance ? 3 : 2, setting->key, setting))
            unknown_key(f, section, setting,
                        tolerance ? "source, options, launch.NAME.KEY, tolerance"
                                  : "source, options, launch.NAME.KEY");
    }
    if (section->count == 0)
        fault(f, section->line,
              "[%s%s%s] changes nothing: give it a source, options or launch.NAME.KEY",
              section->kind, *section->name ? " " : "", section->name);
}

static void read_variant(pm_workload_file *f, const pm_section *section)
{
    read_version(f, section, &f->variants[f->variant_count++], NULL);
}

static void read_reference(pm_workload_file *f, const pm_section *section)
{
    f->reference = pm_take(&f->memory, 1, sizeof *f->reference);
    read_version(f, section, f->reference, &f->tolerance);
}

/* ---- all sections -------------------------------------------------------------------------- */

typedef void (*read_fn)(pm_workload_file *f, const pm_section *section);

/* The kinds of sections, in the order in which they are read. Variants come after launches, because
 * they refer to launches. */
static const struct {
    const char *kind;
    bool named;
    read_fn read;
} kinds[] = {{"workload", false, read_workload}, {"size", true, read_size},
             {"tune", false, pm_file_read_tune}, {"buffer", true, read_buffer},
             {"symbol", true, read_symbol},      {"launch", true, read_launch},
             {"variant", true, read_variant},    {"reference", false, read_reference}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void check_kind(const pm_workload_file *f, const pm_section *section)
{
    for (size_t k = 0; k < KINDS; k++) {
        if (strcmp(section->kind, kinds[k].kind) != 0)
            continue;
        if (kinds[k].named == (*section->name != '\0'))
            return;
        fault(f, section->line,
              kinds[k].named ? "[%s] needs a name: [%s NAME]" : "[%s] takes no name: write [%s]",
              section->kind, section->kind);
    }
    fault(f, section->line,
          "no section is called [%s]; there are: [workload], [size NAME], "
          "[tune], [buffer NAME], [symbol NAME], [launch NAME], [variant NAME], [reference]",
          section->kind);
}

static const pm_section *first_of(const pm_workload_file *f, const char *kind)
{
    for (size_t s = 0; s < f->sections.count; s++)
        if (strcmp(f->sections.items[s].kind, kind) == 0)
            return &f->sections.items[s];
    return NULL;
}

/* Allocates an array with one entry for each section of the kind. */
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
    f->launches = room_for(f, "launch", sizeof *f->launches);
    f->variants = room_for(f, "variant", sizeof *f->variants);
    name_parameters(f, first);
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
