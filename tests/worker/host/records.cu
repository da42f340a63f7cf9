// Structs, arrays and constants at file scope.
//= positions: float4[512]
//= 19: move<<<4, 128>>>(positions, box (0, 0.5, (1, 2, 3)), ulong 512)
#include <cuda_runtime.h>
struct box { float low, high; int n[3]; };
struct state { float4 *positions; struct { int count; dim3 grid; } sizes; };
__global__ void move(float4 *p, box in, size_t n) { p[n].x = in.low; }
const int THREADS = 128; static int total = 4 * THREADS; enum { DIMENSIONS = 3 };
static struct state all;
void prepare(state *s)
{
    s->sizes.count = total;
    s->sizes.grid = dim3(s->sizes.count / THREADS);
    cudaMalloc(&s->positions, s->sizes.count * sizeof(float4));
}
int main()
{
    box in = {0.0f, 0.5f}; for (int i = 0; i < DIMENSIONS; i++) in.n[i] = i + 1; prepare(&all);
    move<<<all.sizes.grid, THREADS>>>(all.positions, in, all.sizes.count);
}
