/* A program that launches the kernels of kernels.cu, for tests of perfmodel capture.
 *
 *   program KERNELS [MODE [IMAGE [file|link]]]
 *
 * KERNELS: the library of the kernels. IMAGE: file with PTX or a fatbin, which the program loads:
 * from memory, by its name (file), or by the driver's linker (link).
 * MODE: launches=N (one kernel N times), large=N (one kernel 20 times on two buffers of N MB),
 * changed (__constant__ memory changes between launches), loop (one kernel ten times), many
 * (500 times), killed (as loop, and then by a signal), threads (four of them, each with its own
 * buffers), fails (a launch that the driver refuses), or all of the rest. SPDX-License-Identifier:
 * GPL-3.0-or-later
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/capture/cuda/driver.h"

enum { N = 1000, ROOM = 1024, BLOCK = 64, BLOCKS = ROOM / BLOCK };

static pm_cu_module module;

static void check(pm_cu_result result, const char *what)
{
    if (result == 0)
        return;
    fprintf(stderr, "%s: %d\n", what, result);
    exit(3);
}

static pm_cu_function function_of(const char *name)
{
    pm_cu_function function = NULL;

    check(cuModuleGetFunction(&function, module, name), name);
    return function;
}

static pm_cu_pointer memory(size_t bytes)
{
    pm_cu_pointer pointer = 0;

    check(cuMemAlloc_v2(&pointer, bytes), "cuMemAlloc");
    return pointer;
}

static void launch(const char *name, unsigned grid_x, unsigned grid_y, unsigned shared,
                   void **arguments)
{
    check(cuLaunchKernel(function_of(name), grid_x, grid_y, 1, BLOCK, 1, 1, shared, NULL, arguments,
                         NULL),
          name);
}

static void set_weights(float from)
{
    const float weights[4] = {from, from + 1, from + 2, from + 3};
    pm_cu_pointer at = 0;
    size_t bytes = 0;

    check(cuModuleGetGlobal_v2(&at, &bytes, module, "weights"), "weights");
    check(cuMemcpyHtoD_v2(at, weights, sizeof weights), "weights");
}

typedef struct {
    float factor;
    int n;
} setup;

static pm_cu_pointer filled(void)
{
    static float values[ROOM];
    const pm_cu_pointer at = memory(sizeof values);

    for (int i = 0; i < ROOM; i++)
        values[i] = (float)(i % 37) * 0.25f;
    check(cuMemcpyHtoD_v2(at, values, sizeof values), "cuMemcpyHtoD");
    return at;
}

static void scale(pm_cu_pointer in, pm_cu_pointer out, float factor)
{
    setup s = {factor, N};

    launch("_Z5scalePKfPf5Setup", BLOCKS, 1, 0, (void *[]){&in, &out, &s});
}

static void changed(void)
{
    const pm_cu_pointer in = filled(), out = memory(ROOM * sizeof(float));

    set_weights(1);
    scale(in, out, 2);
    set_weights(5);
    scale(in, out, 3);
}

static void loop(int count)
{
    const pm_cu_function move = function_of("_ZN5space4moveEP4int2iPh");
    pm_cu_pointer at = memory(ROOM * 8), none = 0;

    for (int i = 0; i < count; i++) {
        int from = 3 + 2 * i;

        check(cuLaunchKernel(move, 4, 4, 1, BLOCK, 1, 1, 0, NULL, (void *[]){&at, &from, &none},
                             NULL),
              "move");
    }
}

static void killed(void)
{
    loop(10);
    fflush(stdout);
    raise(SIGKILL);
}

enum { THREADS = 4 };

typedef struct {
    pm_cu_function function;
    pm_cu_pointer in, out;
} thread_work;

static void *run_thread(void *user)
{
    const thread_work *work = user;

    for (int i = 0; i < 50; i++) {
        setup s = {(float)i, N};
        pm_cu_pointer in = work->in, out = work->out;

        check(cuLaunchKernel(work->function, BLOCKS, 1, 1, BLOCK, 1, 1, 0, NULL,
                             (void *[]){&in, &out, &s}, NULL),
              "scale");
    }
    return NULL;
}

static void threads(void)
{
    thread_work works[THREADS];
    pthread_t ids[THREADS];

    for (int t = 0; t < THREADS; t++)
        works[t] = (thread_work){function_of("_Z5scalePKfPf5Setup"), filled(),
                                 memory(ROOM * sizeof(float))};
    for (int t = 0; t < THREADS; t++)
        check(pthread_create(&ids[t], NULL, run_thread, &works[t]), "pthread_create");
    for (int t = 0; t < THREADS; t++)
        check(pthread_join(ids[t], NULL), "pthread_join");
}

static void fails(void)
{
    pm_cu_pointer in = filled(), out = memory(ROOM * sizeof(float));
    setup s = {1, N};

    if (cuLaunchKernel(function_of("_Z5scalePKfPf5Setup"), 1, 1, 1, 2048, 1, 1, 0, NULL,
                       (void *[]){&in, &out, &s}, NULL) == 0)
        exit(4);
    scale(in, out, 2);
}

/* Launches a kernel with all arguments in one block. */
static void plain(pm_cu_pointer data, unsigned value)
{
    struct {
        pm_cu_pointer data;
        unsigned value;
    } block = {data, value};
    size_t bytes = sizeof block;
    void *extra[] = {(void *)(uintptr_t)PM_CU_EXTRA_POINTER, &block,
                     (void *)(uintptr_t)PM_CU_EXTRA_SIZE, &bytes, NULL};
    const pm_cu_launch_config config = {.grid = {BLOCKS, 1, 1}, .block = {BLOCK, 1, 1}};

    check(cuLaunchKernelEx(&config, function_of("plain"), NULL, extra), "plain");
}

