/* The options of clBuildProgram (OpenCL 1.2, 5.6.4, and 3.0, 5.8.6), word by word.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_BUILD_WORDS_H
#define PM_PROGRAM_BUILD_WORDS_H

#include "perfmodel.h"

typedef enum {
    PM_WORD_PLAIN,     /* OpenCL's own, as it is */
    PM_WORD_DEFINE,    /* -D or -U with what follows */
    PM_WORD_FOLDER,    /* -I with what follows */
    PM_WORD_STANDARD,  /* -cl-std=... */
    PM_WORD_IDLE,      /* changes nothing that matters here */
    PM_WORD_WARNING,   /* asks for warnings, or for files beside the program */
    PM_WORD_SLOW,      /* asks for less optimisation */
    PM_WORD_NVIDIA,    /* NVIDIA's compiler knows it */
    PM_WORD_RESTRICT,  /* nvcc's -restrict (pm_restrict_option), which OpenCL does not have */
    PM_WORD_REGISTERS, /* likewise: -cl-nv-maxrregcount (pm_register_option) */
    PM_WORD_VENDOR,    /* another vendor's does */
    PM_WORD_TORN,      /* what has to follow is missing */
    PM_WORD_UNKNOWN
} pm_word_kind;

typedef struct {
    pm_word_kind kind;
    const char *start; /* in the options, with its quotes and what follows it */
    size_t length;
} pm_build_word;

/* Takes the next word of *options and moves *options behind it. word, as large as the options, gets
 * it without its quotes, and of a -D, -U or -I what follows right behind that: -DN=3. false: there
 * is none. */
bool pm_build_word_next(const char **options, char *word, pm_build_word *found);

/* The limit on the registers of a work-item that options ask for: NVIDIA's -cl-nv-maxrregcount of
 * OpenCL, and nvcc's -maxrregcount, each with its number behind = or as the next word. The last one
 * counts. 0: there is none. */
unsigned pm_register_option(const char *options);
/* The limit that a value asks for; 0: it is no number of registers. */
unsigned pm_register_option_of(const char *value);

/* Whether options have nvcc's -restrict, with one dash or two: all pointers that kernels take are
 * restrict. In traces OpenCL C takes it, too. */
bool pm_restrict_option(const char *options);

#endif
