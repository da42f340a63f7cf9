/* Executes bulk copies. See bulk_copies.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A copy is executed at once, for each work-item that issues it. The pieces of memory that it
 * accesses are added to the work-group's list, by which the engine checks and counts them. Data
 * outside of all buffers are not copied: the engine then finds the error in the list.
 */
#include "collector/engine/backend/host/bulk_copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "collector/engine/backend/host/barriers.h"
#include "collector/engine/backend/host/bulk_reduce.h"
#include "machine/bulk_copy.h"
#include "machine/tensor_map.h"

/* CHUNK: bytes that a swizzle moves as a whole. TENSOR_ALIGN: alignment in shared memory of a box.
 * MOST_ROW: most bytes of a row of a box. */
enum { CHUNK = 16, TENSOR_ALIGN = 128, MOST_ROW = 2048 };

static const char NO_REDUCTION[] = "elements of this type have no such reduction";

typedef enum { LOADS, STORES, REDUCES } direction;

/* Kind of a copy. writes: false in slices, which do not change global memory. reduction: for
 * REDUCES; if the copy has a tensor map, the map gives the element type. */
typedef struct {
    direction direction;
    bool writes;
    pm_bulk_reduction reduction;
} operation;

/* A copy of one work-item. */
typedef struct {
    operation of;
    const pm_group_context *group;
    const uint32_t *own; /* the work-item's operand */
    uint8_t *shared;     /* start in shared memory */
} copy;

/* ---- memory ---------------------------------------------------------------------------------- */

static void fail(const copy *c, const char *fault)
{
    if (!c->group->bulk->fault)
        c->group->bulk->fault = fault;
}

static void add_span(const copy *c, uint64_t address, uint64_t bytes, bool is_shared)
{
    pm_bulk_copies *bulk = c->group->bulk;

    if (bulk->span_count == bulk->span_room) {
        const size_t room = 2 * bulk->span_room + 64;
        pm_bulk_span *spans = realloc(bulk->spans, room * sizeof *spans);

        if (!spans) {
            fail(c, "out of memory");
            return;
        }
        bulk->spans = spans;
        bulk->span_room = room;
    }
    bulk->spans[bulk->span_count++] = (pm_bulk_span){address, (uint32_t)bytes, is_shared};
}

/* Returns a piece of global memory, and adds it to the list. NULL: it is not inside of the memory
 * that contains all buffers. host: its address on the host. */
static uint8_t *global_piece(const copy *c, uint64_t host, uint64_t bytes)
{
    const uint64_t at = host - (uint64_t)(uintptr_t)c->group->arena;

    add_span(c, at + c->group->arena_address, bytes, false);
    return at < c->group->arena_bytes && c->group->arena_bytes - at >= bytes ? c->group->arena + at
                                                                             : NULL;
}

/* Sets the start of a copy in shared memory, and adds its bytes to the list. */
static bool find_shared(copy *c, uint64_t bytes, unsigned align)
{
    c->shared = pm_group_place(c->group, c->own[PM_BULK_SHARED], bytes);
    if (!c->shared)
        fail(c, "it leaves the shared memory of the block");
    else if ((c->shared - c->group->shared) % align != 0)
        fail(c, align == CHUNK ? "its address in shared memory is no multiple of 16"
                               : "its address in shared memory is no multiple of 128");
    else
        add_span(c, (uint64_t)(c->shared - c->group->shared), bytes, true);
    return !c->group->bulk->fault;
}

static void move(const copy *c, uint8_t *shared, uint8_t *global, size_t bytes)
{
    if (c->of.direction == LOADS)
        memcpy(shared, global, bytes);
    else if (c->of.writes && c->of.direction == STORES)
        memcpy(global, shared, bytes);
    else if (c->of.writes)
        pm_bulk_reduce(&c->of.reduction, global, shared, bytes);
}

/* Counts the bytes of a load at its barrier. */
static void arrive(const copy *c, uint64_t bytes)
{
    const uint32_t barrier = c->own[PM_BULK_BARRIER];

    if (c->of.direction == LOADS && !c->group->bulk->fault &&
        !pm_barrier_receive(c->group, barrier, (uint32_t)bytes))
        fail(c, "its barrier is outside of the shared memory of the block");
}

