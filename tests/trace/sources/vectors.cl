/* Vectors of T in every width: memory, components, arithmetic, comparison, shuffles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define WIDE(n) JOIN(T, n)

T element(global const uint *in, size_t i)
{
    return (T)(input(in, i) % 100);
}

/* Whole vectors, vectors of three (which have the size of four in memory), and vload and vstore,
 * which need no alignment. */
#define MEMORY(n)                                                                                  \
    kernel void memory##n(global const uint *in, global T *out, local T *shared)                   \
    {                                                                                              \
        size_t g = get_global_id(0), l = get_local_id(0);                                          \
        WIDE(n) a, b, kept[3];                                                                     \
        T *parts = (T *)kept;                                                                      \
                                                                                                   \
        for (size_t i = 0; i < n; i++)                                                             \
            parts[i] = element(in, g * n + i);                                                     \
        kept[1] = kept[0] * (T)2;                                                                  \
        kept[2] = kept[0] + kept[1];                                                               \
        a = kept[input(in, g) % 3];                                                                \
        vstore##n(a, l, shared);                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        b = vload##n((l + 1) % get_local_size(0), shared);                                         \
        vstore##n(b + a, 2 * g, out + 1);                                                          \
        vstore##n(vload##n(2 * g, out + 1) - (WIDE(n))(3), 2 * g + 1, out + 1);                    \
    }
MEMORY(2)
MEMORY(3)
MEMORY(4)
MEMORY(8)
MEMORY(16)

kernel void whole(global const uint *in, global WIDE(4) * out)
{
    size_t g = get_global_id(0);
    WIDE(4) a = (WIDE(4))(element(in, g), element(in, g + 1), element(in, g + 2), 5);
    WIDE(3) three[4];
    WIDE(16) many = (WIDE(16))(a, a + (T)1, a.wzyx, a * a);

    three[0] = a.xyz;
    three[1] = a.zzy;
    three[2] = three[0] + three[1];
    three[3] = (WIDE(3))(9, 8, 7);
    a.yw = a.xz;
    out[4 * g] = a.s3210 + many.s048c;
    out[4 * g + 1] = (WIDE(4))(three[input(in, g) % 4], many.sf);
    out[4 * g + 2] = (WIDE(4))(many.odd.hi.lo, many.even.lo.hi);
    out[4 * g + 3] = ((global WIDE(4) *)out)[4 * g] - (WIDE(4))(1, 2, 3, 4);
}

kernel void vectors_of_three(global const uint *in, global T *out, global WIDE(3) * kept)
{
    size_t g = get_global_id(0);

    kept[2 * g] = (WIDE(3))(element(in, g), element(in, g + 1), element(in, g + 2));
    kept[2 * g + 1].y = (T)7;
    kept[2 * g + 1].x = kept[2 * g].z;
    vstore3(kept[2 * g], g, out);
    vstore2(kept[2 * g + 1].yx, g, out + 3 * get_global_size(0));
}
