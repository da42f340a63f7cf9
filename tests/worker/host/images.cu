// Assumed sizes: buffers stay within 1 GiB together; what the GPU tells is assumed, too.
//= assumed width = 4096
//= assumed height = 4096
//= assumed multiProcessorCount = 108
//= assumed radius = 16
//= needed width
//= needed height
//= needed multiProcessorCount
//= needed radius
//= in: float[16777216] assumed
//= out: float[16777216] assumed
//= 22: blur<<<256x256, 16x16>>>(in, out, int 4096, int 4096, int 16)
//= 26: blur<<<216, 256>>>(in, out, int 4096, int 4096, int 1)
#include "image.h"
__global__ void blur(const float *in, float *out, int w, int h, int radius) { out[0] = in[w * h]; }
int main(int argc, char **argv)
{
    int width, height, radius; float *in, *out;
    float *image = load_image(argv[1], &width, &height); sscanf(argv[2], "%d", &radius);
    cudaMalloc(&in, sizeof(float) * width * height); cudaMalloc(&out, width * height * 4);
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    blur<<<grid, block>>>(in, out, width, height, radius);
    cudaDeviceProp of;
    cudaGetDeviceProperties(&of, 0);
    int blocks = 2 * of.multiProcessorCount;
    blur<<<blocks, 256>>>(in, out, width, height, 1);
}
