/* Types of libcu++, and functors of libcu++ and Thrust, in host code. See host.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A kernel that gets such a type is compiled by NVIDIA's compiler. Here only the types' names and
 * sizes matter.
 */
#pragma clang system_header

#define PM_FUNCTOR(name)                                                                           \
    template <class T = void> struct name {                                                        \
        template <class A, class... B> PM_BOTH A operator()(A, B...) const;                        \
    };
#define PM_FUNCTORS                                                                                \
    PM_FUNCTOR(plus)                                                                               \
    PM_FUNCTOR(minus)                                                                              \
    PM_FUNCTOR(multiplies)                                                                         \
    PM_FUNCTOR(divides)                                                                            \
    PM_FUNCTOR(less)                                                                               \
    PM_FUNCTOR(greater)                                                                            \
    PM_FUNCTOR(maximum)                                                                            \
    PM_FUNCTOR(minimum)

namespace cuda
{
namespace std
{
using namespace ::std;
PM_FUNCTORS
} // namespace std

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};
template <class T, thread_scope S = thread_scope_system> struct atomic {
    T pm_value;
};
} // namespace cuda

namespace thrust
{
PM_FUNCTORS
} // namespace thrust
#undef PM_FUNCTORS
#undef PM_FUNCTOR
