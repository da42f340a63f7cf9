__global__ void ids(int *out) { int lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); out[threadIdx.x] = lane; }
