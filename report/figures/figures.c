/* Draws grouped and stacked horizontal bars, so that names of any length fit at their left, and
 * curves of money over the months of a year. See figures.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "report/figures/figures.h"
#include "report/figures/gnuplot.h"

enum { WIDTH = 720, LONGEST_NAME = 36, MARGINS = 60, BAR_HEIGHT = 14, GROUP_GAP = 12 };

const char *const pm_series_colours[PM_SERIES_COLOURS] = {
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b5a900", "#888888"};

/* Vertical position of a bar's middle. Group 0 is at the top at 0, and each further group is 1
 * lower. */
static double middle_of(size_t group, size_t bar, size_t bars)
{
    double gap = GROUP_GAP / (double)(GROUP_GAP + BAR_HEIGHT * bars);

    return -(double)group - 0.5 + gap / 2 + (1 - gap) * ((double)bar + 0.5) / (double)bars;
}

static double thickness_of(size_t bars)
{
    double gap = GROUP_GAP / (double)(GROUP_GAP + BAR_HEIGHT * bars);

    return 0.86 * (1 - gap) / (double)bars;
}

/* Writes the settings of a bar chart. bars: number of bars in each group. The page draws the
 * legend. */
static void put_frame(FILE *out, const pm_bars *b, size_t bars)
{
    fprintf(out,
            "set encoding utf8\n"
            "set terminal svg size %d,%zu noenhanced font 'sans-serif,13' background '#ffffff'\n"
            "set border 2 lc rgb '" PM_INK "'\nset tics nomirror out scale 0.5\n"
            "set grid xtics lt 1 lc rgb '" PM_GRID "'\nset style fill solid noborder\n"
            "set yrange [%g:0.5]\nset rmargin 3\nset tmargin 0.5\nset key off\n",
            WIDTH, MARGINS + b->group_count * (GROUP_GAP + bars * BAR_HEIGHT),
            -(double)b->group_count + 0.5);
    fputs("set xlabel ", out);
    pm_gnuplot_quoted(out, b->axis, 200);
    fputs("\nset ytics scale 0 (", out);
    for (size_t g = 0; g < b->group_count; g++) {
        fputs(g ? ", " : "", out);
        pm_gnuplot_quoted(out, b->groups[g], LONGEST_NAME);
        fprintf(out, " %g", -(double)g);
    }
    fputs(")\n", out);
}

static size_t colour_of(const pm_bars *b, size_t series)
{
    return b->colours ? b->colours[series] : series;
}

static double at(const pm_bars *b, const double *values, size_t group, size_t series)
{
    return values ? values[group * b->series_count + series] : (double)NAN;
}

/* ---- bars side by side ---------------------------------------------------------------------- */

static void put_bars_data(FILE *out, const pm_bars *b)
{
    for (size_t s = 0; s < b->series_count; s++) {
        fprintf(out, "$bars%zu << END\n", s);
        for (size_t g = 0; g < b->group_count; g++) {
            double value = at(b, b->value, g, s),
                   y = middle_of(g, b->series_count - 1 - s, b->series_count);

            if (isfinite(value))
                fprintf(out, "%.9g %.9g %.9g %.9g\n", value, y,
                        y - thickness_of(b->series_count) / 2,
                        y + thickness_of(b->series_count) / 2);
        }
        fprintf(out, "0 %g %g %g\nEND\n", -1e3, -1e3, -1e3); /* no empty block */
    }
    fputs("$ranges << END\n", out);
    for (size_t g = 0; g < b->group_count; g++)
        for (size_t s = 0; s < b->series_count; s++) {
            double lo = at(b, b->lo, g, s), hi = at(b, b->hi, g, s);

            if (isfinite(lo) && isfinite(hi) && isfinite(at(b, b->value, g, s)))
                fprintf(out, "%.9g %.9g %.9g 0\n", lo,
                        middle_of(g, b->series_count - 1 - s, b->series_count), hi - lo);
        }
    fputs("0 -1000 0 0\nEND\n", out);
}

/* Computes the range of the x axis from the data and 0. gnuplot cannot find it, because empty
 * blocks hold points far outside. */
static void put_xrange(FILE *out, const pm_bars *b, bool stacked)
{
    double least = 0, most = 0;

    for (size_t g = 0; g < b->group_count; g++) {
        double sum = 0;

        for (size_t s = 0; s < b->series_count; s++) {
            const double ends[] = {at(b, b->value, g, s), at(b, b->lo, g, s), at(b, b->hi, g, s)};

            for (size_t e = 0; !stacked && isfinite(ends[0]) && e < 3; e++) {
                least = isfinite(ends[e]) ? fmin(least, ends[e]) : least;
                most = isfinite(ends[e]) ? fmax(most, ends[e]) : most;
            }
            sum += isfinite(ends[0]) ? ends[0] : 0;
        }
        most = stacked ? fmax(most, sum) : most;
    }
    if (most <= least)
        most = least + 1;
    fprintf(out, "set xrange [%.9g:%.9g]\n", 1.04 * least, 1.04 * most);
}

