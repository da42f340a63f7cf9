/* The headers of a source, as compilers look for them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_HEADERS_H
#define PM_PROGRAM_HEADERS_H

#include "perfmodel.h"

typedef struct {
    const char *text, *path; /* the source */
    const char *options;     /* whose -I are the folders of headers */
    const char *root;        /* the folder of the capture that it is of; NULL: of none */
} pm_headers;

/* That what the source includes are regular files, or nothing that is there, and of a capture in
 * its folder: a compiler waits for the writer of a named pipe, and reads a device for ever. What is
 * behind an #if or in a comment counts as well. PM_BAD_INPUT says what the source does: "includes
 * ...". */
pm_status pm_headers_check(const pm_headers *headers, pm_error *err);

#endif
