//= a: int[100]
//= 23: first<<<1, 32>>>(a)
//= 25: second<<<1, 32>>>(a)
//= 31: second<<<4, 32>>>(a)
#include <iostream>
#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = call;                                                                  \
        if (error != cudaSuccess) {                                                                \
            std::cerr << cudaGetErrorString(error) << std::endl;                                   \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)
__global__ void first(int *a) { a[0] = 1; }
__global__ void second(int *a) { a[0] = 2; }
enum kind { NONE, SOME, ALL = 4 };
int main()
{
    int *a, devices;
    CHECK(cudaGetDeviceCount(&devices));
    if (devices == 0) return 1;
    CHECK(cudaMalloc(&a, 100 * sizeof(int)));
    if (devices > 1 && a) second<<<1, 1>>>(a); else first<<<1, 32>>>(a);
    FILE *file = fopen("results", "w");
    if (!file) return 1; else second<<<1, 32>>>(a);
    switch (file ? ALL : ALL) {
    case SOME:
        first<<<2, 32>>>(a);
        break;
    case ALL:
        second<<<4, 32>>>(a);
        break;
    default:
        first<<<3, 32>>>(a);
    }
    CHECK(cudaGetLastError());
}
