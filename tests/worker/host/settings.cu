// Values that are set: of a variable, a constant, a member, and a parameter.
//set n=2048
//set TILE=8
//set depth=3
//set m=100
//= a: float[2048]
//= 22: k<<<256, 8>>>(a, int 2048, int 3, int 100)
#include <cstdlib>
struct options { int depth; };
__global__ void k(float *a, int n, int depth, int m) { a[n] = depth * m; }
const int TILE = 32;
void launch(float *a, int n, options o, int m);
int main(int argc, char **argv)
{
    int n = 1 << 20;
    options o; o.depth = atoi(argv[1]);
    float *a; cudaMalloc(&a, n * sizeof(float));
    launch(a, n, o, atoi(argv[2]));
}
void launch(float *a, int n, options o, int m)
{
    k<<<n / TILE, TILE>>>(a, n, o.depth, m);
}
