/* Dedispersion: for each of many dispersion measures, samples of all frequency channels are added up, each channel
 * shifted by its delay. A work-item has TILE_X samples of TILE_Y measures, either next to each other (STRIDE 0) or a
 * work-group apart (1).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define SAMPLES 25000
#define PADDED (SAMPLES + 650)
#define CHANNELS 1536
#define MEASURES 2048
#define STEP 0.02f

#define FIRST(dim, block, tile, stride) \
    ((int)get_group_id(dim) * (block) * (tile) + (int)get_local_id(dim) * ((stride) ? 1 : (tile)))
#define NEXT(block, stride) ((stride) ? (block) : 1)

/* What HIP's compiler reckons with where a kernel does not say how large its work-groups are; OpenCL's reckons with 256. */
#ifdef __AMDGCN__
__attribute__((amdgpu_flat_work_group_size(1, 1024)))
#endif
kernel void dedisperse(global const uchar *input, global float *out, global const float *delays)
{
    int x = FIRST(0, BLOCK_X, TILE_X, STRIDE_X), y = FIRST(1, BLOCK_Y, TILE_Y, STRIDE_Y);

    for (int i = 0; i < TILE_X; i++) {
        int sample = x + i * NEXT(BLOCK_X, STRIDE_X);

        if (sample >= SAMPLES)
            continue;
        for (int j = 0; j < TILE_Y; j++) {
            int measure = y + j * NEXT(BLOCK_Y, STRIDE_Y);
            float sum = 0.0f;

            if (measure >= MEASURES)
                continue;
            for (int channel = 0; channel < CHANNELS; channel++) {
                uint delay = (0.0f + measure * STEP) * delays[channel];

                sum += input[channel * PADDED + (sample + delay)];
            }
            out[measure * SAMPLES + sample] = sum;
        }
    }
}
