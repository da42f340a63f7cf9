/* Reads clang's messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_MESSAGES_H
#define PM_COMPILER_CLANG_MESSAGES_H

#include <stdbool.h>

#include "perfmodel.h"

enum {
    PM_CLANG_LINE =
        600 /* largest length of a message in bytes; such a message fits into pm_error */
};

typedef struct {
    char first_error[PM_CLANG_LINE]; /* "" if there is no error */
    bool placed;                     /* true: the error message has a line of the source */
    unsigned errors, warnings;
} pm_clang_findings;

/* Reads clang's messages. Counts errors and warnings. Cuts the messages into lines. Logs the first
 * warnings. */
void pm_clang_read_messages(char *messages, const pm_log *log, pm_clang_findings *found);

#endif
