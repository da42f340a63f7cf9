/* Integers of every width: arithmetic that wraps, shifts, the builtin functions, and conversions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

#define RESULTS 29 /* of operations_T */

#define OPERATIONS(T, U, bits)                                                                     \
    void operations_##T(T a, T b, global ulong *o)                                                 \
    {                                                                                              \
        T some = (T)(b | 1);                                                                       \
                                                                                                   \
        o[0] = (ulong)(T)((U)a + (U)b);                                                            \
        o[1] = (ulong)(T)((U)a - (U)b);                                                            \
        o[2] = (ulong)(T)((U)a * (U)b);                                                            \
        o[3] = (ulong)(T)(a / (some == (T)-1 ? (T)3 : some));                                      \
        o[4] = (ulong)(T)(a % (some == (T)-1 ? (T)3 : some));                                      \
        o[5] = (ulong)(T)((U)a << (b & (bits - 1)));                                               \
        o[6] = (ulong)(T)(a >> (b & (bits - 1)));                                                  \
        o[7] = (ulong)(T)((a & b) ^ (a | ~b));                                                     \
        o[8] = (ulong)(a < b) + (ulong)(a == b) * 2 + (ulong)(a >= b) * 4;                         \
        o[9] = (ulong)mul_hi(a, b);                                                                \
        o[10] = (ulong)mad_hi(a, b, some);                                                         \
        o[11] = (ulong)rotate(a, b);                                                               \
        o[12] = (ulong)clz(a);                                                                     \
        o[13] = (ulong)popcount(a);                                                                \
        o[14] = (ulong)hadd(a, b);                                                                 \
        o[15] = (ulong)rhadd(a, b);                                                                \
        o[16] = (ulong)add_sat(a, b);                                                              \
        o[17] = (ulong)sub_sat(a, b);                                                              \
        o[18] = (ulong)mad_sat(a, b, some);                                                        \
        o[19] = (ulong)abs(a);                                                                     \
        o[20] = (ulong)abs_diff(a, b);                                                             \
        o[21] = (ulong)min(a, b);                                                                  \
        o[22] = (ulong)max(a, some);                                                               \
        o[23] = (ulong)clamp(a, min(b, some), max(b, some));                                       \
        o[24] = (ulong)bitselect(a, b, (T)0x5a);                                                   \
        o[25] = (ulong)select(a, b, (U)(b & (T)1));                                                \
        o[26] = (ulong)(T)-a;                                                                      \
        o[27] = (ulong)!a + (ulong)(a && b) * 2;                                                   \
        o[28] = (ulong)(a != b ? some : a);                                                        \
    }
OPERATIONS(char, uchar, 8)
OPERATIONS(uchar, uchar, 8)
OPERATIONS(short, ushort, 16)
OPERATIONS(ushort, ushort, 16)
OPERATIONS(int, uint, 32)
OPERATIONS(uint, uint, 32)
OPERATIONS(long, ulong, 64)
OPERATIONS(ulong, ulong, 64)

/* Random numbers, sometimes replaced by the smallest or largest one. */
ulong operand(global const uint *in, size_t i)
{
    ulong value = (ulong)input(in, i) << 32 | input(in, i + 1);

    switch (input(in, i + 2) % 8) {
    case 0:
        return 0;
    case 1:
        return ~0UL;
    case 2:
        return 0x8080808080808080UL;
    case 3:
        return 0x7f7f7f7f7f7f7f7fUL;
    default:
        return value;
    }
}

kernel void integers(global const uint *in, global uint *out)
{
    size_t g = get_global_id(0);
    ulong a = operand(in, g * 2), b = operand(in, g * 2 + 1);
    global ulong *o = (global ulong *)out + g * (8 * RESULTS + 3);

    operations_char((char)a, (char)b, o);
    operations_uchar((uchar)a, (uchar)b, o + RESULTS);
    operations_short((short)a, (short)b, o + 2 * RESULTS);
    operations_ushort((ushort)a, (ushort)b, o + 3 * RESULTS);
    operations_int((int)a, (int)b, o + 4 * RESULTS);
    operations_uint((uint)a, (uint)b, o + 5 * RESULTS);
    operations_long((long)a, (long)b, o + 6 * RESULTS);
    operations_ulong(a, b, o + 7 * RESULTS);
    o += 8 * RESULTS;
    o[0] = (ulong)mul24((int)a << 8 >> 8, (int)b << 8 >> 8);
    o[1] = mad24((uint)a & 0xffffff, (uint)b & 0xffffff, (uint)a);
    o[2] = upsample((uint)a, (uint)b) ^ (ulong)upsample((short)a, (ushort)b) ^
           (ulong)upsample((uchar)a, (uchar)b);
}

/* 8-bit and 16-bit numbers in memory, through global and shared pointers. */
kernel void narrow(global const uint *in, global uchar *out, local short *shorts, local char *chars)
{
    size_t g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    global const uchar *bytes = (global const uchar *)in;
    global const short *words = (global const short *)in;

    shorts[l] = words[(g * 3 + 1) % (2 * IN_WORDS)];
    chars[n - 1 - l] = (char)bytes[(g * 5 + 3) % (4 * IN_WORDS)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * g] = (uchar)(shorts[(l + 1) % n] >> 3);
    out[4 * g + 1] = (uchar)(chars[l] * 3);
    *(global short *)(out + 4 * g + 2) = (short)(shorts[l] + chars[(l + 5) % n]);
}

/* Shifts by more than the number of bits: OpenCL takes the amount modulo the width. */
kernel void shifts(global const uint *in, global uint *out)
{
    size_t g = get_global_id(0);
    uint r = input(in, g), by = input(in, g + 9) % 100;

    out[g * 4] = r << by;
    out[g * 4 + 1] = (uint)((int)r >> by);
    out[g * 4 + 2] = r >> by;
    out[g * 4 + 3] = (uint)(((ulong)r << 13 << by) >> 20);
}

/* No result is defined here, but none may end the program. The results are not compared. */
kernel void undefined(global const uint *in, global uint *out)
{
    size_t g = get_global_id(0);
    int r = (int)input(in, g), zero = (int)(in[5] >> 31 >> 1), least = INT_MIN + zero;
    long wide = (long)r << 30, most = LONG_MIN + zero;

    out[g] = (uint)(r / zero) + (uint)(r % zero) + (uint)(least / (zero - 1)) +
             (uint)(least % (zero - 1)) + (uint)(wide / zero) + (uint)(most / (zero - 1)) +
             (uint)((uint)r / (uint)zero) + (uint)((short)r / (short)zero) +
             (uint)((ulong)wide % (ulong)zero);
    int4 many = (int4)(r, least, 7, 8) / (int4)(zero, zero - 1, r | 1, zero);
    out[g] += (uint)(many.x + many.y + many.w);
}
