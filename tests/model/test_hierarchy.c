/* Tests the units model of many GPUs: its results for GPUs and programs are compared with the
 * values from which the rows were made.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/hierarchy/hierarchy.h"
#include "units_fixture.h"

enum {
    P = PM_UNITS_PARAMETERS,
    KINDS = 3,
    OF_KIND = 3,
    GPUS = KINDS * OF_KIND + 1,
    UNSEEN = GPUS - 1, /* GPU of the first architecture without rows */
    TAKEN = 60,
    N = UNSEEN * TAKEN,
    OF_PROGRAM = 12
};

OWNED(hierarchy, pm_hierarchy, pm_hierarchy_free)

/* Rows of nine GPUs of three architectures, and one more GPU. */
typedef struct {
    generated g;
    pm_profile profiles[GPUS];
    const pm_profile *profile[GPUS];
    double truth[GPUS][P];
    pm_units *of_gpu[GPUS];
    pm_units joined;
    size_t place[N];
    pm_hierarchy_row of[N];
    double log_time[N];
    pm_hierarchy_rows rows;
} world;

static pm_hierarchy_row row_of(size_t place, size_t i)
{
    return (pm_hierarchy_row){.gpu = place, .program = i / OF_PROGRAM, .variant = i, .config = i};
}

static void make_gpus(world *f, gsl_rng *rng, double apart)
{
    for (size_t a = 0; a < GPUS; a++) {
        const size_t kind = a == UNSEEN ? 0 : a / OF_KIND;
        pm_profile *p = &f->profiles[a];

        *p = gpu;
        p->year = 2012 + 4 * (double)kind;
        p->clock_mhz = gsl_ran_flat(rng, 800, 2000);
        p->compute_units = floor(gsl_ran_flat(rng, 10, 100));
        p->dram_gb_s = gsl_ran_flat(rng, 200, 2000);
        p->l2_bytes_per_cycle = 50 * p->compute_units;
        snprintf(p->architecture, sizeof p->architecture, "kind%zu", kind);
        f->profile[a] = p;
        f->of_gpu[a] = of_waits(&f->g, p, true);
        for (size_t k = 0; k < P; k++)
            f->truth[a][k] = f->of_gpu[a]->prior[k];
        f->truth[a][PM_UNITS_PILE] += apart * ((double)kind - 1);
        f->truth[a][PM_UNITS_MISS] -= apart * ((double)kind - 1);
    }
}

/* Makes a world. apart: standard deviation of two parameters between architectures. program:
 * standard deviation of a program's log time that is common to all GPUs. */
static void make_world(world *f, unsigned long seed, double apart, double program)
{
    gsl_rng *rng = rng_of(seed);
    double longer[TAKEN / OF_PROGRAM];

    generate(&f->g, seed);
    make_gpus(f, rng, apart);
    for (size_t k = 0; k < TAKEN / OF_PROGRAM; k++)
        longer[k] = gsl_ran_gaussian(rng, program);
    f->joined = *f->of_gpu[0];
    f->joined.n = N;
    f->joined.work = room(N, PM_UNITS_COLUMNS * sizeof *f->joined.work);
    f->joined.launches = room(N, sizeof *f->joined.launches);
    f->joined.cuda = NULL;
    f->joined.floor = room(N, sizeof *f->joined.floor);
    for (size_t i = 0; i < N; i++) {
        const size_t a = i / TAKEN, row = i % TAKEN;

        memcpy(f->joined.work + i * PM_UNITS_COLUMNS, f->of_gpu[a]->work + row * PM_UNITS_COLUMNS,
               PM_UNITS_COLUMNS * sizeof *f->joined.work);
        f->joined.launches[i] = f->of_gpu[a]->launches[row];
        f->place[i] = i;
        f->of[i] = row_of(a, row);
        f->log_time[i] = pm_units_log_time(f->of_gpu[a], f->truth[a], row, NULL) +
                         longer[row / OF_PROGRAM] + gsl_ran_gaussian(rng, .02);
    }
    f->rows = (pm_hierarchy_rows){.n = N,
                                  .units = &f->joined,
                                  .place = f->place,
                                  .of = f->of,
                                  .log_time = f->log_time,
                                  .gpus = GPUS,
                                  .programs = TAKEN / OF_PROGRAM,
                                  .sources = 1,
                                  .profile = f->profile};
}

