// Kernels of namespaces, owners of memory, base classes, a try block as a function's body, and 3D
// memory.
//= x: float[5000]
//= d: float[70]
//= ptr: char[32768] zeros
//= 30: a::b::k<<<20, 256>>>(x, int 5000)
//= 50: a::b::t<3><<<1, 70>>>(d)
//= 51: own<<<8, 128>>>(ptr, ulong 1024)
#include <memory>
#include <stdexcept>
namespace a
{
namespace b
{
__global__ void k(float *x, int n) { x[n] = 1; }
template <int N> __global__ void t(float *x) { x[0] = N; }
} // namespace b
} // namespace a
namespace
{
__global__ void own(const char *p, size_t pitch) {}
} // namespace
struct Sized {
    int n, blocks;
    Sized(int n, int block) : n(n), blocks((n + block - 1) / block) {}
};
struct Work : Sized {
    float *x;
    explicit Work(int n) : Sized(n, 256) { cudaMalloc(&x, n * sizeof(float)); }
    void run() { a::b::k<<<blocks, 256>>>(x, n); }
};
struct Free {
    void operator()(void *p) const { cudaFree(p); }
};
template <class T> using owner = std::unique_ptr<T[], Free>;
template <class T> owner<T> make(size_t n)
{
    T *p = nullptr;
    cudaMalloc(&p, n * sizeof(T));
    return owner<T>(p);
}
int main()
try {
    auto work = std::make_unique<Work>(5000);
    auto d = make<float>(70);
    cudaPitchedPtr volume;
    cudaMalloc3D(&volume, make_cudaExtent(1000, 8, 4));
    cudaMemset3D(volume, 0, make_cudaExtent(1000, 8, 4));
    work->run();
    a::b::t<3><<<1, 70>>>(d.get());
    own<<<8, 128>>>((const char *)volume.ptr, volume.pitch);
    return 0;
} catch (const std::exception &e) {
    return 1;
}
