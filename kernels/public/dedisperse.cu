/* Dedispersion: for each of many dispersion measures, adds up samples of all frequency channels,
 * each channel shifted by its delay. Each thread computes TILE_X samples of TILE_Y measures. They
 * are either next to each other (STRIDE 0) or a block's size apart (STRIDE 1).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define SAMPLES 25000
#define PADDED (SAMPLES + 650)
#define CHANNELS 1536
#define MEASURES 2048
#define STEP 0.02f

#define FIRST(dim, block, tile, stride) \
    ((int)blockIdx.dim * (block) * (tile) + (int)threadIdx.dim * ((stride) ? 1 : (tile)))
#define NEXT(block, stride) ((stride) ? (block) : 1)

extern "C" __global__ void dedisperse(const uchar *input, float *out, const float *delays)
{
    int x = FIRST(x, BLOCK_X, TILE_X, STRIDE_X), y = FIRST(y, BLOCK_Y, TILE_Y, STRIDE_Y);

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
