/* Times of versions over their rank. See figures.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "report/figures/figures.h"
#include "report/figures/gnuplot.h"

/* upper limit of plotted points; if there are more versions, an evenly spaced part is plotted */
enum { MOST_POINTS = 4000 };

static size_t step_of(const pm_tuning *tuning)
{
    return 1 + tuning->n / MOST_POINTS;
}

static void put_points(FILE *out, const pm_tuning *tuning, const char *name, bool examined)
{
    fprintf(out, "$%s << END\n", name);
    for (size_t i = 0; i < tuning->n; i += step_of(tuning)) {
        const pm_tune_choice *choice = &tuning->choices[i];

        if (choice->examined == examined)
            fprintf(out, "%zu %.9g\n", i + 1, choice->predicted_s);
    }
    fputs("-1 -1\nEND\n", out); /* gnuplot rejects an empty data block */
}

static void put_intervals(FILE *out, const pm_tuning *tuning)
{
    fputs("$ends << END\n", out);
    for (size_t i = 0; i < tuning->n; i += step_of(tuning))
        fprintf(out, "%zu %.9g %.9g\n", i + 1, tuning->choices[i].lo_s, tuning->choices[i].hi_s);
    fputs("END\n", out);
}

static void put_ranks(FILE *out, const void *user)
{
    const pm_tuning *tuning = user;
    /* Points are drawn as short lines, because gnuplot draws its points as references to
     * definitions, which a page does not keep. */
    const double dash = fmax(0.6, (double)tuning->n / 240);
    double lo = (double)INFINITY, hi = 0;

    for (size_t i = 0; i < tuning->n; i++) {
        lo = fmin(lo, tuning->choices[i].lo_s);
        hi = fmax(hi, tuning->choices[i].hi_s);
    }
    fprintf(out,
            "set encoding utf8\n"
            "set terminal svg size 720,360 noenhanced font 'sans-serif,13' background '#ffffff'\n"
            "set border 3 lc rgb '" PM_INK "'\nset tics nomirror out scale 0.5\n"
            "set grid ytics lt 1 lc rgb '" PM_GRID "'\nset logscale y\nset format y '%%.0s %%cs'\n"
            "set xrange [0:%zu]\nset yrange [%.9g:%.9g]\nset key off\n"
            "set xlabel 'rank of the version'\nset ylabel 'predicted time'\n",
            tuning->n + 1, lo / 1.1, hi * 1.1);
    put_intervals(out, tuning);
    put_points(out, tuning, "examined", true);
    put_points(out, tuning, "guessed", false);
    fprintf(out,
            "plot $ends using 1:2:(0):($3-$2) with vectors nohead lw 1 lc rgb '" PM_GRID "', "
            "$guessed using ($1-%g):2:(%g):(0) with vectors nohead lw 2 lc rgb '%s', "
            "$examined using ($1-%g):2:(%g):(0) with vectors nohead lw 3.5 lc rgb '%s'\n",
            dash / 2, dash, pm_series_colours[1], dash / 2, dash, pm_series_colours[0]);
}

pm_status pm_figure_ranks(const pm_tuning *tuning, char **svg, pm_error *err)
{
    return pm_gnuplot_svg(put_ranks, tuning, "times of versions", svg, err);
}
