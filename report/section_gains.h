/* The versions of a program over all targets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_SECTION_GAINS_H
#define PM_REPORT_SECTION_GAINS_H

#include "report.h"

enum { PM_MOST_VERSIONS = 32 };

/* Names of the versions but the base, each once, in the order of the first target that has it; how
 * many there are, at most `most`. They live as long as the report. */
size_t pm_versions_of(const pm_report *report, const char *program, const char **names,
                      size_t most);
/* Their gains on each target, as SVG to free; NULL: it could not be drawn. */
char *pm_draw_versions(const pm_report *report, const char *program);

#endif
