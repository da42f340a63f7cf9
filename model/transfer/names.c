/* Gives a number to each name of a program, variant or configuration (kernel, variant and size) in
 * the training rows, because numbers are faster to compare. See pooled_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "model/transfer/pooled_parts.h"

typedef struct {
    const pm_numbered *list;
    const char *text;
} sought;

static bool is_same(const void *key, size_t value)
{
    const sought *s = key;

    return strcmp(s->list->items[value], s->text) == 0;
}

size_t pm_numbered_find(const pm_numbered *list, const char *text)
{
    const sought s = {list, text};
    const size_t found = pm_hash_index_find(&list->index, pm_hash_text(text), is_same, &s);

    return found == PM_NO_ENTRY ? PM_NO_NAME : found;
}

size_t pm_numbered_add(pm_memory *memory, pm_numbered *list, const char *text)
{
    size_t number = pm_numbered_find(list, text);

    if (number != PM_NO_NAME)
        return number;
    number = list->count;
    *pm_add(memory, list->items, list->count) = pm_copy(memory, text);
    if (!pm_hash_index_add(&list->index, pm_hash_text(text), number))
        pm_leave(memory, PM_FAILED, "out of memory for the names of samples");
    return number;
}

/* Returns a text that identifies the variant of a row's kernel: program, variant and kernel,
 * separated by line feeds, which no name contains. A program and its CUDA version count as the same
 * program. */
const char *pm_variant_name(pm_memory *memory, const pm_sample *s)
{
    return pm_format(memory, "%s\n%s\n%s", pm_twin_name(memory, s->program), s->variant, s->kernel);
}

const char *pm_config_name(pm_memory *memory, const pm_sample *s)
{
    return pm_format(memory, "%s\n%s", pm_variant_name(memory, s), s->size);
}
