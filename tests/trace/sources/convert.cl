/* Conversions between all numbers, with saturation and rounding, and halves in memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

float real(global const uint *in, size_t i)
{
    return (float)(int)input(in, i) * (input(in, i + 1) % 2 ? 1e-6f : 1e-2f);
}

/* NaN is not converted with saturation, because libclc 19 returns an undefined value for it. */
kernel void conversions(global const uint *in, global uint *out)
{
    size_t g = get_global_id(0);
    uint r = input(in, g);
    float f = real(in, g);
    double d = (double)f * 1.25;
    long l = (long)r * (long)(int)input(in, g + 3);
    float small = clamp(f, -100.0f, 100.0f);
    global uint *o = out + g * 32;

    o[0] = (uint)convert_char_sat((int)r);
    o[1] = convert_uchar_sat((int)r >> 20);
    o[2] = (uint)convert_short_sat(l);
    o[3] = convert_ushort_sat(f);
    o[4] = (uint)convert_int_sat(l);
    o[5] = convert_uint_sat(f);
    o[6] = (uint)convert_int_sat(d * 1e6);
    o[7] = (uint)(convert_long_sat(f * 1e12f) >> 32);
    o[8] = (uint)convert_int_rte(small);
    o[9] = (uint)convert_int_rtz(small);
    o[10] = (uint)convert_int_rtp(small);
    o[11] = (uint)convert_int_rtn(small);
    o[12] = as_uint(convert_float(r));
    o[13] = as_uint(convert_float_rtz(r));
    o[14] = as_uint(convert_float(l));
    o[15] = as_uint((float)d);
    o[16] = (uint)(as_ulong((double)l) >> 8);
    o[17] = (uint)(as_ulong((double)r) >> 32);
    o[18] = convert_uchar_sat(small);
    o[19] = (uint)convert_char_sat_rte(small * 2);
    o[20] = (uint)(int)small;
    o[21] = (uint)(short)(int)small;
    o[22] = convert_uint4((uchar4)((uchar)r)).z;
    o[23] = as_uint(convert_float3((short3)((short)r)).y);
    o[24] = (uint)convert_int8_sat((float8)(f)).s5;
    o[25] = convert_uint_sat(l);
    o[26] = (uint)convert_long(d) ^ (uint)convert_ulong_sat(d);
    o[27] = (uint)(bool)(r & 4) + (uint)!f;
    o[28] = (uint)convert_int_sat(INFINITY) + (uint)convert_int_sat(-1e30f);
    o[29] = convert_ushort_sat_rtp(small);
    o[30] = (uint)convert_char(r) + convert_ushort(l);
    o[31] = as_uint(convert_float_rtp((int)r)) + as_uint(convert_float_rtn((int)r));
}

kernel void halves(global const uint *in, global uint *out, global half *kept)
{
    size_t g = get_global_id(0);
    float f = real(in, g) * 1e-2f;
    global uint *o = out + g * 8;

    vstore_half(f, 8 * g, kept);
    vstore_half_rtz(f, 8 * g + 1, kept);
    vstore_half2((float2)(f * 3, 1e9f), 4 * g + 1, kept);
    vstorea_half4((float4)(1, f, -f, 1e-7f), 2 * g + 1, kept);
    o[0] = as_uint(vload_half(8 * g, kept));
    o[1] = as_uint(vload_half(8 * g + 1, kept));
    o[2] = as_uint(vload_half2(4 * g + 1, kept).x);
    o[3] = as_uint(vload_half2(4 * g + 1, kept).y);
    o[4] = as_uint(vloada_half4(2 * g + 1, kept).y);
    o[5] = as_uint(vloada_half4(2 * g + 1, kept).w);
    o[6] = as_uint(vload_half(g % (2 * IN_WORDS), (global const half *)in)) & 0xff800000;
    o[7] = 0;
}
