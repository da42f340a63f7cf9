/* Stores the values of the keys in a workload file's sections. See keys.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/file/keys.h"

#include <string.h>

pm_file_text pm_file_text_of(const pm_setting *setting)
{
    return (pm_file_text){.text = setting->value, .line = setting->line};
}

/* Stores the value of a line KEY = VALUE in the member that belongs to the key. slots: the `count`
 * keys that the section may have. Returns false if KEY is none of them. */
bool pm_file_set_key(const pm_file_slot *slots, size_t count, const char *key,
                     const pm_setting *setting)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(slots[i].key, key) == 0) {
            *slots[i].place = pm_file_text_of(setting);
            return true;
        }
    return false;
}

void pm_file_unknown_key(const pm_workload_file *f, const pm_section *section,
                         const pm_setting *setting, const char *right)
{
    pm_file_read_fault(f, setting->line, "[%s] has no key \"%s\"; it has: %s", section->kind,
                       setting->key, right);
}

bool pm_file_yes(const pm_workload_file *f, const pm_file_text *text)
{
    const bool yes = text->text && strcmp(text->text, "yes") == 0;

    if (text->text && !yes && strcmp(text->text, "no") != 0)
        pm_file_read_fault(f, text->line, "\"%.40s\": yes or no", text->text);
    return yes;
}

void pm_file_demand(const pm_workload_file *f, const pm_section *section, const pm_file_text *text,
                    const char *key, const char *how)
{
    if (!text->text)
        pm_file_read_fault(f, section->line, "[%s%s%s] has no \"%s\": add %s", section->kind,
                           *section->name ? " " : "", section->name, key, how);
}

void pm_file_launch_slots(pm_file_launch_texts *texts, pm_file_slot slots[PM_LAUNCH_SLOTS])
{
    slots[0] = (pm_file_slot){"kernel", &texts->kernel};
    slots[1] = (pm_file_slot){"global", &texts->global};
    slots[2] = (pm_file_slot){"local", &texts->local};
    slots[3] = (pm_file_slot){"offset", &texts->offset};
    slots[4] = (pm_file_slot){"arguments", &texts->arguments};
    slots[5] = (pm_file_slot){"repeat", &texts->repeat};
    slots[6] = (pm_file_slot){"grid", &texts->grid};
    slots[7] = (pm_file_slot){"block", &texts->block};
    slots[8] = (pm_file_slot){"shared", &texts->shared};
}
