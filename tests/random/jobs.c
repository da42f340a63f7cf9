/* Processes that run batches. See jobs.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "jobs.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[RD_RESULTS] = {
    "not run", "started",   "equal",        "unchanged", "refused",         "WRONG",
    "CRASHED", "MALFORMED", "UNCOMPILABLE", "unsound",   "nothing to break"};

/* ---- counting results ----------------------------------------------------------------------- */

/* Returns the text without source location, quoted names and numbers. */
static void classify(const char *text, char *out, size_t size)
{
    size_t length = 0;
    char quote = '\0';
    const char *at = strstr(text, "random.c");

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

static void add_reason(rd_tally *t, const rd_case *c)
{
    char text[160];
    size_t i = 0;

    classify(c->text, text, sizeof text);
    while (i < t->reason_count &&
           (strcmp(t->reasons[i].text, text) != 0 || t->reasons[i].result != c->result))
        i++;
    if (i == RD_REASONS)
        return;
    if (i == t->reason_count) {
        t->reasons[i] = (rd_reason){.seed = c->seed, .result = c->result};
        memcpy(t->reasons[i].text, text, sizeof text);
        t->reason_count++;
    }
    t->reasons[i].count++;
    t->reasons[i].odd += *c->odd != '\0';
}

/* What must not be. */
static bool is_bad(const rd_options *o, rd_result result)
{
    return (result > RD_REFUSED && result < RD_UNSOUND) ||
           (result == RD_UNSOUND && o->suite->unsound[o->language] == 0);
}

static void add_all(const rd_options *o, rd_tally *t)
{
    unsigned shown = 0;

    for (size_t i = 0; i < (size_t)o->programs * o->variants; i++) {
        const rd_case *c = &o->cases[i];

        (*c->odd ? t->odd_counts : t->counts)[c->result]++;
        t->on_devices += c->devices;
        if (c->result == RD_REFUSED || c->result == RD_UNSOUND)
            add_reason(t, c);
        if (is_bad(o, c->result) && !o->broken && shown++ < o->show)
            printf("%s (%s, odd: %s): %s\n    %s --language %s --seed %llu --only '%s' --print\n",
                   names[c->result], c->where, *c->odd ? c->odd : "nothing", c->text,
                   o->suite->name, rd_language_of(o->language)->name, (unsigned long long)c->seed,
                   c->spec);
    }
}

unsigned rd_tally_all(const rd_tally *t, rd_result result)
{
    return t->counts[result] + t->odd_counts[result];
}

void rd_tally_print(const rd_tally *t)
{
    for (unsigned r = 0; r < RD_RESULTS; r++)
        if (r >= RD_EQUAL || rd_tally_all(t, r) > 0)
            printf("%-16s %6u, and %6u with something odd\n", names[r], t->counts[r],
                   t->odd_counts[r]);
    for (size_t i = 0; i < t->reason_count; i++)
        printf("  %s %5u (%u odd, seed %llu): %s\n", names[t->reasons[i].result],
               t->reasons[i].count, t->reasons[i].odd, (unsigned long long)t->reasons[i].seed,
               t->reasons[i].text);
    if (t->on_devices)
        printf("%u of the equal ones were equal on a device, too\n", t->on_devices);
    if (t->bad_exits)
        printf("%u batches ended badly after their last case\n", t->bad_exits);
}

/* ---- jobs ----------------------------------------------------------------------------------- */

typedef struct {
    pid_t pid;
    unsigned batch;
} job;

static bool start_job(job *j, const rd_options *o, unsigned batch)
{
    fflush(stdout);
    j->batch = batch;
    j->pid = fork();
    if (j->pid == 0) {
        /* Ends a process that uses too much processor time, because a kernel without accesses may
         * loop for ever. Elapsed time would depend on other work of the machine. */
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = 300}, NULL);
        exit(rd_run_batch(o, batch));
    }
    return j->pid > 0;
}

/* Records a crash for the case that was running. Returns false if no case of the batch was. */
static bool blame(const rd_options *o, unsigned batch, int status)
{
    size_t first = (size_t)batch * RD_BATCH * o->variants;
    size_t end = (size_t)o->programs * o->variants;
    bool found = false;

    if (first + (size_t)RD_BATCH * o->variants < end)
        end = first + (size_t)RD_BATCH * o->variants;
    for (size_t i = first; i < end; i++) {
        rd_case *c = &o->cases[i];

        if (c->result != RD_STARTED)
            continue;
        found = true;
        c->result = strcmp(c->text, RD_ORIGINAL) == 0 ? RD_UNSOUND : RD_CRASHED;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGILL)
            snprintf(c->text, sizeof c->text, "an index outside of a local array");
        else
            snprintf(c->text, sizeof c->text, "ended with status %d", status);
    }
    return found;
}

/* Waits for a job to end. If a case crashed, its batch continues with the next case. */
static void end_job(job *jobs, const rd_options *o, rd_tally *t)
{
    int status = 0;
    pid_t pid = wait(&status);

    for (unsigned i = 0; i < o->jobs; i++) {
        if (jobs[i].pid != pid)
            continue;
        jobs[i].pid = 0;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return;
        if (blame(o, jobs[i].batch, status))
            start_job(&jobs[i], o, jobs[i].batch);
        else
            t->bad_exits++;
    }
}

bool rd_run_jobs(rd_options *o, rd_tally *t)
{
    unsigned batches = (o->programs + RD_BATCH - 1) / RD_BATCH, next = 0, busy;
    size_t bytes = (size_t)o->programs * o->variants * sizeof *o->cases;
    job jobs[RD_JOBS] = {0};

    o->cases = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (o->cases == MAP_FAILED)
        return false;
    do {
        busy = 0;
        for (unsigned i = 0; i < o->jobs; i++) {
            if (jobs[i].pid == 0 && next < batches && !start_job(&jobs[i], o, next++))
                return false;
            busy += jobs[i].pid > 0;
        }
        if (busy > 0)
            end_job(jobs, o, t);
    } while (busy > 0);
    add_all(o, t);
    munmap(o->cases, bytes);
    return true;
}
