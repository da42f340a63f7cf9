/* What templates.cu has, without templates and references.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
struct Particle {
    float x, y, vx, vy;
    float4 colour;
    int hits;
};

static __device__ float square(float v)
{
    return v * v;
}

static __device__ void push(Particle *p, float by)
{
    p->vx += by;
    p->hits++;
}

__global__ void __launch_bounds__(128) forces(Particle *all, float *energy, int n)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    float sum = 0;

    for (int k = 0; k < 1024; k++)
        sum += square(all[k].x) + all[k].y;
    energy[i] = sum * 2;
}

__global__ void move(Particle *all, const int *order, float *energy, float dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    energy[i] += all[order[i]].x;
    all[i].vy += dt * energy[i];
    push(&all[i], dt);
    all[i].colour.w = all[i].vy;
}
