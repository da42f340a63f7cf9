/* Numbers for people. See format.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "table.h"

static const char *put(pm_format_text text, const char *what)
{
    snprintf(text, PM_FORMAT_SIZE, "%s", what);
    return text;
}

/* Digits with a comma before each three, and decimals after them. What is longer than a double's
 * digits is written as a power of ten. */
static const char *put_digits(double value, int decimals, pm_format_text text)
{
    bool power = fabs(value) >= 1e15;
    char plain[PM_FORMAT_SIZE];
    size_t length, used = 0;

    snprintf(plain, sizeof plain, power ? "%.*e" : "%.*f", power ? 2 : decimals, fabs(value));
    if (value < 0 && strspn(plain, "0.") < strlen(plain))
        used = (size_t)snprintf(text, PM_FORMAT_SIZE, "\xE2\x88\x92"); /* a minus sign */
    length = power ? 0 : strcspn(plain, ".");
    for (size_t i = 0; plain[i] && used + 2 < PM_FORMAT_SIZE; i++) {
        if (i > 0 && i < length && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = plain[i];
    }
    text[used] = '\0';
    return text;
}

const char *pm_format_money(double value, const char *currency, pm_format_text text)
{
    size_t used;

    if (isnan(value))
        return put(text, "unknown");
    put_digits(value, fabs(value) < 99.995 ? 2 : 0, text);
    used = strlen(text);
    if (currency)
        snprintf(text + used, PM_FORMAT_SIZE - used, " %s", currency);
    return text;
}

const char *pm_format_days(double days, pm_format_text text)
{
    static const struct {
        double most, unit; /* days */
        int decimals;
        const char *name;
    } units[] = {{1, 1.0 / 24, 1, "hours"},
                 {10, 1, 1, "days"},
                 {60, 1, 0, "days"},
                 {730.5, 365.25 / 12, 1, "months"},
                 {36525, 365.25, 1, "years"}};
    size_t used;

    if (isnan(days))
        return put(text, "unknown");
    if (isinf(days))
        return put(text, "never");
    if (days == 0)
        return put(text, "at once");
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        if (days < units[u].most) {
            put_digits(days / units[u].unit, units[u].decimals, text);
            used = strlen(text);
            snprintf(text + used, PM_FORMAT_SIZE - used, " %s", units[u].name);
            return text;
        }
    return put(text, "over 100 years");
}

const char *pm_format_payback(double days, pm_format_text text)
{
    pm_format_text after;

    pm_format_days(days, after);
    snprintf(text, PM_FORMAT_SIZE, "%s%.60s", days > 0 && isfinite(days) ? "in " : "", after);
    return text;
}

const char *pm_format_count(double count, pm_format_text text)
{
    if (isnan(count))
        return put(text, "unknown");
    if (isinf(count))
        return put(text, "never");
    return put_digits(ceil(count), 0, text);
}

const char *pm_format_hours(double hours, pm_format_text text)
{
    return isnan(hours) ? put(text, "unknown") : put_digits(hours, hours < 10 ? 1 : 0, text);
}

const char *pm_format_gain(double gain, pm_format_text text)
{
    if (!isfinite(gain))
        return put(text, "unknown");
    snprintf(text, PM_FORMAT_SIZE, gain < 10 ? "%.2f\xC3\x97" : "%.3g\xC3\x97", gain);
    return text;
}

const char *pm_format_chance(double chance, pm_format_text text)
{
    if (isnan(chance))
        return put(text, "unknown");
    if (chance > 0 && chance < 0.01)
        return put(text, "under 1 %");
    if (chance < 1 && chance > 0.99)
        return put(text, "over 99 %");
    snprintf(text, PM_FORMAT_SIZE, "%.0f %%", 100 * chance);
    return text;
}

const char *pm_format_time(double seconds, pm_format_text text)
{
    char time[32];

    return put(text, isfinite(seconds) ? pm_time_text(seconds, time) : "unknown");
}

const char *pm_format_number(double value, pm_format_text text)
{
    if (isnan(value))
        return put(text, "unknown");
    if (value == rint(value) || fabs(value) >= 1000)
        return put_digits(value, 0, text);
    snprintf(text, PM_FORMAT_SIZE, "%.4g", value);
    return text;
}
