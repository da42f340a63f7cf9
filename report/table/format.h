/* Numbers for people: in a page, which page/page.js writes the same way, and short on a terminal.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_FORMAT_H
#define PM_REPORT_TABLE_FORMAT_H

#include "perfmodel.h"

/* A text by value: pm_format_gain(x).s lives as long as the expression that it stands in. */
typedef struct {
    char s[96];
} pm_words;

pm_words pm_words_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- in a page: unknown numbers are "unknown" ----------------------------------------------- */

/* 1,234 or 12.50 */
pm_words pm_format_money(double value);
/* 12 days, 3.4 months, 2.5 years; "never" where infinite */
pm_words pm_format_days(double days);
/* in 12 days; never; at once */
pm_words pm_format_payback(double days);
/* 12,345; "never" where infinite */
pm_words pm_format_count(double count);
pm_words pm_format_hours(double hours);
/* 1.23x */
pm_words pm_format_gain(double gain);
/* 93 %, and "under 1 %" or "over 99 %" at the ends */
pm_words pm_format_chance(double chance);
/* four digits: 1.234 ms */
pm_words pm_format_time(double seconds);
/* Of operations or bytes a second, with a prefix of thousands: 66.9 T */
pm_words pm_format_rate(double a_second);
/* A count of a table: digits with commas, four of a fraction. */
pm_words pm_format_number(double value);

/* ---- times in one unit ----------------------------------------------------------------------- */

typedef struct {
    double seconds;
    const char *name; /* s, ms, us or ns */
} pm_time_unit;

/* The largest unit in which the time is at least 1; ns below that. */
pm_time_unit pm_time_unit_of(double seconds);
/* Significant digits of a time with that 90 % interval: 3 if both ends are within a tenth of it or
 * there is none (NaN), else 2. */
int pm_time_digits(double seconds, double lo, double hi);
/* "1.20" of 1.2 us with 3 digits; zeros at the end stay, and digits before the point beyond them
 * are zeros. */
pm_words pm_digits_in(double seconds, pm_time_unit unit, int digits);
/* "1.20 us"; "-" if it is not finite. */
pm_words pm_time_in(double seconds, pm_time_unit unit, int digits);
/* In its own unit, with the digits that its interval leaves. */
pm_words pm_time_words(double seconds, double lo, double hi);

/* ---- on a terminal: unknown numbers are "-" -------------------------------------------------- */

pm_words pm_short_time(double seconds);
/* 79 %, >99 %, <1 % */
pm_words pm_short_chance(double chance);
/* At most six columns with its sign: 0.02, 34, 1250, 12.5k, -3.4M; nothing is below 0.01. */
pm_words pm_short_amount(double value);
pm_words pm_short_days(double days);
/* A count: whole where it is large or whole, else four digits. */
pm_words pm_short_count(double value);

/* ---- either --------------------------------------------------------------------------------- */

typedef enum { PM_TIME, PM_GAIN, PM_CHANCE, PM_MONEY, PM_DAYS, PM_COUNT, PM_HOURS } pm_quantity;
pm_words pm_format_quantity(pm_quantity quantity, double value, bool terminal);

#endif
