/* Which rows of a dataset are of CUDA sources, as the file beside it says. See table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "samples/table.h"

/* Without such a file, or where it says nothing of languages, all rows are OpenCL's. */
static json_t *read_languages(const char *dataset_path)
{
    char path[PATH_MAX];
    json_t *document = NULL, *languages;
    int fd = pm_provenance_path(dataset_path, path, NULL) == PM_OK ? pm_file_open(path, NULL) : -1;

    if (fd < 0)
        return NULL;
    document = json_loadfd(fd, JSON_REJECT_DUPLICATES, NULL);
    close(fd);
    languages = json_incref(json_object_get(document, "languages"));
    json_decref(document);
    return languages;
}

void pm_dataset_mark_languages(pm_dataset *dataset)
{
    json_t *languages = read_languages(dataset->path);

    for (size_t i = 0; languages && i < dataset->rows; i++) {
        pm_sample *s = &dataset->samples[i];
        const char *of =
            json_string_value(json_object_get(json_object_get(languages, s->program), s->variant));

        s->cuda = of && strcmp(of, PM_CUDA) == 0;
    }
    json_decref(languages);
}
