/* The kernels of kernels.cu for the host, under the names that a CUDA compiler gives them. The
 * driver of driver.c takes this library as a module.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stddef.h>

/* Defines a kernel. It gets its arguments and the numbers of blocks and threads. NAME.bytes has the
 * size of each argument and ends with 0. */
#define KERNEL(name, symbol, ...)                                                                  \
    extern const size_t name##_bytes[] __asm__(symbol ".bytes");                                   \
    const size_t name##_bytes[] = {__VA_ARGS__, 0};                                                \
    void name(void **arguments, const unsigned *grid, const unsigned *block) __asm__(symbol);      \
    void name(void **arguments, const unsigned *grid, const unsigned *block)

#define ARG(type, i) (*(type *)arguments[i])

typedef struct {
    float factor;
    int n;
} setup;

__attribute__((section(".nv.constant3"))) float weights[4] = {0};

KERNEL(scale, "_Z5scalePKfPf5Setup", 8, 8, 8)
{
    const float *in = ARG(const float *, 0);
    float *out = ARG(float *, 1);
    const setup s = ARG(setup, 2);

    for (int i = 0; i < s.n && i < (int)(grid[0] * block[0]); i++)
        out[i] = __builtin_fmaf(in[i], s.factor, weights[i % 4]);
}

enum { WIDTH = 64 };

KERNEL(sum, "_Z3sumIfLi64EEvPKT_PS0_i", 8, 8, 4)
{
    const float *in = ARG(const float *, 0);
    float *sums = ARG(float *, 1), part[WIDTH];
    const int n = ARG(int, 2);

    for (unsigned b = 0; b < grid[0]; b++) {
        for (unsigned t = 0; t < block[0]; t++)
            part[t] = (int)(b * WIDTH + t) < n ? in[b * WIDTH + t] : 0;
        for (int step = WIDTH / 2; step > 0; step /= 2)
            for (int t = 0; t < step; t++)
                part[t] += part[t + step];
        sums[b] = part[0];
    }
}

KERNEL(move, "_ZN5space4moveEP4int2iPh", 8, 4, 8)
{
    int *at = ARG(int *, 0);
    unsigned char *seen = ARG(unsigned char *, 2);

    for (unsigned i = 0; i < grid[0] * grid[1] * block[0]; i++) {
        at[2 * i] += ARG(int, 1);
        if (seen)
            seen[i] = 1;
    }
}

KERNEL(plain, "plain", 8, 4)
{
    unsigned *data = ARG(unsigned *, 0);

    for (unsigned i = 0; i < grid[0] * block[0]; i++)
        data[i] ^= ARG(unsigned, 1);
}

/* A kernel that is in no source file. */
KERNEL(hidden, "_Z6hiddenPi", 8)
{
    ARG(int *, 0)[0] += (int)(grid[0] * block[0]);
}

/* A kernel that takes a struct with a pointer. */
typedef struct {
    int *data;
    int n;
} list;

KERNEL(linked, "_Z6linked4List", 16)
{
    const list l = ARG(list, 0);

    for (unsigned i = 0; i < grid[0] * block[0] && (int)i < l.n; i++)
        l.data[i]++;
}

/* A kernel that takes an array of pointers, and an array of structs with pointers. */
KERNEL(follow, "_Z6followPPiPK4List", 8, 8)
{
    int **rows = ARG(int **, 0);
    const list *lists = ARG(const list *, 1);

    for (unsigned b = 0; b < grid[0]; b++)
        for (unsigned t = 0; t < block[0]; t++)
            rows[b][t] = lists[b].data[t] + lists[b].n;
}
