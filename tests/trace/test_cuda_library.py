#!/usr/bin/env python3
"""CUDA's numbers of 16 bits, and C++'s standard library in device code: each function gives what its manual says.

A kernel stores where a check fails, so that the line is among the accesses that were executed. What is expected of
numbers was worked out by hand from the definitions of the formats. SPDX-License-Identifier: GPL-3.0-or-later
"""
import re
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

WORKLOAD = """[workload]
name = checks
source = checks.cu
[size only]
n = 32
[buffer from]
type = %s
count = 8
contents = list %s
[buffer failed]
type = int
count = n
output = yes
[launch check]
grid = 1
block = n
arguments = from, failed
"""

# W stands for the type in names of functions. `from` contains 1.5, -2.5, 3, 0.25 and distinct
# numbers.
NUMBERS = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
#define JOIN(a, b, c) a##b##c
#define NAME(a, b, c) JOIN(a, b, c)
#define OF(a, c) NAME(a, W, c)
#define CHECK(...) do { if (!(__VA_ARGS__)) failed[0] = __LINE__; } while (0)
#define BITS(x, bits) CHECK(OF(__, _as_ushort)(x) == (bits))
__global__ void check(const N *from, int *failed)
{
    N a = from[0], b = from[1], c = from[2], d = from[3];
    N2 p = OF(__halves2, 2)(a, b), q = OF(make_, 2)(c, d);
    float nan = (float)from[7] - (float)from[7] == 0 ? __int_as_float(0x7fffffff) : 0;
    N none = OF(__float2, )(nan);
%s
}
"""
BOTH = """
CHECK((float)a == 1.5f && OF(__, 2float)(b) == -2.5f)
CHECK((float)(a + b) == -1 && (float)(a - b) == 4 && (float)(a * b) == -3.75f && (float)(c / a) == 2)
CHECK((float)-a == -1.5f && (float)+a == 1.5f)
N x = a; x += b; x -= c; x *= d; x /= a; CHECK((float)x == -4 * 0.25f / 1.5f || fabsf((float)x + 0.6667f) < 0.004f)
N y = a; CHECK((float)y++ == 1.5f && (float)y == 2.5f && (float)--y == 1.5f && (float)y-- == 1.5f && (float)++y == 1.5f)
CHECK(a > b && a >= b && b < a && b <= a && a != b && a == a && !(none == none) && none != none)
CHECK(__hgt(a, b) && !__hlt(a, b) && __hequ(a, none) && !__heq(a, none) && __hgeu(none, a) && __hneu(a, b))
N2 r = -p; CHECK((float)r.x == -1.5f && (float)r.y == 2.5f)
r = p + q; CHECK((float)r.x == 4.5f && (float)r.y == -2.25f)
r = p; r *= q; r -= q; r += q; r /= q; CHECK((float)r.x == 1.5f && (float)r.y == -2.5f)
CHECK(p == p && p != q && p < q && __hbeq2(p, p) && !__hbgt2(p, q) && __heq2_mask(p, OF(__halves2, 2)(a, a)) == 0xffff)
r = __hlt2(p, q); CHECK((float)r.x == 1 && (float)r.y == 1)
CHECK(__hgt2_mask(p, q) == 0 && __hltu2_mask(p, OF(__halves2, 2)(none, b)) == 0xffff)
CHECK((float)__hfma(a, b, c) == -0.75f && (float)__hfma_relu(a, b, c) == 0 && (float)__hfma_sat(a, a, c) == 1)
r = __hfma2(p, q, p); CHECK((float)r.x == 6 && (float)r.y == -3.125f)
r = __hcmadd(p, q, p); CHECK((float)r.x == 1.5f * 3 + 2.5f * 0.25f + 1.5f && (float)r.y == 1.5f * 0.25f - 2.5f * 3 - 2.5f)
CHECK((float)__hadd_sat(a, c) == 1 && (float)__hsub_sat(b, c) == 0 && (float)__hmul_rn(a, c) == 4.5f)
r = __hadd2_sat(p, q); CHECK((float)r.x == 1 && (float)r.y == 0)
CHECK((float)__habs(b) == 2.5f && (float)__hneg(b) == 2.5f && (float)__habs2(p).y == 2.5f)
CHECK((float)__hmax(a, b) == 1.5f && (float)__hmin(a, b) == -2.5f && (float)__hmax(none, b) == -2.5f && __hisnan(__hmin_nan(none, b)))
r = __hmax2(p, q); CHECK((float)r.x == 3 && (float)r.y == 0.25f)
CHECK(__hisnan(none) && !__hisnan(a) && __hisinf(OF(__float2, )(1e39f)) == 1 && __hisinf(OF(__float2, )(-1e39f)) == -1 && !__hisinf(a))
CHECK(OF(__, 2int_rn)(b) == -2 && OF(__, 2int_rz)(b) == -2 && OF(__, 2int_rd)(b) == -3 && OF(__, 2int_ru)(b) == -2)
CHECK(OF(__, 2uint_rn)(a) == 2 && OF(__, 2ll_rd)(b) == -3 && OF(__, 2ull_ru)(a) == 2 && OF(__, 2short_rd)(b) == -3 && OF(__, 2ushort_rz)(a) == 1)
CHECK(OF(__, 2char_rz)(b) == -2 && OF(__, 2uchar_rz)(c) == 3)
CHECK((float)OF(__int2, _rn)(-3) == -3 && (float)OF(__uint2, _rz)(3) == 3 && (float)OF(__ll2, _rd)(-3) == -3 && (float)OF(__ull2, _ru)(3) == 3 && (float)OF(__short2, _rn)(-3) == -3 && (float)OF(__ushort2, _rn)(3) == 3)
CHECK((float)OF(__low2, )(p) == 1.5f && (float)OF(__high2, )(p) == -2.5f && __low2float(p) == 1.5f && __high2float(p) == -2.5f)
r = OF(__lows2, 2)(p, q); CHECK((float)r.x == 1.5f && (float)r.y == 3)
r = OF(__highs2, 2)(p, q); CHECK((float)r.x == -2.5f && (float)r.y == 0.25f)
r = OF(__low2, 2)(p); CHECK((float)r.x == 1.5f && (float)r.y == 1.5f)
r = __lowhigh2highlow(p); CHECK((float)r.x == -2.5f && (float)r.y == 1.5f)
r = NAME(__, W, NAME(2, W, 2))(b); CHECK((float)r.x == -2.5f && (float)r.y == -2.5f)
r = OF(__floats2, 2_rn)(1, 2); CHECK(OF(__, 22float2)(r).x == 1 && OF(__, 22float2)(r).y == 2)
r = OF(__float22, 2_rn)(make_float2(3, 4)); CHECK((float)r.x == 3 && (float)r.y == 4 && (float)OF(__float2, 2_rn)(5).y == 5)
CHECK((float)OF(__double2, )(2.5) == 2.5f && (float)OF(__short_as_, )(OF(__, _as_short)(b)) == -2.5f)
CHECK(fabsf((float)hexp(a) - 4.4817f) < 0.02f && fabsf((float)hlog2(c) - 1.585f) < 0.01f && (float)hsqrt(OF(__float2, )(4)) == 2)
CHECK((float)hrcp(d) == 4 && (float)hrsqrt(d) == 2 && fabsf((float)htanh(a) - 0.9051f) < 0.005f && fabsf((float)hsin(a) - 0.9975f) < 0.005f)
CHECK((float)hceil(b) == -2 && (float)hfloor(b) == -3 && (float)htrunc(b) == -2 && (float)hrint(b) == -2 && (float)hexp2(c) == 8)
r = h2exp2(q); CHECK((float)r.x == 8 && fabsf((float)r.y - 1.189f) < 0.005f)
r = h2rcp(p); CHECK(fabsf((float)r.x - 0.6667f) < 0.003f && fabsf((float)r.y + 0.4f) < 0.002f)
N s = __shfl_xor_sync(0xffffffff, from[threadIdx.x & 3], 1); CHECK((float)s == (float)from[(threadIdx.x & 3) ^ 1])
N2 t = __shfl_sync(0xffffffff, threadIdx.x == 5 ? q : p, 5); CHECK((float)t.x == 3 && (float)t.y == 0.25f)
CHECK((float)N(7) == 7 && (float)N(7u) == 7 && (float)N(7.0) == 7 && (float)N((long long)7) == 7 && (int)N(7) == 7)
CHECK((float)__ldg(from + 1) == -2.5f && sizeof(N2) == 4 && alignof(N2) == 4)
"""
# 1 + 1 / 2048 is halfway between two halfs, and 65504 is the largest half. 1 + 1 / 256 is halfway
# between two bfloat16s.
HALF = """
BITS(__float2half_rn(1 + (float)from[4]), 0x3c00)
BITS(__float2half_rd(1 + (float)from[4]), 0x3c00)
BITS(__float2half_ru(1 + (float)from[4]), 0x3c01)
BITS(__float2half_rz(-1 - (float)from[4]), 0xbc00)
BITS(__float2half_rd(-1 - (float)from[4]), 0xbc01)
BITS(__float2half_rn(1 + 3 * (float)from[4]), 0x3c02)
BITS(__int2half_rz(100000 * (int)c), 0x7bff)
BITS(__int2half_rn(100000 * (int)c), 0x7c00)
BITS(__int2half_ru(-100000 * (int)c), 0xfbff)
BITS(a, 0x3e00)
"""
BFLOAT16 = """
BITS(__float2bfloat16_rn(1 + (float)from[4]), 0x3f80)
BITS(__float2bfloat16_ru(1 + (float)from[4]), 0x3f81)
BITS(__float2bfloat16_rd(-1 - (float)from[4]), 0xbf81)
BITS(__float2bfloat16_rz(-1 - (float)from[4]), 0xbf80)
BITS(__float2bfloat16_rn(1 + 3 * (float)from[4]), 0x3f82)
BITS(__float2bfloat16_rn(none), 0x7fff & (unsigned short)__bfloat16_as_ushort(none))
BITS(a, 0x3fc0)
"""
STANDARD = """#include <type_traits>
#include <limits>
#include <utility>
#include <array>
#include <functional>
#define SAME(...) static_assert(std::is_same<__VA_ARGS__>::value, "")
#define CHECK(...) do { if (!(__VA_ARGS__)) failed[0] = __LINE__; } while (0)
SAME(std::common_type_t<float, double>, double);
SAME(std::common_type<short, char>::type, int);
SAME(std::common_type_t<int, unsigned, float>, float);
SAME(std::decay_t<const int &>, int);
SAME(std::remove_extent_t<int[3]>, int);
SAME(std::remove_cvref_t<const volatile long &>, long);
SAME(std::invoke_result_t<std::plus<float>, float, float>, float);
SAME(std::add_pointer_t<int>, int *);
SAME(std::conditional<sizeof(int) == 4, char, short>::type, char);
static_assert(std::is_array_v<int[2]> && std::is_null_pointer<decltype(nullptr)>::value && std::is_reference_v<int &>);
static_assert(std::conjunction_v<std::is_integral<int>, std::is_signed<int>> && !std::disjunction_v<std::is_const<int>>);
static_assert(std::is_convertible_v<float, int> && !std::is_convertible<int *, int>::value && std::is_invocable_v<std::less<>, int, float>);
static_assert(std::numeric_limits<float>::digits == 24 && std::numeric_limits<int>::digits10 == 9 && std::numeric_limits<double>::digits10 == 15);
static_assert(std::numeric_limits<float>::max_digits10 == 9 && std::numeric_limits<double>::max_digits10 == 17);
static_assert(cuda::std::numeric_limits<short>::max() == 32767 && std::numeric_limits<bool>::max());
static_assert(std::numeric_limits<float>::denorm_min() > 0 && std::numeric_limits<float>::denorm_min() / 2 == 0);
template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0> __device__ int kind(T) { return 1; }
template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0> __device__ int kind(T) { return 2; }
template <size_t... I> __device__ int sum(std::index_sequence<I...>) { return (0 + ... + I); }
template <class A, class B> __device__ typename std::common_type<A, B>::type both(A a, B b) { return a + b; }
__global__ void check(const float *from, int *failed)
{
    std::pair<float, int> p = std::make_pair(from[0], (int)from[2]);
    std::array<float, 3> list{from[1], from[0], from[2]};
    float most = std::numeric_limits<float>::lowest(), old = from[3];
    for (float x : list) most = std::max(most, x);
    CHECK(p.first == 1.5f && p.second == 3 && most == 3 && list.size() == 3);
    CHECK(kind(from[0]) == 1 && kind(p.second) == 2 && sum(std::make_index_sequence<4>()) == 6);
    CHECK(std::clamp(p.second, 1, 2) == 2 && std::plus<int>()(p.second, 2) == 5 && std::less<>()(from[0], 2.0));
    CHECK(std::exchange(old, 1.0f) == 0.25f && old == 1 && p < std::make_pair(1.5f, 4) && std::hypot(from[2], 4.0f) == 5);
    CHECK(both(from[0], 2) == 3.5f && both(1, 2u) == 3 && sizeof both(from[0], 1.0) == 8);
}
"""


class Library(Base):
    def failures(self, source, kind, values):
        """Returns the lines of the source whose checks failed."""
        self.write("checks.cu", source)
        kernel, = self.json_of("trace", "--target", "h100", self.write("checks.workload", WORKLOAD % (kind, values)))["kernels"]
        lines = source.splitlines()
        return [lines[a["line"] - 1] for a in kernel["accesses"] if a["kind"] == "store" and a["executions"] > 0]

    def test_numbers_of_16_bits(self):
        for word, name, pair, own, step in (("half", "__half", "__half2", HALF, 2**-11),
                                            ("bfloat16", "__nv_bfloat16", "__nv_bfloat162", BFLOAT16, 2**-8)):
            with self.subTest(word):
                checks = "\n".join(f"    {line};" for line in (BOTH + own).splitlines() if line)
                source = f"#define W {word}\n#define N {name}\n#define N2 {pair}\n" + NUMBERS % checks
                self.assertEqual(self.failures(source, name, f"1.5, -2.5, 3, 0.25, {step!r}, 0, 0, 1"), [])
                wrong = source.replace("(float)a == 1.5f &&", "(float)a == 1 &&")
                self.assertEqual(len(self.failures(wrong, name, f"1.5, -2.5, 3, 0.25, {step!r}, 0, 0, 1")), 1)

    def test_standard_library(self):
        self.assertEqual(self.failures(STANDARD, "float", "1.5, -2.5, 3, 0.25, 0, 0, 0, 1"), [])

    def test_one_instruction_each(self):
        """A sum of halfs or bfloat16s is one instruction of the multiply-add pipe, without
        conversions."""
        found = {}
        for name in ("float", "__half", "__nv_bfloat16"):
            header = "cuda_bf16.h" if "bf" in name else "cuda_fp16.h"
            self.write("checks.cu", f"#include <{header}>\n__global__ void check(const {name} *from, {name} *failed)\n"
                       "{ failed[threadIdx.x] = from[threadIdx.x & 7] + from[0]; }\n")
            text = re.sub(r"type = int", f"type = {name}", WORKLOAD % (name, "1, 2, 3, 4, 5, 6, 7, 8"))
            kernel, = self.json_of("trace", "--target", "h100", self.write("checks.workload", text))["kernels"]
            found[name] = [kernel["counters"][c]["value"] for c in ("inst_executed", "inst_conversion")]
        self.assertEqual(found["__half"], found["float"])
        self.assertEqual(found["__nv_bfloat16"], found["float"])


if __name__ == "__main__":
    unittest.main()
