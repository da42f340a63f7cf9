/* Operators, pairs and threads of CUB. See cub.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

namespace cub
{
struct Sum {
    template <typename PM_T, typename PM_U> PM_MEMBER auto operator()(PM_T x, PM_U y) const
    {
        return x + y;
    }
};
struct Difference {
    template <typename PM_T, typename PM_U> PM_MEMBER auto operator()(PM_T x, PM_U y) const
    {
        return x - y;
    }
};
struct Max {
    template <typename PM_T> PM_MEMBER PM_T operator()(PM_T x, PM_T y) const
    {
        return y > x ? y : x;
    }
};
struct Min {
    template <typename PM_T> PM_MEMBER PM_T operator()(PM_T x, PM_T y) const
    {
        return y < x ? y : x;
    }
};
struct Equality {
    template <typename PM_T, typename PM_U> PM_MEMBER bool operator()(PM_T x, PM_U y) const
    {
        return x == y;
    }
};
struct Inequality {
    template <typename PM_T, typename PM_U> PM_MEMBER bool operator()(PM_T x, PM_U y) const
    {
        return x != y;
    }
};
template <typename PM_K, typename PM_V> struct KeyValuePair {
    typedef PM_K Key;
    typedef PM_V Value;
    PM_K key;
    PM_V value;
    KeyValuePair() = default;
    PM_MEMBER KeyValuePair(PM_K of_key, PM_V of_value) : key(of_key), value(of_value)
    {
    }
};
/* The pair with the larger value; if the values are equal, the one with the smaller key. */
struct ArgMax {
    template <typename PM_P> PM_MEMBER PM_P operator()(PM_P x, PM_P y) const
    {
        return y.value > x.value || (y.value == x.value && y.key < x.key) ? y : x;
    }
};
struct ArgMin {
    template <typename PM_P> PM_MEMBER PM_P operator()(PM_P x, PM_P y) const
    {
        return y.value < x.value || (y.value == x.value && y.key < x.key) ? y : x;
    }
};

/* Rank of the thread in its block, and in its warp. */
PM_DEVICE int pm_thread()
{
    return (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}
PM_DEVICE int pm_lane()
{
    return pm_thread() % PM_WARP;
}
PM_DEVICE unsigned int LaneId()
{
    return (unsigned int)pm_lane();
}
PM_DEVICE unsigned int WarpId()
{
    return (unsigned int)(pm_thread() / PM_WARP);
}
} // namespace cub
