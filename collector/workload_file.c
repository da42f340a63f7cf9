/* Reads a workload file and checks what can be checked without its source. See workload_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "workload_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* A key that a section may have, and where its value goes. */
typedef struct {
    const char *key;
    pm_text *place;
} slot;

static pm_status no_memory(const pm_workload_file *f, pm_error *err)
{
    return pm_fail(err, PM_FAILED, "%s: out of memory", f->path);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static pm_text text_of(const pm_setting *setting)
{
    return (pm_text){.text = setting->value, .line = setting->line};
}

/* Whether the key is one of the slots, which then has the value. */
static bool put(const slot *slots, size_t count, const char *key, const pm_setting *setting)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(slots[i].key, key) == 0) {
            *slots[i].place = text_of(setting);
            return true;
        }
    return false;
}

static pm_status unknown_key(const pm_workload_file *f, const pm_section *section,
                             const pm_setting *setting, const char *right, pm_error *err)
{
    return pm_workload_file_fault(f, setting->line, err, "[%s] has no key \"%s\"; it has: %s",
                                  section->kind, setting->key, right);
}

static pm_status yes_or_no(const pm_workload_file *f, const pm_text *text, bool *value,
                           pm_error *err)
{
    *value = text->text && strcmp(text->text, "yes") == 0;
    if (!text->text || *value || strcmp(text->text, "no") == 0)
        return PM_OK;
    return pm_workload_file_fault(f, text->line, err, "\"%.40s\": yes or no", text->text);
}

static pm_status demand(const pm_workload_file *f, const pm_section *section, const pm_text *text,
                        const char *key, const char *how, pm_error *err)
{
    if (text->text)
        return PM_OK;
    return pm_workload_file_fault(f, section->line, err, "[%s%s%s] has no \"%s\": add %s",
                                  section->kind, *section->name ? " " : "", section->name, key,
                                  how);
}

/* ---- sections ------------------------------------------------------------------------------ */

static pm_status read_workload(pm_workload_file *f, const pm_section *section, pm_error *err)
{
    const slot slots[] = {
        {"name", &f->name}, {"source", &f->source}, {"options", &f->options}, {"base", &f->base}};
    pm_status status;

    for (size_t i = 0; i < section->count; i++)
        if (!put(slots, sizeof slots / sizeof *slots, section->settings[i].key,
                 &section->settings[i]))
            return unknown_key(f, section, &section->settings[i], "name, source, options, base",
                               err);
    status = demand(f, section, &f->name, "name", "name = what it is called in tables", err);
    if (status == PM_OK)
        status = demand(f, section, &f->source, "source", "source = FILE.cl", err);
    return status;
}

static pm_status name_parameters(pm_workload_file *f, const pm_section *section, pm_error *err)
{
    if (section->count > PM_FILE_PARAMETERS)
        return pm_workload_file_fault(f, section->line, err,
                                      "%zu parameters; up to %d are possible", section->count,
                                      PM_FILE_PARAMETERS);
    for (size_t i = 0; i < section->count; i++) {
        const char *name = section->settings[i].key;

        if (!pm_expression_is_name(name) || strcmp(name, "i") == 0)
            return pm_workload_file_fault(f, section->settings[i].line, err,
                                          "\"%s\" cannot be a parameter's name: letters, digits "
                                          "and _, not min, max or i (which counts repeats)",
                                          name);
        f->parameters[f->parameter_count++] = name;
    }
    return PM_OK;
}

/* Every size has the parameters of the first. */
static pm_status read_size(pm_workload_file *f, const pm_section *section, pm_error *err)
{
    const pm_numbers none = {0};
    char fault[PM_EXPRESSION_FAULT];
    int64_t *values = f->values + f->size_count * f->parameter_count;

    for (size_t p = 0; p < f->parameter_count; p++) {
        const pm_setting *setting = pm_section_find(section, f->parameters[p]);

        if (!setting)
            return pm_workload_file_fault(f, section->line, err,
                                          "[size %s] has no \"%s\", which the first size has: give "
                                          "it a value here too",
                                          section->name, f->parameters[p]);
        if (!pm_expression_integer(setting->value, &none, &values[p], fault))
            return pm_workload_file_fault(f, setting->line, err, "%s: %s", setting->key, fault);
    }
    for (size_t i = 0; i < section->count; i++) {
        bool known = false;

        for (size_t p = 0; p < f->parameter_count; p++)
            known |= strcmp(section->settings[i].key, f->parameters[p]) == 0;
        if (!known)
            return pm_workload_file_fault(f, section->settings[i].line, err,
                                          "parameter \"%s\" is not in the first size: give it a "
                                          "value there too",
                                          section->settings[i].key);
    }
    f->sizes[f->size_count++] =
        (pm_file_size){.name = section->name, .line = section->line, .values = values};
    return PM_OK;
}

