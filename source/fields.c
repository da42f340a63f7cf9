/* Fields of a struct: counting, finding, copying, freeing; and freeing a description. See fields.h
 * and source.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "source/fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "source/source.h"

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

/* false: out of memory; what there is can be freed. */
static bool copy_struct(const pm_struct *structure, pm_struct *copy)
{
    *copy = (pm_struct){.bytes = structure->bytes, .align = structure->align};
    copy->name = strdup(structure->name);
    copy->fields = calloc(structure->field_count + 1, sizeof *copy->fields);
    if (!copy->name || !copy->fields)
        return false;
    for (; copy->field_count < structure->field_count; copy->field_count++) {
        const pm_field *field = &structure->fields[copy->field_count];
        pm_field *to = &copy->fields[copy->field_count];

        *to = *field;
        to->path = strdup(field->path);
        to->name = strdup(field->name);
        to->type = strdup(field->type);
        to->access = field->access ? strdup(field->access) : NULL;
        if (!to->path || !to->name || !to->type || (field->access && !to->access)) {
            copy->field_count++;
            return false;
        }
    }
    return true;
}

pm_status pm_structs_copy(const pm_structs *structs, pm_structs *copy, pm_error *err)
{
    bool done = true;

    *copy = (pm_structs){.items = calloc(structs->count + 1, sizeof *copy->items)};
    if (!copy->items)
        return pm_fail(err, PM_FAILED, "out of memory for the structs of a source");
    for (size_t s = 0; done && s < structs->count; s++) {
        copy->count++;
        done = copy_struct(&structs->items[s], &copy->items[s]);
    }
    if (done)
        return PM_OK;
    pm_structs_free(copy);
    return pm_fail(err, PM_FAILED, "out of memory for the structs of a source");
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

void pm_source_info_free(pm_source_info *info)
{
    for (size_t k = 0; k < info->kernel_count; k++) {
        for (size_t p = 0; p < info->kernels[k].param_count; p++)
            free(info->kernels[k].params[p].name);
        free(info->kernels[k].params);
        free(info->kernels[k].accesses);
        free(info->kernels[k].name);
    }
    free(info->kernels);
    for (size_t i = 0; i < info->name_count; i++)
        free(info->names[i]);
    free(info->names);
    pm_structs_free(&info->structs);
    *info = (pm_source_info){.names = NULL};
}
