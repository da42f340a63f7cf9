/* Captured launches, in the same form for OpenCL and CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_REPLAY_LAUNCHES_H
#define PM_CAPTURE_REPLAY_LAUNCHES_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

enum { PM_CAPTURED_MOST_ARGS = 128 };

typedef struct {
    const char *path, *contents;
    /* text of the header; NULL: the file of the recorded contents `contents` has the text */
    const char *text;
} pm_captured_header;

typedef struct {
    unsigned id;
    const char *kind, *contents, *options;
    bool cuda;
    /* path and text of the CUDA source file that defines the program's kernels; NULL: no file was
     * found. If the program is OpenCL, `text` is the preprocessed source if the source includes
     * headers by macros, else NULL */
    const char *path, *text;
    bool is_ptx; /* true: `text` is PTX that the program loaded */
    size_t header_count;
    pm_captured_header *headers;
} pm_captured_program;

/* Number and total time in ns of a kernel's launches with one pm_left_out reason, and the number of
 * launches whose time is unknown. */
typedef struct {
    uint64_t launches, ns, untimed;
} pm_captured_total;

/* Description of a kernel parameter by the OpenCL driver, or for CUDA from the source or the
 * mangled name. address: global, constant, local or private. */
typedef struct {
    const char *address, *type, *name;
} pm_captured_param;

typedef struct {
    unsigned id;
    const pm_captured_program *program;
    const char *name;
    /* For CUDA. symbol: the driver's (mangled) name of the kernel. plain: its name in the source,
     * without namespace and template arguments. image: id of the stored image with the kernel's
     * code; NULL: not known. ptx: program whose text is the kernel's PTX; NULL: there is none. */
    const char *symbol, *plain, *image;
    const pm_captured_program *ptx;
    /* number of parameters whose types are known: from the OpenCL driver, or for CUDA from the
     * source or the kernel's mangled name; 0: they are unknown */
    size_t param_count;
    pm_captured_param *params;
    /* totals[r]: number and time of the launches with the pm_left_out reason r
     * (capture/record.h) */
    pm_captured_total *totals;
} pm_captured_kernel;

/* Word in place of the name of contents that were not stored, because they change no address and no
 * branch of the kernel. */
#define PM_CAPTURED_ANY "any"

typedef enum { PM_CAPTURED_VALUE, PM_CAPTURED_LOCAL, PM_CAPTURED_BUFFER } pm_captured_arg_kind;

typedef struct {
    pm_captured_arg_kind kind;
    size_t bytes;
    const unsigned char *value; /* bytes of a PM_CAPTURED_VALUE */
    unsigned buffer;
    size_t offset, at;
    /* Ids of the buffer's contents before and after the launch: names of files in contents/, or
     * =HEX. after: NULL if the kernel cannot change the buffer, or if its contents after the launch
     * were not recorded (`unknown`). */
    const char *before, *after;
    bool unknown; /* true if the contents after the launch were not recorded */
} pm_captured_arg;

/* Contents of a __constant__ variable before a launch. */
typedef struct {
    const char *name, *contents;
    size_t bytes;
} pm_captured_symbol;

/* A memory allocation of a launch. It is recorded with its address if a struct argument or other
 * memory of the launch has pointers. */
typedef struct {
    unsigned id; /* id of the captured buffer */
    uint64_t address;
    size_t bytes;
    /* contents of the memory before and after the launch: names of files in contents/, or =HEX.
     * after: NULL if the kernel cannot change them, or if they were not recorded */
    const char *before, *after;
} pm_captured_memory;

typedef struct {
    uint64_t number, ns;
    const pm_captured_kernel *kernel;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t arg_count;
    pm_captured_arg *args;
    size_t shared; /* bytes of dynamic shared memory (CUDA) */
    size_t symbol_count;
    /* __constant__ variables that the kernel's source declares, with their contents before the
     * launch */
    pm_captured_symbol *symbols;
    size_t variable_count;
    /* all __constant__ variables of the kernel's module, by the driver's names, with their contents
     * before the launch */
    pm_captured_symbol *variables;
    size_t memory_count;
    pm_captured_memory *memories;
    bool dropped;
} pm_captured_launch;

/* An image that CUDA loaded. kind is ptx, cubin or fatbin. */
typedef struct {
    const char *kind, *contents;
} pm_captured_module;

/* All data that were recorded in one process of the captured program: kernels, launches and
 * images. */
typedef struct {
    const char *folder; /* folder of its records */
    const char *place;  /* working folder of the process */
    const char *device; /* name of the device; NULL: no launch was recorded */
    unsigned arch;      /* CUDA only: architecture of the device, such as 90; 0: not known */
    bool ended;         /* true if it ended normally */
    size_t program_count, kernel_count, launch_count;
    pm_captured_program **programs;
    pm_captured_kernel **kernels;
    pm_captured_launch *launches;
    size_t module_count;
    pm_captured_module *modules;
} pm_captured_process;

#endif