static uint64_t wide(const uint32_t *words)
{
    return words[0] | (uint64_t)words[1] << 32;
}

/* ---- copies without a tensor map ------------------------------------------------------------- */

static void copy_bytes(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                       uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    copy c = {.of = *(const operation *)what, .group = group, .own = given + lane * stride};
    const uint64_t host = wide(&c.own[PM_BULK_GLOBAL]);
    const uint32_t bytes = c.own[PM_BULK_BYTES];
    uint8_t *global;

    (void)mask;
    *result = 0;
    if (c.of.direction == REDUCES && !pm_bulk_can_reduce(&c.of.reduction))
        fail(&c, NO_REDUCTION);
    else if (bytes % CHUNK != 0)
        fail(&c, "its size is no multiple of 16");
    else if (host % CHUNK != 0)
        fail(&c, "its address in global memory is no multiple of 16");
    if (bytes == 0 || group->bulk->fault || !find_shared(&c, bytes, CHUNK))
        return;
    global = global_piece(&c, host, bytes);
    if (global)
        move(&c, c.shared, global, bytes);
    arrive(&c, bytes);
}

/* ---- boxes of tensors ------------------------------------------------------------------------ */

/* Returns the bytes of a tensor map; NULL: there is none at this address. Maps are parameters of
 * kernels or in global memory. PTX may compute the address of a parameter in 32 bits, so only these
 * are compared if the others are 0. */
static uint8_t *map_at(const pm_group_context *group, uint64_t host)
{
    const uint64_t values = (uint64_t)(uintptr_t)group->values;
    const uint64_t in_values = host >> 32 ? host - values : (uint32_t)(host - values);
    const uint64_t in_arena = host - (uint64_t)(uintptr_t)group->arena;

    if (in_values < group->value_bytes && group->value_bytes - in_values >= PM_TENSOR_MAP_BYTES)
        return (uint8_t *)(uintptr_t)(values + in_values);
    if (in_arena < group->arena_bytes && group->arena_bytes - in_arena >= PM_TENSOR_MAP_BYTES)
        return group->arena + in_arena;
    return NULL;
}

/* Sets *map to the tensor map of a copy. Returns false if it is not valid. */
static bool read_map(const copy *c, pm_tensor_map *map)
{
    const uint8_t *bytes = map_at(c->group, wide(&c->own[PM_BULK_GLOBAL]));
    const char *fault = "it needs a tensor map as a parameter of the kernel or in global memory";

    if (bytes) {
        *map = pm_tensor_map_read(bytes);
        fault = pm_tensor_map_fault(map);
        if (!fault && map->address % CHUNK != 0)
            fault = "the address of the tensor is no multiple of 16";
        if (!fault && map->rank != c->own[PM_BULK_RANK])
            fault = "the tensor map has another number of dimensions";
    }
    if (fault)
        fail(c, fault);
    return !fault;
}

/* Returns the offset in shared memory of a chunk of a box. A swizzle exchanges the chunks of a row
 * by the number of the 128-byte line in shared memory. */
static uint64_t swizzled(const pm_tensor_map *map, uint64_t offset)
{
    const uint64_t mask = (UINT64_C(1) << map->swizzle) - 1;

    return offset ^ (offset >> 7 & mask) << 4;
}

/* The elements of a box's row that are in the tensor: `bytes` bytes, beginning with byte `skipped`
 * of the row. host: their address. */
typedef struct {
    uint64_t host, skipped, bytes;
} inner;

/* Returns the part of a row that is in the tensor. place[d]: coordinate of the row's first element
 * in dimension d. */
static inner inner_of(const pm_tensor_map *map, const int64_t *place)
{
    const uint64_t each = pm_tensor_type_bytes(map->type);
    const int64_t end = place[0] + (int64_t)map->box[0], size = (int64_t)map->size[0];
    const int64_t first = place[0] > 0 ? place[0] : 0, last = end < size ? end : size;
    inner in = {.host = map->address};

    for (unsigned d = 1; d < map->rank; d++) {
        if (place[d] < 0 || place[d] >= (int64_t)map->size[d])
            return in;
        in.host += (uint64_t)place[d] * map->stride[d];
    }
    if (first >= last)
        return in;
    in.host += (uint64_t)first * each;
    in.skipped = (uint64_t)(first - place[0]) * each;
    in.bytes = (uint64_t)(last - first) * each;
    return in;
}

