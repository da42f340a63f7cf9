/* A random test: how its programs are made and transformed, and what may become of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_SUITE_H
#define PM_TESTS_RANDOM_SUITE_H

#include "machine.h"
#include "program.h"

typedef enum {
    RD_NOT_YET,
    RD_STARTED, /* what stays of a case where its process crashes */
    RD_EQUAL,
    RD_UNCHANGED, /* the transform left the source as it is */
    RD_REFUSED,
    RD_WRONG,   /* other outputs, accesses that may not be, races, barriers that not all come to */
    RD_CRASHED, /* also: a sanitizer's report */
    RD_MALFORMED, /* a refusal without a line of the source, or of more than one line */
    RD_UNCOMPILABLE,
    RD_UNSOUND,  /* the original itself does what it may not */
    RD_UNBROKEN, /* --break found nothing to break */
    RD_RESULTS
} rd_result;

/* A random program with a random transform, and what came of it. */
typedef struct {
    uint64_t seed;
    rd_result result;
    char odd[64];     /* what may be refused; empty: nothing */
    char spec[1024];  /* of the transform */
    char where[16];   /* it runs or ran: host, opencl, trace, oclgrind */
    char text[1024];  /* why */
    unsigned devices; /* how many it was equal on, beside the host */
} rd_case;

/* Makes a transformed Workload wrong, to see that it is noticed; false: there is nothing of the
 * kind in it. `times` as many must be noticed as are not, since some of what is broken is not
 * needed. */
typedef struct {
    const char *name;
    bool (*apply)(pm_workload *workload, const rd_program *program);
    unsigned times;
} rd_break;

typedef struct {
    const char *name; /* of the executable */
    rd_program *(*create)(uint64_t seed, rd_language language);
    /* The same program with buffers of what it accessed, which ranges tell by buffer; NULL: too
     * large. No function: programs are as they are. */
    rd_program *(*fit)(const rd_program *program, const rd_range *ranges);
    /* The spec of a transform; odd, where it asks for what may be refused. */
    void (*choose)(const rd_program *program, unsigned variant, rd_case *c);
    rd_break breaks[4];  /* the last one has no name */
    const char *compile; /* options of clang */
    /* The same of what was transformed, of every fourth batch in CUDA: optimised, which takes
     * longer and uses C++'s rules of aliasing. NULL: as the others. */
    const char *optimised;
    bool padded;  /* as for rd_machine_create */
    bool doubles; /* programs need them, which not every GPU has */
    /* Shares of cases by language, as main.c says: refused ones of programs with nothing odd,
     * unsound ones. */
    double refused[RD_LANGUAGES], unsound[RD_LANGUAGES];
    /* Unless options say otherwise: programs, transforms of each, and how many programs run by
     * OpenCL and in the trace engine, and by Oclgrind, too. */
    unsigned programs, variants, devices, oclgrind;
} rd_suite;

/* All that a random test's main has to do. */
int rd_main(const rd_suite *suite, int argc, char **argv);

#endif
