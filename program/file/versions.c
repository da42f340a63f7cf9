/* Reads the sections of a workload file that name a source: the variants of the program, the
 * reference version with correct results, and the source that computes initial contents. See
 * keys.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/file/keys.h"

#include <string.h>

/* Stores the value of a variant's key launch.NAME.KEY, which replaces KEY of launch NAME. NAME may
 * contain dots. */
static void override(const pm_workload_file *f, pm_file_variant *variant, const pm_setting *setting)
{
    const char *name = setting->key + strlen("launch."), *dot = strrchr(name, '.');
    pm_file_slot slots[PM_LAUNCH_SLOTS];

    for (size_t l = 0; dot && l < f->launch_count; l++) {
        if (strlen(f->launches[l].name) != (size_t)(dot - name) ||
            strncmp(f->launches[l].name, name, (size_t)(dot - name)) != 0)
            continue;
        if (f->launches[l].contents)
            pm_file_read_fault(f, setting->line,
                               "launch %s has contents = yes: all versions start with the same "
                               "contents",
                               f->launches[l].name);
        pm_file_launch_slots(&variant->launches[l], slots);
        if (!pm_file_set_key(slots, PM_LAUNCH_SLOTS, dot + 1, setting))
            pm_file_read_fault(f, setting->line,
                               "a launch has no key \"%s\"; it has: " PM_LAUNCH_KEYS, dot + 1);
        if (strcmp(dot + 1, "repeat") == 0 && f->launches[l].with != l)
            pm_file_read_fault(f, setting->line, "launch %s repeats with %s: say it of that one",
                               f->launches[l].name, f->launches[f->launches[l].with].name);
        return;
    }
    pm_file_read_fault(f, setting->line,
                       "\"%s\": write launch.NAME.KEY, with the NAME of a [launch NAME]",
                       setting->key);
}

/* Reads a section [variant NAME] or [reference] into `variant`. slots: the `count` keys that it may
 * have in addition to launch.NAME.KEY. names: these keys in a list, for error messages. */
static void read_version(pm_workload_file *f, const pm_section *section, pm_file_variant *variant,
                         const pm_file_slot *slots, size_t count, const char *names)
{
    *variant = (pm_file_variant){.name = section->name, .line = section->line};
    variant->launches = pm_take(&f->memory, f->launch_count, sizeof *variant->launches);
    for (size_t i = 0; i < section->count; i++) {
        const pm_setting *setting = &section->settings[i];

        if (strncmp(setting->key, "launch.", strlen("launch.")) == 0)
            override(f, variant, setting);
        else if (!pm_file_set_key(slots, count, setting->key, setting))
            pm_file_unknown_key(f, section, setting, names);
    }
    if (section->count == 0)
        pm_file_read_fault(f, section->line,
                           "[%s%s%s] changes nothing: give it a source, options or launch.NAME.KEY",
                           section->kind, *section->name ? " " : "", section->name);
}

void pm_file_read_variant(pm_workload_file *f, const pm_section *section)
{
    pm_file_variant *variant = &f->variants[f->variant_count];
    const pm_file_slot slots[] = {{"source", &variant->source}, {"options", &variant->options}};

    /* A section that has the name of the plain version (the program's source without transforms)
     * and no keys only tells the position of the plain version in lists of variants. */
    if (section->count == 0 && f->base.text && strcmp(section->name, f->base.text) == 0) {
        f->base_place = f->variant_count;
        return;
    }
    read_version(f, section, variant, slots, 2, "source, options, launch.NAME.KEY");
    f->variant_count++;
}

/* Finds the buffer that the key `errors` of an output buffer names: allowed errors, which the
 * reference computes. Sets buffer->errors_at to its index. It must be a buffer with reference =
 * yes. */
static void find_errors(pm_workload_file *f, pm_file_buffer *buffer)
{
    for (size_t i = f->common_count; i < f->buffer_count; i++)
        if (strcmp(f->buffers[i].name, buffer->errors.text) == 0 &&
            strcmp(f->buffers[i].type.text, buffer->type.text) == 0) {
            buffer->errors_at = i;
            f->buffers[i].output = true;
            return;
        }
    pm_file_read_fault(f, buffer->errors.line,
                       "errors \"%.40s\": a buffer of type %s with reference = yes",
                       buffer->errors.text, buffer->type.text);
}

