/* Functions for tests of layouts that rewrite a source for a layout, as a user would.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_REWRITE_FIXTURE_H
#define PM_TESTS_REWRITE_FIXTURE_H

#include "unit.h"

#include "collector/worker/source.h"
#include "layout_try.h"
#include "worker_fixture.h"

enum { MOST_STRUCTS = 8 };

/* Rewrites all structs of the source in one layout. The caller frees *out. */
static inline pm_status rewrite_source(const char *text, const char *path, const char *layout,
                                       pm_rewritten *out, pm_error *err)
{
    pm_source *source = pm_source_open(text, path, "", test_worker(), NULL, err);
    const pm_structs *structs;
    pm_plan *plans[MOST_STRUCTS] = {NULL};
    pm_status status = PM_OK;

    *out = (pm_rewritten){.text = NULL};
    if (!source)
        return err->status;
    structs = &pm_source_describe(source)->structs;
    for (size_t s = 0; status == PM_OK && s < structs->count && s < MOST_STRUCTS; s++) {
        pm_layout parsed = {.clusters = NULL};

        status = try_parse(layout, &structs->items[s], &parsed, err);
        if (status == PM_OK)
            plans[s] = try_plan(&structs->items[s], &parsed, err);
        if (!plans[s])
            status = err->status;
    }
    if (status == PM_OK)
        status = pm_source_rewrite(source, (const pm_plan *const *)plans, out, err);
    pm_source_close(source);
    return status;
}

/* Checks that the text contains the parts, which are separated by '|', in this order. */
static inline void assert_has(const char *text, const char *parts)
{
    const char *at = text;

    while (*parts) {
        size_t length = strcspn(parts, "|");
        char part[256];

        snprintf(part, sizeof part, "%.*s", (int)length, parts);
        at = strstr(at, part);
        if (!at)
            fail_msg("\"%s\" has no \"%s\" there", text, part);
        at += length;
        parts += length + (parts[length] == '|');
    }
}

#endif
