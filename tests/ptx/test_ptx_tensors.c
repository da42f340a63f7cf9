/* Bulk copies of boxes of tensors: coordinates outside of the tensor, swizzles, strides, stores,
 * reductions, and tensor maps that the kernel makes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernel_run.h"
#include "machine/tensor_map.h"

enum { THREADS = 128, TILE = 4096, TENSOR = 1 << 16 };

static const char head[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 .ptr .global .align 16 tensor, "
    ".param .u64 out)\n{\n"
    ".reg .b64 %m, %t, %q, %b<9>; .reg .b32 %l, %tile, %bar, %r<32>; .reg .pred %c<9>;\n"
    ".shared .align 1024 .b8 tile[4096]; .shared .align 128 .b8 made[128];\n"
    ".shared .align 8 .b64 barrier;\n"
    "mov.u32 %bar, barrier; mov.u32 %tile, tile; mov.u32 %l, %tid.x; setp.eq.u32 %c0, %l, 0;\n"
    "mov.b64 %m, map; cvta.param.u64 %m, %m; ld.param.u64 %t, [tensor]; ld.param.u64 %q, [out];\n"
    "cvta.to.global.u64 %q, %q; mad.wide.u32 %q, %l, 32, %q;\n"
    "@%c0 mbarrier.init.shared::cta.b64 [%bar], 1; fence.proxy.async.shared::cta; bar.sync 0;\n";
/* Each thread writes 32 bytes of the tile to the output. */
static const char dump[] =
    "mad.lo.u32 %r1, %l, 32, %tile;\n"
    "ld.shared.v4.b32 {%r2,%r3,%r4,%r5}, [%r1]; ld.shared.v4.b32 {%r6,%r7,%r8,%r9}, [%r1+16];\n"
    "st.global.v4.b32 [%q], {%r2,%r3,%r4,%r5}; st.global.v4.b32 [%q+16], {%r6,%r7,%r8,%r9};\n";
static const char wait_all[] =
    "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %c1, [%bar], 0;\n@!%c1 bra WAIT;\n";

static uint16_t tensor[TENSOR / 2];

static pm_workload *workload_of(const char *code, const pm_tensor_map *map)
{
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));
    const size_t threads = THREADS;
    const pm_pointer to = {.at = PM_TENSOR_MAP_ADDRESS, .buffer = 0};
    pm_text text = {0};
    void *given = need(malloc(sizeof tensor));
    uint8_t bytes[PM_TENSOR_MAP_BYTES];

    for (size_t k = 0; k < TENSOR / 2; k++)
        tensor[k] = (uint16_t)(k * 7 + 1);
    memcpy(given, tensor, sizeof tensor);
    pm_text_add(&text, "%s%s\nret;\n}\n", head, code);
    w->source_path = strdup("text.ptx");
    w->source = pm_text_take(&text);
    pm_workload_buffer(w, "tensor", sizeof tensor, given, PM_BUFFER_IN | PM_BUFFER_OUTPUT);
    pm_workload_buffer(w, "out", TILE, need(calloc(1, TILE)), PM_BUFFER_IN | PM_BUFFER_OUTPUT);
    pm_tensor_map_write(map, bytes);
    pm_workload_launch(w, "k", 1, &threads, &threads);
    pm_workload_arg_value(w, bytes, sizeof bytes);
    pm_workload_arg_point(w, &to, 1);
    PM_ARGS(w, PM_BUFFER(0), PM_BUFFER(1));
    assert_ok(w->error.status == PM_OK);
    return w;
}

/* Runs code, and returns the contents of a buffer: 0 for the tensor, 1 for the output. */
static void *run(const pm_counter_table *table, const char *code, const pm_tensor_map *map,
                 size_t buffer, suite_counts *counts)
{
    const pm_trace_engine_options options = {.target = "h100", .worker = test_worker()};
    void *out = room(buffer ? TILE : sizeof tensor, 1);
    pm_executor *engine = NULL;
    pm_workload *w = workload_of(code, map);

    assert_ok(pm_executor_trace_open(&options, table, NULL, &engine, told()) == PM_OK);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(engine->type->read(engine, buffer, out, told()) == PM_OK);
    if (counts)
        assert_ok(suite_count(engine, table, w, counts, told()) == PM_OK);
    engine->type->close(engine);
    return out;
}

