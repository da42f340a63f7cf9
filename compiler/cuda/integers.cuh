/* Functions on integers and on bits, for kernels. See prelude.cuh.
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
/* Selects four of the eight bytes of x and y. A digit of the selector above 7 replicates the sign
 * bit of the selected byte. */
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

/* Defines a function that reinterprets the bits of its argument as another type. */
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

/* Defines a conversion with a rounding mode, `how`. An integer is converted to the nearest
 * floating-point number in all modes. Each of these conversions is one instruction, whatever its
 * mode. */
#define PM_CONVERT(name, from, to, how)                                                            \
    PM_DEVICE to name(from x)                                                                      \
    {                                                                                              \
        return (to)how(x);                                                                         \
    }
#define PM_CONVERT_INTEGER(from, to, type)                                                         \
    PM_CONVERT(__##from##2##to##_rn, from, type, rint)                                             \
    PM_CONVERT(__##from##2##to##_rz, from, type, )                                                 \
    PM_CONVERT(__##from##2##to##_rd, from, type, floor)                                            \
    PM_CONVERT(__##from##2##to##_ru, from, type, ceil)                                             \
    PM_CONVERT(__##to##2##from##_rn, type, from, )                                                 \
    PM_CONVERT(__##to##2##from##_rz, type, from, )                                                 \
    PM_CONVERT(__##to##2##from##_rd, type, from, )                                                 \
    PM_CONVERT(__##to##2##from##_ru, type, from, )
PM_CONVERT_INTEGER(float, int, int)
PM_CONVERT_INTEGER(float, uint, unsigned int)
PM_CONVERT_INTEGER(float, ll, long long)
PM_CONVERT_INTEGER(float, ull, unsigned long long)
PM_CONVERT_INTEGER(double, int, int)
PM_CONVERT_INTEGER(double, uint, unsigned int)
PM_CONVERT_INTEGER(double, ll, long long)
PM_CONVERT_INTEGER(double, ull, unsigned long long)
PM_CONVERT(__double2float_rn, double, float, )
PM_CONVERT(__double2float_rz, double, float, )
PM_CONVERT(__double2float_rd, double, float, )
PM_CONVERT(__double2float_ru, double, float, )
#undef PM_CONVERT_INTEGER
#undef PM_CONVERT
