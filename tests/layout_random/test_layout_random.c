/* Random programs with arrays of structs, in random layouts: what a layout makes of a program must
 * compute the same bits, or the layout must be refused with a line of the source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   test_layout_random [--seed N] [--programs N] [--layouts N] [--jobs N] [--devices-every N]
 *   test_layout_random --seed N --layout TEXT --print     one case, with both sources
 *   test_layout_random --break output|arguments ...       transforms that are made wrong on
 * purpose: fails unless that is noticed
 *
 * Programs are compiled for this machine (host.h); one in so many also runs by OpenCL and by the
 * trace engine. Exit code 77: without clang or libclang there is nothing to test.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "collector/trace/compile.h"

enum { JOBS = 16, REASONS = 256 };

/* Of programs that have nothing odd in them, so much may be refused. */
static const double refused_share = 0.25;

static const char *const result_names[] = {"started", "equal",     "refused",      "WRONG",
                                           "CRASHED", "MALFORMED", "UNCOMPILABLE", "UNSOUND"};

typedef struct {
    char text[200];
    unsigned count, odd;
    uint64_t seed;
} reason;

typedef struct {
    unsigned counts[LR_RESULTS], odd_counts[LR_RESULTS], shown, bad_exits;
    reason reasons[REASONS];
    size_t reason_count;
} tally;

typedef struct {
    pid_t pid;
    int from;
    uint64_t next; /* seed that it starts with */
    lr_case last;
    bool busy;
} job;

/* ---- the tally --------------------------------------------------------------------------------
 */

/* The text without what differs between programs: the place, names in quotes, numbers. */
static void classify(const char *text, char *out, size_t size)
{
    size_t length = 0;
    char quote = '\0';
    const char *at = strstr(text, "random.cl:");

    if (at)
        text = at + strcspn(at, " ");
    for (; *text && length + 2 < size; text++) {
        if (quote && *text != quote)
            continue;
        if (*text == '\'' || *text == '"' || *text == '`')
            quote = quote ? '\0' : *text;
        if (!isdigit((unsigned char)*text))
            out[length++] = *text;
    }
    out[length] = '\0';
}

static void add_reason(tally *t, const lr_case *c)
{
    char text[200];
    size_t i = 0;

    classify(c->text, text, sizeof text);
    while (i < t->reason_count && strcmp(t->reasons[i].text, text) != 0)
        i++;
    if (i == REASONS)
        return;
    if (i == t->reason_count) {
        memcpy(t->reasons[i].text, text, sizeof text);
        t->reasons[i].seed = c->seed;
        t->reason_count++;
    }
    t->reasons[i].count++;
    t->reasons[i].odd += c->odd;
}

static void add(tally *t, const lr_options *o, const lr_case *c, const char *layout)
{
    (c->odd ? t->odd_counts : t->counts)[c->result]++;
    if (c->result == LR_REFUSED)
        add_reason(t, c);
    if (c->result > LR_REFUSED && o->broken == LR_BREAK_NOTHING && t->shown++ < 40)
        printf("%s (%s): %s\n    test_layout_random --seed %llu --layout '%s' --print\n",
               result_names[c->result], c->device, c->text, (unsigned long long)c->seed, layout);
    fflush(stdout);
}

static unsigned all(const tally *t, lr_result result)
{
    return t->counts[result] + t->odd_counts[result];
}

static void print_tally(const tally *t)
{
    for (unsigned r = LR_EQUAL; r < LR_RESULTS; r++)
        printf("%-13s %6u, and %6u of programs with something odd\n", result_names[r], t->counts[r],
               t->odd_counts[r]);
    for (size_t i = 0; i < t->reason_count; i++)
        printf("  refused %5u (%u odd, seed %llu): %s\n", t->reasons[i].count, t->reasons[i].odd,
               (unsigned long long)t->reasons[i].seed, t->reasons[i].text);
}

/* ---- jobs -------------------------------------------------------------------------------------
 */

static void tell_parent(void *to, const lr_case *c)
{
    const unsigned char *bytes = (const unsigned char *)c;

    fflush(stdout);
    for (size_t done = 0; done < sizeof *c;) {
        ssize_t n = write(*(const int *)to, bytes + done, sizeof *c - done);

        if (n < 0 && errno != EINTR)
            _exit(1);
        done += n > 0 ? (size_t)n : 0;
    }
}

