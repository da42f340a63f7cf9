// Defaults of variables that options of the command line replace; a size that overflows as an int;
// an array as parameter.
//= assumed side = 512
//= assumed total = 8192
//= needed side
//= needed total
//= x: float[262144] assumed
//= many: float[33554432] assumed
//= at: float[200]
//= 34: step<<<512, 512>>>(x, int 512, float 1)
//= 35: step<<<131072, 256>>>(many, int 33554432, float 2)
//= 19: step<<<1, 100>>>(at, int 1, float 0)
#include <stdlib.h>
#include <unistd.h>
size_t read_size(const char *path);
__global__ void step(float *x, int n, float a) { x[n] = a; }
void each(float *at[2], int turn)
{
    step<<<1, 100>>>(at[turn], turn, 0.0f);
}
int main(int argc, char **argv)
{
    int side = 512, c;
    float *x, *many, *pair[2];
    while ((c = getopt(argc, argv, "s:")) != -1)
        if (c == 's')
            side = atoi(optarg);
    size_t total = read_size(argv[1]);
    int elements = total * 4096;
    cudaMalloc(&x, side * side * sizeof(float));
    cudaMalloc(&many, elements * sizeof(float));
    cudaMalloc(&pair[0], 100 * sizeof(float));
    cudaMalloc(&pair[1], 200 * sizeof(float));
    step<<<side, side>>>(x, side, 1.0f);
    step<<<elements / 256, 256>>>(many, elements, 2.0f);
    each(pair, 1);
}
