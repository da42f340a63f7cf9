struct Particle { float x, y, z, vx, vy, vz, mass, charge; };

__global__ void move(Particle *p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].x += dt * p[i].vx;
        p[i].y += dt * p[i].vy;
        p[i].z += dt * p[i].vz;
    }
}

int main(void)
{
    const int n = 1 << 20;
    Particle *p;
    cudaMalloc(&p, n * sizeof *p);
    move<<<(n + 255) / 256, 256>>>(p, 0.01f, n);
    return cudaDeviceSynchronize();
}
