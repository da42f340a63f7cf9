/* The parts of the C++ library that device code uses, from <type_traits>, <limits>, <utility>,
 * <array>, <functional> and <algorithm>. See prelude.cuh.
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
PM_TRAIT(is_trivial, __is_trivial(PM_T))
PM_TRAIT(is_pod, __is_pod(PM_T))
PM_TRAIT(is_standard_layout, __is_standard_layout(PM_T))
PM_TRAIT(is_empty, __is_empty(PM_T))
PM_TRAIT(is_final, __is_final(PM_T))
PM_TRAIT(is_abstract, __is_abstract(PM_T))
PM_TRAIT(is_polymorphic, __is_polymorphic(PM_T))
PM_TRAIT(is_aggregate, __is_aggregate(PM_T))
PM_TRAIT(is_union, __is_union(PM_T))
PM_TRAIT(is_array, __is_array(PM_T))
PM_TRAIT(is_function, __is_function(PM_T))
PM_TRAIT(is_object, __is_object(PM_T))
PM_TRAIT(is_scalar, __is_scalar(PM_T))
PM_TRAIT(is_fundamental, __is_fundamental(PM_T))
PM_TRAIT(is_compound, __is_compound(PM_T))
PM_TRAIT(is_reference, __is_reference(PM_T))
PM_TRAIT(is_lvalue_reference, __is_lvalue_reference(PM_T))
PM_TRAIT(is_rvalue_reference, __is_rvalue_reference(PM_T))
PM_TRAIT(is_member_pointer, __is_member_pointer(PM_T))
PM_TRAIT(is_volatile, __is_volatile(PM_T))
PM_TRAIT(is_null_pointer, __is_same(__remove_cv(PM_T), decltype(nullptr)))
PM_TRAIT(is_default_constructible, __is_constructible(PM_T))
PM_TRAIT(is_trivially_default_constructible, __is_trivially_constructible(PM_T))
PM_TRAIT(is_destructible, __is_destructible(PM_T))
PM_TRAIT(is_trivially_destructible, __is_trivially_destructible(PM_T))
PM_TRAIT(has_unique_object_representations, __has_unique_object_representations(PM_T))
#undef PM_TRAIT
template <typename PM_T, typename PM_U> struct is_same : bool_constant<__is_same(PM_T, PM_U)> {
};
template <typename PM_T, typename PM_U> inline constexpr bool is_same_v = __is_same(PM_T, PM_U);
#define PM_RELATION(name, question)                                                                \
    template <typename PM_T, typename PM_U> struct name : bool_constant<question> {                \
    };                                                                                             \
    template <typename PM_T, typename PM_U> inline constexpr bool name##_v = question;
PM_RELATION(is_convertible, __is_convertible(PM_T, PM_U))
PM_RELATION(is_base_of, __is_base_of(PM_T, PM_U))
PM_RELATION(is_assignable, __is_assignable(PM_T, PM_U))
#undef PM_RELATION
template <typename PM_T, typename... PM_A>
struct is_constructible : bool_constant<__is_constructible(PM_T, PM_A...)> {
};
template <typename PM_T, typename... PM_A>
inline constexpr bool is_constructible_v = __is_constructible(PM_T, PM_A...);
template <typename PM_T> struct alignment_of : integral_constant<size_t, alignof(PM_T)> {
};
template <typename PM_T> inline constexpr size_t alignment_of_v = alignof(PM_T);
template <typename PM_T> struct rank : integral_constant<size_t, __array_rank(PM_T)> {
};
template <typename PM_T, unsigned PM_N = 0>
struct extent : integral_constant<size_t, __array_extent(PM_T, PM_N)> {
};
template <typename...> using void_t = void;
template <typename...> struct conjunction : true_type {
};
template <typename PM_T, typename... PM_A>
struct conjunction<PM_T, PM_A...> : conditional_t<bool(PM_T::value), conjunction<PM_A...>, PM_T> {
};
template <typename PM_T> struct conjunction<PM_T> : PM_T {
};
template <typename...> struct disjunction : false_type {
};
template <typename PM_T, typename... PM_A>
struct disjunction<PM_T, PM_A...> : conditional_t<bool(PM_T::value), PM_T, disjunction<PM_A...>> {
};
template <typename PM_T> struct disjunction<PM_T> : PM_T {
};
template <typename PM_T> struct negation : bool_constant<!bool(PM_T::value)> {
};
template <typename... PM_A> inline constexpr bool conjunction_v = conjunction<PM_A...>::value;
template <typename... PM_A> inline constexpr bool disjunction_v = disjunction<PM_A...>::value;
template <typename PM_T> inline constexpr bool negation_v = negation<PM_T>::value;

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
PM_CHANGED(remove_extent)
PM_CHANGED(remove_all_extents)
PM_CHANGED(add_pointer)
PM_CHANGED(add_lvalue_reference)
PM_CHANGED(add_rvalue_reference)
PM_CHANGED(underlying_type)
#undef PM_CHANGED
#define PM_CHANGED(name, changed)                                                                  \
    template <typename PM_T> struct name {                                                         \
        typedef changed type;                                                                      \
    };                                                                                             \
    template <typename PM_T> using name##_t = changed;
PM_CHANGED(add_const, const PM_T)
PM_CHANGED(add_volatile, volatile PM_T)
PM_CHANGED(add_cv, const volatile PM_T)
PM_CHANGED(remove_cvref, __remove_cvref(PM_T))
PM_CHANGED(type_identity, PM_T)
#undef PM_CHANGED

/* Only for expressions that are not evaluated, such as the operand of decltype. */
template <typename PM_T> __attribute__((device, host)) add_rvalue_reference_t<PM_T> declval() noexcept;