static void in_clusters(pm_cu_pointer data)
{
    const pm_cu_launch_attribute cluster = {.id = PM_CU_ATTRIBUTE_CLUSTER};
    const pm_cu_launch_config config = {.grid = {BLOCKS, 1, 1},
                                        .block = {BLOCK, 1, 1},
                                        .attributes = &cluster,
                                        .attribute_count = 1};
    unsigned value = 2;

    check(cuLaunchKernelEx(&config, function_of("plain"), (void *[]){&data, &value}, NULL),
          "plain");
}

static void graph(pm_cu_pointer data)
{
    const void *instance;
    unsigned value = 1;
    void *made;

    check(cuStreamBeginCapture_v2(NULL, 0), "cuStreamBeginCapture");
    launch("plain", BLOCKS, 1, 0, (void *[]){&data, &value});
    check(cuStreamEndCapture(NULL, &made), "cuStreamEndCapture");
    check(cuGraphInstantiateWithFlags(&instance, made, 0), "cuGraphInstantiate");
    value = 2; /* the graph has a copy of the value */
    check(cuGraphLaunch(instance, NULL), "cuGraphLaunch");
}

static void all(void)
{
    const pm_cu_pointer in = filled(), out = memory(ROOM * sizeof(float));
    pm_cu_pointer sums = memory(2 * BLOCKS * sizeof(float)), half = sums + BLOCKS * sizeof(float);
    pm_cu_pointer at = memory(ROOM * 8), seen = memory(ROOM), none = 0;
    struct {
        pm_cu_pointer data;
        int n;
    } list = {at, 5};
    int n = N, from;

    set_weights(1);
    scale(in, out, 0.5f);
    launch("_Z3sumIfLi64EEvPKT_PS0_i", BLOCKS, 1, BLOCK * sizeof(float),
           (void *[]){(void *)(uintptr_t)&out, &half, &n});
    for (from = 3; from < 15; from += 4)
        launch("_ZN5space4moveEP4int2iPh", 4, 4, 0,
               (void *[]){&at, &from, from < 10 ? &none : &seen});
    plain(at, 0x55);
    graph(at);
    in_clusters(at);
    launch("_Z6hiddenPi", 1, 1, 0, (void *[]){&at});
    launch("_Z6linked4List", 1, 1, 0, (void *[]){&list});
}

/* Passes pointers in memory: an array of pointers, and an array of structs with pointers. Both lead
 * to two allocations. */
static void pointers(void)
{
    enum { ROWS = 2 };
    pm_cu_pointer rows[ROWS], in = filled(), out = memory(ROOM * sizeof(float)), at_rows, at_lists;
    struct {
        pm_cu_pointer data;
        int n, unused;
    } lists[ROWS];

    for (int r = 0; r < ROWS; r++) {
        rows[r] = out + (pm_cu_pointer)r * BLOCK * sizeof(int);
        lists[r].data = in + (pm_cu_pointer)(ROWS - 1 - r) * BLOCK * sizeof(int);
        lists[r].n = r + 1;
        lists[r].unused = 0;
    }
    at_rows = memory(sizeof rows);
    at_lists = memory(sizeof lists);
    check(cuMemcpyHtoD_v2(at_rows, rows, sizeof rows), "cuMemcpyHtoD");
    check(cuMemcpyHtoD_v2(at_lists, lists, sizeof lists), "cuMemcpyHtoD");
    for (int i = 0; i < 2; i++)
        launch("_Z6followPPiPK4List", ROWS, 1, 0, (void *[]){&at_rows, &at_lists});
    launch("_Z6linked4List", 1, 1, 0, (void *[]){&lists[0]});
}

