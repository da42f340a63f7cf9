/* Converts numbers to and from text, and makes texts printable for messages, independently of the
 * locale.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_NUMBERS_H
#define PM_BASE_NUMBERS_H

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Parses a text that is a decimal number. Returns false for inf, nan, hexadecimal numbers, spaces,
 * trailing characters, and numbers too large for a double. */
bool pm_number_parse(const char *text, double *value);

/* Parses the longest decimal number at the start of *text and advances *text past it. Returns false
 * if there is no number. */
bool pm_number_take(const char **text, double *value);

/* Make the calling thread format numbers in the C locale, with a decimal point, until
 * pm_numbers_end is called. Pass the result of pm_numbers_begin to pm_numbers_end. */
locale_t pm_numbers_begin(void);
void pm_numbers_end(locale_t before);

/* Rounds a number to `digits` significant decimal digits (17 at most). */
double pm_number_rounded(double value, int digits);

#define PM_NUMBER_SIZE 32
/* Writes a number as text with the fewest digits (15, 16 or 17) from which the same double is read
 * back. The value must be finite. Returns false if the text does not fit. */
bool pm_number_format(double value, char text[PM_NUMBER_SIZE]);

/* Returns the standard error of the median of n numbers: 1.2533 sigma / sqrt(n) with sigma = 1.4826
 * mad. mad: median absolute deviation of the numbers (Kendall & Stuart, The Advanced Theory of
 * Statistics, vol. 1, 10.10). */
static inline double pm_median_error(double mad, double n)
{
    return 1.2533 * 1.4826 * mad / sqrt(n);
}

/* Returns the greatest common divisor of the absolute values. The result for 0 and a is the
 * absolute value of a, also for LLONG_MIN. */
unsigned long long pm_gcd(long long a, long long b);

bool pm_is_utf8(const char *text);

/* Returns the number of bytes of the first character if it is hidden; 0 if a terminal shows it.
 * Hidden characters are control characters, U+0080 to U+009F, line separators, and characters that
 * change the direction of writing or have no width. */
size_t pm_hidden_bytes(const char *text);

enum { PM_SHOWN_CELL = 64, PM_SHOWN_PATH = 512 };
/* Makes a text printable in a message of one line. Bytes of hidden characters become \xNN. If the
 * result does not fit into `size` bytes (16 or more), its middle is left out. Writes it to `shown`
 * and returns `shown`. */
const char *pm_shown(const char *text, char *shown, size_t size);

#endif
