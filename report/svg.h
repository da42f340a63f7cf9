/* gnuplot's SVG, made part of a page.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_SVG_H
#define PM_REPORT_SVG_H

/* The drawing alone, to free: without prologue, title, definitions, ids (a page has several
 * drawings), a size (the page gives it one) and empty groups, and with the colours of figures.h as
 * variables of the page's style. NULL: no memory, or no SVG. */
char *pm_svg_inline(const char *svg);

#endif
