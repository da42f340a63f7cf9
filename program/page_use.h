/* Use of the pages of a buffer by the launches of a workload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_PAGE_USE_H
#define PM_PROGRAM_PAGE_USE_H

#include <stddef.h>

/* bytes of a page */
enum { PM_USE_PAGE = 4096 };

/* Use of a page of a buffer by launches. If several values apply, the larger one counts. */
typedef enum {
    PM_PAGE_UNUSED,  /* no launch reads or writes the page */
    PM_PAGE_WRITTEN, /* launches write every byte of the page before they read it */
    PM_PAGE_NEEDED   /* launches read initial contents of the page, or do not write all of it */
} pm_page_use;

/* Returns the number of pages of a buffer. */
static inline size_t pm_use_pages(size_t bytes)
{
    return (bytes + PM_USE_PAGE - 1) / PM_USE_PAGE;
}

#endif
