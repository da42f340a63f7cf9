/* A random test: functions that make and transform its programs, and the possible results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_SUITE_H
#define PM_TESTS_RANDOM_SUITE_H

#include "machine.h"
#include "program.h"

typedef enum {
    RD_NOT_YET,
    RD_STARTED, /* result that remains if the process crashes */
    RD_EQUAL,
    RD_UNCHANGED, /* the transform did not change the source */
    RD_REFUSED,
    RD_WRONG,     /* different outputs, invalid accesses, races, or a barrier that only some
                   * work-items reach */
    RD_CRASHED,   /* a crash, or a report of a sanitizer */
    RD_MALFORMED, /* a refusal without a line of the source, or of more than one line */
    RD_UNCOMPILABLE,
    RD_UNSOUND,  /* the original program already has an invalid access */
    RD_UNBROKEN, /* --break found nothing to break */
    RD_RESULTS
} rd_result;

/* A random program with a random transform, and the result of the case. */
typedef struct {
    uint64_t seed;
    rd_result result;
    char odd[64];     /* construct that the transform may refuse; empty: none */
    char spec[1024];  /* of the transform */
    char where[16];   /* place where the case runs or ran: host, opencl, trace, oclgrind */
    char text[1024];  /* why */
    unsigned devices; /* number of devices with equal outputs, not counting the host */
} rd_case;

/* Makes a transformed workload wrong, to check that the test detects it. Returns false if the
 * workload has nothing of this kind to break. The number of detected faults must be at least
 * `times` the number of undetected ones. Some faults have no effect. */
typedef struct {
    const char *name;
    bool (*apply)(pm_workload *workload, const rd_program *program);
    unsigned times;
} rd_break;

typedef struct {
    const char *name; /* name of the executable */
    rd_program *(*create)(uint64_t seed, rd_language language);
    /* Makes the same program with buffers of the size that it accessed; `ranges` has the accessed
     * range of each buffer. Returns NULL if they would be too large. NULL: buffers keep their
     * size. */
    rd_program *(*fit)(const rd_program *program, const rd_range *ranges);
    /* Returns the text of a transform. odd becomes the construct that it may refuse, if any. */
    void (*choose)(const rd_program *program, unsigned variant, rd_case *c);
    rd_break breaks[4];  /* ends with a case without a name */
    const char *compile; /* options of clang */
    /* Compiler options for the transformed programs of every fourth batch in CUDA. They optimize,
     * which takes longer and applies C++'s aliasing rules. NULL: the usual options. */
    const char *optimised;
    /* true: reads of uninitialized local memory are allowed, because they may be padding of
     * structs */
    bool padded;
    bool doubles; /* true: the programs need doubles, which not every GPU has */
    /* Expected fractions of cases by language (main.c): programs without odd constructs that are
     * refused, and unsound programs. */
    double refused[RD_LANGUAGES], unsound[RD_LANGUAGES];
    /* Defaults of options: number of programs, of transforms of each, and of programs that run by
     * OpenCL and the trace engine, and by Oclgrind. */
    unsigned programs, variants, devices, oclgrind;
} rd_suite;

/* The whole work of a random test's main function. */
int rd_main(const rd_suite *suite, int argc, char **argv);

#endif
