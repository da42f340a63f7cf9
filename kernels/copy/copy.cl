/* Measures bandwidth: each work-item copies one TYPE (float to float16) from a to b.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
copy(__global const TYPE *restrict a, __global TYPE *restrict b)
{
    const size_t i = get_global_id(0);

    b[i] = a[i];
}
