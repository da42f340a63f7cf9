/* Kernels that are templates, and elements by reference. functions.cu has the same without either.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
struct Particle {
    float x, y, vx, vy;
    float4 colour;
    int hits;
};

template <typename T> static __device__ T square(T v)
{
    return v * v;
}

static __device__ void push(Particle &p, float by)
{
    p.vx += by;
    p.hits++;
}

static __device__ void add(float &to, float by)
{
    to += by;
}

template <typename T, int BLOCK, bool TWICE>
__global__ void __launch_bounds__(BLOCK) forces(Particle *all, T *energy, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    T sum = 0;

    for (int k = 0; k < 1024; k++) {
        const Particle &other = all[k];
        sum += square(other.x) + other.y;
    }
    energy[i] = TWICE ? sum * 2 : sum;
}

template <typename T> __global__ void move(Particle *all, const int *order, T *energy, T dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Particle &own = all[i];
    T &mine = energy[i];
    float4 &colour = own.colour;

    add(mine, all[order[i]].x);
    add(own.vy, dt * mine);
    push(own, dt);
    colour.w = own.vy;
}
