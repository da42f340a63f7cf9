// Headers that are missing leave the rest as it is.
//= x: float[512]
//= 16: k<<<8, 64>>>(x, ?)
#include "not_there.h"
#include <also_not_there>
template <typename T> __global__ void k(T *x, float by);
__global__ void k(float *x, float by) { x[0] = by; }
template <typename T> void run(const Options &options)
{
    Timer timer = Timer::start(NAME_OF_TIMER);
    T *x; float by = options.by();
    unsigned seed = make_seed();
    CHECK_IT(cudaMalloc(&x, 512 * sizeof(T)));
    other_library::prepare(options, seed);
    timer.go();
    k<<<8, 64>>>(x, by);
    timer.stop();
}
int main(int argc, char **argv) { Options options(argc, argv); run<float>(options); }