/* Fills a row with the value of elements outside of the tensor: 0, or for floating-point numbers,
 * if the map says so, the NaN in which all bits but the sign are 1. */
static void fill_row(const pm_tensor_map *map, uint8_t *row, size_t bytes)
{
    const uint32_t each = pm_tensor_type_bytes(map->type);

    memset(row, map->fills_nan && map->type >= PM_TENSOR_F16 ? 0xff : 0, bytes);
    for (size_t k = each - 1; map->fills_nan && map->type >= PM_TENSOR_F16 && k < bytes; k += each)
        row[k] = 0x7f;
}

/* Copies a row of a box. offset: the row's offset in shared memory, without the swizzle. */
static void copy_row(const copy *c, const pm_tensor_map *map, uint64_t offset, const int64_t *place)
{
    const uint64_t length = (uint64_t)map->box[0] * pm_tensor_type_bytes(map->type);
    const inner in = inner_of(map, place);
    uint8_t row[MOST_ROW], *shared = c->group->shared, *global = NULL;
    const bool loads = c->of.direction == LOADS;

    if (in.bytes > 0)
        global = global_piece(c, in.host, in.bytes);
    if (loads)
        fill_row(map, row, length);
    for (uint64_t at = 0; !loads && at < length; at += CHUNK)
        memcpy(row + at, shared + swizzled(map, offset + at), CHUNK);
    if (global)
        move(c, row + in.skipped, global, in.bytes);
    for (uint64_t at = 0; loads && at < length; at += CHUNK)
        memcpy(shared + swizzled(map, offset + at), row + at, CHUNK);
}

/* Copies all rows of a box. */
static void copy_rows(const copy *c, const pm_tensor_map *map)
{
    const uint64_t length = (uint64_t)map->box[0] * pm_tensor_type_bytes(map->type);
    uint64_t offset = (uint64_t)(c->shared - c->group->shared);
    uint32_t at[PM_TENSOR_RANK] = {0};
    int64_t place[PM_TENSOR_RANK] = {0};
    unsigned d;

    do {
        for (d = 0; d < map->rank; d++)
            place[d] = (int32_t)c->own[PM_BULK_COORDINATES + d] +
                       (int64_t)at[d] * (d > 0 ? map->step[d] : 1);
        copy_row(c, map, offset, place);
        offset += length;
        for (d = 1; d < map->rank && ++at[d] == pm_tensor_box_count(map, d); d++)
            at[d] = 0;
    } while (d < map->rank);
}

/* Copies a box. Result: the two words of the tensor's address. */
static void copy_box(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                     uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    copy c = {.of = *(const operation *)what, .group = group, .own = given + lane * stride};
    pm_tensor_map map;
    uint64_t bytes;

    (void)mask;
    result[0] = result[1] = 0;
    if (group->bulk->fault || !read_map(&c, &map))
        return;
    result[0] = (uint32_t)map.address;
    result[1] = (uint32_t)(map.address >> 32);
    bytes = pm_tensor_box_bytes(&map);
    if (!find_shared(&c, bytes, TENSOR_ALIGN))
        return;
    c.of.reduction.type = pm_bulk_type_of_tensor(map.type);
    if (c.of.direction == REDUCES && !pm_bulk_can_reduce(&c.of.reduction))
        fail(&c, NO_REDUCTION);
    else
        copy_rows(&c, &map);
    arrive(&c, bytes);
}

/* ---- changes of tensor maps ------------------------------------------------------------------ */

