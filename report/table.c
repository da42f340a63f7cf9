/* Terminal tables. See table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "table.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *pm_time_text(double seconds, char text[32])
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t u = 0;

    if (!isfinite(seconds)) {
        snprintf(text, 32, "-");
        return text;
    }
    while (u < 3 && seconds < 0.9995 * units[u].scale)
        u++;
    snprintf(text, 32, "%.4g %s", seconds / units[u].scale, units[u].unit);
    return text;
}

static double relative_error(const pm_prediction *p)
{
    return fabs(p->predicted_s / p->measured_s - 1.0);
}

/* One row for the samples of a program, from the first of them on. errors has n members. */
static void print_program(FILE *out, const pm_validation *v, size_t first, double *errors)
{
    const char *program = v->samples[first].sample->program;
    double ratio = 0;
    size_t n = 0;

    for (size_t i = first; i < v->n; i++) {
        if (strcmp(v->samples[i].sample->program, program) != 0)
            continue;
        errors[n++] = relative_error(&v->samples[i]);
        ratio += log(v->samples[i].predicted_s / v->samples[i].measured_s);
    }
    gsl_sort(errors, 1, n);
    fprintf(out, "%-28s %5zu %9.1f %% %9.1f %% %9.1f %% %9.2f\n", program, n,
            100 * gsl_stats_mean(errors, 1, n),
            100 * gsl_stats_median_from_sorted_data(errors, 1, n), 100 * errors[n - 1],
            exp(ratio / (double)n));
}

static bool seen_before(const pm_validation *v, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(v->samples[j].sample->program, v->samples[i].sample->program) == 0)
            return true;
    return false;
}

/* Hundreds of programs are no table to read: their totals are. */
enum { MOST_PROGRAMS = 60 };

static size_t count_programs(const pm_validation *v)
{
    size_t n = 0;

    for (size_t i = 0; i < v->n && n <= MOST_PROGRAMS; i++)
        n += !seen_before(v, i);
    return n;
}

void pm_table_validation(FILE *out, const pm_validation *v)
{
    double *errors = calloc(v->n, sizeof *errors);

    fprintf(out, "%s%s%s: method %s, %zu samples, leaving out one %s at a time\n", v->dataset,
            v->from ? " from " : "", v->from ? v->from : "", v->method, v->n, v->leave_out);
    if (errors && count_programs(v) <= MOST_PROGRAMS) {
        fprintf(out, "%-28s %5s %11s %11s %11s %9s\n", "program", "n", "mean error", "median",
                "largest", "pred/meas");
        for (size_t i = 0; i < v->n; i++)
            if (!seen_before(v, i))
                print_program(out, v, i, errors);
    }
    free(errors);
    fprintf(out, "mean error %.1f %%, median %.1f %%, 90 %% intervals cover %.1f %%\n",
            100 * v->mape, 100 * v->median_ape, 100 * v->coverage90);
}

void pm_table_predictions(FILE *out, const char *target, const pm_predictions *predictions)
{
    fprintf(out, "%-14s %-9s %-12s %-16s %12s  %-24s %12s\n", "program", "variant", "size",
            "kernel", target, "90 % interval", "measured");
    for (size_t i = 0; i < predictions->n; i++) {
        const pm_prediction *p = &predictions->predictions[i];
        char time[32], lo[32], hi[32], measured[32], interval[80];

        snprintf(interval, sizeof interval, "%s to %s", pm_time_text(p->lo_s, lo),
                 pm_time_text(p->hi_s, hi));
        fprintf(out, "%-14s %-9s %-12s %-16s %12s  %-24s %12s\n", p->sample->program,
                p->sample->variant, p->sample->size, p->sample->kernel,
                pm_time_text(p->predicted_s, time), interval,
                pm_time_text(p->measured_s, measured));
    }
}

/* ---- trace --------------------------------------------------------------------------------- */

/* A count: whole where it is large or whole, else four digits. */
static const char *count_text(double value, char text[32])
{
    if (!isfinite(value))
        snprintf(text, 32, "-");
    else
        snprintf(text, 32, value == floor(value) || fabs(value) >= 1000 ? "%.0f" : "%.4g", value);
    return text;
}

