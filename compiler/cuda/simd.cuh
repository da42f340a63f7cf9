/* Functions of two halves or four bytes of a word. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NVIDIA's compilers emulate most of them by similar instructions on whole words.
 */
#pragma clang system_header
/* lanes: their number. high, ones: the highest and the lowest bit of each lane. bits: bits of a lane. full: a lane of
 * ones. */
#define PM_LANES(lanes, high, ones, bits, full)                                                    \
    PM_DEVICE unsigned int __vadd##lanes(unsigned int a, unsigned int b)                           \
    {                                                                                              \
        return ((a & ~high) + (b & ~high)) ^ ((a ^ b) & high);                                     \
    }                                                                                              \
    PM_DEVICE unsigned int __vsub##lanes(unsigned int a, unsigned int b)                           \
    {                                                                                              \
        return ((a | high) - (b & ~high)) ^ ((a ^ ~b) & high);                                     \
    }                                                                                              \
    /* The highest bit of each lane in which a is at least b, as unsigned numbers. */              \
    PM_DEVICE unsigned int pm_at_least##lanes(unsigned int a, unsigned int b)                      \
    {                                                                                              \
        return ((a & ~b) | (~(a ^ b) & ((a | high) - (b & ~high)))) & high;                        \
    }                                                                                              \
    PM_DEVICE unsigned int pm_filled##lanes(unsigned int bit)                                      \
    {                                                                                              \
        return (bit >> (bits - 1)) * full;                                                         \
    }                                                                                              \
    PM_COMPARED(lanes, geu, pm_at_least##lanes(a, b), bits)                                        \
    PM_COMPARED(lanes, leu, pm_at_least##lanes(b, a), bits)                                        \
    PM_COMPARED(lanes, gtu, pm_at_least##lanes(b, a) ^ high, bits)                                 \
    PM_COMPARED(lanes, ltu, pm_at_least##lanes(a, b) ^ high, bits)                                 \
    PM_COMPARED(lanes, ges, pm_at_least##lanes(a ^ high, b ^ high), bits)                          \
    PM_COMPARED(lanes, les, pm_at_least##lanes(b ^ high, a ^ high), bits)                          \
    PM_COMPARED(lanes, gts, pm_at_least##lanes(b ^ high, a ^ high) ^ high, bits)                   \
    PM_COMPARED(lanes, lts, pm_at_least##lanes(a ^ high, b ^ high) ^ high, bits)                   \
    PM_COMPARED(lanes, eq, pm_at_least##lanes(0, a ^ b), bits)                                     \
    PM_COMPARED(lanes, ne, pm_at_least##lanes(0, a ^ b) ^ high, bits)                              \
    PM_CHOSEN(lanes, maxu, geu)                                                                    \
    PM_CHOSEN(lanes, minu, leu)                                                                    \
    PM_CHOSEN(lanes, maxs, ges)                                                                    \
    PM_CHOSEN(lanes, mins, les)                                                                    \
    PM_DEVICE unsigned int __vabsdiffu##lanes(unsigned int a, unsigned int b)                      \
    {                                                                                              \
        return __vsub##lanes(__vmaxu##lanes(a, b), __vminu##lanes(a, b));                          \
    }                                                                                              \
    PM_DEVICE unsigned int __vneg##lanes(unsigned int a)                                           \
    {                                                                                              \
        return __vsub##lanes(0, a);                                                                \
    }                                                                                              \
    PM_DEVICE unsigned int __vabs##lanes(unsigned int a)                                           \
    {                                                                                              \
        const unsigned int negative = pm_filled##lanes(a & high);                                  \
                                                                                                   \
        return __vsub##lanes(a ^ negative, negative);                                              \
    }                                                                                              \
    PM_DEVICE unsigned int __vavgu##lanes(unsigned int a, unsigned int b)                          \
    {                                                                                              \
        return (a | b) - (((a ^ b) & ~ones) >> 1);                                                 \
    }                                                                                              \
    PM_DEVICE unsigned int __vhaddu##lanes(unsigned int a, unsigned int b)                         \
    {                                                                                              \
        return (a & b) + (((a ^ b) & ~ones) >> 1);                                                 \
    }
/* bit: the highest bit of each lane in which the comparison is true. */
#define PM_COMPARED(lanes, name, bit, bits)                                                        \
    PM_DEVICE unsigned int __vcmp##name##lanes(unsigned int a, unsigned int b)                     \
    {                                                                                              \
        return pm_filled##lanes(bit);                                                              \
    }                                                                                              \
    PM_DEVICE unsigned int __vset##name##lanes(unsigned int a, unsigned int b)                     \
    {                                                                                              \
        return (bit) >> (bits - 1);                                                                \
    }
#define PM_CHOSEN(lanes, name, compared)                                                           \
    PM_DEVICE unsigned int __v##name##lanes(unsigned int a, unsigned int b)                        \
    {                                                                                              \
        const unsigned int first = __vcmp##compared##lanes(a, b);                                  \
                                                                                                   \
        return (a & first) | (b & ~first);                                                         \
    }
PM_LANES(2, 0x80008000u, 0x00010001u, 16, 0xffffu)
PM_LANES(4, 0x80808080u, 0x01010101u, 8, 0xffu)
#undef PM_LANES
#undef PM_COMPARED
#undef PM_CHOSEN
PM_DEVICE unsigned int __vsadu4(unsigned int a, unsigned int b)
{
    const unsigned int apart = __vabsdiffu4(a, b);

    return (apart & 0xff) + (apart >> 8 & 0xff) + (apart >> 16 & 0xff) + (apart >> 24);
}
PM_DEVICE unsigned int __vsadu2(unsigned int a, unsigned int b)
{
    const unsigned int apart = __vabsdiffu2(a, b);

    return (apart & 0xffff) + (apart >> 16);
}
