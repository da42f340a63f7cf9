/* Comparisons and choices of vectors, and shuffles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

kernel void relations(global const uint *in, global uint *out)
{
    size_t g = get_global_id(0);
    int4 a = convert_int4((uint4)(input(in, g), input(in, g + 1), input(in, g + 2), 77) >> 3);
    int4 b = (int4)(input(in, g + 3) >> 3, 12, input(in, g + 4), 77);
    float4 x = convert_float4(a), y = convert_float4(b), n = (float4)(NAN, INFINITY, 0.0f, -0.0f);
    global uint4 *to = (global uint4 *)(out + g * 64);

    to[0] = as_uint4(a < b);
    to[1] = as_uint4(select(a, b, a > b));
    to[2] = as_uint4(a == b ? a : b);
    to[3] = as_uint4(bitselect(a, b, (int4)(0x0f0f0f0f)));
    to[4] = as_uint4(isless(x, y));
    to[5] = as_uint4(isnan(n)) + as_uint4(isinf(n)) * 2 + as_uint4(signbit(n)) * 4 +
            as_uint4(isfinite(n)) * 8 + as_uint4(isnormal(x)) * 16;
    to[6] = (uint4)(any(a < b), all(a < b), any(isnan(n)), all(a == a));
    to[7] = as_uint4(x != y && !(a < b) || b > 50);
    to[8] = as_uint4(select(x, y, isgreater(x, y)));
    to[9] = as_uint4(shuffle(a, (uint4)(input(in, g), 2, 1, 3)));
    to[10] = as_uint4(shuffle2(a, b, (uint4)(7, input(in, g), 4, 0)));
    to[11] = as_uint4(min(a, b)) ^ as_uint4(max(a, b)) ^ as_uint4(clamp(a, -5000, 5000));
    to[12] = (uint4)(isordered(x.x, n.x), isunordered(x.x, n.x), islessgreater(x.x, y.x),
                     isnotequal(n.x, n.x));
    to[13] = as_uint4(fmin(x, y)) ^ as_uint4(fmax(n, y));
    to[14] = as_uint4(-a) + as_uint4(~b) + as_uint4(!a);
    to[15] = convert_uint4(as_uchar4(input(in, g)).wzyx) +
             convert_uint4(as_short4(as_double(12L + (long)input(in, g))));
}
