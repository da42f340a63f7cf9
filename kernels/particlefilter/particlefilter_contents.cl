/* Makes the frame, the disk of pixels that particles read, and the particles as the frame before left them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL FP_CONTRACT OFF

#define WIDTH 512
#define RADIUS 5        /* of the disk */
#define OBJECT_RADIUS 8 /* of the visible object */
#define OBJECT_X 256    /* position in the frame before */
#define OBJECT_Y 256
#define BACKGROUND 100
#define FOREGROUND 228

typedef struct {
    float x, y;
    float xj, yj;
    float weight;
    float likelihood;
    float cdf;
    float u;
    uint seed;
} Particle;

/* A grey background with noise, and a bright disk at the position to which the motion takes the object. The
 * noise is there already. */
__kernel void make_frame(__global uchar *frame)
{
    const int i = get_global_id(0);
    const int dx = i % WIDTH - (OBJECT_X + 1), dy = i / WIDTH - (OBJECT_Y - 2);
    const bool object = dx * dx + dy * dy <= OBJECT_RADIUS * OBJECT_RADIUS;

    frame[i] = (object ? FOREGROUND : BACKGROUND) - 16 + frame[i] % 32;
}

/* One work-item lists the pairs dx, dy of the pixels nearer than RADIUS. */
__kernel void make_disk(__global int *offsets)
{
    int points = 0;

    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            if (dx * dx + dy * dy < RADIUS * RADIUS) {
                offsets[2 * points] = dx;
                offsets[2 * points + 1] = dy;
                points++;
            }
}

/* About 6 pixels around the object, on a grid of 2^-12, with different weights. Fields that kernels write
 * before they read them are NaN. */
__kernel void make_particles(__global const float *uniform, __global const uint *random,
                             __global Particle *particles, int count)
{
    const int i = get_global_id(0);
    __global const float *x = uniform + 4 * i, *y = x + 4 * count;
    __global Particle *p = &particles[i];

    p->x = p->y = p->likelihood = p->cdf = p->u = NAN;
    p->xj = OBJECT_X + rint(0x1p12f * (x[0] + x[1] + x[2] + x[3]) / 2) * 0x1p-12f;
    p->yj = OBJECT_Y + rint(0x1p12f * (y[0] + y[1] + y[2] + y[3]) / 2) * 0x1p-12f;
    p->weight = (1.0f + 0.05f * uniform[8 * count + i]) / (float)count;
    p->seed = random[9 * i + 8];
}