/* Loads an image from memory. A fatbin is passed as nvcc does: by a struct that points to it. */
static void load_bytes(const char *bytes)
{
    const struct {
        uint32_t magic, version;
        const void *fatbin, *unused;
    } wrapper = {0x466243b1, 1, bytes, NULL};
    static const unsigned char fatbin[] = {0x50, 0xed, 0x55, 0xba};
    const bool wrapped = memcmp(bytes, fatbin, sizeof fatbin) == 0;

    check(cuModuleLoadData(&module, wrapped ? (const void *)&wrapper : bytes), "cuModuleLoadData");
}

static void load(const char *path, const char *how)
{
    FILE *file = fopen(path, "rb");
    char *bytes = file ? calloc(1, (1 << 20) + 1) : NULL;
    const size_t size = bytes ? fread(bytes, 1, 1 << 20, file) : 0;
    static const char cubin[64] = "\177ELF"; /* the head of an ELF file without sections */

    if (size == 0)
        exit(2);
    fclose(file);
    if (strcmp(how, "file") == 0) {
        check(cuModuleLoad(&module, path), path);
    } else if (strcmp(how, "link") == 0) {
        check(cuLinkAddData_v2(NULL, 1, bytes, size, NULL, 0, NULL, NULL), path);
        load_bytes(cubin);
    } else {
        load_bytes(bytes);
    }
    free(bytes);
}

/* Launches a kernel on two buffers of `megabytes` MB with random contents, 20 times, and waits for
 * the GPU after each launch. */
static void large(size_t megabytes)
{
    const size_t count = megabytes * 1000000 / sizeof(uint64_t);
    uint64_t *values = malloc(count * sizeof *values), state = 88172645463325252U;
    pm_cu_pointer in = memory(count * sizeof *values), out = memory(count * sizeof *values);
    float result;

    for (size_t i = 0; values && i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        /* the bits of two floats from 1 to 2 */
        values[i] = (state & UINT64_C(0x007fffff007fffff)) | UINT64_C(0x3f8000003f800000);
    }
    if (!values)
        exit(2);
    check(cuMemcpyHtoD_v2(in, values, count * sizeof *values), "cuMemcpyHtoD");
    check(cuMemcpyHtoD_v2(out, values, count * sizeof *values), "cuMemcpyHtoD");
    free(values);
    for (int i = 0; i < 20; i++) {
        setup s = {(float)i, (int)(2 * count)};

        launch("_Z5scalePKfPf5Setup", (unsigned)(2 * count / BLOCK), 1, 0,
               (void *[]){&in, &out, &s});
        check(cuMemcpyDtoH_v2(&result, out, sizeof result), "cuMemcpyDtoH");
    }
}

int main(int argc, char **argv)
{
    float result;

    if (argc < 2)
        return 2;
    check(cuInit(0), "cuInit");
    setenv("KERNELS", argv[1], 1);
    if (argc > 3)
        load(argv[3], argc > 4 ? argv[4] : "");
    else
        load_bytes("// no PTX\n");
    if (argc > 2 && strcmp(argv[2], "changed") == 0)
        changed();
    else if (argc > 2 && strcmp(argv[2], "loop") == 0)
        loop(10);
    else if (argc > 2 && strcmp(argv[2], "many") == 0)
        loop(500);
    else if (argc > 2 && strncmp(argv[2], "launches=", 9) == 0)
        loop((int)strtol(argv[2] + 9, NULL, 10));
    else if (argc > 2 && strncmp(argv[2], "large=", 6) == 0)
        large(strtoul(argv[2] + 6, NULL, 10));
    else if (argc > 2 && strcmp(argv[2], "killed") == 0)
        killed();
    else if (argc > 2 && strcmp(argv[2], "threads") == 0)
        threads();
    else if (argc > 2 && strcmp(argv[2], "fails") == 0)
        fails();
    else if (argc > 2 && strcmp(argv[2], "pointers") == 0)
        pointers();
    else
        all();
    check(cuMemcpyDtoH_v2(&result, filled(), sizeof result), "cuMemcpyDtoH");
    printf("done\n");
    return 7;
}
