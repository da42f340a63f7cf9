/* Computes with the values of expressions in interpreted host code. A value may be unknown, and a
 * result of unknown values is mostly unknown. See value.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/value.h"

#include <limits.h>
#include <math.h>

pm_host_value pm_host_unknown(const char *origin, int line)
{
    return (pm_host_value){.kind = PM_HOST_UNKNOWN, .origin = origin, .line = line};
}

pm_host_value pm_host_integer(long long value)
{
    return (pm_host_value){.kind = PM_HOST_INTEGER, .integer = value};
}

pm_host_value pm_host_real(double value)
{
    return (pm_host_value){.kind = PM_HOST_REAL, .real = value};
}

pm_host_value pm_host_pointer(pm_host_place place)
{
    if (place.object == 0)
        return pm_host_unknown(NULL, 0);
    return (pm_host_value){.kind = PM_HOST_POINTER, .object = place.object, .offset = place.offset};
}

pm_host_value pm_host_record(pm_host_place place)
{
    pm_host_value value = pm_host_pointer(place);

    if (value.kind == PM_HOST_POINTER)
        value.kind = PM_HOST_RECORD;
    return value;
}

bool pm_host_is_known(pm_host_value value)
{
    return value.kind == PM_HOST_INTEGER || value.kind == PM_HOST_REAL;
}

bool pm_host_truth(pm_host_value value, bool *truth)
{
    if (value.kind == PM_HOST_INTEGER)
        *truth = value.integer != 0;
    else if (value.kind == PM_HOST_REAL)
        *truth = value.real != 0;
    else
        *truth = true; /* a pointer to an object or a function is true */
    return value.kind != PM_HOST_UNKNOWN && value.kind != PM_HOST_RECORD;
}

/* ---- conversions --------------------------------------------------------------------------- */

static long long wrapped(long long value, CXType type)
{
    switch (type.kind) {
    case CXType_Bool:
        return value != 0;
    case CXType_Char_S:
    case CXType_SChar:
        return (signed char)value;
    case CXType_Char_U:
    case CXType_UChar:
        return (unsigned char)value;
    case CXType_Short:
        return (short)value;
    case CXType_UShort:
        return (unsigned short)value;
    case CXType_Int:
        return (int)value;
    case CXType_UInt:
        return (unsigned)value;
    default:
        return value;
    }
}

static bool is_unsigned_long(CXType type)
{
    return type.kind == CXType_ULong || type.kind == CXType_ULongLong;
}

static long long truncated(double value, CXType type)
{
    if (isnan(value))
        return 0;
    if (is_unsigned_long(type) && value >= 0x1p63)
        return value < 0x1p64 ? (long long)(unsigned long long)value : -1;
    if (value >= 0x1p63)
        return LLONG_MAX;
    return value <= -0x1p63 ? LLONG_MIN : (long long)value;
}

static double real_of(pm_host_value value)
{
    return value.kind == PM_HOST_REAL ? value.real : (double)value.integer;
}

pm_host_value pm_host_convert(pm_host_value value, CXType type)
{
    bool truth;

    if (type.kind == CXType_Bool && pm_host_truth(value, &truth)) {
        value.integer = truth;
        value.kind = PM_HOST_INTEGER;
    } else if (pm_host_is_integer(type) && pm_host_is_known(value)) {
        const long long whole =
            value.kind == PM_HOST_REAL ? truncated(value.real, type) : value.integer;

        value.integer = wrapped(whole, type);
        value.too_large |= whole > 0 && value.integer != whole;
        value.kind = PM_HOST_INTEGER;
    } else if (pm_host_is_real(type) && pm_host_is_known(value)) {
        value.real = real_of(value);
        if (type.kind == CXType_Float)
            value.real = (float)value.real;
        value.kind = PM_HOST_REAL;
    }
    return value;
}

/* ---- arithmetic ---------------------------------------------------------------------------- */

static pm_host_value of_truth(bool truth)
{
    return pm_host_integer(truth);
}

/* Returns the result of a comparison operator. less, equal, greater: whether the first operand is
 * less than, equal to or greater than the second. All three are false if an operand is NaN. */
static pm_host_value compare(enum CXBinaryOperatorKind kind, bool less, bool equal, bool greater)
{
    switch (kind) {
    case CXBinaryOperator_LT:
        return of_truth(less);
    case CXBinaryOperator_GT:
        return of_truth(greater);
    case CXBinaryOperator_LE:
        return of_truth(less || equal);
    case CXBinaryOperator_GE:
        return of_truth(greater || equal);
    case CXBinaryOperator_EQ:
        return of_truth(equal);
    case CXBinaryOperator_NE:
        return of_truth(!equal);
    default:
        return pm_host_unknown(NULL, 0);
    }
}

static pm_host_value calculate_reals(enum CXBinaryOperatorKind kind, double a, double b)
{
    switch (kind) {
    case CXBinaryOperator_Add:
    case CXBinaryOperator_AddAssign:
        return pm_host_real(a + b);
    case CXBinaryOperator_Sub:
    case CXBinaryOperator_SubAssign:
        return pm_host_real(a - b);
    case CXBinaryOperator_Mul:
    case CXBinaryOperator_MulAssign:
        return pm_host_real(a * b);
    case CXBinaryOperator_Div:
    case CXBinaryOperator_DivAssign:
        return pm_host_real(a / b);
    default:
        return compare(kind, a<b, a == b, a> b);
    }
}

static pm_host_value divide(bool remainder, long long a, long long b, bool is_unsigned)
{
    const unsigned long long x = (unsigned long long)a, y = (unsigned long long)b;

    if (b == 0)
        return pm_host_unknown(NULL, 0);
    if (is_unsigned)
        return pm_host_integer((long long)(remainder ? x % y : x / y));
    if (b == -1) /* division by -1 is separate, because LLONG_MIN / -1 overflows */
        return pm_host_integer(remainder ? 0 : (long long)(0 - x));
    return pm_host_integer(remainder ? a % b : a / b);
}

