/* The roofline of a GPU. See figures.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "report/figures/figures.h"
#include "report/figures/gnuplot.h"
#include "report/table/format.h"

enum { WIDTH = 720, HEIGHT = 460, MOST_LINES = 16 };
/* Edges of the plot as fractions of the drawing's width and height. */
static const double LEFT = 0.1, RIGHT = 0.98, BOTTOM = 0.14, TOP = 0.97;

typedef struct {
    const pm_roof_chart *chart;
    double x_lo, x_hi, y_lo, y_hi; /* ranges of the axes */
    double peak;        /* highest roof of operations in the drawing, operations per second */
    bool fp64, integer; /* true if the drawing has this roof */
} frame;

/* Intensity of a point in operations per byte, for the memory level whose roof is the lowest at the
 * point. NaN if no level has bytes. */
static double intensity_of(const pm_roof_chart *chart, const pm_roof_mark *m)
{
    const pm_roofline *p = m->point;
    double lowest = (double)INFINITY, found = (double)NAN;

    for (int level = 0; level < PM_ROOF_LEVELS; level++)
        if (chart->roofs->bytes_per_s[level] * p->intensity[level] < lowest) {
            lowest = chart->roofs->bytes_per_s[level] * p->intensity[level];
            found = p->intensity[level];
        }
    return found;
}

static bool is_drawn(const pm_roof_chart *chart, const pm_roof_mark *m)
{
    return intensity_of(chart, m) > 0 && m->point->per_s > 0;
}

static void widen(double value, double *lo, double *hi)
{
    if (value > 0 && isfinite(value)) {
        *lo = fmin(*lo, value);
        *hi = fmax(*hi, value);
    }
}

/* Ranges of the axes. They include all points, the FP32 roof, and its intersection with the DRAM
 * roof. */
static frame frame_of(const pm_roof_chart *chart)
{
    const pm_roofs *roofs = chart->roofs;
    frame f = {.chart = chart, .x_lo = 0.25, .x_hi = 4, .y_lo = (double)INFINITY};

    for (size_t i = 0; i < chart->count; i++) {
        const pm_roofline *p = chart->marks[i].point;

        if (!is_drawn(chart, &chart->marks[i]))
            continue;
        for (int level = 0; level < PM_ROOF_LEVELS; level++)
            widen(p->intensity[level], &f.x_lo, &f.x_hi);
        widen(p->per_s, &f.y_lo, &f.y_hi);
        f.fp64 = f.fp64 || strstr(p->operations, "fp64");
        f.integer = f.integer || strcmp(p->operations, "int") == 0;
    }
    f.peak = roofs->fp32_per_s;
    if (f.integer)
        f.peak = fmax(f.peak, roofs->int_per_s);
    if (f.fp64)
        f.peak = fmax(f.peak, roofs->fp64_per_s);
    widen(roofs->fp32_per_s / roofs->bytes_per_s[PM_ROOF_DRAM], &f.x_lo, &f.x_hi);
    widen(f.peak, &f.y_lo, &f.y_hi);
    widen(roofs->bytes_per_s[PM_ROOF_DRAM] * f.x_lo, &f.y_lo, &f.y_hi);
    f.x_lo /= 2;
    f.x_hi *= 6;
    f.y_lo /= 2;
    f.y_hi *= 2.5;
    return f;
}

static void put_axes(FILE *out, const frame *f)
{
    fprintf(out,
            "set encoding utf8\n"
            "set terminal svg size %d,%d noenhanced font 'sans-serif,13' background '#ffffff'\n"
            "set border 3 lc rgb '" PM_INK "'\nset tics nomirror out scale 0.5\nset key off\n"
            "set grid xtics ytics lt 1 lc rgb '" PM_GRID "'\nset logscale xy\n"
            "set lmargin at screen %g\nset rmargin at screen %g\n"
            "set bmargin at screen %g\nset tmargin at screen %g\n"
            "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n"
            "set format x '%%g'\nset format y '%%.0s %%c'\n"
            "set xlabel 'operations a byte'\nset ylabel 'operations a second'\n",
            WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM, TOP, f->x_lo, f->x_hi, f->y_lo, f->y_hi);
}

/* ---- roofs ---------------------------------------------------------------------------------- */

static void put_label(FILE *out, const char *text, double x, double y, double degrees, bool right)
{
    fputs("set label ", out);
    pm_gnuplot_quoted(out, text, 80);
    fprintf(out, " at %.9g,%.9g %s rotate by %.1f offset 0,0.5 font ',11' tc rgb '" PM_INK "'\n", x,
            y, right ? "right" : "left", degrees);
}

/* Draws the roof of a memory level. It starts at the left or lower edge and ends at the highest
 * roof of operations. rate: bytes per second. dashed: a rate that is reached in practice, drawn
 * without a label. */
