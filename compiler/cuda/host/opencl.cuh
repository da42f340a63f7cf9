/* Declarations of OpenCL's host API for host code. See host.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * transform/source/host/opencl.c executes functions without a body that it knows. The results of
 * other functions without a body are unknown.
 */
#pragma clang system_header

typedef signed char cl_char;
typedef unsigned char cl_uchar;
typedef short cl_short;
typedef unsigned short cl_ushort, cl_half;
typedef int cl_int;
typedef unsigned cl_uint;
typedef long cl_long;
typedef unsigned long cl_ulong;
typedef float cl_float;
typedef double cl_double;
typedef cl_uint cl_bool, cl_platform_info, cl_device_info, cl_context_info, cl_program_info,
    cl_program_build_info, cl_kernel_info, cl_kernel_work_group_info, cl_profiling_info,
    cl_event_info, cl_command_queue_info, cl_mem_object_type, cl_buffer_create_type;
typedef cl_ulong cl_bitfield, cl_device_type, cl_mem_flags, cl_map_flags, cl_svm_mem_flags,
    cl_command_queue_properties, cl_queue_properties;
typedef cl_int cl_build_status;
typedef long cl_context_properties;
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef struct _cl_sampler *cl_sampler;
struct cl_buffer_region {
    size_t origin, size;
};
struct cl_image_format {
    cl_uint image_channel_order, image_channel_data_type;
};
struct cl_image_desc {
    cl_mem_object_type image_type;
    size_t image_width, image_height, image_depth, image_array_size, image_row_pitch,
        image_slice_pitch;
    cl_uint num_mip_levels, num_samples;
    cl_mem buffer;
};
#define PM_VECTOR(type, n)                                                                         \
    union type##n {                                                                                \
        type s[n];                                                                                 \
        struct {                                                                                   \
            type x, y;                                                                             \
        };                                                                                         \
        struct {                                                                                   \
            type s0, s1;                                                                           \
        };                                                                                         \
    };
#define PM_VECTOR4(type, n)                                                                        \
    union type##n {                                                                                \
        type s[n];                                                                                 \
        struct {                                                                                   \
            type x, y, z, w;                                                                       \
        };                                                                                         \
        struct {                                                                                   \
            type s0, s1, s2, s3;                                                                   \
        };                                                                                         \
    };
#define PM_VECTORS(type)                                                                           \
    PM_VECTOR(type, 2)                                                                             \
    PM_VECTOR4(type, 4)                                                                            \
    PM_VECTOR4(type, 8)                                                                            \
    PM_VECTOR4(type, 16)                                                                           \
    typedef type##4 type##3;
PM_VECTORS(cl_char)
PM_VECTORS(cl_uchar)
PM_VECTORS(cl_short)
PM_VECTORS(cl_ushort)
PM_VECTORS(cl_int)
PM_VECTORS(cl_uint)
PM_VECTORS(cl_long)
PM_VECTORS(cl_ulong)
PM_VECTORS(cl_float)
PM_VECTORS(cl_double)
#undef PM_VECTORS
#undef PM_VECTOR4
#undef PM_VECTOR

#define CL_SUCCESS 0
#define CL_DEVICE_NOT_FOUND (-1)
#define CL_BUILD_PROGRAM_FAILURE (-11)
#define CL_INVALID_VALUE (-30)
#define CL_FALSE 0
#define CL_TRUE 1
#define CL_BLOCKING 1
#define CL_NON_BLOCKING 0
#define CL_COMPLETE 0
#define CL_DEVICE_TYPE_DEFAULT 1
#define CL_DEVICE_TYPE_CPU 2
#define CL_DEVICE_TYPE_GPU 4
#define CL_DEVICE_TYPE_ACCELERATOR 8
#define CL_DEVICE_TYPE_ALL 0xffffffff
#define CL_MEM_READ_WRITE 1
#define CL_MEM_WRITE_ONLY 2
#define CL_MEM_READ_ONLY 4
#define CL_MEM_USE_HOST_PTR 8
#define CL_MEM_ALLOC_HOST_PTR 16
#define CL_MEM_COPY_HOST_PTR 32
#define CL_MEM_HOST_WRITE_ONLY 128
#define CL_MEM_HOST_READ_ONLY 256
#define CL_MEM_HOST_NO_ACCESS 512
#define CL_MAP_READ 1
#define CL_MAP_WRITE 2
#define CL_MAP_WRITE_INVALIDATE_REGION 4
#define CL_QUEUE_PROPERTIES 0x1093
#define CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE 1
#define CL_QUEUE_PROFILING_ENABLE 2
#define CL_CONTEXT_PLATFORM 0x1084
#define CL_BUFFER_CREATE_TYPE_REGION 0x1220
#define CL_PLATFORM_VERSION 0x0901
#define CL_PLATFORM_NAME 0x0902
#define CL_PLATFORM_VENDOR 0x0903
#define CL_DEVICE_TYPE 0x1000
#define CL_DEVICE_MAX_COMPUTE_UNITS 0x1002
#define CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS 0x1003
#define CL_DEVICE_MAX_WORK_GROUP_SIZE 0x1004
#define CL_DEVICE_MAX_WORK_ITEM_SIZES 0x1005
#define CL_DEVICE_MAX_CLOCK_FREQUENCY 0x100C
#define CL_DEVICE_GLOBAL_MEM_SIZE 0x101F
#define CL_DEVICE_LOCAL_MEM_SIZE 0x1023
#define CL_DEVICE_NAME 0x102B
#define CL_DEVICE_VENDOR 0x102C
#define CL_DRIVER_VERSION 0x102D
#define CL_DEVICE_VERSION 0x102F
#define CL_DEVICE_EXTENSIONS 0x1030
#define CL_CONTEXT_DEVICES 0x1081
#define CL_PROGRAM_BUILD_STATUS 0x1181
#define CL_PROGRAM_BUILD_LOG 0x1183
#define CL_KERNEL_WORK_GROUP_SIZE 0x11B0
#define CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE 0x11B3
#define CL_PROFILING_COMMAND_QUEUED 0x1280
#define CL_PROFILING_COMMAND_SUBMIT 0x1281
#define CL_PROFILING_COMMAND_START 0x1282
#define CL_PROFILING_COMMAND_END 0x1283

