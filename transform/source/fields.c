/* Counts the elements of a struct's field, finds fields by name, and copies descriptions of
 * structs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/fields.h"

#include <string.h>

size_t pm_field_elements(const pm_field *field)
{
    size_t elements = 1;

    for (size_t d = 0; d < field->extent_count; d++)
        elements *= field->extents[d].count;
    return elements;
}

size_t pm_struct_field(const pm_struct *structure, const char *name)
{
    /* A path takes precedence over a name, because users know paths from the source, and a path can
     * equal the name of another field. */
    for (size_t f = 0; f < structure->field_count; f++)
        if (strcmp(structure->fields[f].path, name) == 0)
            return f;
    for (size_t f = 0; f < structure->field_count; f++)
        if (strcmp(structure->fields[f].name, name) == 0)
            return f;
    return structure->field_count;
}

pm_structs pm_structs_copy(pm_memory *memory, const pm_structs *structs)
{
    pm_structs copy = {structs->count, pm_take(memory, structs->count, sizeof *copy.items)};

    for (size_t s = 0; s < copy.count; s++) {
        pm_struct *to = &copy.items[s];

        *to = structs->items[s];
        to->name = pm_copy(memory, to->name);
        to->fields = pm_take(memory, to->field_count, sizeof *to->fields);
        for (size_t f = 0; f < to->field_count; f++) {
            pm_field *field = &to->fields[f];

            *field = structs->items[s].fields[f];
            field->path = pm_copy(memory, field->path);
            field->access = field->access ? pm_copy(memory, field->access) : NULL;
            field->name = pm_copy(memory, field->name);
            field->type = pm_copy(memory, field->type);
        }
    }
    return copy;
}
