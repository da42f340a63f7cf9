/* What device code takes of C++'s library: properties of types, limits of numbers. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

namespace std
{
template <typename PM_T, PM_T PM_VALUE> struct integral_constant {
    static constexpr PM_T value = PM_VALUE;
    typedef PM_T value_type;
    typedef integral_constant type;
    PM_MEMBER constexpr operator PM_T() const
    {
        return PM_VALUE;
    }
    PM_MEMBER constexpr PM_T operator()() const
    {
        return PM_VALUE;
    }
};
template <bool PM_VALUE> using bool_constant = integral_constant<bool, PM_VALUE>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;

template <bool PM_VALUE, typename PM_T = void> struct enable_if {
};
template <typename PM_T> struct enable_if<true, PM_T> {
    typedef PM_T type;
};
template <bool PM_VALUE, typename PM_T = void>
using enable_if_t = typename enable_if<PM_VALUE, PM_T>::type;
template <bool PM_VALUE, typename PM_T, typename PM_U> struct conditional {
    typedef PM_T type;
};
template <typename PM_T, typename PM_U> struct conditional<false, PM_T, PM_U> {
    typedef PM_U type;
};
template <bool PM_VALUE, typename PM_T, typename PM_U>
using conditional_t = typename conditional<PM_VALUE, PM_T, PM_U>::type;

#define PM_TRAIT(name, question)                                                                   \
    template <typename PM_T> struct name : bool_constant<question> {                               \
    };                                                                                             \
    template <typename PM_T> inline constexpr bool name##_v = question;
PM_TRAIT(is_integral, __is_integral(PM_T))
PM_TRAIT(is_floating_point, __is_floating_point(PM_T))
PM_TRAIT(is_arithmetic, __is_arithmetic(PM_T))
PM_TRAIT(is_signed, __is_signed(PM_T))
PM_TRAIT(is_unsigned, __is_unsigned(PM_T))
PM_TRAIT(is_pointer, __is_pointer(PM_T))
PM_TRAIT(is_const, __is_const(PM_T))
PM_TRAIT(is_enum, __is_enum(PM_T))
PM_TRAIT(is_class, __is_class(PM_T))
PM_TRAIT(is_void, __is_void(PM_T))
PM_TRAIT(is_trivially_copyable, __is_trivially_copyable(PM_T))
#undef PM_TRAIT
template <typename PM_T, typename PM_U> struct is_same : bool_constant<__is_same(PM_T, PM_U)> {
};
template <typename PM_T, typename PM_U> inline constexpr bool is_same_v = __is_same(PM_T, PM_U);
template <typename PM_T, typename PM_U>
struct is_convertible : bool_constant<__is_convertible(PM_T, PM_U)> {
};

template <typename PM_T> struct remove_reference {
    typedef PM_T type;
};
template <typename PM_T> struct remove_reference<PM_T &> {
    typedef PM_T type;
};
template <typename PM_T> struct remove_reference<PM_T &&> {
    typedef PM_T type;
};
template <typename PM_T> using remove_reference_t = typename remove_reference<PM_T>::type;
#define PM_CHANGED(name)                                                                           \
    template <typename PM_T> struct name {                                                         \
        typedef __##name(PM_T) type;                                                               \
    };                                                                                             \
    template <typename PM_T> using name##_t = __##name(PM_T);
PM_CHANGED(remove_cv)
PM_CHANGED(remove_const)
PM_CHANGED(remove_volatile)
PM_CHANGED(remove_pointer)
PM_CHANGED(decay)
PM_CHANGED(make_signed)
PM_CHANGED(make_unsigned)
#undef PM_CHANGED

template <typename PM_T> struct numeric_limits;
#define PM_LIMITS(of, integral, from, to, least, step)                                             \
    template <> struct numeric_limits<of> {                                                        \
        static constexpr bool is_specialized = true, is_integer = integral;                        \
        static constexpr bool is_signed = (of)-1 < (of)0;                                          \
        static PM_MEMBER constexpr of min()                                                        \
        {                                                                                          \
            return least;                                                                          \
        }                                                                                          \
        static PM_MEMBER constexpr of lowest()                                                     \
        {                                                                                          \
            return from;                                                                           \
        }                                                                                          \
        static PM_MEMBER constexpr of max()                                                        \
        {                                                                                          \
            return to;                                                                             \
        }                                                                                          \
        static PM_MEMBER constexpr of epsilon()                                                    \
        {                                                                                          \
            return step;                                                                           \
        }                                                                                          \
        static PM_MEMBER constexpr of infinity()                                                   \
        {                                                                                          \
            return integral ? (of)0 : (of)__builtin_inf();                                         \
        }                                                                                          \
        static PM_MEMBER constexpr of quiet_NaN()                                                  \
        {                                                                                          \
            return integral ? (of)0 : (of)__builtin_nan("");                                       \
        }                                                                                          \
    };
#define PM_INTEGER_LIMITS(of, from, to) PM_LIMITS(of, true, from, to, from, 0)
PM_INTEGER_LIMITS(char, CHAR_MIN, CHAR_MAX)
PM_INTEGER_LIMITS(signed char, SCHAR_MIN, SCHAR_MAX)
PM_INTEGER_LIMITS(unsigned char, 0, UCHAR_MAX)
PM_INTEGER_LIMITS(short, SHRT_MIN, SHRT_MAX)
PM_INTEGER_LIMITS(unsigned short, 0, USHRT_MAX)
PM_INTEGER_LIMITS(int, INT_MIN, INT_MAX)
PM_INTEGER_LIMITS(unsigned int, 0, UINT_MAX)
PM_INTEGER_LIMITS(long, LONG_MIN, LONG_MAX)
PM_INTEGER_LIMITS(unsigned long, 0, ULONG_MAX)
PM_INTEGER_LIMITS(long long, LLONG_MIN, LLONG_MAX)
PM_INTEGER_LIMITS(unsigned long long, 0, ULLONG_MAX)
PM_LIMITS(float, false, -FLT_MAX, FLT_MAX, FLT_MIN, FLT_EPSILON)
PM_LIMITS(double, false, -DBL_MAX, DBL_MAX, DBL_MIN, DBL_EPSILON)
#undef PM_INTEGER_LIMITS
#undef PM_LIMITS

template <typename PM_T> PM_DEVICE constexpr remove_reference_t<PM_T> &&move(PM_T &&x) noexcept
{
    return static_cast<remove_reference_t<PM_T> &&>(x);
}
template <typename PM_T> PM_DEVICE constexpr PM_T &&forward(remove_reference_t<PM_T> &x) noexcept
{
    return static_cast<PM_T &&>(x);
}
template <typename PM_T> PM_DEVICE void swap(PM_T &a, PM_T &b)
{
    PM_T old = a;
    a = b;
    b = old;
}
} // namespace std
