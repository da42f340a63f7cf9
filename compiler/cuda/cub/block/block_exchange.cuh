/* A part of CUB, which is here in one header. Replaces the header of this name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cub/cub.cuh>