/* Runs a load of a box of `bytes` bytes at the coordinates that the list names, such as 3, -2. */
static const uint8_t *load(const pm_counter_table *table, const pm_tensor_map *map,
                           const char *coordinates, unsigned bytes, suite_counts *counts)
{
    char code[3000];

    snprintf(code, sizeof code,
             "@!%%c0 bra READY;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %u;\n"
             "cp.async.bulk.tensor.%ud.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
             " [%%tile], [%%m, {%s}], [%%bar];\nREADY:\n%s%s",
             bytes, map->rank, coordinates, wait_all, dump);
    return run(table, code, map, 1, counts);
}

/* A matrix of 100 x 50 elements of 16 bits, whose rows are 208 bytes apart. */
static pm_tensor_map matrix(uint32_t columns, uint32_t rows, uint32_t swizzle)
{
    return (pm_tensor_map){.rank = 2,
                           .type = PM_TENSOR_F16,
                           .swizzle = swizzle,
                           .size = {100, 50},
                           .stride = {0, 208},
                           .box = {columns, rows},
                           .step = {1, 1}};
}

static uint16_t element(int column, int row)
{
    return column < 0 || column >= 100 || row < 0 || row >= 50 ? 0 : tensor[row * 104 + column];
}

TEST(boxes_are_loaded_with_zeros_outside)
{
    static const int places[][2] = {{0, 0}, {80, 40}, {-3, -5}, {97, 3}, {100, 0}, {5, -16}};

    if (!engine_is_there())
        skip();
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const pm_tensor_map map = matrix(24, 16, 0);
        const int x = places[k][0], y = places[k][1];
        char at[40];
        const uint8_t *out;

        snprintf(at, sizeof at, "%d, %d", x, y);
        out = load(*state, &map, at, 24 * 16 * 2, NULL);
        for (int i = 0; i < 24 * 16; i++) {
            uint16_t found;

            memcpy(&found, out + 2 * i, 2);
            assert_int_equal(found, element(x + i % 24, y + i / 24));
        }
    }
}

/* A swizzle of 32, 64 or 128 bytes: 16-byte chunk number c of row r of the box is at chunk c ^ s,
 * where s counts the 128-byte lines before the row, modulo the chunks of a row. */
TEST(swizzles_exchange_chunks)
{
    if (!engine_is_there())
        skip();
    for (uint32_t kind = 1; kind <= 3; kind++) {
        const uint32_t width = 16U << kind, columns = width / 2, rows = 16;
        const pm_tensor_map map = matrix(columns, rows, kind);
        const uint8_t *out = load(*state, &map, "7, 3", width * rows, NULL);

        for (uint32_t r = 0; r < rows; r++)
            for (uint32_t c = 0; c < columns; c++) {
                const uint32_t line = r * width / 128, chunk = c / 8 ^ line % (width / 16);
                uint16_t found;

                memcpy(&found, out + r * width + chunk * 16 + c % 8 * 2, 2);
                assert_int_equal(found, element((int)(7 + c), (int)(3 + r)));
            }
    }
}

TEST(tensors_have_up_to_five_dimensions)
{
    const pm_tensor_map map = {.rank = 5,
                               .type = PM_TENSOR_U16,
                               .size = {20, 5, 4, 3, 2},
                               .stride = {0, 48, 256, 1024, 4096},
                               .box = {8, 4, 2, 3, 2},
                               .step = {1, 2, 1, 1, 1}};
    const uint8_t *out;

    if (!engine_is_there())
        skip();
    out = load(*state, &map, "4, 1, 3, -1, 0", 8 * 2 * 2 * 3 * 2 * 2, NULL);
    for (int i = 0; i < 8 * 2 * 2 * 3 * 2; i++) {
        const int x = 4 + i % 8, y = 1 + 2 * (i / 8 % 2), z = 3 + i / 16 % 2, u = i / 32 % 3 - 1,
                  v = i / 96;
        const bool inside = y < 5 && z < 4 && u >= 0 && u < 3;
        uint16_t found;

        memcpy(&found, out + 2 * i, 2);
        assert_int_equal(found,
                         inside ? tensor[(x * 2 + y * 48 + z * 256 + u * 1024 + v * 4096) / 2] : 0);
    }
}

TEST(elements_outside_may_be_nan)
{
    pm_tensor_map map = matrix(8, 2, 0);
    const uint8_t *out;

    if (!engine_is_there())
        skip();
    map.fills_nan = 1;
    out = load(*state, &map, "98, 0", 32, NULL);
    assert_memory_equal(out, &tensor[98], 4);
    assert_memory_equal(out + 4, ((uint8_t[]){0xff, 0x7f, 0xff, 0x7f}), 4);
}