static pm_hierarchy *fit(const world *f, const bool *seen)
{
    pm_hierarchy *h = NULL;

    assert_int_equal(pm_hierarchy_fit(&f->rows, seen, &h, told()), PM_OK);
    return owned_hierarchy(h);
}

static const pm_profile *gpu_of(const world *f, const pm_hierarchy_row *row)
{
    return f->rows.profile[row->gpu];
}

/* Returns the mean absolute error of log times on a GPU with the given parameters. */
static double off_by(const world *f, size_t gpu_at, const double *parameters)
{
    double sum = 0;

    for (size_t row = 0; row < TAKEN; row++)
        sum += fabs(pm_units_log_time(f->of_gpu[gpu_at], parameters, row, NULL) -
                    pm_units_log_time(f->of_gpu[gpu_at], f->truth[gpu_at], row, NULL));
    return sum / TAKEN;
}

/* A GPU without measurements gets the parameters of its architecture, not the mean of all. */
TEST(an_unseen_gpu_is_like_its_architecture)
{
    world *f = room(1, sizeof *f);
    pm_hierarchy *h;
    double before, after;

    make_world(f, 3, .5, .05);
    h = fit(f, NULL);
    before = off_by(f, UNSEEN, f->of_gpu[0]->prior);
    after = off_by(f, UNSEEN, pm_hierarchy_parameters(h, UNSEEN));
    assert_true(before > .1);
    assert_true(after < .4 * before);
}

/* If a whole architecture is left out, its parameters are the mean of the others and more
 * uncertain. */
TEST(an_unseen_architecture_is_less_sure)
{
    world *f = room(1, sizeof *f);
    bool seen[N];
    double known[P * P], unknown[P * P];

    make_world(f, 4, .5, .05);
    for (size_t i = 0; i < N; i++)
        seen[i] = f->of[i].gpu >= OF_KIND;
    pm_hierarchy_covariance(fit(f, NULL), UNSEEN, known);
    pm_hierarchy_covariance(fit(f, seen), UNSEEN, unknown);
    assert_true(unknown[PM_UNITS_PILE * (P + 1)] > 1.5 * known[PM_UNITS_PILE * (P + 1)]);
}

/* The fit finds the standard deviations with which the GPUs' parameters were drawn. */
TEST(widths_are_found)
{
    world *near = room(1, sizeof *near), *far = room(1, sizeof *far);
    double error, small, large;

    make_world(near, 5, 0, .05);
    make_world(far, 5, .8, .05);
    small = pm_hierarchy_width(fit(near, NULL), PM_UNITS_PILE, &error);
    assert_true(error > 0 && error < small);
    large = pm_hierarchy_width(fit(far, NULL), PM_UNITS_PILE, &error);
    assert_true(large > 1.3 * small);
}

/* Left-out rows do not change any digit of the result. */
TEST(rows_that_are_left_out_are_not_learned_from)
{
    world *f = room(1, sizeof *f);
    bool seen[N];
    double before[GPUS][P];
    const pm_hierarchy *h;

    make_world(f, 6, .3, .05);
    for (size_t i = 0; i < N; i++)
        seen[i] = f->of[i].gpu != 4;
    h = fit(f, seen);
    for (size_t a = 0; a < GPUS; a++)
        memcpy(before[a], pm_hierarchy_parameters(h, a), sizeof before[a]);
    for (size_t i = 0; i < N; i++)
        f->log_time[i] += seen[i] ? 0 : 3;
    h = fit(f, seen);
    for (size_t a = 0; a < GPUS; a++)
        assert_memory_equal(before[a], pm_hierarchy_parameters(h, a), sizeof before[a]);
    h = fit(f, NULL); /* including them does */
    assert_true(memcmp(before[4], pm_hierarchy_parameters(h, 4), sizeof before[4]) != 0);
}

/* Computes the shapes of n rows by a GPU's parameters, from row `first` on. */
static void find_shapes(const world *f, const pm_hierarchy *h, size_t gpu_at, size_t first,
                        size_t n, double (*shape)[PM_UNITS_SHAPE])
{
    const pm_units *units = f->of_gpu[gpu_at];
    const pm_units_values v = pm_units_values_of(units, pm_hierarchy_parameters(h, gpu_at));

    for (size_t k = 0; k < n; k++)
        pm_units_shape(units, &v, first + k, shape[k]);
}

/* A GPU without rows has the same parameters whether or not the fit includes it.
 */
