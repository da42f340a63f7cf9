//arguments 640 -r 30 --rows=12 --fast 0.5
//= x: float[640] assumed
//= 26: k<<<3, 256>>>(x, int 12, int 30, float 0.5, int 1)
// The program's arguments are known: numbers, options of getopt_long, and comparisons.
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
__global__ void k(float *x, int rows, int rounds, float scale, int fast) { x[0] = rows * scale; }
int main(int argc, char *argv[])
{
    static struct option table[] = {
        {"rows", required_argument, NULL, 'n'}, {"fast", no_argument, NULL, 'f'}, {0, 0, 0, 0}};
    if (argc < 3) {
        return 1;
    }
    int n = atoi(argv[1]), rows = 1, rounds = 1, fast = 0, option;
    while ((option = getopt_long(argc, argv, "r:f", table, NULL)) != -1) {
        if (option == 'r') rounds = strtol(optarg, NULL, 10);
        if (option == 'n') rows = atoi(optarg);
        if (option == 'f') fast = 1;
    }
    if (strcmp(argv[1], "640") != 0) rounds = 0;
    float scale = atof(argv[argc - 1]);
    float *x;
    cudaMalloc(&x, n * sizeof(float));
    k<<<(n + 255) / 256, 256>>>(x, rows, rounds, scale, fast);
}
