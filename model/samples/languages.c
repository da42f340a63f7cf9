/* Marks the rows of a dataset whose source is CUDA, from its provenance. See table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <jansson.h>
#include <string.h>

#include "model/samples/table.h"

void pm_dataset_mark_languages(pm_dataset *dataset)
{
    /* If the provenance file or its object "languages" is missing, all rows are OpenCL. */
    json_t *document = pm_provenance_load(dataset->path);
    const json_t *languages = json_object_get(document, "languages");

    for (size_t i = 0; languages && i < dataset->rows; i++) {
        pm_sample *s = &dataset->samples[i];
        const char *of =
            json_string_value(json_object_get(json_object_get(languages, s->program), s->variant));

        s->cuda = of && strcmp(of, PM_CUDA) == 0;
    }
    json_decref(document);
}