static void put_bars(FILE *out, const void *user)
{
    const pm_bars *b = user;

    put_frame(out, b, b->series_count);
    put_xrange(out, b, false);
    put_bars_data(out, b);
    fputs("set arrow 1 from 0, graph 0 to 0, graph 1 nohead lw 1 lc rgb '" PM_INK "' front\nplot ",
          out);
    for (size_t s = 0; s < b->series_count; s++)
        fprintf(out, "$bars%zu using 1:2:(0):1:3:4 with boxxyerror lc rgb '%s', ", s,
                pm_series_colours[colour_of(b, s) % PM_SERIES_COLOURS]);
    fputs("$ranges using 1:2:3:4 with vectors nohead lw 1.3 lc rgb '" PM_INK "'\n", out);
}

pm_status pm_figure_bars(const pm_bars *bars, char **svg, pm_error *err)
{
    return pm_gnuplot_svg(put_bars, bars, "bars", svg, err);
}

/* ---- bars in parts -------------------------------------------------------------------------- */

static void put_stack(FILE *out, const void *user)
{
    const pm_bars *b = user;

    put_frame(out, b, 1);
    put_xrange(out, b, true);
    for (size_t s = 0; s < b->series_count; s++) {
        fprintf(out, "$parts%zu << END\n", s);
        for (size_t g = 0; g < b->group_count; g++) {
            double from = 0, value = at(b, b->value, g, s), y = -(double)g;

            for (size_t k = 0; k < s; k++)
                from += isfinite(at(b, b->value, g, k)) ? at(b, b->value, g, k) : 0;
            if (isfinite(value) && value > 0)
                fprintf(out, "%.9g %.9g %.9g %.9g\n", from, from + value, y - 0.27, y + 0.27);
        }
        fputs("0 0 -1000 -1000\nEND\n", out);
    }
    fputs("plot ", out);
    for (size_t s = 0; s < b->series_count; s++)
        fprintf(out, "%s$parts%zu using 1:3:1:2:3:4 with boxxyerror fs solid %s lc rgb '%s'",
                s ? ", " : "", s, colour_of(b, s) < PM_SERIES_COLOURS ? "1" : "0.45",
                pm_series_colours[colour_of(b, s) % PM_SERIES_COLOURS]);
    fputs("\n", out);
}

pm_status pm_figure_stack(const pm_bars *bars, char **svg, pm_error *err)
{
    return pm_gnuplot_svg(put_stack, bars, "stacked bars", svg, err);
}

/* ---- curves --------------------------------------------------------------------------------- */

/* The range of the y axis includes all values and 0. */
static void put_yrange(FILE *out, const pm_curves *c)
{
    double lo = 0, hi = 0;

    for (size_t i = 0; i < c->line_count * PM_CURVE_POINTS; i++) {
        lo = fmin(lo, c->value[i]);
        hi = fmax(hi, c->value[i]);
    }
    fprintf(out, "set yrange [%.9g:%.9g]\n", 1.03 * lo, hi > lo ? 1.03 * hi : lo + 1);
}

static void put_curves(FILE *out, const void *user)
{
    const pm_curves *c = user;

    fputs("set encoding utf8\n"
          "set terminal svg size 720,320 noenhanced font 'sans-serif,13' background '#ffffff'\n"
          "set border 3 lc rgb '" PM_INK "'\nset tics nomirror out scale 0.5\n"
          "set grid ytics lt 1 lc rgb '" PM_GRID "'\nset xrange [0:12]\nset xtics 0,1,12\n"
          "set xlabel 'months from now'\nset format y '%.6g'\n"
          "set key off\n"
          "set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lw 1 lc rgb '" PM_INK "'\n"
          "set ylabel ",
          out);
    pm_gnuplot_quoted(out, c->axis, 120);
    fputs("\n", out);
    put_yrange(out, c);
    fputs("$lines << END\n", out);
    for (size_t p = 0; p < PM_CURVE_POINTS; p++) {
        fprintf(out, "%zu", p);
        for (size_t l = 0; l < c->line_count; l++)
            fprintf(out, " %.9g", c->value[l * PM_CURVE_POINTS + p]);
        putc('\n', out);
    }
    fputs("END\nplot ", out);
    for (size_t l = 0; l < c->line_count; l++)
        fprintf(out, "%s$lines using 1:%zu with lines lw 2.5 lc rgb '%s'", l ? ", " : "", l + 2,
                pm_series_colours[l % PM_SERIES_COLOURS]);
    fputs("\n", out);
}

pm_status pm_figure_curves(const pm_curves *curves, char **svg, pm_error *err)
{
    return pm_gnuplot_svg(put_curves, curves, "curves", svg, err);
}
