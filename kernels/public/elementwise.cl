/* PyTorch's elementwise operations on arrays. A work-item handles four adjacent elements at once.
 * The last work-group handles the remaining elements one by one. OP is one of the functions below.
 * With ONE, there is one array, and a number replaces the elements of the second array.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define EACH 4

float op_add(float a, float b)
{
    return a + b;
}

float op_mul(float a, float b)
{
    return a * b;
}

float op_div(float a, float b)
{
    return a / b;
}

float op_pow(float a, float b)
{
    return pow(a, b);
}

/* ReLU by clamping, which returns NaN for NaN. */
float op_relu(float a, float b)
{
    return isnan(a) ? a : fmax(a, b);
}

float op_tanh(float a, float b)
{
    return tanh(a);
}

float op_gelu(float a, float b)
{
    return a * 0.5f * (1.0f + erf(a * 0.70710678f));
}

#ifdef ONE
#define ARRAYS global float *out, global const float *first, float scalar
#define SECOND(place) scalar
#define SECOND_FOUR(place) (float4)(scalar)
#else
#define ARRAYS global float *out, global const float *first, global const float *second
#define SECOND(place) second[place]
#define SECOND_FOUR(place) *(global const float4 *)(second + (place))
#endif

kernel void elementwise(ARRAYS, int n)
{
    int block = get_local_size(0) * EACH, begin = (int)get_group_id(0) * block;

    if (n - begin >= block) {
        int at = begin + (int)get_local_id(0) * EACH;
        float4 a = *(global const float4 *)(first + at), b = SECOND_FOUR(at);

        *(global float4 *)(out + at) =
            (float4)(OP(a.x, b.x), OP(a.y, b.y), OP(a.z, b.z), OP(a.w, b.w));
        return;
    }
    for (int i = 0; i < EACH; i++) {
        int at = begin + (int)get_local_id(0) + i * (int)get_local_size(0);

        if (at < n)
            out[at] = OP(first[at], SECOND(at));
    }
}