/* Finds the output buffer that the key `after` of a reference's buffer names, and sets
 * buffer->after_at to its index. The reference's buffer starts with the contents of that output. */
static void find_after(pm_workload_file *f, pm_file_buffer *buffer)
{
    for (size_t i = 0; i < f->common_count; i++)
        if (f->buffers[i].output && strcmp(f->buffers[i].name, buffer->after.text) == 0 &&
            strcmp(f->buffers[i].type.text, buffer->type.text) == 0) {
            buffer->after_at = i;
            f->reference->after = true;
            return;
        }
    pm_file_read_fault(f, buffer->after.line,
                       "after \"%.40s\": a buffer of type %s with output = yes", buffer->after.text,
                       buffer->type.text);
}

void pm_file_read_reference(pm_workload_file *f, const pm_section *section)
{
    pm_file_text sizes = {0}, partial = {0};
    pm_file_reference *own = pm_take(&f->memory, 1, sizeof *own);
    const pm_file_slot slots[] = {{"source", &own->version.source},
                                  {"options", &own->version.options},
                                  {"tolerance", &own->tolerance},
                                  {"tolerance.absolute", &own->absolute},
                                  {"tolerance.relative", &own->relative},
                                  {"sizes", &sizes},
                                  {"partial", &partial}};

    read_version(f, section, &own->version, slots, sizeof slots / sizeof *slots,
                 "source, options, launch.NAME.KEY, tolerance, tolerance.absolute, "
                 "tolerance.relative, sizes, partial");
    if (own->tolerance.text && (own->absolute.text || own->relative.text))
        pm_file_read_fault(
            f, own->tolerance.line,
            "tolerance stands beside tolerance.absolute or tolerance.relative, which "
            "replace it: leave one or the other out");
    own->all_sizes = sizes.text && strcmp(sizes.text, "all") == 0;
    if (sizes.text && !own->all_sizes && strcmp(sizes.text, "first") != 0)
        pm_file_read_fault(f, sizes.line, "sizes \"%.40s\": all or first", sizes.text);
    own->partial = pm_file_yes(f, &partial);
    f->reference = own;
    for (size_t i = 0; i < f->common_count; i++)
        if (f->buffers[i].errors.text)
            find_errors(f, &f->buffers[i]);
    for (size_t i = 0; i < f->buffer_count; i++) {
        if (f->buffers[i].after.text && !f->buffers[i].reference)
            pm_file_read_fault(f, f->buffers[i].after.line,
                               "after is for buffers with reference = yes");
        if (f->buffers[i].after.text)
            find_after(f, &f->buffers[i]);
    }
}

void pm_file_read_contents(pm_workload_file *f, const pm_section *section)
{
    pm_file_variant *own = pm_take(&f->memory, 1, sizeof *own);
    const pm_file_slot slots[] = {{"source", &own->source}, {"options", &own->options}};
    bool launched = false;

    *own = (pm_file_variant){.name = "contents", .line = section->line};
    own->launches = pm_take(&f->memory, f->launch_count, sizeof *own->launches);
    for (size_t i = 0; i < section->count; i++)
        if (!pm_file_set_key(slots, 2, section->settings[i].key, &section->settings[i]))
            pm_file_unknown_key(f, section, &section->settings[i], "source, options");
    pm_file_demand(f, section, &own->source, "source", "source = FILE.cl");
    for (size_t l = 0; l < f->launch_count; l++)
        launched = launched || f->launches[l].contents;
    if (!launched)
        pm_file_read_fault(f, section->line,
                           "[contents] has no launch: add a [launch NAME] with contents = yes");
    f->contents = own;
}

void pm_file_read_layout(pm_workload_file *f, const pm_section *section)
{
    pm_file_layout *own = &f->layouts[f->layout_count++];
    const pm_file_slot slot = {"layout", &own->layout};

    *own = (pm_file_layout){.name = section->name, .line = section->line};
    for (size_t i = 0; i < section->count; i++)
        if (!pm_file_set_key(&slot, 1, section->settings[i].key, &section->settings[i]))
            pm_file_unknown_key(f, section, &section->settings[i], "layout");
    pm_file_demand(f, section, &own->layout, "layout", "layout = TEXT, such as cluster:x+y/z");
}
