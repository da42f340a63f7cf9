/* Checks the headers that a source includes. They are searched as compilers search them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_HEADERS_H
#define PM_PROGRAM_HEADERS_H

#include "perfmodel.h"

typedef struct {
    const char *text, *path; /* the source */
    const char *options;     /* build options; folders of their -I are searched for headers */
    /* folder of the capture to which the source belongs; NULL: it belongs to none */
    const char *root;
} pm_headers;

/* Checks the headers that a source includes. PM_BAD_INPUT if one exists but is not a regular file,
 * because a compiler would wait forever for data from a named pipe or a device. Headers of a
 * capture must also be inside of its folder. Headers after an #if or in a comment are checked, too.
 * The error message ("includes ...") is meant to follow the name of the source. */
pm_status pm_headers_check(const pm_headers *headers, pm_error *err);

#endif
