/* Random loop nests with random arrays staged in local memory: what the transform makes of a kernel
 * must compute the same bits, without a race or an access outside of an array, or the transform
 * must refuse with a line of the source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   test_shared_random [--seed N] [--programs N] [--variants N] [--jobs N] [--devices-every N]
 *                      [--oclgrind-every N] [--show N] [--only TEXT]
 *   test_shared_random --seed N --only TEXT --print    one case, with both sources
 *   test_shared_random --seed N --only TEXT --shrink   the same, of what is left of the kernel with
 *                                                      the same result
 *   test_shared_random --break barrier|copy ...    transforms that are made wrong on purpose: fails
 *                                                  unless that is noticed
 *   test_shared_random --identity ...              no transform at all
 *   test_shared_random --opencl ...                what is transformed runs by OpenCL alone
 *
 * Kernels are compiled for this machine (machine.h); one in so many also runs by OpenCL, by the
 * trace engine and by Oclgrind. Exit code 77: without clang or libclang there is nothing to test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/trace/compile.h"
#include "shrink.h"

/* Of programs that have nothing odd in them, so much may be refused; of all, so much may be
 * programs that do what they may not. */
static const double refused_share = 0.75, unsound_share = 0.3;

static bool read_number(sr_options *o, unsigned *jobs, const char *name, uint64_t number)
{
    if (strcmp(name, "--seed") == 0)
        o->first = number;
    else if (strcmp(name, "--programs") == 0)
        o->programs = (unsigned)number;
    else if (strcmp(name, "--variants") == 0)
        o->variants = (unsigned)number;
    else if (strcmp(name, "--devices-every") == 0)
        o->devices_every = (unsigned)number;
    else if (strcmp(name, "--oclgrind-every") == 0)
        o->oclgrind_every = (unsigned)number;
    else if (strcmp(name, "--show") == 0)
        o->show = (unsigned)number;
    else if (strcmp(name, "--jobs") == 0)
        *jobs = number > 0 && number <= SR_JOBS ? (unsigned)number : 1;
    else
        return false;
    return true;
}

static bool read_options(int argc, char **argv, sr_options *o, unsigned *jobs)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";

        if (strcmp(argv[i], "--print") == 0)
            o->print = true;
        else if (strcmp(argv[i], "--identity") == 0)
            o->identity = true;
        else if (strcmp(argv[i], "--shrink") == 0)
            o->shrink = true;
        else if (strcmp(argv[i], "--opencl") == 0)
            o->opencl = true;
        else if (strcmp(argv[i], "--only") == 0)
            o->only = argv[++i] ? value : NULL;
        else if (strcmp(argv[i], "--break") == 0 && argv[++i])
            o->broken = *value == 'b' ? SR_BREAK_BARRIER : SR_BREAK_COPY;
        else if (read_number(o, jobs, argv[i], strtoull(value, NULL, 10)))
            i++;
        else
            return false;
    }
    if (o->only)
        o->variants = 1;
    if (o->print || o->shrink)
        o->programs = 1;
    return o->programs > 0 && o->variants > 0;
}

static bool passed(const sr_tally *t, const sr_options *o)
{
    unsigned noticed = sr_tally_all(t, SR_WRONG) + sr_tally_all(t, SR_CRASHED);
    unsigned equal = sr_tally_all(t, SR_EQUAL), bad = t->bad_exits, all = 0, ran = 0;

    for (unsigned r = SR_NOT_YET; r < SR_RESULTS; r++) {
        bad += (r > SR_REFUSED && r < SR_UNSOUND) || r < SR_EQUAL ? sr_tally_all(t, r) : 0;
        all += sr_tally_all(t, r);
        ran += r >= SR_EQUAL && r <= SR_REFUSED ? t->counts[r] : 0;
    }
    if (o->broken != SR_BREAK_NOTHING) {
        printf("%u of %u broken ones were noticed\n", noticed, noticed + equal);
        /* Some barriers are not needed: where a work-item reads what itself copied. */
        return noticed > 2 * equal;
    }
    printf("refused of kernels with nothing odd: %.1f %%, may be %.0f %%\n",
           ran ? 100.0 * t->counts[SR_REFUSED] / ran : 0, 100 * refused_share);
    return bad == 0 && sr_tally_all(t, SR_UNSOUND) <= unsound_share * all &&
           t->counts[SR_REFUSED] <= refused_share * ran;
}

int main(int argc, char **argv)
{
    sr_options options = {.first = 1,
                          .programs = 800,
                          .variants = 3,
                          .devices_every = 50,
                          .show = 40,
                          .oclgrind_every = 100};
    unsigned jobs = 2;
    pm_error err = {0};
    char folder[] = "/tmp/pm_shared_XXXXXX";
    static sr_tally t;
    bool ran;

    options.folder = folder;
    if (!read_options(argc, argv, &options, &jobs)) {
        fprintf(stderr, "unknown option; the first lines of test_shared_random.c list them\n");
        return 2;
    }
    if (pm_trace_compiler_find(&err) != PM_OK) {
        printf("skipped: %s\n", err.text);
        return 77;
    }
    ran = mkdtemp(folder) &&
          (options.shrink ? sr_shrink(&options, &t) : sr_run_jobs(&options, jobs, &t));
    rmdir(folder);
    if (!ran) {
        fprintf(stderr, "%s: cannot make files there, or start processes\n", folder);
        return 1;
    }
    sr_tally_print(&t);
    return passed(&t, &options) ? 0 : 1;
}
