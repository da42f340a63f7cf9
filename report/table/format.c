/* Formats times, gains, prices and counts as texts for people. See format.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/table/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

pm_words pm_words_of(const char *format, ...)
{
    pm_words words;
    va_list args;

    va_start(args, format);
    vsnprintf(words.s, sizeof words.s, format, args);
    va_end(args);
    return words;
}

/* ---- in a page ------------------------------------------------------------------------------ */

/* Formats a number with commas between thousands and the given number of decimals. A number from
 * 1e15 on is written as a power of ten, because a double is not exact to the last digit there. */
static pm_words digits(double value, int decimals)
{
    bool power = fabs(value) >= 1e15;
    pm_words plain = pm_words_of(power ? "%.*e" : "%.*f", power ? 2 : decimals, fabs(value)), words;
    size_t length = power ? 0 : strcspn(plain.s, "."), used = 0;

    if (value < 0 && strspn(plain.s, "0.") < strlen(plain.s))
        used = (size_t)snprintf(words.s, sizeof words.s, "\xE2\x88\x92"); /* a minus sign */
    for (size_t i = 0; plain.s[i] && used + 2 < sizeof words.s; i++) {
        if (i > 0 && i < length && (length - i) % 3 == 0)
            words.s[used++] = ',';
        words.s[used++] = plain.s[i];
    }
    words.s[used] = '\0';
    return words;
}

static pm_words unknown(void)
{
    return pm_words_of("unknown");
}

pm_words pm_format_money(double value)
{
    return isnan(value) ? unknown() : digits(value, fabs(value) < 99.995 ? 2 : 0);
}

pm_words pm_format_days(double days)
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

    if (isnan(days))
        return unknown();
    if (isinf(days) || days == 0)
        return pm_words_of(days == 0 ? "at once" : "never");
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        if (days < units[u].most)
            return pm_words_of("%.60s %s", digits(days / units[u].unit, units[u].decimals).s,
                               units[u].name);
    return pm_words_of("over 100 years");
}

pm_words pm_format_payback(double days)
{
    return pm_words_of("%s%.60s", days > 0 && isfinite(days) ? "in " : "", pm_format_days(days).s);
}

pm_words pm_format_count(double count)
{
    if (!isfinite(count))
        return isnan(count) ? unknown() : pm_words_of("never");
    return digits(ceil(count), 0);
}

pm_words pm_format_hours(double hours)
{
    return isnan(hours) ? unknown() : digits(hours, hours < 10 ? 1 : 0);
}

pm_words pm_format_gain(double gain)
{
    if (!isfinite(gain))
        return unknown();
    return pm_words_of(gain < 10 ? "%.2f\xC3\x97" : "%.3g\xC3\x97", gain);
}

pm_words pm_format_chance(double chance)
{
    if (isnan(chance))
        return unknown();
    if (chance > 0 && chance < 0.01)
        return pm_words_of("under 1 %%");
    if (chance < 1 && chance > 0.99)
        return pm_words_of("over 99 %%");
    return pm_words_of("%.0f %%", 100 * chance);
}

pm_words pm_format_time(double seconds)
{
    return isfinite(seconds) ? pm_short_time(seconds) : unknown();
}

pm_words pm_format_rate(double a_second)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
    size_t prefix = 0;

    if (!isfinite(a_second))
        return pm_words_of("unknown");
    while (fabs(a_second) >= 999.5 && prefix + 1 < sizeof prefixes / sizeof *prefixes) {
        a_second /= 1000;
        prefix++;
    }
    return pm_words_of("%.3g%s", a_second, prefixes[prefix]);
}

pm_words pm_format_number(double value)
{
    if (isnan(value))
        return unknown();
    if (value == rint(value) || fabs(value) >= 1000)
        return digits(value, 0);
    return pm_words_of("%.4g", value);
}

/* ---- times in one unit ----------------------------------------------------------------------- */

pm_time_unit pm_time_unit_of(double seconds)
{
    static const pm_time_unit units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t u = 0;

    while (u < 3 && seconds < 0.9995 * units[u].seconds)
        u++;
    return units[u];
}

int pm_time_digits(double seconds, double lo, double hi)
{
    bool known = isfinite(lo) && isfinite(hi) && seconds > 0;

    return !known || (lo >= 0.9 * seconds && hi <= 1.1 * seconds) ? 3 : 2;
}