TEST(a_guest_is_what_a_gpu_without_rows_is)
{
    world *f = room(1, sizeof *f);
    const pm_hierarchy *with, *without;
    pm_hierarchy_guest guest;
    double covariance[PM_UNITS_PARAMETERS * PM_UNITS_PARAMETERS];

    make_world(f, 5, .3, .1);
    with = fit(f, NULL);
    f->rows.gpus = UNSEEN;
    without = fit(f, NULL);
    assert_int_equal(pm_hierarchy_meet(without, f->rows.profile[UNSEEN], &guest, told()), PM_OK);
    pm_hierarchy_covariance(with, UNSEEN, covariance);
    for (size_t k = 0; k < PM_UNITS_PARAMETERS; k++)
        assert_float_equal(guest.parameters[k], pm_hierarchy_parameters(with, UNSEEN)[k], 1e-6);
    for (size_t k = 0; k < PM_UNITS_PARAMETERS * PM_UNITS_PARAMETERS; k++)
        assert_float_equal(guest.covariance[k], covariance[k], 1e-6);
}

/* ---- storing and reading -----------------------------------------------------------------------
 */

static pm_wire message_of(const world *f, pm_hierarchy *h)
{
    pm_wire wire = PM_WIRE_WRITER;

    pm_hierarchy_wire(&wire, &f->rows, &h);
    assert_false(wire.failed);
    wire.writing = false;
    return wire;
}

TEST(a_fit_survives_being_a_message)
{
    world *f = room(1, sizeof *f);
    pm_hierarchy *h, *read;
    pm_wire wire, again;

    make_world(f, 5, .3, .1);
    h = fit(f, NULL);
    wire = message_of(f, h);
    pm_hierarchy_wire(&wire, &f->rows, &read);
    assert_non_null(read);
    again = message_of(f, owned_hierarchy(read));
    assert_int_equal(again.bytes, wire.bytes);
    assert_memory_equal(again.data, wire.data, wire.bytes);
    pm_wire_free(&wire);
    pm_wire_free(&again);
}

TEST(a_message_that_is_cut_or_of_other_rows_is_no_fit)
{
    world *f = room(1, sizeof *f);
    pm_hierarchy *read;
    pm_wire wire;

    make_world(f, 5, .3, .1);
    wire = message_of(f, fit(f, NULL));
    for (size_t bytes = 0; bytes < wire.bytes; bytes += 1 + wire.bytes / 97) {
        pm_wire cut = {.data = wire.data, .bytes = bytes};

        pm_hierarchy_wire(&cut, &f->rows, &read);
        assert_null(read);
    }
    f->rows.n--;
    wire.at = 0;
    pm_hierarchy_wire(&wire, &f->rows, &read);
    assert_null(read);
    pm_wire_free(&wire);
}

/* ---- residuals ----------------------------------------------------------------------------------
 */

/* A program that is slower on all measured GPUs is predicted slower on a GPU without
 * measurements. */
TEST(what_programs_add_is_carried)
{
    world *f = room(1, sizeof *f);
    pm_hierarchy_row wanted[OF_PROGRAM], other;
    pm_hierarchy_effect effect[OF_PROGRAM], unknown;
    const pm_hierarchy *h;
    double sum = 0, shape[OF_PROGRAM][PM_UNITS_SHAPE];

    make_world(f, 7, .1, 0);
    for (size_t i = 0; i < N; i++)
        f->log_time[i] += f->of[i].program == 1 ? .4 : 0;
    h = fit(f, NULL);
    for (size_t k = 0; k < OF_PROGRAM; k++)
        wanted[k] = row_of(UNSEEN, OF_PROGRAM + k);
    find_shapes(f, h, UNSEEN, OF_PROGRAM, OF_PROGRAM, shape);
    assert_int_equal(
        pm_hierarchy_effects(h, gpu_of(f, wanted), wanted, shape[0], OF_PROGRAM, effect, told()),
        PM_OK);
    for (size_t k = 0; k < OF_PROGRAM; k++) {
        sum += effect[k].mean;
        assert_true(effect[k].variance > 0 && effect[k].variance < .7 * effect[k].unknown);
        assert_true(effect[k].known);
    }
    assert_true(sum / OF_PROGRAM > .2 && sum / OF_PROGRAM < .5);

    other = (pm_hierarchy_row){UNSEEN, PM_NO_NAME, PM_NO_NAME, PM_NO_NAME, PM_NO_NAME};
    assert_int_equal(
        pm_hierarchy_effects(h, gpu_of(f, &other), &other, shape[0], 1, &unknown, told()), PM_OK);
    assert_true(unknown.mean == 0 && unknown.variance == unknown.unknown && !unknown.known);
}

