/* Reductions by groups of threads, in place of the toolkit's header.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cooperative_groups.h>
