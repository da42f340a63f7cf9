/* Stores 4 bytes of each sector of 32 bytes, or, if WHOLE is 1, all of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel void partial_sectors(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);

    out[WHOLE ? i : 8 * i] = i;
}
