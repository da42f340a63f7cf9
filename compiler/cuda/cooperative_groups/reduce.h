/* Reductions by groups of threads. Replaces the CUDA toolkit's header of this name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cooperative_groups.h>
