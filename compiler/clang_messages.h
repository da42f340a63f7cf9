/* Reads the error messages and warnings that clang prints.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_MESSAGES_H
#define PM_COMPILER_CLANG_MESSAGES_H

#include <stdbool.h>

#include "perfmodel.h"

enum {
    PM_CLANG_LINE =
        600 /* largest length in bytes of a message that is kept; it fits into pm_error */
};

typedef struct {
    char first_error[PM_CLANG_LINE]; /* text of the first error; "" if there is no error */
    bool placed;                     /* true: the first error has a line number in the source */
    unsigned errors, warnings;
} pm_clang_findings;

/* Reads the output of clang, and splits `messages` into lines in place. Sets *found to the first
 * error and the numbers of errors and warnings. Logs the first warnings. */
void pm_clang_read_messages(char *messages, const pm_log *log, pm_clang_findings *found);

#endif
