/* Formats numbers as texts for people: in full in a report, and short on a terminal. page/format.js
 * formats numbers in HTML reports in the same way.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_FORMAT_H
#define PM_REPORT_TABLE_FORMAT_H

#include "perfmodel.h"

/* A formatted text, returned by value. So pm_format_gain(x).s is valid until the end of the full
 * expression that contains the call. */
typedef struct {
    char s[96];
} pm_words;

pm_words pm_words_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- in a page: unknown numbers are "unknown" ----------------------------------------------- */

/* Returns an amount of money, such as "1,234" or "12.50". */
pm_words pm_format_money(double value);
/* Returns a duration, such as "12 days", "3.4 months" or "2.5 years"; "never" if infinite. */
pm_words pm_format_days(double days);
/* Returns when a saving exceeds the cost, such as "in 12 days", "never" or "at once". */
pm_words pm_format_payback(double days);
/* Returns a number such as "12,345"; "never" if infinite. */
pm_words pm_format_count(double count);
pm_words pm_format_hours(double hours);
/* Returns a gain, such as "1.23×". */
pm_words pm_format_gain(double gain);
/* Returns a probability, such as "93 %". Near 0 and 1 it is "under 1 %" and "over 99 %". chance: 0
 * ... 1. */
pm_words pm_format_chance(double chance);
/* Returns a time with four significant digits, such as "1.234 ms". */
pm_words pm_format_time(double seconds);
/* Returns a rate in operations or bytes per second with an SI prefix, such as "66.9 T". */
pm_words pm_format_rate(double a_second);
/* Returns a counter's value with commas between thousands. Fractions have four digits. */
pm_words pm_format_number(double value);

/* ---- times in one unit ----------------------------------------------------------------------- */

typedef struct {
    double seconds;
    const char *name; /* s, ms, us or ns */
} pm_time_unit;

/* Returns the largest unit in which the time is at least 1, such as ms for 0.002 s. It is ns for
 * shorter times. */
pm_time_unit pm_time_unit_of(double seconds);
/* Returns the number of significant digits for a time with the 90 % interval lo to hi. It is 3 if
 * both ends are within 10 % of the time or if they are NaN, else 2. */
int pm_time_digits(double seconds, double lo, double hi);
/* Returns a time in the given unit as a number with `digits` significant digits, without the unit:
 * "1.20" for 1.2 us with 3 digits. Trailing zeros are kept. Digits before the decimal point beyond
 * `digits` are written as zeros. */
pm_words pm_digits_in(double seconds, pm_time_unit unit, int digits);
/* Returns a time in the given unit, such as "1.20 us"; "-" if the time is not finite. */
pm_words pm_time_in(double seconds, pm_time_unit unit, int digits);
/* Returns a time in the unit of pm_time_unit_of, with the digits of pm_time_digits. */
pm_words pm_time_words(double seconds, double lo, double hi);
/* Returns the 90 % interval lo to hi of a time, such as "1.1 to 1.3 us". Unit and number of digits
 * are those of the time itself (seconds). "" if an end is unknown or if lo is not above 0. */
pm_words pm_time_interval_words(double seconds, double lo, double hi);

/* ---- on a terminal: unknown numbers are "-" -------------------------------------------------- */

pm_words pm_short_time(double seconds);
/* Returns a probability, such as "79 %", ">99 %" or "<1 %". */
pm_words pm_short_chance(double chance);
/* Returns an amount of money in at most six characters with the sign: 0.02, 34, 1250, 12.5k, -3.4M.
 * Amounts below 0.01 are written as 0. */
pm_words pm_short_amount(double value);
pm_words pm_short_days(double days);
/* Returns a count without decimals if it is large or a whole number, else with four significant
 * digits. */
pm_words pm_short_count(double value);

/* ---- in a page or on a terminal ------------------------------------------------------------- */

typedef enum { PM_TIME, PM_GAIN, PM_CHANCE, PM_MONEY, PM_DAYS, PM_COUNT, PM_HOURS } pm_quantity;
pm_words pm_format_quantity(pm_quantity quantity, double value, bool terminal);

#endif
