/* Estimates the variance components of the random effects by maximum a posteriori estimation. The
 * components are those of the program, the variant, the configuration, the shape and a row's noise,
 * and the correlation between GPUs. See effects.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search changes one logarithm at a time (coordinate search), from start values with a wide
 * normal prior. It uses programs that were measured on at least LEAST_GPUS GPUs, because other
 * programs say little about the correlation between GPUs. It takes up to MOST_ROWS rows of each
 * program, as whole configurations. Configurations on the most GPUs come first, because only they
 * separate the component of a configuration from the noise of a row.
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

#include "base/gsl.h"
#include "model/hierarchy/parts.h"

enum { MOST_ROWS = 200, LEAST_GPUS = 3 };
enum { PROGRAM, VARIANT, CONFIG, SHAPE, LENGTH, ALL, ARCHITECTURE, AGE, YEARS, ROW };

static const double start[ROW + 1] = {
    [PROGRAM] = .02, [VARIANT] = .03,    [CONFIG] = .02, [SHAPE] = .02, [LENGTH] = 1,
    [ALL] = .3,      [ARCHITECTURE] = 1, [AGE] = .45,    [YEARS] = 5,   [ROW] = .0016};
/* Standard deviations of normal priors of logarithms. PRIOR_SPREAD is for the variance components,
 * and LENGTH_SPREAD for the length scale. SHARE_SPREAD is for the components of the GPUs'
 * correlation (relative to the component of a single GPU). YEARS_SPREAD is for the years in which
 * the component of age decreases. */
static const double PRIOR_SPREAD = 1.5, LENGTH_SPREAD = .5, SHARE_SPREAD = .3, YEARS_SPREAD = .7;
static const double steps[] = {1, 1, .5, .25};

typedef struct {
    size_t n;
    size_t *row;
    /* n x n matrix of which only elements below the diagonal are used: squared distances of the
     * rows' bottlenecks (pm_units_shape) */
    double *apart;
    /* n x n matrix of which only the lower triangle is used: correlation of two rows by their
     * bottlenecks, exp(-apart / (2 length^2)) (pm_effect_near) */
    double *near;
} some_rows;

typedef struct {
    pm_hierarchy *h;
    pm_memory *memory;
    size_t parameters;
    some_rows *programs;
    size_t count;
    gsl_matrix *k;
    gsl_vector *solved;
    /* length scale of the bottlenecks' distance for which the matrices `near` were computed */
    double near_by;
} search;

/* ---- selection of rows ---------------------------------------------------------------------- */

static void find_apart(search *s, some_rows *some)
{
    const double *shape = s->h->shape;

    some->apart = pm_take(s->memory, some->n, some->n * sizeof *some->apart);
    some->near = pm_take(s->memory, some->n, some->n * sizeof *some->near);
    for (size_t a = 0; a < some->n; a++)
        for (size_t b = 0; b < a; b++)
            some->apart[a * some->n + b] = pm_effect_apart(shape + some->row[a] * PM_UNITS_SHAPE,
                                                           shape + some->row[b] * PM_UNITS_SHAPE);
}

/* Returns for each of the n rows the number of rows with the same configuration (kernel, variant
 * and size). */
static size_t *count_alike(const search *s, const size_t *of, size_t n)
{
    const pm_hierarchy_row *row = s->h->rows->of;
    size_t *alike = pm_take(s->memory, n, sizeof *alike);

    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            alike[a] += row[of[a]].config == row[of[b]].config;
    return alike;
}

/* A configuration is a kernel in one variant and size. Adds to `some` the configurations that were
 * measured in exactly `rows` rows, each with all its rows. If they do not all fit into MOST_ROWS
 * rows, evenly spaced ones are added. Returns true if all fit. alike[i]: number of rows with the
 * configuration of row of[i]. */
static bool take_configs(const search *s, some_rows *some, const size_t *of, const size_t *alike,
                         size_t n, size_t rows)
{
    const pm_hierarchy_row *row = s->h->rows->of;
    bool *seen = pm_take(s->memory, n, sizeof *seen);
    size_t count = 0, take, at = 0;

    for (size_t a = 0; a < n; a++)
        count += alike[a] == rows;
    count /= rows;
    if (count == 0)
        return true;
    take = count < (MOST_ROWS - some->n) / rows ? count : (MOST_ROWS - some->n) / rows;
    for (size_t a = 0; a < n; a++) {
        bool wanted;

        if (alike[a] != rows || seen[a])
            continue;
        wanted = at * take / count != (at + 1) * take / count;
        at++;
        for (size_t b = a; b < n; b++)
            if (row[of[b]].config == row[of[a]].config) {
                seen[b] = true;
                if (wanted)
                    some->row[some->n++] = of[b];
            }
    }
    return take == count;
}

