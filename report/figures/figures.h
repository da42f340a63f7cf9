/* The report's figures, drawn by gnuplot. The caller frees each *svg.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_FIGURES_FIGURES_H
#define PM_REPORT_FIGURES_FIGURES_H

#include <stddef.h>
#include <stdio.h>

#include "perfmodel.h"

/* Colours by Okabe and Ito, which people with any kind of colour vision can tell apart. In a page,
 * svg.c replaces them by the CSS variables --s0, --s1 and so on. */
enum { PM_SERIES_COLOURS = 8 };
extern const char *const pm_series_colours[PM_SERIES_COLOURS];
#define PM_INK "#222222"
#define PM_GRID "#dddddd"

/* Draws predicted over measured time of each program, as pm_plot_validation does, without the
 * title. */
pm_status pm_figure_validation(const pm_validation *validation, char **svg, pm_error *err);

/* Grouped bars, such as the gain of each version on each GPU. The arrays have group_count x
 * series_count values, group by group. NaN draws no bar. */
typedef struct {
    size_t group_count, series_count;
    const char *const *groups; /* names of the groups; the page shows the names of the series */
    const size_t *colours; /* colour of each series, as an index of pm_series_colours. Indices from
                              PM_SERIES_COLOURS on are paler versions of the same colours. NULL:
                              series i has colour i. */
    const double *value, *lo, *hi; /* bar lengths; whisker ends, or NULL for no whiskers */
    const char *axis;
} pm_bars;
pm_status pm_figure_bars(const pm_bars *bars, char **svg, pm_error *err);
/* Draws one stacked bar per group, made of the values of its series. Values must be above 0. */
pm_status pm_figure_stack(const pm_bars *bars, char **svg, pm_error *err);

/* Draws predicted times of versions over their rank, with intervals. Surrogate guesses have a
 * colour of their own. */
pm_status pm_figure_ranks(const pm_tuning *tuning, char **svg, pm_error *err);

/* Line chart over the months 0 to 12 of a year. The values are stored line by line. */
enum { PM_CURVE_POINTS = 13 };
typedef struct {
    size_t line_count;
    const double *value; /* line_count x PM_CURVE_POINTS */
    const char *axis;
} pm_curves;
pm_status pm_figure_curves(const pm_curves *curves, char **svg, pm_error *err);

/* Roofline chart on logarithmic axes: operations per second over operations per byte. A point uses
 * the bytes of the memory level whose roof is the lowest at that point. A thin line reaches to the
 * intensities of the other levels. Predicted points are hollow, measured points filled. Points with
 * unknown bytes are left out. */
typedef struct {
    const pm_roofline *point;
    size_t colour; /* index of the point's colour in pm_series_colours */
} pm_roof_mark;
typedef struct {
    const pm_roofs *roofs;
    size_t count;
    const pm_roof_mark *marks;
} pm_roof_chart;
pm_status pm_figure_roofline(const pm_roof_chart *chart, char **svg, pm_error *err);

/* ---- in a page (svg.c) ---------------------------------------------------------------------- */

/* Makes the SVG of gnuplot part of a page. Removes the prologue, title, definitions, ids, size and
 * empty groups, because a page has several drawings and gives them their size. Replaces the colours
 * above by variables of the page's style. The caller frees the text. NULL if memory runs out or svg
 * is not SVG. */
char *pm_svg_inline(const char *svg);

#endif
