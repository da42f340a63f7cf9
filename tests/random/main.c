/* The command line and the verdict of a random test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   TEST [--language opencl|cuda] [--seed N] [--programs N] [--variants N] [--jobs N] [--devices N]
 *        [--oclgrind N] [--show N]
 *   TEST --seed N --only SPEC --print    one case, with both sources
 *   TEST --break HOW ...                 transforms that are made wrong on purpose: fails unless
 *                                        that is noticed
 *   TEST --identity ...                  no transform at all
 *   TEST --opencl ...                    what is transformed runs by OpenCL alone
 *   TEST --optimised ...                 what is transformed is optimised for the host, all of it
 *
 * Each run has programs of its own, from a new seed on, or that of PERFMODEL_TEST_SEED (a commit's,
 * in CI), which is printed first and last; --seed has the same ones again. Programs are compiled
 * for this machine (machine.h); the first ones also run by OpenCL and in the trace engine, the last
 * ones by Oclgrind. Exit code 77: without clang or libclang there is nothing to test.
 *
 * What may be refused: the shares in a suite were measured over many programs. A run of n programs
 * fails where a binomial distribution of n with that share has as many refused ones or more less
 * often than once in a million runs. Transforms of one program are refused together or not at all,
 * at worst: so a program counts once, by the share of its transforms. The same of unsound ones.
 */
#include <gsl/gsl_cdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "collector/worker/worker.h"
#include "compiler/compile.h"
#include "jobs.h"

/* Leaks of OpenCL drivers and LeakSanitizer to ignore, see lsan.supp. LeakSanitizer requires these
 * reserved function names. */
const char *rd_lsan_suppressions(void) __asm__("__lsan_default_suppressions");
const char *rd_lsan_options(void) __asm__("__lsan_default_options");

const char *rd_lsan_suppressions(void)
{
    return "leak:operator new\n";
}

const char *rd_lsan_options(void)
{
    return "print_suppressions=0:intercept_tls_get_addr=0";
}

/* ---- the command line ----------------------------------------------------------------------- */

static const rd_break *find_break(const rd_suite *suite, const char *name)
{
    for (const rd_break *b = suite->breaks; b->name; b++)
        if (strcmp(b->name, name) == 0)
            return b;
    return NULL;
}

static bool read_language(rd_options *o, const char *name)
{
    o->language = strcmp(name, rd_language_of(RD_CUDA)->name) == 0 ? RD_CUDA : RD_OPENCL;
    return strcmp(name, rd_language_of(o->language)->name) == 0;
}

static bool read_flag(rd_options *o, const char *name)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--print", &o->print},
                 {"--identity", &o->identity},
                 {"--opencl", &o->opencl},
                 {"--optimised", &o->optimised}};

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(flags[i].name, name) == 0)
            return *flags[i].flag = true;
    return false;
}

static bool read_value(rd_options *o, const char *name, const char *value)
{
    const struct {
        const char *name;
        unsigned *number;
    } numbers[] = {{"--programs", &o->programs}, {"--variants", &o->variants},
                   {"--devices", &o->devices},   {"--oclgrind", &o->oclgrind},
                   {"--show", &o->show},         {"--jobs", &o->jobs}};
    uint64_t number = strtoull(value, NULL, 10);

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].name, name) == 0) {
            *numbers[i].number = (unsigned)number;
            return true;
        }
    if (strcmp(name, "--seed") == 0)
        o->first = number;
    else if (strcmp(name, "--only") == 0)
        o->only = value;
    else if (strcmp(name, "--language") == 0)
        return read_language(o, value);
    else if (strcmp(name, "--break") == 0)
        return (o->broken = find_break(o->suite, value)) != NULL;
    else
        return false;
    return true;
}

static bool read_options(int argc, char **argv, rd_options *o)
{
    for (int i = 1; i < argc; i++)
        if (!read_flag(o, argv[i]) && (++i == argc || !read_value(o, argv[i - 1], argv[i])))
            return false;
    if (o->only)
        o->variants = 1;
    if (o->only || o->print)
        o->programs = 1;
    if (o->jobs == 0 || o->jobs > RD_JOBS)
        o->jobs = 1;
    return o->programs > 0 && o->variants > 0;
}

