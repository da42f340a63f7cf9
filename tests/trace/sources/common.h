/* Declarations that the kernels of test_trace_language.c share. They read words of `in`, which are
 * random, and each work-item writes words of `out` that no other one writes (atomics.cl apart).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define IN_WORDS 4096

/* The work-item's index in the global range. */
size_t linear_id(void)
{
    size_t x = get_global_id(0) - get_global_offset(0);
    size_t y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);

    return (z * get_global_size(1) + y) * get_global_size(0) + x;
}

uint input(global const uint *in, size_t i)
{
    return in[i % IN_WORDS];
}