static void put_slope(FILE *out, const frame *f, const char *name, double rate, bool dashed)
{
    const double from = fmax(f->x_lo, f->y_lo / rate), to = f->peak / rate;
    const double tall = (TOP - BOTTOM) * HEIGHT / log(f->y_hi / f->y_lo);
    const double wide = (RIGHT - LEFT) * WIDTH / log(f->x_hi / f->x_lo);

    if (!(rate > 0) || !(to > from))
        return;
    fprintf(out, "set arrow from %.9g,%.9g to %.9g,%.9g nohead lw %s dt %d lc rgb '" PM_INK "'\n",
            from, rate * from, to, f->peak, dashed ? "1" : "1.5", dashed ? 2 : 1);
    if (!dashed)
        put_label(out, pm_words_of("%s %sB/s", name, pm_format_rate(rate).s).s, from * 1.15,
                  rate * from * 1.15, atan(tall / wide) * 180 / 3.14159265358979, false);
}

/* Draws a roof of operations. It starts at its intersection with the roof of the fastest memory
 * level. rate: operations per second. */
static void put_ceiling(FILE *out, const frame *f, const char *name, double rate)
{
    double fastest = 0;

    for (int level = 0; level < PM_ROOF_LEVELS; level++)
        fastest = fmax(fastest, f->chart->roofs->bytes_per_s[level]);
    if (!(rate > 0) || !(fastest > 0))
        return;
    fprintf(out, "set arrow from %.9g,%.9g to %.9g,%.9g nohead lw 1.5 lc rgb '" PM_INK "'\n",
            fmax(f->x_lo, rate / fastest), rate, f->x_hi, rate);
    put_label(out, pm_words_of("%s %s/s", name, pm_format_rate(rate).s).s, f->x_hi * 0.97, rate, 0,
              true);
}

static void put_roofs(FILE *out, const frame *f)
{
    const pm_roofs *roofs = f->chart->roofs;

    put_slope(out, f, "DRAM", roofs->bytes_per_s[PM_ROOF_DRAM], false);
    put_slope(out, f, "", roofs->dram_in_practice, true);
    put_slope(out, f, "L2", roofs->bytes_per_s[PM_ROOF_L2], false);
    put_slope(out, f, "L1, shared", roofs->bytes_per_s[PM_ROOF_L1], false);
    put_ceiling(out, f, "FP32", roofs->fp32_per_s);
    if (f->fp64 && roofs->fp64_per_s != roofs->fp32_per_s)
        put_ceiling(out, f, "FP64", roofs->fp64_per_s);
    if (f->integer && roofs->int_per_s != roofs->fp32_per_s)
        put_ceiling(out, f, "integer", roofs->int_per_s);
}

/* ---- points --------------------------------------------------------------------------------- */

/* Writes a line for each point from its lowest to its highest intensity over all memory levels. */
static void put_levels(FILE *out, const frame *f)
{
    fputs("$levels << END\n", out);
    for (size_t i = 0; i < f->chart->count && f->chart->count <= MOST_LINES; i++) {
        const pm_roofline *p = f->chart->marks[i].point;
        double lo = (double)INFINITY, hi = 0;

        for (int level = 0; level < PM_ROOF_LEVELS; level++)
            widen(p->intensity[level], &lo, &hi);
        if (is_drawn(f->chart, &f->chart->marks[i]))
            fprintf(out, "%.9g %.9g\n%.9g %.9g\n\n", lo, p->per_s, hi, p->per_s);
    }
    fprintf(out, "%.9g %.9g\nEND\n", f->x_lo / 10, f->y_lo); /* no empty block */
}

static void put_points(FILE *out, const frame *f, size_t colour, bool measured)
{
    fprintf(out, "$points%zu%c << END\n", colour, measured ? 'm' : 'p');
    for (size_t i = 0; i < f->chart->count; i++) {
        const pm_roof_mark *m = &f->chart->marks[i];

        if (is_drawn(f->chart, m) && m->colour % PM_SERIES_COLOURS == colour &&
            m->point->measured == measured)
            fprintf(out, "%.9g %.9g\n", intensity_of(f->chart, m), m->point->per_s);
    }
    fprintf(out, "%.9g %.9g\nEND\n", f->x_lo / 10, f->y_lo);
}

static void put_roofline(FILE *out, const void *user)
{
    const frame f = frame_of(user);

    put_axes(out, &f);
    put_roofs(out, &f);
    put_levels(out, &f);
    for (size_t c = 0; c < PM_SERIES_COLOURS; c++) {
        put_points(out, &f, c, false);
        put_points(out, &f, c, true);
    }
    fputs("plot $levels using 1:2 with lines lw 1 lc rgb '#888888'", out);
    for (size_t c = 0; c < PM_SERIES_COLOURS; c++)
        fprintf(out,
                ", $points%zup using 1:2 with points pt 6 ps 0.9 lw 1.6 lc rgb '%s'"
                ", $points%zum using 1:2 with points pt 7 ps 0.75 lc rgb '%s'",
                c, pm_series_colours[c], c, pm_series_colours[c]);
    fputs("\n", out);
}

pm_status pm_figure_roofline(const pm_roof_chart *chart, char **svg, pm_error *err)
{
    return pm_gnuplot_svg(put_roofline, chart, "roofline", svg, err);
}
