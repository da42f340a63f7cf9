/* Numbers for people. page/page.js writes those of money and time the same way.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_FORMAT_H
#define PM_REPORT_FORMAT_H

#include "perfmodel.h"

enum { PM_FORMAT_SIZE = 96 };
typedef char pm_format_text[PM_FORMAT_SIZE];

/* Each writes into text and returns it. Unknown numbers are "unknown". */

/* 1,234 or 12.50, with the currency where there is one */
const char *pm_format_money(double value, const char *currency, pm_format_text text);
/* 12 days, 3.4 months, 2.5 years; "never" where infinite */
const char *pm_format_days(double days, pm_format_text text);
/* in 12 days; never; at once */
const char *pm_format_payback(double days, pm_format_text text);
/* 12,345; "never" where infinite */
const char *pm_format_count(double count, pm_format_text text);
const char *pm_format_hours(double hours, pm_format_text text);
/* 1.23x */
const char *pm_format_gain(double gain, pm_format_text text);
/* 93 %, and "under 1 %" or "over 99 %" at the ends */
const char *pm_format_chance(double chance, pm_format_text text);
/* four digits: 1.234 ms */
const char *pm_format_time(double seconds, pm_format_text text);
/* A count of a table: digits with commas, four of a fraction. */
const char *pm_format_number(double value, pm_format_text text);

#endif