/* Returns the command that repeats the same programs. */
static void print_command(const rd_options *o, int argc, char **argv)
{
    printf("%s --seed %llu", o->suite->name, (unsigned long long)o->first);
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--seed") == 0)
            i++;
        else
            printf(" %s", argv[i]);
    printf("\n");
    fflush(stdout);
}

/* ---- the verdict ---------------------------------------------------------------------------- */

/* Returns whether the number of cases is consistent with the expected share by chance. */
static bool is_usual(const char *what, double share, unsigned count, unsigned all,
                     unsigned variants)
{
    unsigned programs = all / variants, most = 0;

    while (share > 0 && most < programs && gsl_cdf_binomial_Q(most, share, programs) > 1e-6)
        most++;
    printf("%s: %.1f %%, usual are %.1f %%, may be %.1f %%\n", what, all ? 100.0 * count / all : 0,
           100 * share, programs ? 100.0 * most / programs : 100);
    return programs == 0 || count <= most * variants;
}

static bool passed(const rd_tally *t, const rd_options *o)
{
    unsigned noticed = rd_tally_all(t, RD_WRONG) + rd_tally_all(t, RD_CRASHED);
    unsigned equal = rd_tally_all(t, RD_EQUAL), bad = t->bad_exits, all = 0, ran = 0;
    bool usual;

    for (unsigned r = RD_NOT_YET; r < RD_RESULTS; r++) {
        bad += (r > RD_REFUSED && r < RD_UNSOUND) || r < RD_EQUAL ? rd_tally_all(t, r) : 0;
        all += rd_tally_all(t, r);
        ran += r >= RD_EQUAL && r <= RD_REFUSED ? t->counts[r] : 0;
    }
    if (o->broken) {
        printf("%u of %u broken ones were noticed\n", noticed, noticed + equal);
        return noticed > o->broken->times * equal;
    }
    if (o->only)
        return bad == 0;
    usual = is_usual("unsound", o->suite->unsound[o->language], rd_tally_all(t, RD_UNSOUND), all,
                     o->variants);
    return is_usual("refused of programs with nothing odd", o->suite->refused[o->language],
                    t->counts[RD_REFUSED], ran, o->variants) &&
           usual && bad == 0;
}

/* The worker ends with this process, because processes do not share one. */
static pm_status find_compiler(pm_error *err)
{
    pm_worker *worker = pm_worker_create(NULL, err);
    pm_status status = worker ? pm_compiler_find(pm_worker_compiler(worker), err) : PM_FAILED;

    pm_worker_free(worker);
    return status;
}

static uint64_t choose_seed(void)
{
    const char *given = getenv("PERFMODEL_TEST_SEED");
    uint32_t drawn;

    if (given && *given)
        return strtoull(given, NULL, 10);
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        drawn = (uint32_t)getpid();
    return drawn;
}

int rd_main(const rd_suite *suite, int argc, char **argv)
{
    rd_options o = {.suite = suite,
                    .programs = suite->programs,
                    .variants = suite->variants,
                    .devices = suite->devices,
                    .oclgrind = suite->oclgrind,
                    .jobs = 2,
                    .show = 40};
    char folder[] = "/tmp/pm_random_XXXXXX";
    pm_error err = {0};
    static rd_tally t;
    bool ran;

    o.folder = folder;
    o.first = choose_seed();
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "%s: unknown option; the first lines of tests/random/main.c list them\n",
                suite->name);
        return 2;
    }
    if (find_compiler(&err) != PM_OK) {
        printf("skipped: %s\n", err.text);
        return 77;
    }
    print_command(&o, argc, argv);
    ran = mkdtemp(folder) && rd_run_jobs(&o, &t);
    rmdir(folder);
    if (!ran) {
        fprintf(stderr, "%s: cannot make files there, or start processes\n", folder);
        return 1;
    }
    rd_tally_print(&t);
    ran = passed(&t, &o);
    printf("%s; again: ", ran ? "passed" : "FAILED");
    print_command(&o, argc, argv);
    return ran ? 0 : 1;
}