static bool start_job(job *j, const lr_options *o, unsigned number, unsigned jobs)
{
    int ends[2];

    if (pipe(ends) != 0)
        return false;
    fflush(stdout);
    j->pid = fork();
    if (j->pid == 0) {
        close(ends[0]);
        exit(lr_run_cases(o, number, jobs, j->next, tell_parent, &ends[1]));
    }
    close(ends[1]);
    j->from = ends[0];
    j->last = (lr_case){0};
    j->busy = j->pid > 0;
    return j->busy;
}

static bool read_case(int from, lr_case *c)
{
    unsigned char *bytes = (unsigned char *)c;
    size_t done = 0;

    while (done < sizeof *c) {
        ssize_t n = read(from, bytes + done, sizeof *c - done);

        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Ends a job whose pipe is closed. One that crashed goes on with its next program. */
static void end_job(job *j, tally *t, const lr_options *o, unsigned number, unsigned jobs,
                    const char *layout)
{
    int status = 0;

    close(j->from);
    j->busy = false;
    if (waitpid(j->pid, &status, 0) == j->pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    if (j->last.result != LR_STARTED) {
        t->bad_exits++;
        printf("a job ended with status %d after program %llu\n", status,
               (unsigned long long)j->last.seed);
        return;
    }
    j->last.result = LR_CRASHED;
    snprintf(j->last.text, sizeof j->last.text, "ended with status %d", status);
    add(t, o, &j->last, layout);
    j->next = j->last.seed + jobs;
    if (j->next < o->first + o->count)
        start_job(j, o, number, jobs);
}

static bool run_jobs(const lr_options *o, unsigned count, tally *t)
{
    job jobs[JOBS] = {0};
    static char layouts[JOBS][1024];
    unsigned left;

    for (unsigned i = 0; i < count; i++) {
        jobs[i].next = o->first + i;
        if (jobs[i].next < o->first + o->count && !start_job(&jobs[i], o, i, count))
            return false;
    }
    do {
        left = 0;
        for (unsigned i = 0; i < count; i++) {
            lr_case c;

            if (!jobs[i].busy)
                continue;
            left++;
            if (!read_case(jobs[i].from, &c)) {
                end_job(&jobs[i], t, o, i, count, layouts[i]);
                continue;
            }
            jobs[i].last = c;
            if (c.result != LR_STARTED)
                add(t, o, &c, layouts[i]);
            else if (strcmp(c.device, "host") == 0)
                memcpy(layouts[i], c.text, sizeof layouts[i]);
        }
    } while (left > 0);
    return true;
}

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
            *jobs = number > 0 && number <= JOBS ? (unsigned)number : 1;
        else if (strcmp(argv[i - 1], "--break") == 0)
            o->broken = *value == 'o' ? LR_BREAK_OUTPUT : LR_BREAK_ARGUMENTS;
        else
            return false;
    }
    if (o->only_layout)
        o->count = 1;
    return true;
}

static bool passed(const tally *t, const lr_options *o)
{
    unsigned bad = t->bad_exits, ran = 0, noticed = all(t, LR_WRONG) + all(t, LR_CRASHED);
    double share;

    for (unsigned r = LR_EQUAL; r < LR_RESULTS; r++) {
        bad += r > LR_REFUSED ? all(t, r) : 0;
        ran += t->counts[r];
    }
    if (o->broken != LR_BREAK_NOTHING) {
        printf("%u of %u broken ones were noticed\n", noticed, noticed + all(t, LR_EQUAL));
        return noticed > 4 * all(t, LR_EQUAL);
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
    lr_options options = {.first = 1, .count = 400, .layouts = 5, .devices_every = 20};
    unsigned jobs = 2;
    pm_error err = {0};
    char folder[] = "/tmp/pm_random_XXXXXX";
    static tally t;

    options.folder = folder;
    if (!read_options(argc, argv, &options, &jobs)) {
        fprintf(stderr, "unknown option; the first lines of test_layout_random.c list them\n");
        return 2;
    }
    if (pm_trace_compiler_find(&err) != PM_OK) {
        printf("skipped: %s\n", err.text);
        return 77;
    }
    if (!mkdtemp(folder) || !run_jobs(&options, jobs, &t)) {
        fprintf(stderr, "%s: cannot make files there, or start processes\n", folder);
        return 1;
    }
    remove_files(folder, jobs);
    print_tally(&t);
    return passed(&t, &options) ? 0 : 1;
}
