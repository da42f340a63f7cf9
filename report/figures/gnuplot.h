/* gnuplot, started without a shell: its script is its standard input and the SVG its standard
 * output, so no path and no name of a user is ever part of a command line. Names stand in the
 * script as single-quoted strings, in which gnuplot expands nothing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_FIGURES_GNUPLOT_H
#define PM_REPORT_FIGURES_GNUPLOT_H

#include <stdio.h>

#include "perfmodel.h"

/* Writes text as a single-quoted gnuplot string of characters that XML allows. At most `most`
 * bytes of it, cut between characters. */
void pm_gnuplot_quoted(FILE *out, const char *text, size_t most);

/* Writes a script; numbers have a decimal point, whatever the locale. */
typedef void (*pm_gnuplot_fn)(FILE *out, const void *user);

/* Draws: *svg is to free. what names the figure in messages. */
pm_status pm_gnuplot_svg(pm_gnuplot_fn write, const void *user, const char *what, char **svg,
                         pm_error *err);

#endif
