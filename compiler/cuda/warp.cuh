/* What the threads of a warp do together. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