static pm_host_value shift(bool left, long long a, long long b, bool is_unsigned)
{
    const unsigned long long x = (unsigned long long)a;

    if (b < 0 || b > 63)
        return pm_host_unknown(NULL, 0);
    if (left)
        return pm_host_integer((long long)(x << b));
    return pm_host_integer(is_unsigned ? (long long)(x >> b) : a >> b);
}

static pm_host_value calculate_integers(enum CXBinaryOperatorKind kind, long long a, long long b,
                                        CXType type)
{
    const unsigned long long x = (unsigned long long)a, y = (unsigned long long)b;

    switch (kind) {
    case CXBinaryOperator_Add:
    case CXBinaryOperator_AddAssign:
        return pm_host_integer((long long)(x + y));
    case CXBinaryOperator_Sub:
    case CXBinaryOperator_SubAssign:
        return pm_host_integer((long long)(x - y));
    case CXBinaryOperator_Mul:
    case CXBinaryOperator_MulAssign:
        return pm_host_integer((long long)(x * y));
    case CXBinaryOperator_Div:
    case CXBinaryOperator_DivAssign:
        return divide(false, a, b, is_unsigned_long(type));
    case CXBinaryOperator_Rem:
    case CXBinaryOperator_RemAssign:
        return divide(true, a, b, is_unsigned_long(type));
    case CXBinaryOperator_Shl:
    case CXBinaryOperator_ShlAssign:
        return shift(true, a, b, false);
    case CXBinaryOperator_Shr:
    case CXBinaryOperator_ShrAssign:
        return shift(false, a, b, is_unsigned_long(type));
    case CXBinaryOperator_And:
    case CXBinaryOperator_AndAssign:
        return pm_host_integer(a & b);
    case CXBinaryOperator_Or:
    case CXBinaryOperator_OrAssign:
        return pm_host_integer(a | b);
    case CXBinaryOperator_Xor:
    case CXBinaryOperator_XorAssign:
        return pm_host_integer(a ^ b);
    default:
        return compare(kind, a<b, a == b, a> b);
    }
}

static pm_host_value calculate_pointers(enum CXBinaryOperatorKind kind, pm_host_value a,
                                        pm_host_value b, uint64_t bytes)
{
    const bool adds = kind == CXBinaryOperator_Add || kind == CXBinaryOperator_AddAssign;
    const bool takes = kind == CXBinaryOperator_Sub || kind == CXBinaryOperator_SubAssign;
    const bool both = a.kind == PM_HOST_POINTER && b.kind == PM_HOST_POINTER;
    const bool same = both && a.object == b.object && a.offset == b.offset;

    if (adds && b.kind == PM_HOST_POINTER && !both)
        return calculate_pointers(kind, b, a, bytes);
    if ((adds || takes) && b.kind == PM_HOST_INTEGER && bytes > 0) {
        a.offset =
            adds ? a.offset + (uint64_t)b.integer * bytes : a.offset - (uint64_t)b.integer * bytes;
        return a;
    }
    if (takes && both && a.object == b.object && bytes > 0)
        return pm_host_integer((long long)(a.offset - b.offset) / (long long)bytes);
    if (kind == CXBinaryOperator_EQ || kind == CXBinaryOperator_NE)
        return of_truth(same == (kind == CXBinaryOperator_EQ));
    return pm_host_unknown(NULL, 0);
}

/* Returns whether the exact product or sum of two integers does not fit into the type. */
static bool overflows(enum CXBinaryOperatorKind kind, pm_host_value a, pm_host_value b, CXType type)
{
    long long exact;

    if (a.kind != PM_HOST_INTEGER || b.kind != PM_HOST_INTEGER || !pm_host_is_integer(type))
        return false;
    if (kind == CXBinaryOperator_Mul || kind == CXBinaryOperator_MulAssign)
        return __builtin_mul_overflow(a.integer, b.integer, &exact) ||
               wrapped(exact, type) != exact;
    if (kind == CXBinaryOperator_Add || kind == CXBinaryOperator_AddAssign)
        return __builtin_add_overflow(a.integer, b.integer, &exact) ||
               (a.integer > 0 && b.integer > 0 && wrapped(exact, type) != exact);
    return kind == CXBinaryOperator_Shl &&
           (b.integer > 62 || wrapped(a.integer << b.integer, type) >> b.integer != a.integer);
}

pm_host_value pm_host_calculate(enum CXBinaryOperatorKind kind, pm_host_value a, pm_host_value b,
                                CXType type, uint64_t bytes)
{
    pm_host_value result;

    if (a.kind == PM_HOST_UNKNOWN || b.kind == PM_HOST_UNKNOWN) {
        const pm_host_value of = a.kind == PM_HOST_UNKNOWN && a.origin ? a : b;

        result = pm_host_unknown(of.kind == PM_HOST_UNKNOWN ? of.origin : NULL, of.line);
    } else if (pm_host_is_known(a) && pm_host_is_known(b)) {
        result = a.kind == PM_HOST_REAL || b.kind == PM_HOST_REAL
                     ? calculate_reals(kind, real_of(a), real_of(b))
                     : calculate_integers(kind, a.integer, b.integer, type);
        result = pm_host_convert(result, type);
    } else {
        result = calculate_pointers(kind, a, b, bytes);
    }
    result.no_arguments = a.no_arguments || b.no_arguments;
    result.assumed = a.assumed || b.assumed;
    result.too_large = a.too_large || b.too_large || overflows(kind, a, b, type);
    return result;
}