static void print_counters(FILE *out, const pm_trace_kernel *kernel)
{
    fprintf(out, "  %-22s %18s %14s  %s\n", "counter", "value", "std. error", "unit");
    for (size_t i = 0; i < kernel->count; i++) {
        char value[32], error[32];

        fprintf(out, "  %-22s %18s %14s  %s\n", kernel->names[i],
                count_text(kernel->values[i], value), count_text(kernel->errors[i], error),
                kernel->units[i]);
    }
}

static const char *or_dash(const char *text)
{
    return *text ? text : "-";
}

static const char *member_text(const pm_access *a, char text[64])
{
    snprintf(text, 64, "%s%s%s", a->structure, *a->structure && *a->field ? "." : "", a->field);
    return text;
}

/* Columns whose width goes by what stands in them, so that a line fits into 100 characters where
 * names are short. field 0: there is none. */
typedef struct {
    int buffer, field, executions;
} access_widths;

static void widen(int *width, const char *text)
{
    int length = (int)strlen(text);

    *width = length > *width ? length : *width;
}

static access_widths widths_of(const pm_trace_kernel *kernel)
{
    access_widths widths = {(int)strlen("buffer"), 0, (int)strlen("executions")};

    for (size_t i = 0; i < kernel->access_count; i++) {
        char text[64];

        widen(&widths.buffer, kernel->accesses[i].buffer);
        widen(&widths.field, member_text(&kernel->accesses[i], text));
        widen(&widths.executions, count_text(kernel->accesses[i].executions, text));
    }
    if (widths.field)
        widen(&widths.field, "field");
    return widths;
}

static void print_access(FILE *out, const pm_access *a, const access_widths *widths)
{
    char place[32], loop[16] = "-", member[64], executions[32], each[32], coalesced[32];

    snprintf(place, sizeof place, "%u:%u", a->line, a->column);
    if (a->loop)
        snprintf(loop, sizeof loop, "%u", a->loop);
    fprintf(out, "  %-8s %-6s %-8s %5u  %-*s", place, a->kind, a->space, a->bytes, widths->buffer,
            or_dash(a->buffer));
    if (widths->field)
        fprintf(out, " %-*s", widths->field, or_dash(member_text(a, member)));
    fprintf(out, " %4s %*s %6s %9s  %s\n", loop, widths->executions,
            count_text(a->executions, executions),
            count_text(a->executions > 0 ? a->transactions / a->executions : (double)NAN, each),
            count_text(a->coalesced_threads, coalesced), or_dash(a->access_class));
}

static void print_accesses(FILE *out, const pm_trace_kernel *kernel)
{
    access_widths widths = widths_of(kernel);

    if (kernel->access_count == 0)
        return;
    fprintf(out, "\n  %-8s %-6s %-8s %5s  %-*s", "line:col", "access", "space", "bytes",
            widths.buffer, "buffer");
    if (widths.field)
        fprintf(out, " %-*s", widths.field, "field");
    fprintf(out, " %4s %*s %6s %9s  %s\n", "loop", widths.executions, "executions", "trans.",
            "coalesced", "class");
    for (size_t i = 0; i < kernel->access_count; i++)
        print_access(out, &kernel->accesses[i], &widths);
}

void pm_table_trace(FILE *out, const pm_trace *trace)
{
    fprintf(out, "%s %s %s as %s counts it\n", trace->program, trace->variant, trace->size,
            trace->target);
    for (size_t k = 0; k < trace->kernel_count; k++) {
        const pm_trace_kernel *kernel = &trace->kernels[k];

        fprintf(out, "\nkernel %s: %zu launch%s, %.3g %% of the work-groups traced\n",
                kernel->kernel, kernel->launches, kernel->launches == 1 ? "" : "es",
                100 * kernel->sampled);
        print_counters(out, kernel);
        print_accesses(out, kernel);
    }
    fputs("\nexecutions: by warps; trans.: transactions of an execution (wavefronts in shared\n"
          "memory); coalesced: work-items of a warp within 128 bytes of its first one, itself\n"
          "included; loop: line of the innermost one\n",
          out);
}
