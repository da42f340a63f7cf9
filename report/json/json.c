/* Writes values and members of structs as JSON. See json.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/json/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *pm_json_text(const char *text)
{
    json_t *string = text ? json_string(text) : json_null();
    char *plain;

    if (string || !(plain = strdup(text)))
        return string;
    for (char *c = plain; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = json_string(plain);
    free(plain);
    return string;
}

json_t *pm_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *pm_json_range(const pm_interval *range)
{
    static const pm_json_member members[] = {PM_JSON(NUMBER, pm_interval, lo),
                                             PM_JSON(NUMBER, pm_interval, mid),
                                             PM_JSON(NUMBER, pm_interval, hi)};

    return PM_JSON_OBJECT(range, members);
}

static json_t *count_json(size_t count, bool known)
{
    return known ? json_integer((json_int_t)count) : json_null();
}

static json_t *member_json(const void *place, pm_json_kind kind)
{
    const char *text;

    switch (kind) {
    case PM_JSON_TEXT:
        return pm_json_text(*(const char *const *)place);
    case PM_JSON_NAME:
        text = *(const char *const *)place;
        return pm_json_text(text && *text ? text : NULL);
    case PM_JSON_NUMBER:
        return pm_json_number(*(const double *)place);
    case PM_JSON_POSITIVE:
        return *(const double *)place > 0 ? pm_json_number(*(const double *)place) : json_null();
    case PM_JSON_RANGE:
        return pm_json_range(place);
    case PM_JSON_COUNT:
        return count_json(*(const size_t *)place, true);
    case PM_JSON_KNOWN:
        return count_json(*(const size_t *)place, *(const size_t *)place > 0);
    case PM_JSON_UNSIGNED:
        return count_json(*(const unsigned *)place, true);
    case PM_JSON_LINE:
        return count_json(*(const unsigned *)place, *(const unsigned *)place > 0);
    case PM_JSON_FLAG:
        return json_boolean(*(const bool *)place);
    }
    return NULL;
}

json_t *pm_json_members(const void *thing, const pm_json_member *members, size_t count)
{
    json_t *object = json_object();

    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, members[i].key,
                            member_json((const char *)thing + members[i].at, members[i].kind));
    return object;
}

json_t *pm_json_things(const void *things, size_t count, size_t size, json_t *(*one)(const void *))
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, one((const char *)things + i * size));
    return list;
}

json_t *pm_json_assumed(const char *const *assumed)
{
    json_t *list = json_array();

    for (; assumed && *assumed; assumed++)
        json_array_append_new(list, pm_json_text(*assumed));
    return list;
}

json_t *pm_json_texts(char *const *texts, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, pm_json_text(texts[i]));
    return list;
}
