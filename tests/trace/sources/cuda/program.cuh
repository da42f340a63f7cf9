/* What program.cu includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once
/* Which ends. */
#include <string>

std::string name_of(int i);

__device__ __forceinline__ float add(float a, float b)
{
    return a + b;
}
