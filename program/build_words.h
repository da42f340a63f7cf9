/* Splits the options of clBuildProgram (OpenCL 1.2, 5.6.4, and 3.0, 5.8.6) into words.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_BUILD_WORDS_H
#define PM_PROGRAM_BUILD_WORDS_H

#include "perfmodel.h"

typedef enum {
    PM_WORD_PLAIN,     /* an option of OpenCL; it is passed on unchanged */
    PM_WORD_DEFINE,    /* -D or -U and its operand */
    PM_WORD_FOLDER,    /* option -I with its operand, a folder */
    PM_WORD_FILE,      /* nvcc's option -include with its operand, a file */
    PM_WORD_STANDARD,  /* -cl-std=... */
    PM_WORD_IDLE,      /* an option that has no effect on the compiled code */
    PM_WORD_WARNING,   /* an option that requests warnings or additional output files */
    PM_WORD_SLOW,      /* an option that requests less optimization */
    PM_WORD_NVIDIA,    /* an option of NVIDIA's compiler */
    PM_WORD_RESTRICT,  /* nvcc's -restrict (pm_restrict_option), which OpenCL does not have */
    PM_WORD_LENIENT,   /* --leave-out-missing (pm_lenient_option), for CUDA sources */
    PM_WORD_REGISTERS, /* a register limit: -cl-nv-maxrregcount (pm_register_option) */
    PM_WORD_VENDOR,    /* an option of another vendor */
    PM_WORD_TORN,      /* an option whose operand is missing */
    PM_WORD_UNKNOWN
} pm_word_kind;

typedef struct {
    pm_word_kind kind;
    const char *start; /* start of the word in the options, with its quotes and operand */
    size_t length;
} pm_build_word;

/* Reads the next option at *options and advances *options past it. Writes it to `word` without
 * quotes; this buffer must be as large as the options. An operand of -D, -U, -I or -include is
 * appended without a blank, as in -DN=3. *found gets the kind and the place of the option. Returns
 * false if there is no further option. */
bool pm_build_word_next(const char **options, char *word, pm_build_word *found);

/* Returns the name of the file in an option -include, a word of kind PM_WORD_FILE. */
const char *pm_build_word_file(const char *word);

/* Returns the limit on registers of a work-item that build options set: by -cl-nv-maxrregcount of
 * NVIDIA's OpenCL, or by -maxrregcount of nvcc. The number follows an = or is the next word. The
 * last such option takes precedence. 0: they set no limit. */
unsigned pm_register_option(const char *options);
/* Parses the value of an option that limits registers. 0: it is not a valid number of registers. */
unsigned pm_register_option_of(const char *value);

/* Returns whether build options contain nvcc's -restrict or --restrict, by which all pointer
 * parameters of kernels count as restrict. The option also applies to OpenCL C in traces. */
bool pm_restrict_option(const char *options);

/* Returns whether build options contain perfmodel's own --leave-out-missing. The option leaves
 * headers in "" that are not found, and declarations that do not compile, out of a CUDA source. A
 * kernel that needs them is refused. */
bool pm_lenient_option(const char *options);

#endif
