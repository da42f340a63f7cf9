/* Random programs with arrays of structs, in random layouts: what a layout makes of a program must
 * compute the same bits, or the layout must be refused with a line of the source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   test_layout_random [--seed N] [--programs N] [--layouts N] [--jobs N] [--devices-every N]
 *   test_layout_random --seed N --layout TEXT --print     one case, with both sources
 *   test_layout_random --seed N --layout TEXT --shrink    the same, of what is left of the program
 *                                                         with the same result
 *   test_layout_random --break output|arguments ...       transforms that are made wrong on
 * purpose: fails unless that is noticed
 *
 * Programs are compiled for this machine (host.h); one in so many also runs by OpenCL and by the
 * trace engine. Exit code 77: without clang or libclang there is nothing to test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/trace/compile.h"
#include "jobs.h"
#include "shrink.h"

/* Of programs that have nothing odd in them, so much may be refused. */
static const double refused_share = 0.1;

/* ---- the command line -------------------------------------------------------------------------
 */

static bool read_options(int argc, char **argv, lr_options *o, unsigned *jobs)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        uint64_t number = strtoull(value, NULL, 10);

        if (strcmp(argv[i], "--print") == 0) {
            o->print = true;
            continue;
        }
        if (strcmp(argv[i], "--shrink") == 0) {
            o->shrink = true;
            continue;
        }
        i++;
        if (strcmp(argv[i - 1], "--seed") == 0)
            o->first = number;
        else if (strcmp(argv[i - 1], "--programs") == 0)
            o->count = number;
        else if (strcmp(argv[i - 1], "--layouts") == 0)
            o->layouts = (unsigned)number;
        else if (strcmp(argv[i - 1], "--layout") == 0)
            o->only_layout = value;
        else if (strcmp(argv[i - 1], "--devices-every") == 0)
            o->devices_every = (unsigned)number;
        else if (strcmp(argv[i - 1], "--jobs") == 0)
            *jobs = number > 0 && number <= LR_JOBS ? (unsigned)number : 1;
        else if (strcmp(argv[i - 1], "--break") == 0)
            o->broken = *value == 'o' ? LR_BREAK_OUTPUT : LR_BREAK_ARGUMENTS;
        else
            return false;
    }
    if (o->only_layout)
        o->count = 1;
    return true;
}

static bool passed(const lr_tally *t, const lr_options *o)
{
    unsigned bad = t->bad_exits, ran = 0,
             noticed = lr_tally_all(t, LR_WRONG) + lr_tally_all(t, LR_CRASHED);
    double share;

    for (unsigned r = LR_EQUAL; r < LR_RESULTS; r++) {
        bad += r > LR_REFUSED ? lr_tally_all(t, r) : 0;
        ran += t->counts[r];
    }
    if (o->broken != LR_BREAK_NOTHING) {
        printf("%u of %u broken ones were noticed\n", noticed, noticed + lr_tally_all(t, LR_EQUAL));
        return noticed > 4 * lr_tally_all(t, LR_EQUAL);
    }
    share = ran ? (double)t->counts[LR_REFUSED] / ran : 0;
    printf("refused of programs with nothing odd: %.1f %%, may be %.0f %%\n", 100 * share,
           100 * refused_share);
    return bad == 0 && (o->only_layout || (ran > 0 && share <= refused_share));
}

static void remove_files(const char *folder, unsigned jobs)
{
    static const char *const ends[] = {"cl", "o", "so", "txt"};
    char path[128];

    for (unsigned i = 0; i < jobs * 4; i++) {
        snprintf(path, sizeof path, "%s/%u.%s", folder, i / 4, ends[i % 4]);
        unlink(path);
    }
    rmdir(folder);
}

int main(int argc, char **argv)
{
    lr_options options = {.first = 1, .count = 250, .layouts = 8, .devices_every = 50};
    unsigned jobs = 2;
    pm_error err = {0};
    char folder[] = "/tmp/pm_random_XXXXXX";
    static lr_tally t;

    options.folder = folder;
    if (!read_options(argc, argv, &options, &jobs)) {
        fprintf(stderr, "unknown option; the first lines of test_layout_random.c list them\n");
        return 2;
    }
    if (pm_trace_compiler_find(&err) != PM_OK) {
        printf("skipped: %s\n", err.text);
        return 77;
    }
    if (!mkdtemp(folder) ||
        !(options.shrink ? lr_shrink(&options, &t) : lr_run_jobs(&options, jobs, &t))) {
        fprintf(stderr, "%s: cannot make files there, or start processes\n", folder);
        return 1;
    }
    remove_files(folder, jobs);
    lr_tally_print(&t);
    return passed(&t, &options) ? 0 : 1;
}
