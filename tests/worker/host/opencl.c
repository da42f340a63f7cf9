// OpenCL in C: parts of buffers, structs and local memory as arguments, unknown sizes, a task.
//= opencl -DA=1
//= assumed group = 1024
//= needed group
//= whole: [65536] zeros assumed
//= filled: [4096] zeros
//= 46: k<<<16384, 1024>>>(whole, whole+1024, local+4096, params (100, 0.5), cl_float2 ((1.5, 2)), filled)
//= 48: k<<<64x32x2, 0x0x0>>>(whole, whole+1024, local+4096, params (100, 0.5), cl_float2 ((1.5, 2)), filled)
//= 50: one<<<1, 1>>>(filled)
#include <CL/cl.h>
typedef struct { int n; float a; } params;
static int set(cl_kernel kernel, int index, size_t bytes, const void *value)
{
    return clSetKernelArg(kernel, index, bytes, value);
}
int main(int argc, char **argv)
{
    cl_int err;
    cl_context context = clCreateContext(0, 0, 0, 0, 0, &err);
    cl_command_queue queue = clCreateCommandQueue(context, 0, 0, &err);
    cl_program program = clCreateProgramWithSource(context, 1, 0, 0, &err);
    char options[64] = "";
    strcat(options, "-DA=1");
    if (clBuildProgram(program, 0, 0, options, 0, 0) != CL_SUCCESS)
        return 1;
    cl_kernel kernel = clCreateKernel(program, "k", &err), one = clCreateKernel(program, "one", 0);
    size_t items, group;
    clGetKernelWorkGroupInfo(kernel, 0, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL);
    items = 16 * group;
    float *host = (float *)calloc(items, sizeof(float));
    cl_mem whole = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, items * sizeof(float), host, &err);
    cl_buffer_region region = {1024, 2048};
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    cl_float2 pair = {{1.5f, 2}};
    params p = {100, 0.5f};
    float zero = 0;
    cl_mem filled = clCreateBuffer(context, 0, 4096, NULL, NULL);
    clEnqueueFillBuffer(queue, filled, &zero, sizeof zero, 0, 4096, 0, NULL, NULL);
    err = set(kernel, 0, sizeof(cl_mem), &whole);
    err |= set(kernel, 1, sizeof(cl_mem), &part);
    err |= set(kernel, 2, group * sizeof(float), NULL);
    err |= set(kernel, 3, sizeof p, &p);
    err |= set(kernel, 4, sizeof pair, &pair);
    err |= set(kernel, 5, sizeof(cl_mem), &filled);
    if (err != CL_SUCCESS) { fprintf(stderr, "%d\n", err); return 1; }
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    size_t sides[3] = {64, 32, 2};
    clEnqueueNDRangeKernel(queue, kernel, 3, NULL, sides, NULL, 0, NULL, NULL);
    clSetKernelArg(one, 0, sizeof(cl_mem), &filled);
    clEnqueueTask(queue, one, 0, NULL, NULL);
    clReleaseMemObject(whole);
    return 0;
}
