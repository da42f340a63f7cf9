/* Reads the numbers in a profiler's files, which may have thousands separators and units. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "answer/import/parts.h"
#include "base/numbers.h"

enum { LONGEST = 64, GROUP_DIGITS = 3 };

/* Returns true if a text means that the value is unknown. */
static bool is_unknown(const char *text)
{
    static const char *const words[] = {"",     "n/a",     "nan",     "-nan", "(!) nan", "(!) n/a",
                                        "null", "no data", "<error>", "inf",  "-inf",    "-"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Copies the number at the start of a text to `plain`, without commas that separate thousands.
 * Returns the first character after the number. NULL: a comma is at a wrong position, or the number
 * is too long. */
static const char *copy_plain(const char *text, char plain[LONGEST])
{
    const char *at = text + (*text == '-' || *text == '+');
    size_t used = 0;

    if (at > text)
        plain[used++] = *text;
    for (bool first = true;; first = false) {
        const size_t digits = count_digits(at);

        if (used + digits + 1 > LONGEST || (!first && digits != GROUP_DIGITS))
            return NULL;
        memcpy(plain + used, at, digits);
        used += digits;
        at += digits;
        if (*at != ',' || digits == 0 || (first && digits > GROUP_DIGITS))
            break;
        at++;
    }
    for (; *at && strchr("0123456789.eE+-", *at); at++) {
        if (used + 2 > LONGEST)
            return NULL;
        plain[used++] = *at;
    }
    plain[used] = '\0';
    return at;
}

bool pm_import_number(const char *text, double *value)
{
    char plain[LONGEST];
    const char *end, *rest = plain;

    *value = (double)NAN;
    text += strspn(text, " ");
    if (is_unknown(text))
        return true;
    end = copy_plain(text, plain);
    /* Nsight Compute may write the values of a metric's instances in parentheses after the value of
     * the metric. */
    if (end && pm_number_take(&rest, value) && !*rest &&
        (!*end || strcmp(end, "%") == 0 || strncmp(end, " (", 2) == 0))
        return true;
    *value = (double)NAN;
    return false;
}

bool pm_import_looks_like_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789.,' -+")] && strpbrk(text, "0123456789");
}

double pm_import_unit(const char *unit)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"ns", 1},       {"nsecond", 1},     {"us", 1e3},          {"usecond", 1e3},
                 {"ms", 1e6},     {"msecond", 1e6},   {"s", 1e9},           {"second", 1e9},
                 {"KB", 1e3},     {"MB", 1e6},        {"GB", 1e9},          {"TB", 1e12},
                 {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}};
    static const char prefixes[] = "KMGT";
    const size_t length = strcspn(unit, "/");
    const char *prefix;
    double factor = 1;

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == length && strncmp(units[i].name, unit, length) == 0)
            return units[i].factor;
    /* Other units are words with or without a prefix, such as byte, Kbyte, inst or Msector. */
    prefix = length > 1 && islower((unsigned char)unit[1]) ? strchr(prefixes, *unit) : NULL;
    for (const char *p = prefixes; prefix && p <= prefix; p++)
        factor *= 1e3;
    return factor;
}

double pm_import_product(const char *text)
{
    double product = 1;
    bool any = false;

    for (text += strcspn(text, "0123456789"); *text; text += strcspn(text, "0123456789")) {
        double factor = 0;

        if (!pm_number_take(&text, &factor))
            return (double)NAN;
        product *= factor;
        any = true;
    }
    return any && product >= 1 && product <= 0x1p53 ? product : (double)NAN;
}
