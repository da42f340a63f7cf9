/* Functions of integers and of bits. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
PM_DEVICE int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}
PM_DEVICE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
PM_DEVICE int __clz(int x)
{
    return __builtin_clzg((unsigned int)x, 32);
}
PM_DEVICE int __clzll(long long x)
{
    return __builtin_clzg((unsigned long long)x, 64);
}
PM_DEVICE int __ffs(int x)
{
    return __builtin_ctzg((unsigned int)x, -1) + 1;
}
PM_DEVICE int __ffsll(long long x)
{
    return __builtin_ctzg((unsigned long long)x, -1) + 1;
}
PM_DEVICE unsigned int __brev(unsigned int x)
{
    return __builtin_bitreverse32(x);
}
PM_DEVICE unsigned long long __brevll(unsigned long long x)
{
    return __builtin_bitreverse64(x);
}
/* A selector's digit of 8 and more spreads the byte's sign. */
PM_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
    unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned int result = 0;

    for (int i = 0; i < 4; i++) {
        unsigned int digit = selector >> 4 * i & 15, byte = (both >> 8 * (digit & 7)) & 255;

        result |= (digit & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
    }
    return result;
}
PM_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
PM_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (by & 31));
}
PM_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by)
{
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}
PM_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by)
{
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}
PM_DEVICE int __mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}
PM_DEVICE unsigned int __umulhi(unsigned int x, unsigned int y)
{
    return (unsigned int)((unsigned long long)x * y >> 32);
}
PM_DEVICE long long __mul64hi(long long x, long long y)
{
    return (long long)((__int128)x * y >> 64);
}
PM_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
PM_DEVICE int __mul24(int x, int y)
{
    return (x << 8 >> 8) * (y << 8 >> 8);
}
PM_DEVICE unsigned int __umul24(unsigned int x, unsigned int y)
{
    return (x & 0xffffff) * (y & 0xffffff);
}
PM_DEVICE unsigned int __sad(int x, int y, unsigned int z)
{
    return (x < y ? (unsigned int)y - (unsigned int)x : (unsigned int)x - (unsigned int)y) + z;
}
PM_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
{
    return (x < y ? y - x : x - y) + z;
}
PM_DEVICE int __dp4a(int x, int y, int sum)
{
    for (int i = 0; i < 4; i++)
        sum += (int)(signed char)(x >> 8 * i) * (int)(signed char)(y >> 8 * i);
    return sum;
}

/* The same bits as another type. */
#define PM_SAME_BITS(name, from, to)                                                               \
    PM_DEVICE to name(from x)                                                                      \
    {                                                                                              \
        return __builtin_bit_cast(to, x);                                                          \
    }
PM_SAME_BITS(__float_as_int, float, int)
PM_SAME_BITS(__float_as_uint, float, unsigned int)
PM_SAME_BITS(__int_as_float, int, float)
PM_SAME_BITS(__uint_as_float, unsigned int, float)
PM_SAME_BITS(__double_as_longlong, double, long long)
PM_SAME_BITS(__longlong_as_double, long long, double)
#undef PM_SAME_BITS
PM_DEVICE int __double2hiint(double x)
{
    return (int)(__builtin_bit_cast(unsigned long long, x) >> 32);
}
PM_DEVICE int __double2loint(double x)
{
    return (int)__builtin_bit_cast(unsigned long long, x);
}
PM_DEVICE double __hiloint2double(int high, int low)
{
    return __builtin_bit_cast(double, (unsigned long long)(unsigned int)high << 32 |
                                          (unsigned int)low);
}

/* Conversions by a way of rounding. */
#define PM_CONVERT(name, from, to, how)                                                            \
    PM_DEVICE to name(from x)                                                                      \
    {                                                                                              \
        return (to)how(x);                                                                         \
    }
PM_CONVERT(__float2int_rn, float, int, rint)
PM_CONVERT(__float2int_rz, float, int, )
PM_CONVERT(__float2int_rd, float, int, floor)
PM_CONVERT(__float2int_ru, float, int, ceil)
PM_CONVERT(__float2uint_rn, float, unsigned int, rint)
PM_CONVERT(__float2uint_rz, float, unsigned int, )
PM_CONVERT(__float2uint_rd, float, unsigned int, floor)
PM_CONVERT(__float2uint_ru, float, unsigned int, ceil)
PM_CONVERT(__double2int_rn, double, int, rint)
PM_CONVERT(__double2int_rz, double, int, )
PM_CONVERT(__double2uint_rn, double, unsigned int, rint)
PM_CONVERT(__double2uint_rz, double, unsigned int, )
PM_CONVERT(__double2float_rn, double, float, )
PM_CONVERT(__int2float_rn, int, float, )
PM_CONVERT(__int2float_rz, int, float, )
PM_CONVERT(__uint2float_rn, unsigned int, float, )
PM_CONVERT(__int2double_rn, int, double, )
PM_CONVERT(__uint2double_rn, unsigned int, double, )
PM_CONVERT(__ll2float_rn, long long, float, )
PM_CONVERT(__ll2double_rn, long long, double, )
#undef PM_CONVERT
