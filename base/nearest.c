/* Compares names by edit distance. See nearest.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/nearest.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/numbers.h"
#include "base/text.h"

enum { LONGEST = 64, LEAST_BEGINNING = 3 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool is_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

size_t pm_name_distance(const char *a, const char *b)
{
    const size_t m = strlen(a), n = strlen(b);
    /* Dynamic programming with three rows. rows[i % 3][k]: edit distance between the first i
     * letters of a and the first k letters of b. */
    size_t rows[3][LONGEST + 1];

    if (m > LONGEST || n > LONGEST)
        return SIZE_MAX;
    for (size_t k = 0; k <= n; k++)
        rows[0][k] = k;
    for (size_t i = 1; i <= m; i++) {
        size_t *now = rows[i % 3];
        const size_t *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];

        now[0] = i;
        for (size_t k = 1; k <= n; k++) {
            now[k] = least(before[k - 1] + !is_same(a[i - 1], b[k - 1]),
                           least(before[k], now[k - 1]) + 1);
            if (i > 1 && k > 1 && is_same(a[i - 1], b[k - 2]) && is_same(a[i - 2], b[k - 1]))
                now[k] = least(now[k], earlier[k - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

void pm_nearest_open(pm_nearest *nearest, const char *wrong)
{
    *nearest = (pm_nearest){.wrong = wrong, .distance = SIZE_MAX};
}

/* Returns the edit distance of `wrong` from a valid name. SIZE_MAX if the two are not similar. */
static size_t near_distance(const char *wrong, const char *name)
{
    const size_t length = strlen(wrong), longer = length > strlen(name) ? length : strlen(name);
    const size_t distance = pm_name_distance(wrong, name);

    if (length >= LEAST_BEGINNING && strncasecmp(wrong, name, length) == 0)
        return 0;
    /* Two names that have no letter in common are not similar, even if both are short. */
    return distance < least(length, strlen(name)) && (distance <= 1 || distance <= longer / 3)
               ? distance
               : SIZE_MAX;
}

void pm_nearest_add(pm_nearest *nearest, const char *name)
{
    pm_nearest_add_as(nearest, name, name);
}

void pm_nearest_add_as(pm_nearest *nearest, const char *name, const char *spelling)
{
    const size_t distance =
        least(near_distance(nearest->wrong, name), near_distance(nearest->wrong, spelling));
    char shown[PM_SHOWN_CELL];

    nearest->count++;
    pm_list_add(nearest->list, sizeof nearest->list, "%s", pm_shown(name, shown, sizeof shown));
    if (distance == SIZE_MAX || distance > nearest->distance)
        return;
    if (distance < nearest->distance)
        nearest->near_count = 0;
    nearest->distance = distance;
    if (nearest->near_count < PM_NEAREST_NAMES)
        nearest->near[nearest->near_count++] = name;
}

void pm_nearest_add_all(pm_nearest *nearest, const char *const *names)
{
    for (; *names; names++)
        pm_nearest_add(nearest, *names);
}

static size_t put_question(pm_nearest *nearest)
{
    const size_t count = nearest->near_count, size = sizeof nearest->text;
    size_t used = 0;

    nearest->text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *before = i == 0 ? "did you mean " : i + 1 < count ? ", " : " or ";
        char shown[PM_SHOWN_CELL];

        used += (size_t)snprintf(nearest->text + used, size - used, "%s%s", before,
                                 pm_shown(nearest->near[i], shown, sizeof shown));
    }
    if (count > 0)
        used += (size_t)snprintf(nearest->text + used, size - used, "?");
    return used;
}

const char *pm_nearest_question(pm_nearest *nearest)
{
    put_question(nearest);
    return nearest->text;
}

const char *pm_nearest_text(pm_nearest *nearest, const char *lister)
{
    const size_t used = put_question(nearest), left = sizeof nearest->text - used;
    const char *between = used > 0 ? " " : "";
    const bool all = !strstr(nearest->list, ", ...");
    char *end = nearest->text + used;

    if (nearest->count == 0)
        snprintf(end, left, "%sthere is none", between);
    else if (all || !lister)
        snprintf(end, left, "%s%s: %s", between, used > 0 ? "There is" : "there is", nearest->list);
    else if (used > 0)
        snprintf(end, left, " %s lists all %zu", lister, nearest->count);
    else
        snprintf(end, left, "%s lists all %zu, such as %.*s", lister, nearest->count,
                 (int)strcspn(nearest->list, ","), nearest->list);
    return nearest->text;
}
