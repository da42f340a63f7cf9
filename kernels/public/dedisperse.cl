/* Dedispersion: for each of many dispersion measures, adds up samples of all frequency channels,
 * each channel shifted by its delay. Each work-item computes TILE_X samples of TILE_Y measures.
 * They are either next to each other (STRIDE 0) or a work-group's size apart (STRIDE 1).
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

/* HIP's compiler assumes work-groups of up to 1024 work-items if a kernel does not state their
 * size; OpenCL's assumes 256. So state 1024 for AMD GPUs. */
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
