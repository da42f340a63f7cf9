/* Draws the prediction errors of a validation by gnuplot as SVG.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "report/figures/gnuplot.h"
#include "report/figures/program_errors.h"

enum { LONGEST_NAME = 40, MOST_LABELS = 80 };

/* ---- the script ----------------------------------------------------------------------------- */

/* Writes the labelled positions (ticks) on the axis of predicted time / measured time, for values
 * from lo to hi. If all are near 1, they are round numbers, if the range is wide, powers of two. */
static void put_ticks(pm_text *out, double lo, double hi)
{
    static const double fine[] = {0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3};
    static const double middle[] = {0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10};
    double fold = fmax(hi, 1 / lo);
    const double *ticks = fold <= 2 ? fine : middle;
    size_t count = fold <= 2 ? sizeof fine / sizeof *fine : sizeof middle / sizeof *middle;
    int step = 1 + (int)(log2(hi / lo) / 12);

    pm_text_add(out, "set ytics (");
    if (fold <= 10)
        for (size_t i = 0; i < count; i++)
            pm_text_add(out, "%s%g", i ? ", " : "", ticks[i]);
    else
        for (int power = -40; power <= 40; power++)
            pm_text_add(out, "%s%.4g", power > -40 ? ", " : "", ldexp(1, power * step));
    pm_text_add(out, ")\n");
}

static void put_title(pm_text *out, const pm_validation *v, const char *title)
{
    char text[512];

    if (!title) {
        snprintf(text, sizeof text,
                 "%s%s%s, method %s: each program by a model that has not seen %s",
                 basename(v->dataset), v->from ? " from " : "", v->from ? basename(v->from) : "",
                 v->method,
                 strcmp(v->leave_out, "sample") == 0  ? "that sample"
                 : strcmp(v->leave_out, "class") == 0 ? "its class"
                                                      : "it");
        title = text;
    }
    pm_text_add(out, "set title ");
    pm_gnuplot_quoted(out, title, sizeof text);
    pm_text_add(out, "\n");
}

typedef struct {
    const pm_validation *validation;
    /* title of the figure; NULL: a default title that names the dataset; "": none */
    const char *title;
    pm_program_error *bars;
    size_t count;
} chart;

static void put_script(pm_text *out, const void *user)
{
    const chart *c = user;
    const pm_program_error *bars = c->bars;
    size_t count = c->count;
    double lo = 0.8, hi = 1.25;
    size_t width = count < 12 ? 720 : count > 44 ? 2000 : 240 + 40 * count;
    size_t every = 1 + (count - 1) / MOST_LABELS;

    for (size_t i = 0; i < count; i++) {
        lo = fmin(lo, bars[i].lo / 1.05);
        hi = fmax(hi, bars[i].hi * 1.05);
    }
    pm_text_add(
        out,
        "set encoding utf8\n"
        "set terminal svg size %zu,480 noenhanced font 'sans-serif,13' background '#ffffff'\n"
        "set logscale y 2\nset xrange [-0.6:%zu.6]\nset yrange [%.9g:%.9g]\n"
        "set border 3\nset tics nomirror out\nset grid ytics lt 1 lc rgb '#dddddd'\n"
        "set ylabel 'predicted / measured time'\nset key off\nset bars 0.6\n"
        "set xlabel 'bar: geometric mean of the samples; whisker: smallest to largest'\n"
        "set style fill solid noborder\n",
        width, count - 1, lo, hi);
    if (!c->title || *c->title)
        put_title(out, c->validation, c->title);
    put_ticks(out, lo, hi);
    pm_text_add(out, "set xtics rotate by -40 left (");
    for (size_t i = 0; i < count; i += every) {
        pm_text_add(out, "%s", i ? ", " : "");
        pm_gnuplot_quoted(out, bars[i].program, LONGEST_NAME);
        pm_text_add(out, " %zu", i);
    }
    pm_text_add(out, ")\n$bars << END\n");
    for (size_t i = 0; i < count; i++)
        pm_text_add(out, "%zu %.9g %.9g %.9g\n", i, bars[i].ratio, bars[i].lo, bars[i].hi);
    /* The colours are from Okabe and Ito. People with any kind of colour vision can tell them
     * apart. */
    pm_text_add(out,
                "END\n"
                "plot $bars using 1:2:($1-0.35):($1+0.35):($2<1?$2:1):($2<1?1:$2) with boxxyerror"
                " lc rgb '#56b4e9', \\\n"
                " 1 with lines lw 2 lc rgb '#d55e00', \\\n"
                " $bars using 1:2:3:4 with yerrorbars pt 7 ps 0.5 lw 1.5 lc rgb '#222222'\n");
}

/* ---- the drawing ---------------------------------------------------------------------------- */

pm_status pm_plot_validation(const pm_validation *validation, const char *title, const char *path,
                             pm_error *err)
{
    chart c = {
        .validation = validation, .title = title, .bars = pm_program_errors(validation, &c.count)};
    char *svg = NULL;
    pm_status status;

    if (!c.bars)
        return pm_fail(err, PM_FAILED, "out of memory for the plot");
    if (c.count == 0)
        status = pm_fail(err, PM_FAILED,
                         "%s: no sample has both times, so there is nothing to draw", path);
    else
        status = pm_gnuplot_svg(put_script, &c, path, &svg, err);
    free(c.bars);
    if (status == PM_OK)
        status = pm_file_write(path, svg, "choose another place with --plot", err);
    free(svg);
    return status;
}