TEST(a_box_counts_its_sectors)
{
    const pm_tensor_map map = matrix(64, 16, 3);
    suite_counts counts;

    if (!engine_is_there())
        skip();
    load(*state, &map, "48, 40", 2048, &counts);
    /* 10 rows of 104 bytes are inside, from byte 96 on; rows are 208 bytes apart */
    assert_int_equal(counter(*state, &counts, "gld_request"), 0);
    assert_int_equal(counter(*state, &counts, "l2_read_sector"), 10 * 4);
    assert_int_equal(counter(*state, &counts, "load_wait"), 4);
}

/* The tile is filled with the numbers of its 16-bit words before a store. */
#define FILL                                                                                       \
    "mad.lo.u32 %r1, %l, 32, %tile; mul.lo.u32 %r2, %l, 16; mov.b32 %r3, 0;\n"                     \
    "FILL: st.shared.u16 [%r1], %r2; add.u32 %r1, %r1, 2; add.u32 %r2, %r2, 1;\n"                  \
    "add.u32 %r3, %r3, 1; setp.lt.u32 %c2, %r3, 16; @%c2 bra FILL;\n"                              \
    "fence.proxy.async.shared::cta; bar.sync 0; @!%c0 bra DONE;\n"
#define END "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nDONE:\n"

TEST(boxes_are_stored_inside_of_the_tensor)
{
    const pm_tensor_map map = matrix(64, 16, 3);
    const uint16_t *out;
    suite_counts counts;

    if (!engine_is_there())
        skip();
    out = run(*state,
              FILL "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%m, {60, "
                   "-4}], [%tile];\n" END,
              &map, 0, &counts);
    for (int k = 0; k < TENSOR / 2; k++) {
        const int column = k % 104 - 60, row = k / 104 + 4;
        const int place = row * 64 + (column / 8 ^ row % 8) * 8 + column % 8;

        assert_int_equal(out[k], row < 16 && column >= 0 && column < 40 ? place : tensor[k]);
    }
    assert_int_equal(counter(*state, &counts, "gst_request"), 0);
}

TEST(boxes_are_added)
{
    pm_tensor_map map = matrix(64, 16, 0);
    const uint16_t *out;

    if (!engine_is_there())
        skip();
    map.type = PM_TENSOR_U32;
    map.size[0] = 50;
    map.box[0] = 32;
    out = run(*state,
              FILL "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%m, "
                   "{30, 2}], [%tile];\n" END,
              &map, 0, NULL);
    for (int k = 0; k < TENSOR / 4; k++) {
        const int column = k % 52 - 30, row = k / 52 - 2;
        uint32_t found, old, place = (uint32_t)(row * 32 + column);

        memcpy(&found, out + 2 * k, 4);
        memcpy(&old, tensor + 2 * k, 4);
        if (row >= 0 && row < 16 && column >= 0 && column < 20)
            old += 2 * place | (2 * place + 1) << 16;
        assert_int_equal(found, old);
    }
}

/* The kernel makes its map in shared memory, as Triton's kernels do, copies it to global memory,
 * and loads a box by it. */
TEST(kernels_make_their_own_maps)
{
    static const char code[] =
        "mov.u32 %r10, made; mad.lo.u32 %r11, %l, 4, %r10; setp.lt.u32 %c3, %l, 32;\n"
        "mov.b32 %r12, 0; @%c3 st.shared.b32 [%r11], %r12; bar.warp.sync -1; cvt.u64.u32 %b1, "
        "%r10;\n@!%c0 bra MADE;\n"
#define REPLACE(field, type, value)                                                                \
    "tensormap.replace.tile." field ".shared::cta.b1024." type " [%b1 + 0], " value ";\n"
        REPLACE("global_address", "b64", "%t") REPLACE("rank", "b32", "0x1")
            REPLACE("box_dim", "b32", "0x0, 64") REPLACE("box_dim", "b32", "0x1, 8") REPLACE(
                "global_dim", "b32", "0x0, 100") REPLACE("global_dim", "b32", "0x1, 50")
                REPLACE("global_stride", "b64", "0x0, 208") REPLACE(
                    "element_stride", "b32", "0x0, 1") REPLACE("element_stride", "b32", "0x1, 1")
                    REPLACE("elemtype", "b32", "0x6") REPLACE("interleave_layout", "b32", "0x0")
                        REPLACE("swizzle_mode", "b32", "0x3") REPLACE(
                            "fill_mode", "b32",
                            "0x0") "MADE: bar.warp.sync -1; ld.param.u64 %b2, [out]; add.u64 %b3, "
                                   "%b2, 2048;\n"
                                   "@%c3 "
                                   "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic."
                                   "release.gpu.sync"
                                   ".aligned [%b3 + 0], [%b1 + 0], 0x80;\n"
                                   "@%c3 fence.proxy.tensormap::generic.acquire.gpu [%b3 + 0], "
                                   "0x80;\nbar.sync 0;\n"
                                   "@!%c0 bra READY;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, "
                                   "[%bar], 1024;\n"
                                   "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_"
                                   "tx::bytes [%tile], [%b3, {8, "
                                   "1}], [%bar];\nREADY:\n";
    char all[6000];
    const pm_tensor_map map = matrix(64, 8, 3);
    const uint8_t *out;

    if (!engine_is_there())
        skip();
    snprintf(all, sizeof all, "%s%ssetp.lt.u32 %%c4, %%l, 32; @!%%c4 bra LAST;\n%sLAST:\n", code,
             wait_all, dump);
    out = run(*state, all, &map, 1, NULL);
    for (int i = 0; i < 64 * 8; i++) {
        const int row = i / 64, chunk = i % 64 / 8 ^ row % 8;
        uint16_t found;

        memcpy(&found, out + row * 128 + chunk * 16 + i % 8 * 2, 2);
        assert_int_equal(found, element(8 + i % 64, 1 + row));
    }
}

