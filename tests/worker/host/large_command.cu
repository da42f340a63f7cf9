//arguments 1073741824 100
//= assumed the program's largest argument = 268435456
//= x: float[268435456] assumed
//= 12: k<<<1048576, 256>>>(x, int 268435456) x100
// What the command asks for is too large to be traced: its largest number is halved until it fits.
#include <stdlib.h>
__global__ void k(float *x, int n) { x[0] = n; }
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    float *x; cudaMalloc(&x, n * sizeof(float));
    for (int i = 0; i < rounds; i++) k<<<(n + 255) / 256, 256>>>(x, n);
}
