/* What the Intercept Layer for OpenCL Applications recorded of a launch, with its CaptureReplay
 * controls.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   enqueueNumber.txt               by which the folder is known; it comes before all others
 *   worksizes.txt                   three lines: global size, local size (0: the driver's choice),
 *                                   offset
 *   kernelName.txt, buildOptions.txt
 *   kernel.cl                       with a NUL at its end; not there: the program had no source
 *   ArgumentN.bin                   what clSetKernelArg was given, of a buffer its handle
 *   LocalN.txt                      bytes of local memory, or of a pointer to nothing
 *   SVM_Arg_Offset_N.txt            of memory objects: how far into the allocation the argument is
 *   Image_MetaData_N.txt, SamplerN.txt
 *   ArgumentDataTypes.txt           a line for each argument, if the driver tells
 *   Pre/..._Arg_N_Buffer_M.bin      what a buffer held before the launch
 *   Post/..._Arg_N_Buffer_M.bin     and after it
 *
 * A folder may be anybody's: no file of it is read through a link.
 */
#ifndef PM_SUITE_INTERCEPT_RECORDED_H
#define PM_SUITE_INTERCEPT_RECORDED_H

#include "capture/replay/launches.h"

/* Contents of a buffer. */
typedef struct {
    unsigned found;   /* how many files there are */
    const char *path; /* as seen from the folder; NULL: none */
    size_t bytes;
} pm_recorded_contents;

typedef struct {
    bool has_value, has_local, is_memory;
    const unsigned char *value;
    size_t bytes;     /* of the value */
    size_t local;     /* bytes */
    size_t offset;    /* into the memory */
    const char *type; /* as the driver calls it; "": it does not */
    pm_recorded_contents before, after;
} pm_recorded_arg;

typedef struct {
    pm_memory *memory;
    const char *path; /* of the folder */
    const char *kernel, *options, *source;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t arg_count; /* as far as there are files */
    pm_recorded_arg args[PM_CAPTURED_MOST_ARGS];
} pm_recorded;

/* Reads the folder. What is not as the layer writes it ends the attempt as PM_BAD_INPUT. */
void pm_recorded_read(pm_memory *memory, const char *path, pm_recorded *r);

/* ---- files.c --------------------------------------------------------------------------------- */

enum { PM_RECORDED_MOST_VALUE = 4096 }; /* bytes; a workload file has none that is larger */

bool pm_recorded_has(const pm_recorded *r, const char *name);
/* The text of a file of the folder. */
const char *pm_recorded_text(const pm_recorded *r, const char *name, size_t most);
/* The bytes of a value, at most PM_RECORDED_MOST_VALUE. */
const unsigned char *pm_recorded_value(const pm_recorded *r, const char *name, size_t *bytes);
/* The number that is all of a file. */
size_t pm_recorded_number(const pm_recorded *r, const char *name);
/* Takes the number that *text starts with, behind blanks. false: there is none that a launch could
 * have. */
bool pm_recorded_take(const char **text, size_t *number);
/* Whether two files have the same bytes. */
bool pm_recorded_same(const pm_recorded *r, const char *one, const char *other);
/* Finds the contents of arguments' buffers below the folder Pre or Post. */
void pm_recorded_contents_find(pm_recorded *r, bool after);

#endif