TEST(wrong_maps_are_errors)
{
    static const struct {
        const char *code, *message;
    } all[] = {
        {"@%c0 cp.async.bulk.tensor.3d.shared::cta.global.mbarrier::complete_tx::bytes [%tile], "
         "[%m, {0, 0, 0}], [%bar];\n",
         "the tensor map has another number of dimensions"},
        {"@%c0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%tile+64], "
         "[%m, {0, 0}], [%bar];\n",
         "its address in shared memory is no multiple of 128"},
        {"@%c0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes "
         "[%tile+3072], [%m, {0, 0}], [%bar];\n",
         "it leaves the shared memory of the block"},
        {"@%c0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%tile], "
         "[%q, {0, 0}], [%bar];\n",
         "it is no tensor map"},
        {"@%c0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%tile], "
         "[%l, {0, 0}], [%bar];\n",
         "it needs a tensor map as a parameter of the kernel or in global memory"},
        {"@%c0 cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.bulk_group [%m, {0, 0}], "
         "[%tile];\n",
         "elements of this type have no such reduction"},
    };
    const pm_trace_engine_options options = {.target = "h100", .worker = test_worker()};
    const pm_tensor_map map = matrix(64, 16, 3);

    if (!engine_is_there())
        skip();
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        pm_executor *engine = NULL;
        pm_workload *w = workload_of(all[k].code, &map);

        assert_ok(pm_executor_trace_open(&options, *state, NULL, &engine, told()) == PM_OK);
        assert_ok(engine->type->load(engine, w, told()) == PM_OK);
        assert_true(engine->type->run(engine, NULL, told()) == PM_BAD_INPUT);
        if (!strstr(last_error.text, all[k].message) || strchr(last_error.text, '\n'))
            fail_msg("the message is: %s\nwanted: %s", last_error.text, all[k].message);
        engine->type->close(engine);
    }
}

TEST(maps_are_checked)
{
    pm_tensor_map map = matrix(64, 16, 3);

    assert_null(pm_tensor_map_fault(&map));
    map.box[0] = 72;
    assert_string_equal(pm_tensor_map_fault(&map), "a row of a box must be as long as the swizzle");
    map.box[0] = 32;
    assert_string_equal(pm_tensor_map_fault(&map), "a row of a box must be as long as the swizzle");
    map = matrix(60, 16, 0);
    assert_string_equal(pm_tensor_map_fault(&map), "a row of a box is a multiple of 16 bytes");
    map = matrix(64, 257, 0);
    assert_string_equal(pm_tensor_map_fault(&map), "a box has 1 to 256 elements in each dimension");
    map = matrix(64, 16, 0);
    map.stride[1] = 200;
    assert_string_equal(pm_tensor_map_fault(&map),
                        "a stride is a multiple of 16 bytes and less than 2^40");
    map = matrix(64, 16, 0);
    map.step[1] = 9;
    assert_string_equal(pm_tensor_map_fault(&map),
                        "the step of a dimension (element stride) is 1 to 8");
    map = matrix(64, 16, 0);
    map.interleave = 1;
    assert_string_equal(pm_tensor_map_fault(&map), "interleaved layouts cannot be traced");
    map = matrix(64, 16, 0);
    map.type = PM_TENSOR_TYPES;
    assert_string_equal(pm_tensor_map_fault(&map), "elements of this type cannot be traced");
}

TEST_MAIN(open_table, close_table)