/* Chooses at most MOST_ROWS of the n rows of a program. */
static void choose_rows(const search *s, some_rows *some, const size_t *of, size_t n)
{
    const size_t *alike = count_alike(s, of, n);
    bool room = true;

    some->n = 0;
    some->row = pm_take(s->memory, MOST_ROWS, sizeof *some->row);
    for (size_t rows = n; rows > 0 && room; rows--)
        room = take_configs(s, some, of, alike, n, rows);
}

static void choose(search *s)
{
    const pm_hierarchy_rows *rows = s->h->rows;
    size_t *of = pm_take(s->memory, rows->n, sizeof *of);
    bool *has = pm_take(s->memory, rows->gpus, sizeof *has);

    s->programs = pm_take(s->memory, rows->programs, sizeof *s->programs);
    for (size_t p = 0; p < rows->programs; p++) {
        some_rows *some = &s->programs[s->count];
        size_t n = 0, gpus = 0;

        for (size_t g = 0; g < rows->gpus; g++)
            has[g] = false;
        for (size_t i = 0; i < rows->n; i++)
            if (s->h->seen[i] && rows->of[i].program == p) {
                gpus += !has[rows->of[i].gpu];
                has[rows->of[i].gpu] = true;
                of[n++] = i;
            }
        if (gpus < LEAST_GPUS)
            continue;
        choose_rows(s, some, of, n);
        find_apart(s, some);
        s->count++;
    }
}

/* ---- likelihood of the residuals ------------------------------------------------------------ */

static void put_widths(const search *s, const double *logarithms)
{
    const pm_hierarchy_rows *rows = s->h->rows;
    pm_effect_widths *widths = &s->h->effects;
    const double all = exp(logarithms[ALL]), age = exp(logarithms[AGE]),
                 architecture = exp(logarithms[ARCHITECTURE]), sum = all + age + architecture + 1;

    widths->program = exp(logarithms[PROGRAM]);
    widths->variant = exp(logarithms[VARIANT]);
    widths->config = exp(logarithms[CONFIG]);
    widths->shape = exp(logarithms[SHAPE]);
    widths->length = exp(logarithms[LENGTH]);
    widths->alike = (pm_alike){all / sum, architecture / sum, age / sum, exp(logarithms[YEARS])};
    for (size_t i = 0; i < rows->sources; i++)
        widths->row[i] = exp(logarithms[ROW + i]);
    pm_effect_relate(widths, rows);
}

/* Recomputes the correlations `near` of all programs if the length scale has changed. Most steps of
 * the search change another variance component, so the correlations stay valid. */
static void find_near(search *s)
{
    const pm_effect_widths *widths = &s->h->effects;

    if (s->near_by == widths->length)
        return;
    s->near_by = widths->length;
    for (size_t p = 0; p < s->count; p++) {
        const some_rows *some = &s->programs[p];

        for (size_t a = 0; a < some->n; a++)
            for (size_t b = 0; b <= a; b++)
                some->near[a * some->n + b] = pm_effect_near(widths, some->apart[a * some->n + b]);
    }
}

/* Returns the negative logarithm of the probability density of a program's residuals, up to a
 * constant. The search minimizes the sum over programs. */
