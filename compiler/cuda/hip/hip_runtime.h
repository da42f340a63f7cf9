/* Arithmetic of vector types, which HIP's headers define and CUDA's do not. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operators are templates, so that a source's own operator for a type is preferred.
 */
#pragma clang system_header
#pragma once
#define __HIPCC__ 1

/* The member `scalar` is the type of a component. The members one, two, three and four exist only
 * in the vector type with that number of components. */
template <typename PM_V> struct pm_vector {
};
#define PM_VECTOR(name, type)                                                                      \
    template <> struct pm_vector<name##1> {                                                        \
        typedef type scalar;                                                                       \
        typedef name##1 one;                                                                       \
    };                                                                                             \
    template <> struct pm_vector<name##2> {                                                        \
        typedef type scalar;                                                                       \
        typedef name##2 two;                                                                       \
    };                                                                                             \
    template <> struct pm_vector<name##3> {                                                        \
        typedef type scalar;                                                                       \
        typedef name##3 three;                                                                     \
    };                                                                                             \
    template <> struct pm_vector<name##4> {                                                        \
        typedef type scalar;                                                                       \
        typedef name##4 four;                                                                      \
    };
PM_VECTOR(char, signed char)
PM_VECTOR(uchar, unsigned char)
PM_VECTOR(short, short)
PM_VECTOR(ushort, unsigned short)
PM_VECTOR(int, int)
PM_VECTOR(uint, unsigned int)
PM_VECTOR(long, long)
PM_VECTOR(ulong, unsigned long)
PM_VECTOR(longlong, long long)
PM_VECTOR(ulonglong, unsigned long long)
PM_VECTOR(float, float)
PM_VECTOR(double, double)
#undef PM_VECTOR

/* A vector with the scalar in each component. */
template <typename PM_V>
PM_DEVICE typename pm_vector<PM_V>::one pm_spread(typename pm_vector<PM_V>::scalar x)
{
    return {x};
}
template <typename PM_V>
PM_DEVICE typename pm_vector<PM_V>::two pm_spread(typename pm_vector<PM_V>::scalar x)
{
    return {x, x};
}
template <typename PM_V>
PM_DEVICE typename pm_vector<PM_V>::three pm_spread(typename pm_vector<PM_V>::scalar x)
{
    return {x, x, x};
}
template <typename PM_V>
PM_DEVICE typename pm_vector<PM_V>::four pm_spread(typename pm_vector<PM_V>::scalar x)
{
    return {x, x, x, x};
}

#define PM_COMPONENT(op, c) (typename pm_vector<PM_V>::scalar)(a.c op b.c)
#define PM_OPERATOR(op)                                                                            \
    template <typename PM_V> PM_DEVICE typename pm_vector<PM_V>::one operator op(PM_V a, PM_V b)   \
    {                                                                                              \
        return {PM_COMPONENT(op, x)};                                                              \
    }                                                                                              \
    template <typename PM_V> PM_DEVICE typename pm_vector<PM_V>::two operator op(PM_V a, PM_V b)   \
    {                                                                                              \
        return {PM_COMPONENT(op, x), PM_COMPONENT(op, y)};                                         \
    }                                                                                              \
    template <typename PM_V> PM_DEVICE typename pm_vector<PM_V>::three operator op(PM_V a, PM_V b) \
    {                                                                                              \
        return {PM_COMPONENT(op, x), PM_COMPONENT(op, y), PM_COMPONENT(op, z)};                    \
    }                                                                                              \
    template <typename PM_V> PM_DEVICE typename pm_vector<PM_V>::four operator op(PM_V a, PM_V b)  \
    {                                                                                              \
        return {PM_COMPONENT(op, x), PM_COMPONENT(op, y), PM_COMPONENT(op, z),                     \
                PM_COMPONENT(op, w)};                                                              \
    }                                                                                              \
    template <typename PM_V>                                                                       \
    PM_DEVICE PM_V operator op(PM_V a, typename pm_vector<PM_V>::scalar b)                         \
    {                                                                                              \
        return a op pm_spread<PM_V>(b);                                                            \
    }                                                                                              \
    template <typename PM_V>                                                                       \
    PM_DEVICE PM_V operator op(typename pm_vector<PM_V>::scalar a, PM_V b)                         \
    {                                                                                              \
        return pm_spread<PM_V>(a) op b;                                                            \
    }                                                                                              \
    template <typename PM_V, typename PM_S = typename pm_vector<PM_V>::scalar>                     \
    PM_DEVICE PM_V &operator op##=(PM_V &a, PM_V b)                                                \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    template <typename PM_V>                                                                       \
    PM_DEVICE PM_V &operator op##=(PM_V &a, typename pm_vector<PM_V>::scalar b)                    \
    {                                                                                              \
        return a = a op b;                                                                         \
    }
PM_OPERATOR(+)
PM_OPERATOR(-)
PM_OPERATOR(*)
PM_OPERATOR(/)
PM_OPERATOR(%)
PM_OPERATOR(&)
PM_OPERATOR(|)
PM_OPERATOR(^)
PM_OPERATOR(<<)
PM_OPERATOR(>>)
#undef PM_OPERATOR
#undef PM_COMPONENT

template <typename PM_V, typename PM_S = typename pm_vector<PM_V>::scalar>
PM_DEVICE PM_V operator-(PM_V a)
{
    return pm_spread<PM_V>(0) - a;
}
template <typename PM_V, typename PM_S = typename pm_vector<PM_V>::scalar>
PM_DEVICE PM_V operator~(PM_V a)
{
    return a ^ pm_spread<PM_V>(-1);
}

template <typename PM_V> PM_DEVICE bool pm_equal(typename pm_vector<PM_V>::one a, PM_V b)
{
    return a.x == b.x;
}
template <typename PM_V> PM_DEVICE bool pm_equal(typename pm_vector<PM_V>::two a, PM_V b)
{
    return a.x == b.x && a.y == b.y;
}
template <typename PM_V> PM_DEVICE bool pm_equal(typename pm_vector<PM_V>::three a, PM_V b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
template <typename PM_V> PM_DEVICE bool pm_equal(typename pm_vector<PM_V>::four a, PM_V b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
template <typename PM_V, typename PM_S = typename pm_vector<PM_V>::scalar>
PM_DEVICE bool operator==(PM_V a, PM_V b)
{
    return pm_equal(a, b);
}
template <typename PM_V, typename PM_S = typename pm_vector<PM_V>::scalar>
PM_DEVICE bool operator!=(PM_V a, PM_V b)
{
    return !pm_equal(a, b);
}
