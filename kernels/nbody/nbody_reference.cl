/* Checks the n-body kernels: computes the step in double, with a bound of the float result's error,
 * for one body in each of `samples` equal ranges.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The n partial sums are at most S, the sum of the terms' magnitudes. If their roundings are
 * independent, they stay below 8 sqrt(n) 2^-24 S with near certainty (Higham and Mary 2019, "A new
 * approach to probabilistic rounding error analysis"). The error of a term is at most 16 x 2^-24,
 * of which 12 come from the cube of rsqrt with its 2 units in the last place. The step then rounds
 * three times.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define ULP (1.0 / (1 << 24))

__kernel void nbody_reference(__global const float4 *position, __global const float4 *velocity,
                              __global float4 *new_position, __global float4 *new_velocity,
                              __global float4 *position_errors, __global float4 *velocity_errors,
                              int n, int samples, float softening, float dt)
{
    const uint id = get_global_id(0), range = (uint)n / (uint)samples;
    const uint body = id * range + id * 2654435761u % range;
    const double step = dt;
    double3 a = 0;
    double size = 0;

    if (id >= samples)
        return;
    const double3 p = convert_double3(position[body].xyz);
    const double3 v = convert_double3(velocity[body].xyz);
    for (int k = 0; k < n; k++) {
        const double3 way = convert_double3(position[k].xyz) - p;
        const double square = dot(way, way), softened = square + softening;
        const double weight = position[k].w / (softened * sqrt(softened));

        a += weight * way;
        size += weight * sqrt(square);
    }
    const double error = (16 + 8 * sqrt((double)n)) * ULP * size;
    new_position[body] = (float4)(convert_float3(p + step * v + 0.5 * step * step * a), position[body].w);
    new_velocity[body] = (float4)(convert_float3(v + step * a), 0);
    position_errors[body] = (float4)(
        convert_float3(0.5 * step * step * error + 4 * ULP * (fabs(p) + fabs(v))), 0);
    velocity_errors[body] = (float4)(convert_float3(step * error + 4 * ULP * fabs(v)), 0);
}