/* The second GPU gets the effects that it would get alone, although the first one has left its
 * intermediate results. */
TEST(gpus_one_after_the_other)
{
    world *f = room(1, sizeof *f);
    double shape[OF_PROGRAM][PM_UNITS_SHAPE];
    const pm_hierarchy *h, *alone;

    make_world(f, 7, .1, 0);
    h = fit(f, NULL);
    alone = fit(f, NULL);
    for (size_t of = 0; of < 3; of++) {
        const pm_hierarchy *const by[] = {h, of < 2 ? h : alone};
        pm_hierarchy_effect effect[2][OF_PROGRAM];
        pm_hierarchy_row wanted[OF_PROGRAM];

        for (size_t k = 0; k < OF_PROGRAM; k++)
            wanted[k] = row_of(of, OF_PROGRAM + k);
        find_shapes(f, h, of, OF_PROGRAM, OF_PROGRAM, shape);
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(pm_hierarchy_effects(by[i], gpu_of(f, wanted), wanted, shape[0],
                                                  OF_PROGRAM, effect[i], told()),
                             PM_OK);
        for (size_t k = 0; k < OF_PROGRAM; k++)
            assert_true(effect[0][k].known && effect[0][k].mean == effect[1][k].mean &&
                        effect[0][k].variance == effect[1][k].variance &&
                        effect[0][k].freedom == effect[1][k].freedom);
    }
}

/* Returns the expected effect of the first row of program 1 on a GPU without measurements. */
static pm_hierarchy_effect expect(const world *f)
{
    const pm_hierarchy_row wanted = row_of(UNSEEN, OF_PROGRAM);
    const pm_hierarchy *h = fit(f, NULL);
    pm_hierarchy_effect effect;
    double shape[1][PM_UNITS_SHAPE];

    find_shapes(f, h, UNSEEN, OF_PROGRAM, 1, shape);
    assert_int_equal(
        pm_hierarchy_effects(h, gpu_of(f, &wanted), &wanted, shape[0], 1, &effect, told()), PM_OK);
    return effect;
}

/* Returns this effect if the log time on one GPU of another architecture is larger by `longer`. */
static double carried_from_one(double longer)
{
    world *f = room(1, sizeof *f);

    make_world(f, 9, .1, 0);
    for (size_t i = 0; i < N; i++)
        f->log_time[i] += f->of[i].program == 1 && f->of[i].gpu == OF_KIND ? longer : 0;
    return expect(f).mean;
}

/* A very large residual on one GPU affects predictions of other GPUs only little. */
TEST(what_is_far_off_on_one_gpu_is_not_carried)
{
    const double none = carried_from_one(0), some = carried_from_one(.3), far = carried_from_one(3);

    assert_true(some > none);
    assert_true(fabs(far - none) < .04);
}

/* A residual of a configuration is transferred to an untimed configuration with the same
 * bottlenecks, but not to one with other bottlenecks. */
TEST(what_is_wrong_of_a_shape_is_carried)
{
    enum { AT = OF_PROGRAM + 4, OTHER = AT + 2 };
    world *f = room(1, sizeof *f);
    const pm_hierarchy_row wanted = row_of(UNSEEN, AT + 1);
    gsl_rng *rng = rng_of(12);
    const pm_hierarchy *h;
    pm_hierarchy_effect like, unlike;
    bool seen[N];
    double wrong[TAKEN / 2], shape[OTHER - AT + 1][PM_UNITS_SHAPE];

    make_world(f, 12, .1, 0);
    for (size_t k = 0; k < TAKEN / 2; k++)
        wrong[k] = gsl_ran_gaussian(rng, .5);
    wrong[AT / 2] = 1;
    wrong[OTHER / 2] = -1;
    for (size_t i = 0; i < N; i++) {
        const size_t first = i - i % 2;

        memcpy(f->joined.work + i * PM_UNITS_COLUMNS, f->joined.work + first * PM_UNITS_COLUMNS,
               PM_UNITS_COLUMNS * sizeof *f->joined.work);
        f->joined.launches[i] = f->joined.launches[first];
        seen[i] = i % TAKEN != AT + 1;
        f->log_time[i] = f->log_time[first] + (i == first ? wrong[i % TAKEN / 2] : 0);
    }
    h = fit(f, seen);
    find_shapes(f, h, UNSEEN, AT, OTHER - AT + 1, shape);
    assert_int_equal(
        pm_hierarchy_effects(h, gpu_of(f, &wanted), &wanted, shape[0], 1, &like, told()), PM_OK);
    assert_int_equal(
        pm_hierarchy_effects(h, gpu_of(f, &wanted), &wanted, shape[OTHER - AT], 1, &unlike, told()),
        PM_OK);
    assert_true(like.mean > unlike.mean + .3);
}