static void set_field(pm_tensor_map *map, pm_map_field field, unsigned d, uint64_t value)
{
    const uint32_t word = (uint32_t)value;

    d = d < PM_TENSOR_RANK ? d : PM_TENSOR_RANK - 1;
    switch (field) {
    case PM_MAP_ADDRESS:
        map->address = value;
        break;
    case PM_MAP_RANK: /* PTX gives the rank minus 1 */
        map->rank = word + 1;
        break;
    case PM_MAP_BOX:
        map->box[d] = word;
        break;
    case PM_MAP_SIZE:
        map->size[d] = word;
        break;
    case PM_MAP_STRIDE: /* PTX counts strides from dimension 1 on */
        map->stride[d + 1 < PM_TENSOR_RANK ? d + 1 : d] = value;
        break;
    case PM_MAP_STEP:
        map->step[d] = word;
        break;
    case PM_MAP_TYPE:
        map->type = word;
        break;
    case PM_MAP_INTERLEAVE:
        map->interleave = word;
        break;
    case PM_MAP_SWIZZLE:
        map->swizzle = word;
        break;
    case PM_MAP_FILL:
        map->fills_nan = word;
        break;
    case PM_MAP_FIELDS:
        break;
    }
}

/* tensormap.replace */
static void replace(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                    uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const copy c = {.group = group, .own = given + lane * stride};
    uint8_t *bytes = c.own[PM_REPLACE_IN_SHARED]
                         ? pm_group_place(group, c.own[PM_BULK_SHARED], PM_TENSOR_MAP_BYTES)
                         : map_at(group, wide(&c.own[PM_BULK_GLOBAL]));
    pm_tensor_map map;

    (void)what;
    (void)mask;
    *result = 0;
    if (!bytes) {
        fail(&c, "the tensor map is outside of shared memory and of all buffers");
        return;
    }
    map = pm_tensor_map_read(bytes);
    set_field(&map, (pm_map_field)c.own[PM_REPLACE_FIELD], c.own[PM_REPLACE_DIMENSION],
              wide(&c.own[PM_REPLACE_VALUE]));
    pm_tensor_map_write(&map, bytes);
}

/* tensormap.cp_fenceproxy: the warp copies a map from shared to global memory. Slices (code that
 * computes only addresses and branches) copy it, too, because the map decides addresses. */
static void copy_map(const void *what, const uint32_t *given, uint64_t stride, uint64_t lane,
                     uint32_t *result, const pm_group_context *group, uint64_t mask)
{
    const copy c = {.group = group, .own = given + lane * stride};
    const uint8_t *from = pm_group_place(group, c.own[PM_BULK_SHARED], PM_TENSOR_MAP_BYTES);
    uint8_t *to = map_at(group, wide(&c.own[PM_BULK_GLOBAL]));

    (void)what;
    (void)mask;
    *result = 0;
    if (from && to)
        memcpy(to, from, PM_TENSOR_MAP_BYTES);
    else
        fail(&c, "the tensor map is outside of shared memory or of all buffers");
}

/* ---- names ----------------------------------------------------------------------------------- */

static const operation *keep(pm_memory *kept, operation of)
{
    return memcpy(pm_take(kept, 1, sizeof of), &of, sizeof of);
}

pm_fragment_function pm_bulk_function_of(const char *name, bool is_slice, pm_memory *kept)
{
    static const struct {
        const char *name;
        direction direction;
        pm_group_fragment_code code;
    } copies[] = {{PM_BULK_LOAD, LOADS, copy_bytes},     {PM_BULK_STORE, STORES, copy_bytes},
                  {PM_BULK_REDUCE, REDUCES, copy_bytes}, {PM_TENSOR_LOAD, LOADS, copy_box},
                  {PM_TENSOR_STORE, STORES, copy_box},   {PM_TENSOR_REDUCE, REDUCES, copy_box}};

    if (strcmp(name, PM_MAP_REPLACE) == 0)
        return (pm_fragment_function){.group_code = replace};
    if (strcmp(name, PM_MAP_COPY) == 0)
        return (pm_fragment_function){.group_code = copy_map};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        operation of = {.direction = copies[i].direction, .writes = !is_slice};
        const char *rest = name + strlen(copies[i].name);

        if (!pm_starts(name, copies[i].name))
            continue;
        if (of.direction == REDUCES && !pm_bulk_reduction_read(rest, &of.reduction))
            break;
        return (pm_fragment_function){.group_code = copies[i].code, .what = keep(kept, of)};
    }
    return (pm_fragment_function){.code = NULL};
}
