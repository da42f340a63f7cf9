/* Cases: a random program in a random layout, and what came of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_LAYOUT_RANDOM_CASES_H
#define PM_TESTS_LAYOUT_RANDOM_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    LR_STARTED, /* the case is under way: what stays of it where its process crashes */
    LR_EQUAL,
    LR_REFUSED,
    LR_WRONG,     /* other outputs, or accesses outside of buffers */
    LR_CRASHED,   /* also: a sanitizer's report */
    LR_MALFORMED, /* a refusal without a line of the source, or of more than one line */
    LR_UNCOMPILABLE,
    LR_UNSOUND, /* the program itself does not run, or not alike on two devices */
    LR_RESULTS
} lr_result;

typedef struct {
    uint64_t seed;
    unsigned layout;
    lr_result result;
    bool odd;        /* the program has something that may be refused */
    char device[16]; /* where it ran: host, opencl, trace */
    char text[1024]; /* why */
} lr_case;

typedef enum { LR_BREAK_NOTHING, LR_BREAK_OUTPUT, LR_BREAK_ARGUMENTS } lr_break;

typedef struct {
    uint64_t first, count;   /* seeds of programs */
    unsigned layouts;        /* of each program */
    unsigned devices_every;  /* so many programs, one also runs by OpenCL and by the trace engine;
                              * 0: none */
    const char *only_layout; /* instead of random ones; NULL */
    bool print;              /* both sources */
    bool shrink, quiet;      /* quiet: nothing of a case is told */
    const unsigned char *dropped; /* as for lr_program_create */
    lr_break broken;
    const char *folder; /* for files, which are called like the job: 0.cl */
} lr_options;

/* Job number `job` of so many runs programs from `first` on, first + jobs, .. and tells of every
 * case twice: when it starts and when it has ended. */
typedef void (*lr_tell)(void *to, const lr_case *result);
int lr_run_cases(const lr_options *options, unsigned job, unsigned jobs, uint64_t first,
                 lr_tell tell, void *to);

#endif
