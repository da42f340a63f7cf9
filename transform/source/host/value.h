/* Values of variables and expressions of host code, and the memory of the host-code interpreter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory is a list of objects: variables, allocations of the host, and buffers of the GPU. An
 * object stores values by their offset in bytes. The members of a struct and the elements of an
 * array are separate values in one object.
 */
#ifndef PM_TRANSFORM_SOURCE_HOST_VALUE_H
#define PM_TRANSFORM_SOURCE_HOST_VALUE_H

#include "transform/source/host/tree.h"

typedef enum {
    PM_HOST_UNKNOWN,
    PM_HOST_INTEGER,
    PM_HOST_REAL,
    /* a pointer to byte `offset` of `object` (index of a variable or allocation of the interpreted
     * host code) */
    PM_HOST_POINTER,
    PM_HOST_RECORD,   /* a struct that is stored at byte `offset` of `object` */
    PM_HOST_FUNCTION, /* a function; `function` is its declaration, or a lambda expression */
    PM_HOST_TEXT      /* a string, such as a string literal */
} pm_host_kind;

typedef struct {
    pm_host_kind kind;
    /* true: the value depends on the assumption that the program gets no arguments */
    bool no_arguments;
    bool assumed;   /* true: the value depends on an assumption about a variable */
    bool too_large; /* true: the value is the result of an integer overflow */
    long long integer;
    double real;
    size_t object;
    uint64_t offset;
    pm_host_node *function;
    /* TEXT: characters of the string; NULL: `function` is a string literal with the characters.
     * FUNCTION: the instance of the template `function` as the source names it, such as sum<256>;
     * NULL: `function` is no template. */
    const char *text;
    /* if the value is UNKNOWN: name of the variable on which it depends; NULL: no such variable */
    const char *origin;
    int line; /* source line of the declaration of `origin` */
} pm_host_value;

typedef struct {
    uint64_t offset;
    pm_host_value value;
} pm_host_cell;

typedef enum { PM_HOST_VARIABLE, PM_HOST_ALLOCATED, PM_HOST_BUFFER } pm_host_space;

/* Contents of an object (a variable, an allocation or a buffer) in the memory of the host-code
 * interpreter, at one moment: values by offset. */
typedef struct {
    bool zeros; /* true: bytes without a stored value are 0 */
    size_t cell_count;
    pm_host_cell *cells; /* stored values, sorted by offset */
} pm_host_snapshot;

typedef struct {
    pm_host_space space;
    /* name of the variable, or of the first variable that points to the allocation */
    const char *name;
    CXType type; /* type of the variable or of the elements; CXType_Invalid: unknown */
    int line;
    pm_host_value bytes; /* size of an allocation in bytes; may be unknown */
    /* true: bytes without a stored value are 0; holds for host and GPU memory */
    bool zeros;
    /* true: bytes without a stored value are unknown, because earlier values were discarded */
    bool forgotten;
    bool freed;
    /* true: a kernel launch had this variable or allocation as an argument */
    bool launched;
    /* value of `zeros` before the first launch that uses the object */
    bool zeros_then;
    pm_host_snapshot then; /* stored values before the first launch that uses the object */
    /* name with namespaces of the __device__, __constant__ or __managed__ variable whose memory
     * this buffer is; NULL: it is the memory of no variable */
    const char *symbol;
    /* filled: true if the host code has written to this variable or allocation after its
     * initialization. changes: true if it had other values at a later launch than at the first
     * launch that used it. */
    bool filled, changes;
    /* declaration of the variable; NULL: the object is not a variable */
    const pm_host_node *declaration;
    const pm_host_node *site; /* call expression that allocated the object */
    size_t cell_count, cell_room;
    pm_host_cell *cells; /* the object's stored values, sorted by offset */
} pm_host_object;

typedef struct {
    pm_memory *memory;
    size_t count, cells; /* cells: number of stored values of all objects together */
    /* objects (variables and allocations of the interpreted host code) by index; index 0 is not
     * used, because it means an unknown object */
    pm_host_object *objects;
    size_t allocation_count;
    /* indices of the objects that are allocations of the host or buffers of the GPU */
    size_t *allocations;
} pm_host_heap;

/* Address of an lvalue: an object of the interpreter's memory, and an offset in it in bytes. */
typedef struct {
    size_t object; /* index of the object; 0: unknown */
    uint64_t offset;
} pm_host_place;

pm_host_value pm_host_unknown(const char *origin, int line);
pm_host_value pm_host_integer(long long value);
pm_host_value pm_host_real(double value);
pm_host_value pm_host_pointer(pm_host_place place);
pm_host_value pm_host_record(pm_host_place place);
bool pm_host_is_known(pm_host_value value); /* a known number */
/* Sets *truth to whether a condition with this value is true. Returns false if the value is
 * unknown. */
bool pm_host_truth(pm_host_value value, bool *truth);
/* Converts the value to the type, as a cast does. */
pm_host_value pm_host_convert(pm_host_value value, CXType type);
/* Computes a binary operation of two numbers or pointers. type: type of the result. bytes: size of
 * the type to which the pointers point. */
pm_host_value pm_host_calculate(enum CXBinaryOperatorKind kind, pm_host_value a, pm_host_value b,
                                CXType type, uint64_t bytes);

/* Creates an object, the memory of a variable or allocation of the interpreted host code, and
 * returns its index. */
size_t pm_host_add_object(pm_host_heap *heap, pm_host_space space, const char *name, CXType type,
                          int line);
pm_host_value pm_host_load(const pm_host_heap *heap, pm_host_place place, CXType type);
void pm_host_store(pm_host_heap *heap, pm_host_place place, CXType type, pm_host_value value);
void pm_host_copy(pm_host_heap *heap, pm_host_place to, pm_host_place from, uint64_t bytes);
/* Returns the index of the first of `count` stored values, sorted by offset, at or after the
 * offset. */
size_t pm_host_find_cell(const pm_host_cell *cells, size_t count, uint64_t offset);
/* Returns a copy of the values that an object (variable or allocation of the interpreted host code)
 * stores. */
pm_host_snapshot pm_host_take_snapshot(pm_host_heap *heap, size_t object);
/* Returns whether an object (variable or allocation of the interpreted host code) stores the same
 * values as when the snapshot was made. */
bool pm_host_equals_snapshot(const pm_host_heap *heap, size_t object,
                             const pm_host_snapshot *snapshot);
/* Returns the number of values that are stored in the `bytes` bytes of the interpreter's memory
 * from `place` on. A number or pointer of any size is one value. */
size_t pm_host_count_cells(const pm_host_heap *heap, pm_host_place place, uint64_t bytes);
/* Returns whether the two values are equal: known and the same, or both unknown. */
bool pm_host_same_value(pm_host_value a, pm_host_value b);
/* Returns whether a value is a pointer to a buffer of the GPU. */
bool pm_host_leads_to_buffer(const pm_host_heap *heap, pm_host_value value);
/* Returns whether a pointer to a buffer of the GPU is stored in the `bytes` bytes of memory from
 * `place` on. */
bool pm_host_has_pointers(const pm_host_heap *heap, pm_host_place place, uint64_t bytes);
/* Makes all values in an object (variable or allocation of the interpreted host code) unknown. */
void pm_host_forget(pm_host_heap *heap, size_t object);
/* Makes all values in an object (variable or allocation of the interpreted host code) 0. */
void pm_host_clear(pm_host_heap *heap, size_t object);

#endif
