/* Values as JSON. See report.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

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
    return json_pack("{s:o,s:o,s:o}", "lo", pm_json_number(range->lo), "mid",
                     pm_json_number(range->mid), "hi", pm_json_number(range->hi));
}
