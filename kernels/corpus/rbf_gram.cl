float sqDist(__global const float4 *a, __global const float4 *b)
{
    float4 sum = (float4)(0.0f);
    for (int q = 0; q < QUADS; ++q) {
        const float4 diff = a[q] - b[q];
        sum += diff * diff;
    }
    return dot(sum, (float4)(1.0f));
}

__kernel void rbfPairs(__global const float4 *restrict X, __global float *restrict gram, uint points, float gamma)
{
    const uint j = get_global_id(0);
    const uint i = get_global_id(1);
    if (i >= points || j >= points) return;
    gram[i * points + j] = native_exp(-gamma * sqDist(X + i * QUADS, X + j * QUADS));
}

// Computes the means of rows down the columns, where accesses are coalesced. The matrix is
// symmetric, so the result is the same.
__kernel void rowMeans(__global const float *restrict gram, __global float *restrict density, uint points)
{
    const uint j = get_global_id(0);
    float sum = 0.0f;
    if (j >= points) return;
    for (uint i = 0; i < points; ++i)
        sum += gram[i * points + j];
    density[j] = sum / points;
}
