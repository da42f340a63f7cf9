/* Cases: a random kernel with a random transform, and what came of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SHARED_RANDOM_CASES_H
#define PM_TESTS_SHARED_RANDOM_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    SR_NOT_YET,
    SR_STARTED, /* what stays of a case where its process crashes */
    SR_EQUAL,
    SR_UNCHANGED, /* the transform left the source as it is */
    SR_REFUSED,
    SR_WRONG,   /* other outputs, accesses that may not be, races, barriers that not all come to */
    SR_CRASHED, /* also: a sanitizer's report */
    SR_MALFORMED, /* a refusal without a line of the source, or of more than one line */
    SR_UNCOMPILABLE,
    SR_UNSOUND,  /* the original itself does what it may not */
    SR_UNBROKEN, /* --break found nothing to break */
    SR_RESULTS
} sr_result;

typedef enum { SR_BREAK_NOTHING, SR_BREAK_BARRIER, SR_BREAK_COPY } sr_break;

typedef struct {
    uint64_t seed;
    sr_result result;
    char odd[32];     /* what may be refused; empty: nothing */
    char spec[64];    /* of the transform */
    char where[16];   /* it runs or ran: host, opencl, trace, oclgrind */
    char text[1024];  /* why */
    unsigned devices; /* how many it was equal on, beside the host */
} sr_case;

typedef struct {
    uint64_t first;               /* seed */
    unsigned programs, variants;  /* variants of each program */
    unsigned devices_every;       /* so many programs, one runs by OpenCL and the trace engine;
                                   * 0: none */
    unsigned oclgrind_every;      /* and by Oclgrind */
    const char *only;             /* this transform instead of random ones; NULL */
    bool print, quiet, shrink;    /* quiet: nothing of a case is told */
    bool opencl;                  /* transformed kernels run by OpenCL instead of on this machine */
    bool identity;                /* no transform: what is left is this test's own doing */
    const unsigned char *dropped; /* as for sr_program_create */
    sr_break broken;
    unsigned show; /* so many bad cases are told of */
    const char *folder;
    sr_case *cases; /* programs * variants, shared between processes */
} sr_options;

enum { SR_BATCH = 16 };

/* The text of a started case whose original runs. */
#define SR_ORIGINAL "(the original)"

/* Runs the cases of batch `number` that have no result yet: programs from number * SR_BATCH on. */
int sr_run_batch(const sr_options *options, unsigned number);

#endif
