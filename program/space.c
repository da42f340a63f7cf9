/* Converts values of tuning parameters to the name of a variant, such as tune:block=64,unroll=4,
 * and back. See space.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/space.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const char PREFIX[] = "tune:";

bool pm_version_is_text(const char *text)
{
    return strncmp(text, PREFIX, strlen(PREFIX)) == 0;
}

char *pm_version_text(pm_memory *memory, const pm_tune_space *space, const int64_t *values)
{
    pm_text text = {.memory = memory};

    pm_text_add(&text, "%s", PREFIX);
    for (size_t p = 0; p < space->count; p++)
        pm_text_add(&text, "%s%s=%" PRId64, p ? "," : "", space->parameters[p].name, values[p]);
    return pm_copy(memory, pm_text_get(&text));
}

static pm_status unknown(const pm_tune_space *space, const char *name, size_t length, pm_error *err)
{
    char list[400] = "";

    for (size_t p = 0; p < space->count; p++)
        pm_list_add(list, sizeof list, "%s", space->parameters[p].name);
    return pm_fail(err, PM_BAD_INPUT, "no parameter \"%.*s\" to tune; there is: %s",
                   length < 60 ? (int)length : 60, name, list);
}

/* Parses NAME=VALUE at *at, stores the value of this tuning parameter, and advances *at to the next
 * one. */
static pm_status read_one(const pm_tune_space *space, const char **at, int64_t *values,
                          pm_error *err)
{
    const size_t length = strcspn(*at, "=,");
    const char *value = *at + length + 1;
    size_t p = 0;
    char *end = (char *)value;

    while (p < space->count && (strlen(space->parameters[p].name) != length ||
                                memcmp(space->parameters[p].name, *at, length) != 0))
        p++;
    if (p == space->count)
        return unknown(space, *at, length, err);
    errno = 0;
    values[p] = (*at)[length] == '=' ? strtoll(value, &end, 10) : 0;
    if ((*at)[length] != '=' || end == value || (*end && *end != ',') || errno)
        return pm_fail(err, PM_BAD_INPUT, "\"%.60s\": write %s=VALUE, a whole number", *at,
                       space->parameters[p].name);
    *at = end + (*end == ',');
    return PM_OK;
}

pm_status pm_version_read(const pm_tune_space *space, const char *text, int64_t *values,
                          pm_error *err)
{
    const char *at = text + strlen(PREFIX);
    pm_status status = PM_OK;

    for (size_t p = 0; p < space->count; p++)
        values[p] = space->parameters[p].values[0];
    while (status == PM_OK && *at)
        status = read_one(space, &at, values, err);
    return status;
}
