/* Floating-point numbers of 16 bits: IEEE 754's binary16 (half), and the upper half of binary32
 * (bfloat16).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONTENTS_NARROW_H
#define PM_PROGRAM_CONTENTS_NARROW_H

#include <stdint.h>

typedef struct {
    int exponent_bits, fraction_bits;
} pm_narrow;

extern const pm_narrow pm_narrow_half, pm_narrow_bfloat16;

/* Returns the bits of the 16-bit number that is nearest to a value, ties to even. Values beyond the
 * largest number become infinity. */
uint16_t pm_narrow_bits(const pm_narrow *format, double value);
double pm_narrow_value(const pm_narrow *format, uint16_t bits);
/* Returns the largest finite number of a 16-bit format. */
double pm_narrow_most(const pm_narrow *format);

#endif
