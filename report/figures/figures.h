/* The report's figures, drawn by gnuplot. Each *svg is to free.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_FIGURES_FIGURES_H
#define PM_REPORT_FIGURES_FIGURES_H

#include <stddef.h>
#include <stdio.h>

#include "perfmodel.h"

/* Colours of Okabe and Ito, which differ for every kind of colour vision. In a page, svg.c makes
 * variables of them, --s0 and so on. */
enum { PM_SERIES_COLOURS = 8 };
extern const char *const pm_series_colours[PM_SERIES_COLOURS];
#define PM_INK "#222222"
#define PM_GRID "#dddddd"

/* Predicted over measured time of each program: pm_plot_validation without its title. */
pm_status pm_figure_validation(const pm_validation *validation, char **svg, pm_error *err);

/* Bars in groups, such as the gain of each version on each GPU. Values stand group by group, a
 * number for each series; NaN: no bar. */
typedef struct {
    size_t group_count, series_count;
    const char *const *groups; /* names; the page has those of the series */
    const size_t *colours; /* of the series: number of pm_series_colours, from PM_SERIES_COLOURS on
                            * the same ones paler; NULL: in their order */
    const double *value, *lo, *hi; /* lo and hi may be NULL: no whiskers */
    const char *axis;
} pm_bars;
pm_status pm_figure_bars(const pm_bars *bars, char **svg, pm_error *err);
/* The same, one bar a group, its series one on the other; values are above 0. */
pm_status pm_figure_stack(const pm_bars *bars, char **svg, pm_error *err);

/* Times of versions over their rank, with their intervals; some of them only guessed. */
pm_status pm_figure_ranks(const pm_tuning *tuning, char **svg, pm_error *err);

/* Lines over the months of a year: values stand line by line. */
enum { PM_CURVE_POINTS = 13 };
typedef struct {
    size_t line_count;
    const double *value; /* line_count x PM_CURVE_POINTS */
    const char *axis;
} pm_curves;
pm_status pm_figure_curves(const pm_curves *curves, char **svg, pm_error *err);

/* Points under the roofs of a GPU, on logarithmic axes: operations a second over operations a byte
 * of the level of memory that allows least, with a thin line to those of the other levels. A point
 * that is not measured is hollow. Those of which no bytes are known are left out. */
typedef struct {
    const pm_roofline *point;
    size_t colour; /* as of pm_bars */
} pm_roof_mark;
typedef struct {
    const pm_roofs *roofs;
    size_t count;
    const pm_roof_mark *marks;
} pm_roof_chart;
pm_status pm_figure_roofline(const pm_roof_chart *chart, char **svg, pm_error *err);

/* ---- in a page (svg.c) ---------------------------------------------------------------------- */

/* The drawing alone, to free: without prologue, title, definitions, ids (a page has several
 * drawings), a size (the page gives it one) and empty groups, and with the colours of figures.h as
 * variables of the page's style. NULL: no memory, or no SVG. */
char *pm_svg_inline(const char *svg);

#endif
