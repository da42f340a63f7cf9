/* Runs gnuplot without a shell. Its script is written to its standard input, and the SVG is read
 * from its standard output, so that no path or user's name is ever part of a command line. Names in
 * the script are single-quoted strings, in which gnuplot expands nothing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_FIGURES_GNUPLOT_H
#define PM_REPORT_FIGURES_GNUPLOT_H

#include "base/text.h"
#include "perfmodel.h"

/* Appends text as a single-quoted gnuplot string. Characters that XML forbids are replaced. At most
 * `most` bytes of the text are written; the cut is between two characters. */
void pm_gnuplot_quoted(pm_text *out, const char *text, size_t most);

/* Function that writes a gnuplot script to out. Numbers have a decimal point in every locale. */
typedef void (*pm_gnuplot_fn)(pm_text *out, const void *user);

/* Draws a figure: calls write(out, user) for the script and runs gnuplot with it. *svg gets the SVG
 * text, which the caller frees. `what` names the figure in error messages. */
pm_status pm_gnuplot_svg(pm_gnuplot_fn write, const void *user, const char *what, char **svg,
                         pm_error *err);

#endif