static pm_status add_field(pm_workload_file *f, pm_file_buffer *buffer, const pm_setting *setting,
                           pm_error *err)
{
    pm_file_field *grown =
        realloc(buffer->fields, (buffer->field_count + 1) * sizeof *buffer->fields);

    if (!grown)
        return no_memory(f, err);
    buffer->fields = grown;
    grown[buffer->field_count++] =
        (pm_file_field){.field = setting->key + strlen("contents."), .contents = text_of(setting)};
    return PM_OK;
}

static pm_status read_buffer(pm_workload_file *f, const pm_section *section, pm_error *err)
{
    pm_file_buffer *b = &f->buffers[f->buffer_count++];
    pm_text output = {0}, restore = {0}, scratch = {0};
    const slot slots[] = {{"type", &b->type},         {"bytes", &b->bytes}, {"count", &b->count},
                          {"contents", &b->contents}, {"output", &output},  {"restore", &restore},
                          {"scratch", &scratch}};
    pm_status status = PM_OK;

    *b = (pm_file_buffer){.name = section->name, .line = section->line};
    for (size_t i = 0; status == PM_OK && i < section->count; i++) {
        const pm_setting *setting = &section->settings[i];

        if (strncmp(setting->key, "contents.", strlen("contents.")) == 0)
            status = add_field(f, b, setting, err);
        else if (!put(slots, sizeof slots / sizeof *slots, setting->key, setting))
            return unknown_key(f, section, setting,
                               "type, bytes, count, contents, contents.FIELD, output, restore, "
                               "scratch",
                               err);
    }
    if (status == PM_OK)
        status =
            demand(f, section, &b->type, "type", "type = float, int4, a struct's name, ...", err);
    if (status == PM_OK)
        status = demand(f, section, &b->count, "count", "count = elements, such as n + 1", err);
    if (status == PM_OK)
        status = yes_or_no(f, &output, &b->output, err);
    if (status == PM_OK)
        status = yes_or_no(f, &restore, &b->restore, err);
    return status == PM_OK ? yes_or_no(f, &scratch, &b->scratch, err) : status;
}

enum { LAUNCH_SLOTS = 6 };

static void fill_slots(pm_file_launch_texts *texts, slot slots[LAUNCH_SLOTS])
{
    slots[0] = (slot){"kernel", &texts->kernel};
    slots[1] = (slot){"global", &texts->global};
    slots[2] = (slot){"local", &texts->local};
    slots[3] = (slot){"offset", &texts->offset};
    slots[4] = (slot){"arguments", &texts->arguments};
    slots[5] = (slot){"repeat", &texts->repeat};
}

#define LAUNCH_KEYS "kernel, global, local, offset, arguments, repeat"

/* repeat = with NAME: the launch takes turns with an earlier one. */
static pm_status find_with(pm_workload_file *f, size_t number, pm_error *err)
{
    pm_file_launch *launch = &f->launches[number];
    const pm_text repeat = launch->texts.repeat;
    const char *name;

    launch->with = number;
    if (!repeat.text || strncmp(repeat.text, "with ", 5) != 0)
        return PM_OK;
    name = repeat.text + 5 + strspn(repeat.text + 5, " ");
    /* All launches between the two take turns as well. */
    for (size_t l = number; l-- > 0 && (l + 1 == number || f->launches[l + 1].with != l + 1);)
        if (strcmp(f->launches[l].name, name) == 0) {
            launch->with = f->launches[l].with;
            return PM_OK;
        }
    return pm_workload_file_fault(f, repeat.line, err,
                                  "repeat with \"%.40s\": the launch right before this one, or one "
                                  "that it takes turns with",
                                  name);
}

static pm_status read_launch(pm_workload_file *f, const pm_section *section, pm_error *err)
{
    pm_file_launch *launch = &f->launches[f->launch_count++];
    slot slots[LAUNCH_SLOTS];
    pm_status status;

    *launch = (pm_file_launch){.name = section->name, .line = section->line};
    fill_slots(&launch->texts, slots);
    for (size_t i = 0; i < section->count; i++)
        if (!put(slots, LAUNCH_SLOTS, section->settings[i].key, &section->settings[i]))
            return unknown_key(f, section, &section->settings[i], LAUNCH_KEYS, err);
    if (!launch->texts.kernel.text) /* a launch is most often called as its kernel */
        launch->texts.kernel = (pm_text){.text = section->name, .line = section->line};
    status = demand(f, section, &launch->texts.global, "global",
                    "global = work-items, 1 to 3 expressions with commas", err);
    if (status == PM_OK)
        status = demand(f, section, &launch->texts.local, "local",
                        "local = work-items of a work-group, such as 128 or 16, 16", err);
    return status == PM_OK ? find_with(f, f->launch_count - 1, err) : status;
}