static double negative_log_density(const search *s, const some_rows *some)
{
    const pm_hierarchy_rows *rows = s->h->rows;
    const pm_effect_widths *widths = &s->h->effects;
    gsl_matrix_view k = gsl_matrix_submatrix(s->k, 0, 0, some->n, some->n);
    gsl_vector_view solved = gsl_vector_subvector(s->solved, 0, some->n);
    double sum = 0, squares = 0;

    for (size_t a = 0; a < some->n; a++) {
        const pm_hierarchy_row *of = &rows->of[some->row[a]];

        for (size_t b = 0; b <= a; b++)
            gsl_matrix_set(&k.matrix, a, b,
                           pm_effect_covariance(widths, rows, of, &rows->of[some->row[b]],
                                                some->near[a * some->n + b]));
        *gsl_matrix_ptr(&k.matrix, a, a) += widths->row[of->source];
        gsl_vector_set(&solved.vector, a, s->h->residual[some->row[a]]);
    }
    /* positive definite because the diagonal contains the noise */
    gsl_linalg_cholesky_decomp1(&k.matrix);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, &k.matrix, &solved.vector);
    for (size_t a = 0; a < some->n; a++) {
        const double z = gsl_vector_get(&solved.vector, a);

        squares += z * z;
        sum += log(gsl_matrix_get(&k.matrix, a, a));
    }
    return sum + .5 * squares;
}

static double spread_of(size_t parameter)
{
    return parameter == LENGTH                    ? LENGTH_SPREAD
           : parameter == YEARS                   ? YEARS_SPREAD
           : parameter >= ALL && parameter <= AGE ? SHARE_SPREAD
                                                  : PRIOR_SPREAD;
}

static double surprise(search *s, const double *logarithms)
{
    double sum = 0;

    put_widths(s, logarithms);
    find_near(s);
    for (size_t p = 0; p < s->count; p++) {
        pm_go_on(s->memory);
        sum += negative_log_density(s, &s->programs[p]);
    }
    for (size_t i = 0; i < s->parameters; i++) {
        const double spread = spread_of(i);
        const double off = (logarithms[i] - log(start[i < ROW ? i : ROW])) / spread;

        sum += .5 * off * off;
    }
    return sum;
}

/* Returns the standard error of the logarithm of one variance component. It follows from the
 * curvature of the objective (second difference) at its minimum, where the objective has the value
 * `least`. */
static double error_of(search *s, double *at, size_t parameter, double least)
{
    static const double STEP = .25;
    const double here = at[parameter];
    double sum = -2 * least;

    for (int sign = -1; sign <= 1; sign += 2) {
        at[parameter] = here + sign * STEP;
        sum += surprise(s, at);
    }
    at[parameter] = here;
    return 1 / sqrt(fmax(sum / (STEP * STEP), 1 / (spread_of(parameter) * spread_of(parameter))));
}

static void find_errors(search *s, double *at, double least)
{
    const double all = error_of(s, at, ALL, least), age = error_of(s, at, AGE, least),
                 architecture = error_of(s, at, ARCHITECTURE, least),
                 years = error_of(s, at, YEARS, least);
    pm_alike *alike = &s->h->effects.alike;

    put_widths(s, at);
    s->h->effects.alike_error =
        (pm_alike){alike->all * (1 - alike->all) * all,
                   alike->architecture * (1 - alike->architecture) * architecture,
                   alike->age * (1 - alike->age) * age, alike->years * years};
}

/* Adds `step` to the logarithm at[parameter] of one variance component if that lowers the
 * objective. *least: lowest value of the objective so far. Returns true if it was lowered. */
static bool try_step(search *s, double *at, size_t parameter, double step, double *least)
{
    const double before = at[parameter];
    double now;

    at[parameter] += step;
    now = surprise(s, at);
    if (now < *least) {
        *least = now;
        return true;
    }
    at[parameter] = before;
    return false;
}

void pm_effect_widths_find(pm_hierarchy *h, pm_memory *scratch)
{
    search s = {.h = h, .memory = scratch, .parameters = ROW + h->rows->sources};
    double *at = pm_take(scratch, s.parameters, sizeof *at), least;

    h->effects.row = pm_take(&h->memory, h->rows->sources + 1, sizeof *h->effects.row);
    h->effects.row[0] = start[ROW];
    h->effects.common =
        pm_take(&h->memory, h->rows->gpus * h->rows->gpus, sizeof *h->effects.common);
    choose(&s);
    s.k = pm_take_matrix(scratch, MOST_ROWS, MOST_ROWS);
    s.solved = pm_take_vector(scratch, MOST_ROWS);
    for (size_t i = 0; i < s.parameters; i++)
        at[i] = log(start[i < ROW ? i : ROW]);
    least = surprise(&s, at);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        for (size_t i = 0; i < s.parameters; i++)
            if (!try_step(&s, at, i, -steps[k], &least))
                try_step(&s, at, i, steps[k], &least);
    find_errors(&s, at, least);
}