/* Functions that the interpreter of host code (transform/source/host) executes by their names. */
template <class... T> cl_mem clCreateBuffer(cl_context, cl_mem_flags, size_t bytes, T...);
template <class... T>
cl_mem clCreateSubBuffer(cl_mem, cl_mem_flags, cl_buffer_create_type, const void *region, T...);
void *clSVMAlloc(cl_context, cl_svm_mem_flags, size_t bytes, cl_uint alignment);
void clSVMFree(cl_context, void *);
cl_program clCreateProgramWithSource(cl_context, cl_uint, const char **, const size_t *, cl_int *);
cl_int clBuildProgram(cl_program, cl_uint, const cl_device_id *, const char *options, ...);
cl_int clCompileProgram(cl_program, cl_uint, const cl_device_id *, const char *options, ...);
cl_kernel clCreateKernel(cl_program, const char *name, cl_int *);
cl_int clSetKernelArg(cl_kernel, cl_uint index, size_t bytes, const void *value);
cl_int clSetKernelArgSVMPointer(cl_kernel, cl_uint index, const void *value);
cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local, ...);
cl_int clEnqueueTask(cl_command_queue, cl_kernel, ...);
cl_int clEnqueueFillBuffer(cl_command_queue, cl_mem, const void *pattern, size_t pattern_bytes,
                           size_t offset, size_t bytes, ...);
cl_int clEnqueueWriteBuffer(cl_command_queue, cl_mem, cl_bool, size_t offset, size_t bytes,
                            const void *from, ...);
cl_int clReleaseMemObject(cl_mem);

/* Followed by their bodies. */
inline cl_int clGetPlatformIDs(cl_uint, cl_platform_id *, cl_uint *count)
{
    if (count)
        *count = 1;
    return CL_SUCCESS;
}
inline cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint, cl_device_id *,
                             cl_uint *count)
{
    if (count)
        *count = 1;
    return CL_SUCCESS;
}
#define PM_DOES_NOTHING(name)                                                                      \
    template <class... T> cl_int name(const T &...)                                                \
    {                                                                                              \
        return CL_SUCCESS;                                                                         \
    }
PM_DOES_NOTHING(clFinish)
PM_DOES_NOTHING(clFlush)
PM_DOES_NOTHING(clWaitForEvents)
PM_DOES_NOTHING(clEnqueueReadBuffer)
PM_DOES_NOTHING(clEnqueueCopyBuffer)
PM_DOES_NOTHING(clEnqueueUnmapMemObject)
PM_DOES_NOTHING(clEnqueueMigrateMemObjects)
PM_DOES_NOTHING(clEnqueueBarrierWithWaitList)
PM_DOES_NOTHING(clEnqueueMarkerWithWaitList)
PM_DOES_NOTHING(clEnqueueBarrier)
PM_DOES_NOTHING(clEnqueueSVMMap)
PM_DOES_NOTHING(clEnqueueSVMUnmap)
PM_DOES_NOTHING(clRetainContext)
PM_DOES_NOTHING(clReleaseContext)
PM_DOES_NOTHING(clReleaseCommandQueue)
PM_DOES_NOTHING(clReleaseProgram)
PM_DOES_NOTHING(clReleaseKernel)
PM_DOES_NOTHING(clReleaseEvent)
PM_DOES_NOTHING(clReleaseDevice)
PM_DOES_NOTHING(clReleaseSampler)
PM_DOES_NOTHING(clUnloadCompiler)
#undef PM_DOES_NOTHING

cl_context clCreateContext(const cl_context_properties *, cl_uint, const cl_device_id *, ...);
cl_context clCreateContextFromType(const cl_context_properties *, cl_device_type, ...);
cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_command_queue_properties,
                                      cl_int *);
cl_command_queue clCreateCommandQueueWithProperties(cl_context, cl_device_id,
                                                    const cl_queue_properties *, cl_int *);
template <class... T> cl_program clCreateProgramWithBinary(T...);
template <class... T> cl_program clCreateProgramWithIL(T...);
template <class... T> cl_program clLinkProgram(T...);
template <class... T> cl_mem clCreateImage(T...);
template <class... T> cl_mem clCreateImage2D(T...);
template <class... T> cl_sampler clCreateSampler(T...);
cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info, size_t, void *, size_t *);
cl_int clGetDeviceInfo(cl_device_id, cl_device_info, size_t, void *, size_t *);
cl_int clGetContextInfo(cl_context, cl_context_info, size_t, void *, size_t *);
cl_int clGetProgramInfo(cl_program, cl_program_info, size_t, void *, size_t *);
cl_int clGetProgramBuildInfo(cl_program, cl_device_id, cl_program_build_info, size_t, void *,
                             size_t *);
cl_int clGetKernelWorkGroupInfo(cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *,
                                size_t *);
cl_int clGetEventProfilingInfo(cl_event, cl_profiling_info, size_t, void *, size_t *);
void *clEnqueueMapBuffer(cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, ...);
