/* Writes texts from files, which may be hostile, into Markdown or XML.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_ESCAPE_H
#define PM_REPORT_TABLE_ESCAPE_H

#include "base/text.h"

typedef enum { PM_ESCAPE_MARKDOWN, PM_ESCAPE_XML } pm_escape;

/* Appends a text with the special characters of the format escaped. A control character, a hidden
 * character or a byte that is not UTF-8 becomes '?'. */
void pm_escape_add(pm_text *out, pm_escape format, const char *text);

#endif
