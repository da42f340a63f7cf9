/* A CUDA program in one file: kernel and host code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cstdio>
#include <vector>

struct Body {
    float x, y, z;
    double mass;
    float4 colour;
    float3 spin;
    unsigned char tag[3];
    long long id;
};

static __device__ void push(Body *body, float by)
{
    body->x += by;
    body->colour.w = body->x;
}

__global__ void move(Body *bodies, int n, float dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    push(&bodies[i], dt);
    bodies[i].tag[1] = (unsigned char)bodies[i].id;
    bodies[i].mass *= 2;
    bodies[i].spin.z = bodies[i].spin.x + 1;
}

int main()
{
    std::vector<Body> bodies(1000);
    Body *there = nullptr;

    cudaMalloc(&there, 1000 * sizeof(Body));
    move<<<4, 256>>>(there, 1000, 0.5f);
    printf("%f\n", bodies[0].x);
    return 0;
}