/* The type of the expression c ? x : y for values x and y of two types. More types are combined
 * from left to right. */
template <typename...> struct common_type {
};
template <typename PM_T> struct common_type<PM_T> {
    typedef decay_t<PM_T> type;
};
template <typename PM_VOID, typename PM_T, typename PM_U> struct pm_common {
};
template <typename PM_T, typename PM_U>
struct pm_common<void_t<decltype(false ? declval<PM_T>() : declval<PM_U>())>, PM_T, PM_U> {
    typedef decay_t<decltype(false ? declval<PM_T>() : declval<PM_U>())> type;
};
template <typename PM_T, typename PM_U>
struct common_type<PM_T, PM_U> : pm_common<void, decay_t<PM_T>, decay_t<PM_U>> {
};
template <typename PM_T, typename PM_U, typename PM_V, typename... PM_A>
struct common_type<PM_T, PM_U, PM_V, PM_A...>
    : common_type<typename common_type<PM_T, PM_U>::type, PM_V, PM_A...> {
};
template <typename... PM_A> using common_type_t = typename common_type<PM_A...>::type;

template <typename PM_VOID, typename PM_F, typename... PM_A> struct pm_invoked : false_type {
};
template <typename PM_F, typename... PM_A>
struct pm_invoked<void_t<decltype(declval<PM_F>()(declval<PM_A>()...))>, PM_F, PM_A...>
    : true_type {
    typedef decltype(declval<PM_F>()(declval<PM_A>()...)) type;
};
template <typename PM_F, typename... PM_A>
struct invoke_result : pm_invoked<void, PM_F, PM_A...> {
};
template <typename PM_F, typename... PM_A>
using invoke_result_t = typename invoke_result<PM_F, PM_A...>::type;
template <typename PM_F> struct result_of;
template <typename PM_F, typename... PM_A>
struct result_of<PM_F(PM_A...)> : pm_invoked<void, PM_F, PM_A...> {
};
template <typename PM_F> using result_of_t = typename result_of<PM_F>::type;
template <typename PM_F, typename... PM_A>
struct is_invocable : bool_constant<pm_invoked<void, PM_F, PM_A...>::value> {
};
template <typename PM_F, typename... PM_A>
inline constexpr bool is_invocable_v = is_invocable<PM_F, PM_A...>::value;
template <size_t PM_BYTES, size_t PM_ALIGNMENT = 16> struct aligned_storage {
    struct type {
        alignas(PM_ALIGNMENT) unsigned char pm_bytes[PM_BYTES];
    };
};
template <size_t PM_BYTES, size_t PM_ALIGNMENT = 16>
using aligned_storage_t = typename aligned_storage<PM_BYTES, PM_ALIGNMENT>::type;

