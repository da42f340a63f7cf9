/* Makes the data of the particle filter: a frame of the video, the disk of pixels that each
 * particle reads, and the particles after the previous frame.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL FP_CONTRACT OFF

#define WIDTH 512
#define RADIUS 5        /* radius of the disk of pixels in pixels */
#define OBJECT_RADIUS 8 /* radius of the object in the frame */
#define OBJECT_X 256    /* position of the object in the previous frame */
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

/* Makes a frame of noise, a grey background and a bright disk. The disk is at the position to which
 * the object moves. The frame has the noise already. */
__kernel void make_frame(__global uchar *frame)
{
    const int i = get_global_id(0);
    const int dx = i % WIDTH - (OBJECT_X + 1), dy = i / WIDTH - (OBJECT_Y - 2);
    const bool object = dx * dx + dy * dy <= OBJECT_RADIUS * OBJECT_RADIUS;

    frame[i] = (object ? FOREGROUND : BACKGROUND) - 16 + frame[i] % 32;
}

/* Lists the offsets dx, dy of the pixels nearer than RADIUS. Launched with one work-item. */
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

/* Makes particles within about 6 pixels of the object, at multiples of 2^-12, with different
 * weights. Fields that kernels write before they read them are NaN. */
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
