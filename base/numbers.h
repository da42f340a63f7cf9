/* Numbers and messages as text, the same in every locale.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_NUMBERS_H
#define PM_BASE_NUMBERS_H

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Reads a decimal number, whatever the locale of the process is. No inf, nan, hexadecimal, spaces
 * or trailing characters; false for these and for a number too large for a double. */
bool pm_number_parse(const char *text, double *value);

/* The same of the longest number that *text starts with; *text moves behind it. */
bool pm_number_take(const char **text, double *value);

/* Until the end, this thread writes numbers with a decimal point, whatever the caller's locale. */
locale_t pm_numbers_begin(void);
void pm_numbers_end(locale_t before);

/* Rounded to so many digits (17 at most). */
double pm_number_rounded(double value, int digits);

#define PM_NUMBER_SIZE 32
/* Writes the fewest digits (15, 16 or 17) that read back as the same double. value is finite. */
bool pm_number_format(double value, char text[PM_NUMBER_SIZE]);

/* Standard error of the median of n numbers whose median absolute deviation is mad: 1.2533 sigma /
 * sqrt n, sigma = 1.4826 mad (Kendall & Stuart, The Advanced Theory of Statistics, vol. 1, 10.10).
 */
static inline double pm_median_error(double mad, double n)
{
    return 1.2533 * 1.4826 * mad / sqrt(n);
}

/* The largest number that divides both; of 0 and a it is |a|, which LLONG_MIN has too. */
unsigned long long pm_gcd(long long a, long long b);

bool pm_is_utf8(const char *text);

/* Bytes of the first character if a terminal acts on it instead of showing it: control characters,
 * and in UTF-8 those of U+0080 to U+009F, those that separate lines or turn the direction of
 * writing, and those without a width. 0: it is none. */
size_t pm_hidden_bytes(const char *text);

enum { PM_SHOWN_CELL = 64, PM_SHOWN_PATH = 512 };
/* text for a message: one line, the bytes of such characters as \xNN, the middle left out if it is
 * longer than shown, which has room for size bytes (16 or more). */
const char *pm_shown(const char *text, char *shown, size_t size);

#endif