template <typename PM_T> struct numeric_limits {
    static constexpr bool is_specialized = false;
};
template <typename PM_T> struct numeric_limits<const PM_T> : numeric_limits<PM_T> {
};
#define PM_LIMITS(of, integral, from, to, least, step)                                             \
    template <> struct numeric_limits<of> {                                                        \
        static constexpr bool is_specialized = true, is_integer = integral;                        \
        static constexpr bool is_signed = (of)-1 < (of)0;                                          \
        static constexpr bool is_exact = integral, is_bounded = true, is_iec559 = !integral;       \
        static constexpr bool is_modulo = integral && !is_signed, has_infinity = !integral;        \
        static constexpr bool has_quiet_NaN = !integral, has_signaling_NaN = !integral;            \
        static constexpr int radix = 2;                                                            \
        static constexpr int digits = integral          ? 8 * (int)sizeof(of) - is_signed          \
                                      : sizeof(of) == 4 ? FLT_MANT_DIG                             \
                                                        : DBL_MANT_DIG;                            \
        static constexpr int digits10 =                                                            \
            integral ? digits * 643L / 2136 : (digits - 1) * 643L / 2136;                          \
        static constexpr int max_digits10 = integral ? 0 : 2 + digits * 643L / 2136;               \
        static constexpr int max_exponent = integral          ? 0                                  \
                                            : sizeof(of) == 4 ? FLT_MAX_EXP                        \
                                                              : DBL_MAX_EXP;                       \
        static constexpr int min_exponent = integral          ? 0                                  \
                                            : sizeof(of) == 4 ? FLT_MIN_EXP                        \
                                                              : DBL_MIN_EXP;                       \
        static PM_MEMBER constexpr of denorm_min()                                                 \
        {                                                                                          \
            return integral ? (of)0 : (of)(least * step);                                          \
        }                                                                                          \
        static PM_MEMBER constexpr of round_error()                                                \
        {                                                                                          \
            return integral ? (of)0 : (of)0.5;                                                     \
        }                                                                                          \
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
PM_INTEGER_LIMITS(bool, false, true)
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
template <typename PM_T, typename PM_U = PM_T> PM_DEVICE constexpr PM_T exchange(PM_T &a, PM_U &&b)
{
    PM_T old = move(a);
    a = forward<PM_U>(b);
    return old;
}
template <typename PM_T>
PM_DEVICE constexpr const PM_T &clamp(const PM_T &x, const PM_T &least, const PM_T &most)
{
    return x < least ? least : most < x ? most : x;
}

template <typename PM_T, typename PM_U> struct pair {
    typedef PM_T first_type;
    typedef PM_U second_type;
    PM_T first;
    PM_U second;
    pair() = default;
    PM_MEMBER constexpr pair(const PM_T &a, const PM_U &b) : first(a), second(b)
    {
    }
    template <typename PM_V, typename PM_W>
    PM_MEMBER constexpr pair(const pair<PM_V, PM_W> &other)
        : first(other.first), second(other.second)
    {
    }
};
template <typename PM_T, typename PM_U>
PM_DEVICE constexpr pair<decay_t<PM_T>, decay_t<PM_U>> make_pair(PM_T &&a, PM_U &&b)
{
    return {a, b};
}
template <typename PM_T, typename PM_U>
PM_DEVICE constexpr bool operator==(const pair<PM_T, PM_U> &a, const pair<PM_T, PM_U> &b)
{
    return a.first == b.first && a.second == b.second;
}
template <typename PM_T, typename PM_U>
PM_DEVICE constexpr bool operator!=(const pair<PM_T, PM_U> &a, const pair<PM_T, PM_U> &b)
{
    return !(a == b);
}
template <typename PM_T, typename PM_U>
PM_DEVICE constexpr bool operator<(const pair<PM_T, PM_U> &a, const pair<PM_T, PM_U> &b)
{
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}

template <typename PM_T, PM_T... PM_N> struct integer_sequence {
    typedef PM_T value_type;
    static PM_MEMBER constexpr size_t size()
    {
        return sizeof...(PM_N);
    }
};
template <typename PM_T, PM_T PM_COUNT>
using make_integer_sequence = __make_integer_seq<integer_sequence, PM_T, PM_COUNT>;
template <size_t... PM_N> using index_sequence = integer_sequence<size_t, PM_N...>;
template <size_t PM_COUNT> using make_index_sequence = make_integer_sequence<size_t, PM_COUNT>;
template <typename... PM_A> using index_sequence_for = make_index_sequence<sizeof...(PM_A)>;

template <typename PM_T, size_t PM_COUNT> struct array {
    typedef PM_T value_type, *iterator;
    typedef const PM_T *const_iterator;
    typedef size_t size_type;
    PM_T pm_items[PM_COUNT > 0 ? PM_COUNT : 1];
    PM_MEMBER constexpr PM_T &operator[](size_t i)
    {
        return pm_items[i];
    }
    PM_MEMBER constexpr const PM_T &operator[](size_t i) const
    {
        return pm_items[i];
    }
    PM_MEMBER constexpr PM_T *data()
    {
        return pm_items;
    }
    PM_MEMBER constexpr const PM_T *data() const
    {
        return pm_items;
    }
    PM_MEMBER constexpr PM_T *begin()
    {
        return pm_items;
    }
    PM_MEMBER constexpr PM_T *end()
    {
        return pm_items + PM_COUNT;
    }
    PM_MEMBER constexpr const PM_T *begin() const
    {
        return pm_items;
    }
    PM_MEMBER constexpr const PM_T *end() const
    {
        return pm_items + PM_COUNT;
    }
    PM_MEMBER constexpr PM_T &front()
    {
        return pm_items[0];
    }
    PM_MEMBER constexpr PM_T &back()
    {
        return pm_items[PM_COUNT - 1];
    }
    static PM_MEMBER constexpr size_t size()
    {
        return PM_COUNT;
    }
    static PM_MEMBER constexpr bool empty()
    {
        return PM_COUNT == 0;
    }
    PM_MEMBER constexpr void fill(const PM_T &value)
    {
        for (size_t i = 0; i < PM_COUNT; i++)
            pm_items[i] = value;
    }
};

/* Function objects of <functional>. If the type is void, they accept arguments of any types. */
#define PM_FUNCTOR(name, op)                                                                       \
    template <typename PM_T = void> struct name {                                                  \
        PM_MEMBER constexpr auto operator()(const PM_T &a, const PM_T &b) const                    \
        {                                                                                          \
            return a op b;                                                                         \
        }                                                                                          \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <typename PM_T, typename PM_U>                                                    \
        PM_MEMBER constexpr auto operator()(const PM_T &a, const PM_U &b) const                    \
        {                                                                                          \
            return a op b;                                                                         \
        }                                                                                          \
    };
PM_FUNCTOR(plus, +)
PM_FUNCTOR(minus, -)
PM_FUNCTOR(multiplies, *)
PM_FUNCTOR(divides, /)
PM_FUNCTOR(modulus, %)
PM_FUNCTOR(less, <)
PM_FUNCTOR(less_equal, <=)
PM_FUNCTOR(greater, >)
PM_FUNCTOR(greater_equal, >=)
PM_FUNCTOR(equal_to, ==)
PM_FUNCTOR(not_equal_to, !=)
PM_FUNCTOR(logical_and, &&)
PM_FUNCTOR(logical_or, ||)
PM_FUNCTOR(bit_and, &)
PM_FUNCTOR(bit_or, |)
PM_FUNCTOR(bit_xor, ^)
#undef PM_FUNCTOR
} // namespace std

/* Names of libcu++ (namespace cuda::std), which are those of namespace std. */
namespace cuda
{
namespace std
{
using namespace ::std;
}
} // namespace cuda
