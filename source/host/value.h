/* Values of host code while it is followed, and the memory that they lie in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory is a list of objects: variables, allocations of the host, and buffers of the GPU. An
 * object holds the values that were stored in it, by their offset in bytes. Structs and arrays are
 * several values in one object.
 */
#ifndef PM_SOURCE_HOST_VALUE_H
#define PM_SOURCE_HOST_VALUE_H

#include "source/host/tree.h"

typedef enum {
    PM_HOST_UNKNOWN,
    PM_HOST_INTEGER,
    PM_HOST_REAL,
    PM_HOST_POINTER,  /* to `offset` in `object` */
    PM_HOST_RECORD,   /* a struct: it lies at `offset` in `object` */
    PM_HOST_FUNCTION, /* `function` is its declaration, or a lambda */
    PM_HOST_TEXT      /* a text, such as a string literal */
} pm_host_kind;

typedef struct {
    pm_host_kind kind;
    bool no_arguments; /* it holds because the program is taken to get no arguments */
    bool assumed;      /* it rests on an assumption about a variable */
    bool too_large;    /* it is the result of an overflow */
    long long integer;
    double real;
    size_t object;
    uint64_t offset;
    pm_host_node *function;
    const char *text;   /* of TEXT: characters; NULL: those of the literal `function` */
    const char *origin; /* of UNKNOWN: the variable that would have to be known; NULL: none */
    int line;           /* of the origin's declaration */
} pm_host_value;

typedef struct {
    uint64_t offset;
    pm_host_value value;
} pm_host_cell;

typedef enum { PM_HOST_VARIABLE, PM_HOST_ALLOCATED, PM_HOST_BUFFER } pm_host_space;

typedef struct {
    pm_host_space space;
    const char *name; /* of a variable, or of the variable that first points to it */
    CXType type;      /* of a variable, or of elements; Invalid: not known */
    int line;
    pm_host_value bytes; /* of an allocation */
    bool zeros;          /* what was never stored is 0, also on the GPU */
    bool forgotten;      /* what was stored before is not known */
    bool freed;
    bool launched;                   /* a kernel has got it */
    bool zeros_then;                 /* `zeros` when the first kernel got it */
    const pm_host_node *declaration; /* of a variable; NULL: of another object */
    const pm_host_node *site;        /* of an allocation: the call that made it */
    size_t cell_count, cell_room;
    pm_host_cell *cells; /* by offset */
} pm_host_object;

typedef struct {
    pm_memory *memory;
    size_t count, cells;     /* cells of all objects */
    pm_host_object *objects; /* the first is not used */
    size_t allocation_count;
    size_t *allocations; /* those of the objects that are no variables */
} pm_host_heap;

/* A place in memory, which an lvalue stands for. */
typedef struct {
    size_t object; /* 0: not known */
    uint64_t offset;
} pm_host_place;

pm_host_value pm_host_unknown(const char *origin, int line);
pm_host_value pm_host_integer(long long value);
pm_host_value pm_host_real(double value);
pm_host_value pm_host_pointer(pm_host_place place);
pm_host_value pm_host_record(pm_host_place place);
bool pm_host_is_known(pm_host_value value); /* a number */
/* *truth: whether the value counts as true. False: that is not known. */
bool pm_host_truth(pm_host_value value, bool *truth);
/* As a cast to the type does it. */
pm_host_value pm_host_convert(pm_host_value value, CXType type);
/* Of two values as numbers, or of pointers; the result has the type of the expression. bytes: of
 * what a pointer points to. */
pm_host_value pm_host_calculate(enum CXBinaryOperatorKind kind, pm_host_value a, pm_host_value b,
                                CXType type, uint64_t bytes);

/* Index of a new object. */
size_t pm_host_add_object(pm_host_heap *heap, pm_host_space space, const char *name, CXType type,
                          int line);
pm_host_value pm_host_load(const pm_host_heap *heap, pm_host_place place, CXType type);
void pm_host_store(pm_host_heap *heap, pm_host_place place, CXType type, pm_host_value value);
void pm_host_copy(pm_host_heap *heap, pm_host_place to, pm_host_place from, uint64_t bytes);
/* All that the object holds is unknown from now on. */
void pm_host_forget(pm_host_heap *heap, size_t object);
/* All that it holds is 0 from now on. */
void pm_host_clear(pm_host_heap *heap, size_t object);

#endif
