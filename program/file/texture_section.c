/* Reads the sections [texture NAME] of a workload file. textures.c makes texture objects from them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/file/from_file.h"
#include "program/file/keys.h"

void pm_file_read_texture(pm_workload_file *f, const pm_section *section)
{
    pm_file_texture *t = &f->textures[f->texture_count++];
    pm_file_text array = {0};
    const pm_file_slot slots[] = {
        {"buffer", &t->buffer}, {"type", &t->type},       {"width", &t->width},
        {"height", &t->height}, {"pitch", &t->pitch},     {"array", &array},
        {"filter", &t->filter}, {"address", &t->address}, {"coordinates", &t->coordinates},
        {"read", &t->read},     {"object", &t->object}};

    *t = (pm_file_texture){.name = section->name, .line = section->line};
    for (size_t i = 0; i < section->count; i++)
        if (!pm_file_set_key(slots, sizeof slots / sizeof *slots, section->settings[i].key,
                             &section->settings[i]))
            pm_file_unknown_key(f, section, &section->settings[i],
                                "buffer, type, width, height, pitch, array, filter, address, "
                                "coordinates, read, object");
    t->array = pm_file_yes(f, &array);
    if (t->object.text)
        return;
    pm_file_demand(f, section, &t->buffer, "buffer", "buffer = BUFFER, which has the texels");
    pm_file_demand(f, section, &t->width, "width", "width = texels of a row");
}
