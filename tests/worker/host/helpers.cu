// Functions of the file, with what they get and return.
//= input: float[4000]
//= output: double[1000] zeros
//= 25: sum<float><<<16, 64>>>(input, output, int 1000)
#include <stdexcept>
template <typename T> __global__ void sum(const T *in, double *out, int n) { out[0] += in[n]; }
inline int divide_up(int a, int b) { return a % b != 0 ? a / b + 1 : a / b; }
static unsigned next_power(unsigned n)
{
    unsigned power = 1;
    while (power < n) power <<= 1;
    return power;
}
template <typename T> T *allocate(size_t n)
{
    void *made = nullptr;
    if (cudaMalloc(&made, n * sizeof(T)) != cudaSuccess) throw std::runtime_error("no memory");
    return static_cast<T *>(made);
}
void clear(double *&out, int n) { cudaMalloc(&out, sizeof(double) * n); cudaMemset(out, 0, n * 8); }
struct setup { int n, per; int threads() const { return next_power(n / per); } };
template <typename T> void run(const T *in, double *out, int n, const setup &with)
{
    auto launch = [&](int threads) {
        sum<T><<<divide_up(n, threads), threads>>>(in, out, n);
    };
    launch(with.threads());
}
int main()
{
    const setup with{1000, 20};
    float *input = allocate<float>(with.n * 4);
    double *output;
    clear(output, with.n);
    run(input, output, with.n, with);
}