pm_words pm_digits_in(double seconds, pm_time_unit unit, int digits)
{
    const double value = seconds / unit.seconds;
    double step;
    int power;

    if (!isfinite(value))
        return pm_words_of("-");
    if (value == 0)
        return pm_words_of("0");
    /* Round to `digits` significant digits. If rounding carries into a further digit, as from 9.96
     * to 10, there is one decimal less. */
    power = (int)floor(log10(fabs(value)));
    step = pow(10, power - digits + 1);
    if (fabs(round(value / step) * step) >= 0.999999 * pow(10, power + 1))
        power++;
    return pm_words_of("%.*f", power < digits - 1 ? digits - 1 - power : 0,
                       round(value / step) * step);
}

pm_words pm_time_in(double seconds, pm_time_unit unit, int digits)
{
    const pm_words number = pm_digits_in(seconds, unit, digits);

    return isfinite(seconds) ? pm_words_of("%.80s %s", number.s, unit.name) : number;
}

pm_words pm_time_words(double seconds, double lo, double hi)
{
    return pm_time_in(seconds, pm_time_unit_of(seconds), pm_time_digits(seconds, lo, hi));
}

pm_words pm_time_interval_words(double seconds, double lo, double hi)
{
    const pm_time_unit unit = pm_time_unit_of(seconds);
    const int digits = pm_time_digits(seconds, lo, hi);

    if (!isfinite(lo) || !isfinite(hi) || !(lo > 0))
        return pm_words_of("%s", "");
    return pm_words_of("%.40s to %.40s", pm_digits_in(lo, unit, digits).s,
                       pm_time_in(hi, unit, digits).s);
}

/* ---- on a terminal -------------------------------------------------------------------------- */

pm_words pm_short_time(double seconds)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t u = 0;

    if (!isfinite(seconds))
        return pm_words_of("-");
    while (u < 3 && seconds < 0.9995 * units[u].scale)
        u++;
    return pm_words_of("%.4g %s", seconds / units[u].scale, units[u].unit);
}

static pm_words short_gain(double gain)
{
    return isnan(gain) ? pm_words_of("-") : pm_words_of("%.2fx", gain);
}

pm_words pm_short_chance(double chance)
{
    if (isnan(chance))
        return pm_words_of("-");
    if (chance > 0.99 || chance < 0.01)
        return pm_words_of(chance > 0.99 ? ">99 %%" : "<1 %%");
    return pm_words_of("%.0f %%", 100 * chance);
}

pm_words pm_short_amount(double value)
{
    static const char units[] = " kMGTPEZY";
    double size = fabs(value);
    size_t unit = 0;

    if (!isfinite(value))
        return pm_words_of(isnan(value) ? "-" : "never");
    while (size >= (unit > 0 ? 999.5 : 9999.5) && unit + 2 < sizeof units) {
        size /= 1000;
        unit++;
    }
    if (size >= 999.5 && unit > 0)
        return pm_words_of("%.0e", value);
    if (unit > 0)
        return pm_words_of("%.3g%c", copysign(size, value), units[unit]);
    if (size < 0.005)
        return pm_words_of("0");
    return pm_words_of(size < 0.1 ? "%.2f" : size < 999.5 ? "%.3g" : "%.0f", value);
}

pm_words pm_short_days(double days)
{
    if (!isfinite(days))
        return pm_words_of(isnan(days) ? "-" : "never");
    if (days < 1.0 / 24)
        return pm_words_of(days > 0 ? "<1 hour" : "at once");
    if (days < 1)
        return pm_words_of("%.0f hours", days * 24);
    if (days < 90)
        return pm_words_of("%.0f days", days);
    if (days < 2 * 365.25)
        return pm_words_of("%.0f months", days / (365.25 / 12));
    if (days < 9999 * 365.25)
        return pm_words_of(days < 999 * 365.25 ? "%.3g years" : "%.0f years", days / 365.25);
    return pm_words_of(">9999 years");
}

pm_words pm_short_count(double value)
{
    if (!isfinite(value))
        return pm_words_of("-");
    return pm_words_of(value == floor(value) || fabs(value) >= 1000 ? "%.0f" : "%.4g", value);
}

/* ---- in a page or on a terminal ------------------------------------------------------------- */

pm_words pm_format_quantity(pm_quantity quantity, double value, bool terminal)
{
    static pm_words (*const forms[][2])(double) = {
        [PM_TIME] = {pm_format_time, pm_short_time},
        [PM_GAIN] = {pm_format_gain, short_gain},
        [PM_CHANCE] = {pm_format_chance, pm_short_chance},
        [PM_MONEY] = {pm_format_money, pm_short_amount},
        [PM_DAYS] = {pm_format_days, pm_short_days},
        [PM_COUNT] = {pm_format_count, pm_short_amount},
        [PM_HOURS] = {pm_format_hours, pm_short_amount}};

    return forms[quantity][terminal](value);
}
