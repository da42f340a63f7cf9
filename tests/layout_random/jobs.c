/* Processes that run cases. See jobs.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "jobs.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const result_names[] = {"started", "equal",     "refused",      "WRONG",
                                           "CRASHED", "MALFORMED", "UNCOMPILABLE", "UNSOUND"};

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

static void add_reason(lr_tally *t, const lr_case *c)
{
    char text[200];
    size_t i = 0;

    classify(c->text, text, sizeof text);
    while (i < t->reason_count && strcmp(t->reasons[i].text, text) != 0)
        i++;
    if (i == LR_REASONS)
        return;
    if (i == t->reason_count) {
        memcpy(t->reasons[i].text, text, sizeof text);
        t->reasons[i].seed = c->seed;
        t->reason_count++;
    }
    t->reasons[i].count++;
    t->reasons[i].odd += c->odd;
}

static void add(lr_tally *t, const lr_options *o, const lr_case *c, const char *layout)
{
    (c->odd ? t->odd_counts : t->counts)[c->result]++;
    if (c->result == LR_REFUSED)
        add_reason(t, c);
    if (c->result > LR_REFUSED && o->broken == LR_BREAK_NOTHING && !o->quiet && t->shown++ < 40)
        printf("%s (%s): %s\n    test_layout_random --seed %llu --layout '%s' --print\n",
               result_names[c->result], c->device, c->text, (unsigned long long)c->seed, layout);
    fflush(stdout);
}

unsigned lr_tally_all(const lr_tally *t, lr_result result)
{
    return t->counts[result] + t->odd_counts[result];
}

void lr_tally_print(const lr_tally *t)
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
static void end_job(job *j, lr_tally *t, const lr_options *o, unsigned number, unsigned jobs,
                    const char *layout)
{
    int status = 0;

    close(j->from);
    j->busy = false;
    if (waitpid(j->pid, &status, 0) == j->pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    if (j->last.result != LR_STARTED) {
        t->bad_exits++;
        if (!o->quiet)
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

bool lr_run_jobs(const lr_options *o, unsigned count, lr_tally *t)
{
    job jobs[LR_JOBS] = {0};
    static char layouts[LR_JOBS][1024];
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
