/* Adds textures that a workload binds to texture references of a CUDA source. See workload.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/workload.h"

static void free_texture(pm_texture *texture)
{
    free(texture->name);
    free(texture->object.large);
    free(texture->object.pointers.items);
}

void pm_workload_texture(pm_workload *workload, const char *name, const void *object, size_t bytes,
                         const pm_pointer *texels)
{
    pm_texture *grown, texture = {.object = {.kind = PM_ARG_VALUE, .bytes = bytes}};
    bool copied;

    if (!workload || workload->error.status != PM_OK)
        return;
    texture.name = strdup(name);
    if (bytes > sizeof texture.object.value)
        texture.object.large = malloc(bytes);
    copied = texture.name && (texture.object.large || bytes <= sizeof texture.object.value) &&
             pm_pointers_copy(&texture.object.pointers, texels, 1);
    grown = realloc(workload->textures, (workload->texture_count + 1) * sizeof *grown);
    if (grown)
        workload->textures = grown;
    if (!grown || !copied) {
        free_texture(&texture);
        pm_fail(&workload->error, PM_FAILED, "%s: out of memory for texture %s", workload->program,
                name);
        return;
    }
    memcpy(texture.object.large ? texture.object.large : texture.object.value, object, bytes);
    grown[workload->texture_count++] = texture;
}

void pm_workload_free_textures(pm_workload *workload)
{
    for (size_t i = 0; i < workload->texture_count; i++)
        free_texture(&workload->textures[i]);
    free(workload->textures);
}
