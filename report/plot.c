/* Plots of a validation, drawn by gnuplot as SVG.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/dataset_parts.h"
#include "collector/error.h"
#include "figures.h"
#include "gnuplot.h"

enum { LONGEST_NAME = 40, MOST_LABELS = 80 };

/* ---- what is drawn -------------------------------------------------------------------------- */

/* Predicted over measured time of a program. */
typedef struct {
    const char *program;
    double log_sum, lo, hi;
    size_t n;
} bar;

static bar *find_bar(bar *bars, size_t *count, const char *program)
{
    /* Samples of a program mostly stand together: look at the last one first. */
    for (size_t i = *count; i-- > 0;)
        if (strcmp(bars[i].program, program) == 0)
            return &bars[i];
    bars[*count] = (bar){.program = program, .lo = INFINITY, .hi = 0};
    return &bars[(*count)++];
}

/* bars has validation->n members; returns how many are used. */
static size_t gather(const pm_validation *validation, bar *bars)
{
    size_t count = 0;

    for (size_t i = 0; i < validation->n; i++) {
        const pm_prediction *p = &validation->samples[i];
        double ratio = p->predicted_s / p->measured_s;
        bar *b;

        if (!isfinite(ratio) || !(ratio > 0))
            continue;
        b = find_bar(bars, &count, p->sample->program);
        b->log_sum += log(ratio);
        b->lo = fmin(b->lo, ratio);
        b->hi = fmax(b->hi, ratio);
        b->n++;
    }
    return count;
}

/* ---- the script ----------------------------------------------------------------------------- */

/* Ticks that suit the range: round numbers near 1, powers of two when it is wide. */
static void put_ticks(FILE *out, double lo, double hi)
{
    static const double fine[] = {0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3};
    static const double middle[] = {0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10};
    double fold = fmax(hi, 1 / lo);
    const double *ticks = fold <= 2 ? fine : middle;
    size_t count = fold <= 2 ? sizeof fine / sizeof *fine : sizeof middle / sizeof *middle;
    int step = 1 + (int)(log2(hi / lo) / 12);

    fputs("set ytics (", out);
    if (fold <= 10)
        for (size_t i = 0; i < count; i++)
            fprintf(out, "%s%g", i ? ", " : "", ticks[i]);
    else
        for (int power = -40; power <= 40; power++)
            fprintf(out, "%s%.4g", power > -40 ? ", " : "", ldexp(1, power * step));
    fputs(")\n", out);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void put_title(FILE *out, const pm_validation *v, const char *title)
{
    char text[512];

    if (!title) {
        snprintf(text, sizeof text,
                 "%s%s%s, method %s: each program by a model that has not seen %s",
                 base_name(v->dataset), v->from ? " from " : "", v->from ? base_name(v->from) : "",
                 v->method, strcmp(v->leave_out, "sample") == 0 ? "that sample" : "it");
        title = text;
    }
    fputs("set title ", out);
    pm_gnuplot_quoted(out, title, sizeof text);
    fputs("\n", out);
}

typedef struct {
    const pm_validation *validation;
    const char *title; /* NULL: what was validated; "": none */
    bar *bars;
    size_t count;
} chart;

static void put_script(FILE *out, const void *user)
{
    const chart *c = user;
    const bar *bars = c->bars;
    size_t count = c->count;
    double lo = 0.8, hi = 1.25;
    size_t width = count < 12 ? 720 : count > 44 ? 2000 : 240 + 40 * count;
    size_t every = 1 + (count - 1) / MOST_LABELS;

    for (size_t i = 0; i < count; i++) {
        lo = fmin(lo, bars[i].lo / 1.05);
        hi = fmax(hi, bars[i].hi * 1.05);
    }
    fprintf(out,
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
    fputs("set xtics rotate by -40 left (", out);
    for (size_t i = 0; i < count; i += every) {
        fputs(i ? ", " : "", out);
        pm_gnuplot_quoted(out, bars[i].program, LONGEST_NAME);
        fprintf(out, " %zu", i);
    }
    fputs(")\n$bars << END\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%zu %.9g %.9g %.9g\n", i, exp(bars[i].log_sum / (double)bars[i].n),
                bars[i].lo, bars[i].hi);
    /* Colours of Okabe and Ito, which differ for every kind of colour vision. */
    fputs("END\n"
          "plot $bars using 1:2:($1-0.35):($1+0.35):($2<1?$2:1):($2<1?1:$2) with boxxyerror"
          " lc rgb '#56b4e9', \\\n"
          " 1 with lines lw 2 lc rgb '#d55e00', \\\n"
          " $bars using 1:2:3:4 with yerrorbars pt 7 ps 0.5 lw 1.5 lc rgb '#222222'\n",
          out);
}

/* ---- the file ------------------------------------------------------------------------------- */

static pm_status cannot_be_written(const char *path, pm_error *err)
{
    return pm_fail(err, pm_place_status(errno),
                   "%s: cannot be written: %s; choose another place with --plot", path,
                   strerror(errno));
}

static pm_status write_plot(int script, const char *path, pm_error *err)
{
    char part[PATH_MAX];
    int svg = pm_file_temporary(path, part);
    pm_status status;

    if (svg < 0)
        return cannot_be_written(path, err);
    status = pm_gnuplot_draw(script, svg, path, err);
    if (close(svg) != 0 && status == PM_OK)
        status = cannot_be_written(path, err);
    if (status == PM_OK && rename(part, path) != 0)
        status = cannot_be_written(path, err);
    if (status != PM_OK)
        unlink(part);
    return status;
}

/* Gathers what there is to draw; chart->bars is to free, whatever comes out. */
static pm_status prepare(chart *c, const char *path, pm_error *err)
{
    c->bars = calloc(c->validation->n + 1, sizeof *c->bars);
    if (!c->bars)
        return pm_fail(err, PM_FAILED, "out of memory for the plot");
    c->count = gather(c->validation, c->bars);
    if (c->count == 0)
        return pm_fail(err, PM_FAILED, "%s: no sample has both times, so there is nothing to draw",
                       path);
    return PM_OK;
}

pm_status pm_plot_validation(const pm_validation *validation, const char *title, const char *path,
                             pm_error *err)
{
    chart c = {.validation = validation, .title = title};
    pm_status status = prepare(&c, path, err);
    int script = status == PM_OK ? pm_gnuplot_script(put_script, &c, err) : -1;

    if (status == PM_OK && script < 0)
        status = PM_FAILED;
    if (script >= 0) {
        status = write_plot(script, path, err);
        close(script);
    }
    free(c.bars);
    return status;
}

pm_status pm_figure_validation(const pm_validation *validation, char **svg, pm_error *err)
{
    chart c = {.validation = validation, .title = ""};
    pm_status status = prepare(&c, "validation", err);

    *svg = NULL;
    if (status == PM_OK)
        status = pm_gnuplot_svg(put_script, &c, "validation", svg, err);
    free(c.bars);
    return status;
}