/* launch.NAME.KEY of a variant; NAME may have dots in it. */
static pm_status override(const pm_workload_file *f, pm_file_variant *variant,
                          const pm_setting *setting, pm_error *err)
{
    const char *name = setting->key + strlen("launch."), *dot = strrchr(name, '.');
    slot slots[LAUNCH_SLOTS];

    for (size_t l = 0; dot && l < f->launch_count; l++) {
        if (strlen(f->launches[l].name) != (size_t)(dot - name) ||
            strncmp(f->launches[l].name, name, (size_t)(dot - name)) != 0)
            continue;
        fill_slots(&variant->launches[l], slots);
        if (!put(slots, LAUNCH_SLOTS, dot + 1, setting))
            return pm_workload_file_fault(
                f, setting->line, err, "a launch has no key \"%s\"; it has: " LAUNCH_KEYS, dot + 1);
        if (strcmp(dot + 1, "repeat") == 0 && f->launches[l].with != l)
            return pm_workload_file_fault(
                f, setting->line, err, "launch %s repeats with %s: say it of that one",
                f->launches[l].name, f->launches[f->launches[l].with].name);
        return PM_OK;
    }
    return pm_workload_file_fault(f, setting->line, err,
                                  "\"%s\": write launch.NAME.KEY, with the NAME of a [launch NAME]",
                                  setting->key);
}

static pm_status read_variant(pm_workload_file *f, const pm_section *section, pm_error *err)
{
    pm_file_variant *variant = &f->variants[f->variant_count++];
    const slot slots[] = {{"source", &variant->source}, {"options", &variant->options}};
    pm_status status = PM_OK;

    *variant = (pm_file_variant){.name = section->name, .line = section->line};
    variant->launches = calloc(f->launch_count + 1, sizeof *variant->launches);
    if (!variant->launches)
        return no_memory(f, err);
    for (size_t i = 0; status == PM_OK && i < section->count; i++) {
        const pm_setting *setting = &section->settings[i];

        if (strncmp(setting->key, "launch.", strlen("launch.")) == 0)
            status = override(f, variant, setting, err);
        else if (!put(slots, sizeof slots / sizeof *slots, setting->key, setting))
            return unknown_key(f, section, setting, "source, options, launch.NAME.KEY", err);
    }
    if (status == PM_OK && section->count == 0)
        return pm_workload_file_fault(f, section->line, err,
                                      "[variant %s] changes nothing: give it a source, options or "
                                      "launch.NAME.KEY",
                                      section->name);
    return status;
}

/* ---- the file ------------------------------------------------------------------------------ */

typedef pm_status (*read_fn)(pm_workload_file *f, const pm_section *section, pm_error *err);

