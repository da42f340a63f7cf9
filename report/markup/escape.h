/* Writes texts that may be hostile into Markdown or XML.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_MARKUP_ESCAPE_H
#define PM_REPORT_MARKUP_ESCAPE_H

#include <stdio.h>

typedef enum { PM_ESCAPE_MARKDOWN, PM_ESCAPE_XML } pm_escape;

/* Writes a text with the special characters of the format escaped. A control character, a hidden
 * character or a byte that is not UTF-8 becomes '?'. */
void pm_escape_put(FILE *out, pm_escape format, const char *text);

#endif
