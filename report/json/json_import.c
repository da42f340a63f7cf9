/* Makes the JSON document of collect --import. See json.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/json/json.h"

static json_t *compared_json(const void *thing)
{
    static const pm_json_member members[] = {PM_JSON(TEXT, pm_import_compared, kernel),
                                             PM_JSON(TEXT, pm_import_compared, counter),
                                             PM_JSON(TEXT, pm_import_compared, unit),
                                             PM_JSON(TEXT, pm_import_compared, profiler_name),
                                             PM_JSON(NUMBER, pm_import_compared, profiled),
                                             PM_JSON(NUMBER, pm_import_compared, traced)};

    return PM_JSON_OBJECT(thing, members);
}

json_t *pm_json_imported(const pm_imported *imported)
{
    static const pm_json_member members[] = {
        PM_JSON(TEXT, pm_imported, tool), PM_JSON_AS("measured", COUNT, pm_imported, rows),
        PM_JSON(COUNT, pm_imported, kept), PM_JSON_AS("skipped", COUNT, pm_imported, left_out)};
    json_t *document = json_pack("{s:o,s:o,s:i}", "device", pm_json_text(imported->device),
                                 "dataset", pm_json_text(imported->path), "failed", 0);

    json_object_update_new(document, PM_JSON_OBJECT(imported, members));
    json_object_set_new(document, "unknown_counters",
                        pm_json_texts((char *const *)imported->unknown, imported->unknown_count));
    json_object_set_new(document, "comparison",
                        pm_json_things(imported->compared, imported->compared_count,
                                       sizeof *imported->compared, compared_json));
    return document;
}