/* In the order in which they are read: variants name launches. */
static const struct {
    const char *kind;
    bool named;
    read_fn read;
} kinds[] = {{"workload", false, read_workload},
             {"size", true, read_size},
             {"buffer", true, read_buffer},
             {"launch", true, read_launch},
             {"variant", true, read_variant}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static pm_status check_kind(const pm_workload_file *f, const pm_section *section, pm_error *err)
{
    for (size_t k = 0; k < KINDS; k++) {
        if (strcmp(section->kind, kinds[k].kind) != 0)
            continue;
        if (kinds[k].named == (*section->name != '\0'))
            return PM_OK;
        return pm_workload_file_fault(f, section->line, err,
                                      kinds[k].named ? "[%s] needs a name: [%s NAME]"
                                                     : "[%s] takes no name: write [%s]",
                                      section->kind, section->kind);
    }
    return pm_workload_file_fault(f, section->line, err,
                                  "no section is called [%s]; there are: [workload], [size NAME], "
                                  "[buffer NAME], [launch NAME], [variant NAME]",
                                  section->kind);
}

static const pm_section *first_of(const pm_workload_file *f, const char *kind)
{
    for (size_t s = 0; s < f->sections.count; s++)
        if (strcmp(f->sections.items[s].kind, kind) == 0)
            return &f->sections.items[s];
    return NULL;
}

static size_t count_kind(const pm_workload_file *f, const char *kind)
{
    size_t count = 0;

    for (size_t s = 0; s < f->sections.count; s++)
        count += strcmp(f->sections.items[s].kind, kind) == 0;
    return count;
}

static pm_status make_room(pm_workload_file *f, size_t parameters, pm_error *err)
{
    f->parameters = calloc(parameters + 1, sizeof *f->parameters);
    f->values = calloc(count_kind(f, "size") * parameters + 1, sizeof *f->values);
    f->sizes = calloc(count_kind(f, "size") + 1, sizeof *f->sizes);
    f->buffers = calloc(count_kind(f, "buffer") + 1, sizeof *f->buffers);
    f->launches = calloc(count_kind(f, "launch") + 1, sizeof *f->launches);
    f->variants = calloc(count_kind(f, "variant") + 1, sizeof *f->variants);
    if (!f->parameters || !f->values || !f->sizes || !f->buffers || !f->launches || !f->variants)
        return no_memory(f, err);
    return PM_OK;
}

static pm_status check_sections(pm_workload_file *f, pm_error *err)
{
    static const char *const needed[] = {"workload", "size", "launch"};
    const pm_section *first = first_of(f, "size");
    pm_status status = PM_OK;

    for (size_t s = 0; status == PM_OK && s < f->sections.count; s++)
        status = check_kind(f, &f->sections.items[s], err);
    for (size_t k = 0; status == PM_OK && k < sizeof needed / sizeof *needed; k++)
        if (!first_of(f, needed[k]))
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: it has no [%s%s]; perfmodel advise --template prints a workload "
                           "file to start from",
                           f->path, needed[k], k ? " NAME" : "");
    if (status == PM_OK && first)
        status = make_room(f, first->count, err);
    return status == PM_OK && first ? name_parameters(f, first, err) : status;
}

static pm_status describe(pm_workload_file *f, pm_error *err)
{
    pm_status status = check_sections(f, err);

    for (size_t k = 0; status == PM_OK && k < KINDS; k++)
        for (size_t s = 0; status == PM_OK && s < f->sections.count; s++)
            if (strcmp(f->sections.items[s].kind, kinds[k].kind) == 0)
                status = kinds[k].read(f, &f->sections.items[s], err);
    return status;
}

static pm_status set_folder(pm_workload_file *f, pm_error *err)
{
    const char *slash;

    f->path = f->sections.path;
    slash = strrchr(f->path, '/');
    f->folder = strndup(f->path, slash ? (size_t)(slash - f->path) + 1 : 0);
    return f->folder ? PM_OK : no_memory(f, err);
}

pm_workload_file *pm_workload_file_parse(FILE *file, const char *path, pm_error *err)
{
    pm_workload_file *f = calloc(1, sizeof *f);

    if (!f) {
        pm_fail(err, PM_FAILED, "%s: out of memory", path);
        return NULL;
    }
    if (pm_sections_read(file, path, &f->sections, err) == PM_OK && set_folder(f, err) == PM_OK &&
        describe(f, err) == PM_OK)
        return f;
    pm_workload_file_free(f);
    return NULL;
}

pm_workload_file *pm_workload_file_read(const char *path, pm_error *err)
{
    FILE *file = fopen(path, "rb");
    pm_workload_file *f;

    if (!file) {
        pm_fail(err, PM_BAD_INPUT,
                "%s: %s; perfmodel advise --template prints a workload file to start from", path,
                strerror(errno));
        return NULL;
    }
    f = pm_workload_file_parse(file, path, err);
    fclose(file);
    return f;
}

void pm_workload_file_free(pm_workload_file *f)
{
    if (!f)
        return;
    for (size_t b = 0; b < f->buffer_count; b++)
        free(f->buffers[b].fields);
    for (size_t v = 0; v < f->variant_count; v++)
        free(f->variants[v].launches);
    free(f->parameters);
    free(f->values);
    free(f->sizes);
    free(f->buffers);
    free(f->launches);
    free(f->variants);
    free(f->folder);
    pm_sections_free(&f->sections);
    free(f);
}

/* ---- lists --------------------------------------------------------------------------------- */

bool pm_file_item(const char **rest, char item[PM_FILE_ITEM])
{
    const char *at = *rest + strspn(*rest, " \t");
    size_t end = 0, length;
    int depth = 0;

    while (at[end] && (at[end] != ',' || depth > 0)) {
        depth += (at[end] == '(') - (at[end] == ')');
        end++;
    }
    *rest = at[end] ? at + end + 1 : NULL;
    length = end;
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t'))
        length--;
    if (length == 0 || length >= PM_FILE_ITEM)
        return false;
    memcpy(item, at, length);
    item[length] = '\0';
    return true;
}
