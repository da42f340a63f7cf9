/* Fields of a struct: counting, finding, freeing. See fields.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fields.h"

#include <stdlib.h>
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
    /* Paths first: they are what the user reads in the source, and one may be another's name. */
    for (size_t f = 0; f < structure->field_count; f++)
        if (strcmp(structure->fields[f].path, name) == 0)
            return f;
    for (size_t f = 0; f < structure->field_count; f++)
        if (strcmp(structure->fields[f].name, name) == 0)
            return f;
    return structure->field_count;
}

void pm_structs_free(pm_structs *structs)
{
    for (size_t s = 0; s < structs->count; s++) {
        pm_struct *structure = &structs->items[s];

        for (size_t f = 0; f < structure->field_count; f++) {
            free(structure->fields[f].path);
            free(structure->fields[f].access);
            free(structure->fields[f].name);
            free(structure->fields[f].type);
        }
        free(structure->fields);
        free(structure->name);
    }
    free(structs->items);
    *structs = (pm_structs){0};
}
