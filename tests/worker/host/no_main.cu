// Without main each function that launches is followed whose parameters nobody gives.
//= assumed n = 1048576
//= assumed order = 16
//= needed n
//= needed order
//= in: float[0] assumed
//= out: float[0] assumed
//= 15: filter<<<4096, 256>>>(in, out, int 1048576, int 16)
//= 19: twice<<<4096, 256>>>(in, int 1048576)
__global__ void filter(const float *in, float *out, int n, int order) { out[n] = in[order]; }
__global__ void twice(float *in, int n) { in[n] *= 2; }
static int blocks(int n) { return (n + 255) / 256; }
extern "C" void launch_filter(const float *in, float *out, int n, int order)
{
    filter<<<blocks(n), 256>>>(in, out, n, order);
}
namespace other {
static void inner(float *in, int n) {
    twice<<<blocks(n), 256>>>(in, n);
}
void launch_twice(float *in, int n) { inner(in, n); }
}
