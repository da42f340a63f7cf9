/* Bitcode of sources that were compiled before. See compiled.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/compiled.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

char *pm_compiled_key(const pm_arguments *arguments, const char *source_path, const char *source)
{
    pm_text key = {0};

    if (strstr(source, "include"))
        return NULL;
    for (size_t i = 0; i < arguments->count; i++)
        pm_text_add(&key, "%s\n", arguments->items[i]);
    pm_text_add(&key, "%s\n%s", source_path, source);
    return pm_text_take(&key);
}

static void *copy_of(const char *bytes, size_t count)
{
    char *copy = malloc(count);

    return copy ? memcpy(copy, bytes, count) : NULL;
}

bool pm_compiled_find(const pm_compiled_sources *sources, const char *key, char **bitcode,
                      size_t *bytes)
{
    for (size_t i = 0; i < PM_COMPILED_MOST; i++) {
        const pm_compiled *item = &sources->items[i];

        if (!item->what || strcmp(item->what, key) != 0)
            continue;
        *bitcode = copy_of(item->bitcode, item->bytes);
        *bytes = item->bytes;
        return *bitcode != NULL;
    }
    return false;
}

static void release(pm_compiled *item)
{
    free(item->what);
    free(item->bitcode);
    *item = (pm_compiled){0};
}

void pm_compiled_keep(pm_compiled_sources *sources, const char *key, const char *bitcode,
                      size_t bytes)
{
    pm_compiled *item = &sources->items[sources->next];

    release(item);
    *item = (pm_compiled){.what = strdup(key), .bitcode = copy_of(bitcode, bytes), .bytes = bytes};
    if (item->what && item->bitcode)
        sources->next = (sources->next + 1) % PM_COMPILED_MOST;
    else
        release(item);
}

void pm_compiled_free(pm_compiled_sources *sources)
{
    for (size_t i = 0; i < PM_COMPILED_MOST; i++)
        release(&sources->items[i]);
}
