/* Money over the months of a year. See figures.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "report/figures.h"
#include "report/gnuplot.h"

/* All values, and 0. */
static void put_range(FILE *out, const pm_curves *c)
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
    put_range(out, c);
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