/* Returns the variance of program 1 on a GPU without measurements. The GPUs of one architecture
 * have large residuals with different signs. */
static double variance_beside(size_t kind)
{
    world *f = room(1, sizeof *f);
    gsl_rng *rng = rng_of(11);
    double wrong[KINDS][TAKEN];

    make_world(f, 11, .1, 0);
    for (size_t k = 0; k < KINDS * TAKEN; k++)
        wrong[k / TAKEN][k % TAKEN] = gsl_ran_gaussian(rng, .1);
    for (size_t i = 0; i < N; i++) {
        const size_t of = f->of[i].gpu / OF_KIND;

        f->log_time[i] += wrong[of][i % TAKEN];
        if (f->of[i].program == 1 && of == kind)
            f->log_time[i] += f->of[i].gpu % 2 ? 1 : -1;
    }
    return expect(f).variance;
}

/* Large residuals on an architecture increase the variance on other GPUs of that architecture. */
TEST(a_gpu_is_as_far_off_as_its_like)
{
    const double none = variance_beside(KINDS), like = variance_beside(0),
                 others = variance_beside(1);

    assert_true(like > 4 * none);
    assert_true(like > 1.5 * others);
}

/* Errors are common to the GPUs of an architecture and independent between architectures. The
 * retained share is then 1 within an architecture and 0 between architectures. */
TEST(what_is_kept_is_what_gpus_have_in_common)
{
    world *f = room(1, sizeof *f);
    gsl_rng *rng = rng_of(10);
    double wrong[KINDS][TAKEN];
    const pm_hierarchy_kept *kept;

    make_world(f, 10, .1, 0);
    for (size_t k = 0; k < KINDS * TAKEN; k++)
        wrong[k / TAKEN][k % TAKEN] = gsl_ran_gaussian(rng, .4);
    for (size_t i = 0; i < N; i++)
        f->log_time[i] += wrong[f->of[i].gpu / OF_KIND][i % TAKEN];
    kept = pm_hierarchy_what_is_kept(fit(f, NULL));
    assert_true(kept->share[PM_SAME_CHIP] > .9 && kept->error[PM_SAME_CHIP] < .1);
    assert_true(kept->share[PM_SAME_MAKER] < .3);
    assert_int_equal(kept->gpus[PM_SAME_CHIP], UNSEEN);
    assert_int_equal(kept->gpus[PM_SAME_ARCHITECTURE], 0); /* no architecture has two chips here */
}

TEST(kinships_are_of_chips_architectures_and_makers)
{
    pm_profile a = gpu, b = gpu;

    strcpy(a.architecture, "ampere");
    strcpy(b.architecture, "ampere");
    a.compute_capability = b.compute_capability = 8.6;
    assert_int_equal(pm_kinship_of(&a, &b), PM_SAME_CHIP);
    b.compute_capability = 8;
    assert_int_equal(pm_kinship_of(&a, &b), PM_SAME_ARCHITECTURE);
    strcpy(b.architecture, "turing");
    assert_int_equal(pm_kinship_of(&a, &b), PM_SAME_MAKER);
    b.compute_capability = 0;
    assert_int_equal(pm_kinship_of(&a, &b), PM_NO_KINSHIP);
}

TEST(counters_that_are_no_numbers_are_refused)
{
    world *f = room(1, sizeof *f);
    pm_hierarchy *h = NULL;
    pm_error err = {0};

    make_world(f, 8, .1, .05);
    f->log_time[7] = (double)NAN;
    assert_int_equal(pm_hierarchy_fit(&f->rows, NULL, &h, &err), PM_FAILED);
    assert_null(h);
    assert_non_null(strstr(err.text, "counters"));
}
