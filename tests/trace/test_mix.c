/* The table of instruction costs, the instruction mix and the registers of IR.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/registers/registers.h"
#include "mix_fixture.h"

/* ---- floating point ----------------------------------------------------------------------- */

TEST(test_multiply_add)
{
    pm_mix apart = mix_of("ptr addrspace(1) %p, float %a, float %b",
                          "%x = fmul float %a, %b\nstore float %x, ptr addrspace(1) %p\n"
                          "%y = fadd float %x, %a\nstore float %y, ptr addrspace(1) %p\n" END);
    pm_mix fused = mix_of("ptr addrspace(1) %p, float %a, float %b",
                          "%x = fmul float %a, %b\n%y = fadd float %x, %a\n"
                          "%z = fneg float %y\n%w = call float @llvm.fabs.f32(float %z)\n"
                          "store float %w, ptr addrspace(1) %p\n" END);

    assert_float_equal(apart.fp32, 2.0, 0.0);
    assert_float_equal(apart.flop32, 2.0, 0.0);
    assert_float_equal(fused.flop32, 2.0, 0.0);
    assert_float_equal(apart.memory, 2.0, 0.0);
    assert_float_equal(apart.control, 1.0, 0.0);
    assert_float_equal(apart.total, 5.0, 0.0);
    assert_float_equal(fused.fp32, 1.0, 0.0);
    assert_float_equal(fused.total, 2.0 + ENDS, 0.0);
}

TEST(test_vectors_and_doubles)
{
    pm_mix four = mix_of("<4 x float> %a, ptr addrspace(1) %p",
                         "%x = fadd <4 x float> %a, %a\n"
                         "store <4 x float> %x, ptr addrspace(1) %p, align 16\n" END);
    pm_mix loose = mix_of("<4 x float> %a, ptr addrspace(1) %p",
                          "store <4 x float> %a, ptr addrspace(1) %p, align 4\n" END);
    pm_mix wide = mix_of("double %a", "%x = fadd double %a, %a\n%c = fcmp olt double %x, %a\n" END);

    assert_float_equal(four.fp32, 4.0, 0.0);
    assert_float_equal(four.memory, 1.0, 0.0);
    assert_float_equal(loose.memory, 4.0, 0.0);
    assert_float_equal(wide.fp64, 2.0, 0.0);
    assert_float_equal(wide.fp32, 0.0, 0.0);
    assert_float_equal(four.flop32, 4.0, 0.0);
    assert_float_equal(wide.flop64, 1.0, 0.0); /* a comparison is not a floating-point operation */
    assert_float_equal(wide.flop32, 0.0, 0.0);
}

/* A row without flop counts has two operations for each instruction of the multiply-add pipes, and
 * not more. */
TEST(test_operations_of_rows)
{
    pm_mix contracted =
        mix_of("float %a, double %d",
               "%x = call float @llvm.fmuladd.f32(float %a, float %a, float %a)\n"
               "%y = call double @llvm.fma.f64(double %d, double %d, double %d)\n" END);
    pm_mix division = mix_of("float %a, float %b", "%x = fdiv float %a, %b\n" END);
    pm_mix greatest = mix_of("double %a, double %b",
                             "%x = call double @llvm.maxnum.f64(double %a, double %b)\n" END);
    pm_mix half = mix_of("half %a", "%x = fadd half %a, %a\n" END);

    assert_float_equal(contracted.flop32, 2.0, 0.0);
    assert_float_equal(contracted.flop64, 2.0, 0.0);
    /* 3.25 FP32 instructions, 1 of them special */
    assert_float_equal(division.flop32, 2 * 2.25, 0.0);
    assert_float_equal(greatest.fp64, 1.0, 0.0);
    assert_float_equal(greatest.flop64, 0.0, 0.0);
    assert_float_equal(half.flop32 + half.flop64, 0.0, 0.0);
}

TEST(test_fast_divisions_and_halfs)
{
    pm_mix exact = mix_of("float %a", "%x = fdiv float %a, %a\n" END);
    pm_mix fast = mix_of("float %a", "%x = fdiv fast float %a, %a\n" END);
    pm_mix from = mix_of("half %a", "%x = fpext half %a to float\n" END);
    pm_mix to = mix_of("float %a", "%x = fptrunc float %a to half\n" END);

    assert_float_equal(exact.total, 7.25 + ENDS, 0.0);
    assert_float_equal(fast.total, 2.0 + ENDS, 0.0);
    assert_float_equal(from.conversion, 0.0, 0.0);
    assert_float_equal(to.conversion, 1.0, 0.0);
    assert_float_equal(to.special, 0.0, 0.0);
}

TEST(test_builtins)
{
    pm_costs *costs = read_costs();
    pm_mix call = mix_of("float %a", "%x = call float @_Z3expf(float %a)\n" END);
    pm_mix roots =
        mix_of("<4 x float> %a", "%x = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %a)\n" END);
    pm_mix unknown = mix_of("float %a", "%x = call float @unheard_of(float %a)\n" END);
    /* -cl-fast-relaxed-math sets all flags; contraction is separate. A part of the flags is not
     * sufficient. */
    pm_mix fast = mix_of("float %a", "%x = call reassoc nnan ninf nsz arcp afn float "
                                     "@_Z3expf(float %a)\n" END);
    pm_mix strict = mix_of("float %a", "%x = call nnan ninf float @_Z3expf(float %a)\n" END);

    assert_float_equal(call.total, pm_costs_named(costs, "exp", "float")->total + ENDS, 0.0);
    assert_float_equal(call.special, 1.0, 0.0);
    assert_float_equal(roots.total, 4.0 * pm_costs_named(costs, "sqrt", "float")->total + ENDS,
                       0.0);
    assert_float_equal(unknown.total, 1.0 + ENDS, 0.0);
    assert_float_equal(fast.total, pm_costs_named(costs, "exp", "fast_float")->total + ENDS, 0.0);
    assert_float_equal(strict.total, call.total, 0.0);
    assert_non_null(pm_costs_builtin(costs, "_Z3expf", false));
    assert_non_null(pm_costs_builtin(costs, "_Z3powdd", false));
    assert_non_null(pm_costs_builtin(costs, "_Z4pownfi", false));
    assert_non_null(pm_costs_builtin(costs, "_Z12native_rsqrtf", false));
    assert_null(pm_costs_builtin(costs, "_Z3expDv4_f", false)); /* made of scalar ones */
    assert_null(pm_costs_builtin(costs, "_Z4fabsf", false));
    assert_null(pm_costs_builtin(costs, "_Z99expf", false));
    assert_null(pm_costs_builtin(costs, "_Z", false));
    assert_null(pm_costs_builtin(costs, "exp", false));
    assert_null(pm_costs_builtin(costs, "_Z6sincosfPf", false));
}

/* ---- integers and addresses --------------------------------------------------------------- */

TEST(test_integers)
{
    pm_mix fused = mix_of("ptr addrspace(1) %p", /* IMAD */
                          ID "%m = mul i32 %id, 7\n%s = add i32 %m, %id\n"
                             "store i32 %s, ptr addrspace(1) %p\n" END);
    pm_mix three = mix_of("ptr addrspace(1) %p, i32 %a", /* LOP3 */
                          ID "%m = xor i32 %id, %a\n%s = and i32 %m, 12345\n%r = or i32 %s, 1\n"
                             "store i32 %r, ptr addrspace(1) %p\n" END);
    pm_mix wide =
        mix_of("ptr addrspace(1) %p, i64 %a", ID "%w = sext i32 %id to i64\n%s = add i64 %w, %a\n"
                                                 "store i64 %s, ptr addrspace(1) %p\n" END);
    pm_mix low = mix_of("ptr addrspace(1) %p, i64 %a", /* only one word of the sum is used */
                        ID "%w = zext i32 %id to i64\n%s = add i64 %w, %a\n"
                           "%t = trunc i64 %s to i32\nstore i32 %t, ptr addrspace(1) %p\n" END);
    pm_mix uniform = mix_of("i32 %a", "%s = add i32 %a, 3\n%t = mul i32 %s, %s\n" END);

    assert_float_equal(fused.integer, 1.0, 0.0);
    assert_float_equal(three.integer, 2.0, 0.0);
    assert_float_equal(wide.integer, 3.0, 0.0);
    assert_float_equal(low.integer, 1.0, 0.0);
    assert_float_equal(uniform.integer, 0.0, 0.0);
    assert_float_equal(uniform.total, 2.0 + ENDS, 0.0);
}

TEST(test_words)
{
    pm_mix high = mix_of("ptr addrspace(1) %p", /* one IMAD.WIDE gives both words */
                         ID "%w = zext i32 %id to i64\n%m = mul nuw i64 %w, 3528531795\n"
                            "%s = lshr i64 %m, 32\n%h = trunc i64 %s to i32\n"
                            "%l = mul i32 %id, -766435501\n%x = xor i32 %h, %l\n"
                            "store i32 %x, ptr addrspace(1) %p\n" END);
    pm_mix masked = mix_of("ptr addrspace(1) %p, i64 %a", /* the high word needs no register */
                           "%m = and i64 %a, 4294967295\n%s = mul i64 %m, 7\n"
                           "store i64 %s, ptr addrspace(1) %p\n" END);
    pm_mix products = mix_of("ptr addrspace(1) %p, i32 %a", /* IMAD.SHL and IMAD */
                             ID "%m = mul i32 %id, 7\n%n = mul i32 %id, %a\n%s = add i32 %m, %n\n"
                                "store i32 %s, ptr addrspace(1) %p\n" END);

    assert_float_equal(high.integer, 2.0, 0.0);
    assert_float_equal(masked.total, 1.0 + 1.0 + ENDS, 0.0);
    assert_float_equal(products.integer, 2.0, 0.0);
}

/* Distribution of a block's integer and floating-point instructions over the pipes. */
TEST(test_pipes)
{
    pm_mix largest =
        mix_of("float %a, float %b", "%x = call float @llvm.maxnum.f32(float %a, float %b)\n" END);
    pm_mix from = mix_of("i32 %a", "%x = sitofp i32 %a to float\n" END);
    pm_mix inverse = mix_of("float %a", "%x = fdiv float 1.0, %a\n" END);
    pm_mix long_sum = mix_of("i64 %a", ID "%i = sext i32 %id to i64\n%x = mul i64 %i, %a\n"
                                          "%y = xor i64 %x, %a\n%z = add i64 %y, %a\n"
                                          "%w = xor i64 %z, %x\nstore i64 %w, ptr null\n" END);
    pm_mix no_sum = mix_of("i64 %a", ID "%i = sext i32 %id to i64\n%x = mul i64 %i, %a\n"
                                        "%y = xor i64 %x, %a\n"
                                        "%w = xor i64 %y, %x\nstore i64 %w, ptr null\n" END);
    pm_mix shift = mix_of("i32 %a", ID "%m = and i32 %id, 31\n%x = shl i32 %a, %m\n" END);
    pm_mix plain_shift = mix_of("i32 %a", ID "%x = shl i32 %a, %id\n" END);
    pm_mix gap = mix_of("i32 %a", ID "%l = sub i32 %id, %a\n%r = sub i32 %a, %id\n"
                                     "%c = icmp sgt i32 %id, %a\n"
                                     "%x = select i1 %c, i32 %l, i32 %r\n" END);

    assert_float_equal(largest.alu, 1.0, 0.0);
    assert_float_equal(largest.fma, 0.0, 0.0);
    assert_float_equal(from.alu, 1.0, 0.0);
    assert_float_equal(inverse.alu, 4.0, 0.0);
    assert_float_equal(inverse.fma, 2.0, 0.0);
    assert_true(long_sum.either - no_sum.either == 1.0);
    assert_float_equal(shift.total, plain_shift.total, 0.0);
    assert_float_equal(gap.integer, 1.0, 0.0);
}

TEST(test_divisions)
{
    pm_mix again =
        mix_of("float %a, float %b", "%x = fdiv float %a, %b\n%y = fdiv float %x, %b\n" END);
    pm_mix by_constant = mix_of("float %a", "%x = fdiv float %a, 7.0\n" END);
    pm_mix both = mix_of("i32 %a", ID "%d = sdiv i32 %id, %a\n%r = srem i32 %d, %a\n" END);
    pm_mix variable = mix_of("i32 %a", ID "%d = sdiv i32 %id, %a\n" END);
    pm_mix constant = mix_of("i32 %a", ID "%d = sdiv i32 %id, 7\n" END);

    assert_true(variable.total > 20.0);
    assert_true(variable.conversion > 0.0);
    assert_true(constant.total < 6.0);
    assert_float_equal(again.total, 7.25 + 3.0 + ENDS, 0.0);
    assert_float_equal(by_constant.total, 1.0 + ENDS, 0.0);
    assert_float_equal(both.total, variable.total + 12.0, 0.0);
}

TEST(test_addresses)
{
    pm_mix near = mix_of("ptr addrspace(1) %p", /* IMAD.WIDE, then register + constant */
                         ID WIDE "%g = getelementptr float, ptr addrspace(1) %p, i64 %wide\n"
                                 "%a = load float, ptr addrspace(1) %g\n"
                                 "%next = add nsw i32 %id, 1\n%w = sext i32 %next to i64\n"
                                 "%h = getelementptr float, ptr addrspace(1) %p, i64 %w\n"
                                 "%b = load float, ptr addrspace(1) %h\n"
                                 "%k = getelementptr i8, ptr addrspace(1) %g, i64 64\n"
                                 "%c = load float, ptr addrspace(1) %k\n" END);
    /* an index that may wrap around is not at a constant distance */
    pm_mix wraps = mix_of("ptr addrspace(1) %p",
                          ID WIDE "%g = getelementptr float, ptr addrspace(1) %p, i64 %wide\n"
                                  "%a = load float, ptr addrspace(1) %g\n"
                                  "%next = add i32 %id, 1\n%w = zext i32 %next to i64\n"
                                  "%h = getelementptr float, ptr addrspace(1) %p, i64 %w\n"
                                  "%b = load float, ptr addrspace(1) %h\n" END);
    pm_mix rows =
        /* 64 * (n + 1) + id is at distance 64 from 64 * n + id */
        mix_of("ptr addrspace(1) %p, i32 %n",
               ID "%r = shl nsw i32 %n, 6\n%i = add nsw i32 %r, %id\n"
                  "%v = sext i32 %i to i64\n"
                  "%g = getelementptr float, ptr addrspace(1) %p, i64 %v\n"
                  "%a = load float, ptr addrspace(1) %g\n"
                  "%q = or disjoint i32 %r, 32\n%j = add nsw i32 %q, %id\n"
                  "%w = sext i32 %j to i64\n"
                  "%h = getelementptr float, ptr addrspace(1) %p, i64 %w\n"
                  "%b = load float, ptr addrspace(1) %h\n" END);
    pm_mix bases = mix_of("ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n", /* shifted once */
                          "%g = getelementptr float, ptr addrspace(1) %p, i64 %n\n"
                          "%a = load float, ptr addrspace(1) %g\n"
                          "%h = getelementptr float, ptr addrspace(1) %q, i64 %n\n"
                          "%b = load float, ptr addrspace(1) %h\n" END);
    pm_mix bytes = mix_of("ptr addrspace(1) %p", /* no scaling is needed: IADD3, IADD3.X */
                          ID WIDE "%g = getelementptr i8, ptr addrspace(1) %p, i64 %wide\n"
                                  "%a = load i8, ptr addrspace(1) %g\n" END);
    /* a second IMAD.WIDE starts from the result of the first */
    pm_mix step = mix_of("ptr addrspace(1) %p, i32 %n",
                         ID WIDE "%g = getelementptr float, ptr addrspace(1) %p, i64 %wide\n"
                                 "%a = load float, ptr addrspace(1) %g\n"
                                 "%next = add i32 %id, %n\n%w = sext i32 %next to i64\n"
                                 "%h = getelementptr float, ptr addrspace(1) %p, i64 %w\n"
                                 "%b = load float, ptr addrspace(1) %h\n" END);
    pm_mix shared = mix_of("i32 %n", /* register + uniform register */
                           ID "br label %next\nnext:\n%m = mul i32 %n, 3\n"
                              "%g = getelementptr [16 x float], ptr addrspace(3) @tile, i32 %m, "
                              "i32 %id\n"
                              "%a = load float, ptr addrspace(3) %g\n" END);

    assert_float_equal(near.integer, 1.0, 0.0);
    assert_float_equal(near.memory, 3.0, 0.0);
    assert_float_equal(near.total, IDS + 4.0 + ENDS, 0.0);
    assert_float_equal(step.integer, 2.0, 0.0);
    assert_float_equal(wraps.integer, 2.0, 0.0);
    assert_float_equal(rows.integer, 1.0 + 1.0, 0.0);
    assert_float_equal(bases.integer, 2.0 + 2.0 + 2.0, 0.0);
    assert_float_equal(bytes.integer, 2.0, 0.0);
    assert_float_equal(shared.integer, 0.0, 0.0);
    assert_float_equal(shared.total, IDS + 2.0 + ENDS, 0.0); /* the product is fused into the sum */
}

/* ---- control ------------------------------------------------------------------------------ */

#define LOOP(increment)                                                                            \
    "entry:\n" ID "br label %loop\nloop:\n"                                                        \
    "%i = phi i32 [ 0, %entry ], [ %j, %loop ]\n" increment                                        \
    "%c = icmp slt i32 %j, %n\nbr i1 %c, label %loop, label %out\nout:\n" END

TEST(test_control)
{
    pm_mix loop = mix_of("i32 %n", LOOP("%j = add i32 %i, 1\n"));
    pm_mix rotating =
        mix_of("i32 %n, float %a, float %b",
               "entry:\nbr label %loop\nloop:\n"
               "%x = phi float [ %a, %entry ], [ %y, %loop ]\n"
               "%y = phi float [ %b, %entry ], [ %x, %loop ]\n"
               "%i = phi i32 [ %n, %entry ], [ %j, %loop ]\n"
               "%j = add i32 %i, 1\n"
               "%c = icmp slt i32 %j, %n\nbr i1 %c, label %loop, label %out\nout:\n" END);
    pm_mix divergent =
        mix_of("ptr addrspace(3) %p", ID "%c = icmp slt i32 %id, 7\nbr i1 %c, label %a, label %b\n"
                                         "a:\nstore i32 %id, ptr addrspace(3) %p\nbr label %b\n"
                                         "b:\ncall void @llvm.nvvm.barrier0()\nret void\n");
    pm_mix leaving =
        mix_of("ptr addrspace(3) %p", ID "%c = icmp slt i32 %id, 7\nbr i1 %c, label %a, label %b\n"
                                         "a:\nstore i32 %id, ptr addrspace(3) %p\nbr label %b\n"
                                         "b:\nret void\n");

    /* a move for the 0, a uniform addition, a comparison, a branch */
    assert_float_equal(loop.total, IDS + 4.0 + ENDS, 0.0);
    assert_float_equal(loop.integer, 1.0, 0.0);
    assert_float_equal(loop.control, 1.0 + ENDS, 0.0);
    assert_float_equal(rotating.total, 5.0 + ENDS, 0.0);
    /* comparison, branch, store and barrier; reconvergence instructions are counted with the
     * kernel's blocks */
    assert_float_equal(divergent.total, IDS + 4.0 + ENDS, 0.0);
    assert_float_equal(divergent.control, 0.5 + ENDS, 0.0);
    assert_float_equal(divergent.branches, 1.0 + ENDS, 0.0);
    /* a predicated exit: its work-items are counted only at the kernel's end */
    assert_float_equal(leaving.total, IDS + 3.0 + ENDS, 0.0);
    assert_float_equal(leaving.control, 1.0, 0.0);
    assert_float_equal(leaving.branches, 1.0 + ENDS, 0.0);
}

TEST(test_exits)
{
    pm_mix joined = mix_of("i32 %n, i32 %m, ptr addrspace(3) %p",
                           ID "%c = icmp slt i32 %id, %n\nbr i1 %c, label %a, label %out\n"
                              "a:\n%d = icmp slt i32 %id, %m\nbr i1 %d, label %b, label %out\n"
                              "b:\nstore i32 %id, ptr addrspace(3) %p\nbr label %out\nout:\n" END);
    pm_mix apart = mix_of("i32 %n, ptr addrspace(3) %p",
                          ID "%c = icmp slt i32 %id, %n\nbr i1 %c, label %a, label %out\n"
                             "a:\n%v = load i32, ptr addrspace(3) %p\n"
                             "%d = icmp slt i32 %v, %n\nbr i1 %d, label %b, label %out\n"
                             "b:\nstore i32 %id, ptr addrspace(3) %p\nbr label %out\nout:\n" END);

    assert_float_equal(joined.branches, 1.0 + ENDS, 0.0);
    assert_float_equal(apart.branches, 2.0 + ENDS, 0.0);
}

/* The end of the first side jumps over the second. */
TEST(test_two_sides)
{
    pm_mix sides =
        mix_of("ptr addrspace(3) %p", ID "%c = icmp slt i32 %id, 7\nbr i1 %c, label %a, label %b\n"
                                         "a:\nstore i32 %id, ptr addrspace(3) %p\nbr label %meet\n"
                                         "b:\nstore i32 5, ptr addrspace(3) %p\nbr label %meet\n"
                                         "meet:\ncall void @llvm.nvvm.barrier0()\nret void\n");

    assert_float_equal(sides.branches, 2.0 + ENDS, 0.0);
}

/* ---- registers ---------------------------------------------------------------------------- */

static unsigned registers_of(const char *arguments, const char *body)
{
    return pm_registers_estimate(parse(arguments, body), UINT_MAX, own_memory()).count;
}

TEST(test_registers)
{
    unsigned none = registers_of("i32 %a", END);
    unsigned one =
        registers_of("ptr addrspace(3) %p", ID "store i32 %id, ptr addrspace(3) %p\n" END);
    unsigned wide =
        registers_of("ptr addrspace(1) %p", "%a = load <4 x double>, ptr addrspace(1) %p\n"
                                            "store <4 x double> %a, ptr addrspace(1) %p\n" END);
    unsigned loop = registers_of("i32 %n, ptr addrspace(3) %p",
                                 "entry:\n" ID "%f = sitofp i32 %id to float\nbr label %loop\n"
                                 "loop:\n%s = phi float [ %f, %entry ], [ %t, %loop ]\n"
                                 "%t = fadd float %s, %f\n%c = fcmp olt float %t, 9.0\n"
                                 "br i1 %c, label %loop, label %out\nout:\n"
                                 "store i32 %id, ptr addrspace(3) %p\n" END);

    assert_int_equal(one, none + 1);
    assert_int_equal(wide, none + 8);
    assert_int_equal(loop, none + 3); /* id, f and the sum */
}

/* ---- the table ---------------------------------------------------------------------------- */

/* Writes a table with one more line at its end. */
static pm_costs *read_with(const char *line)
{
    char path[320], text[256];
    FILE *from = need(fopen(TABLE, "r")), *to;

    snprintf(path, sizeof path, "%s/costs.ini", scratch_folder());
    to = need(fopen(path, "w"));
    while (fgets(text, sizeof text, from))
        fputs(text, to);
    fputs(line, to);
    fclose(from);
    assert_int_equal(fclose(to), 0);
    return pm_costs_read(path, 90, told());
}

TEST(test_faulty_tables)
{
    static const char *const lines[] = {"[instructions]\nmove = 1\n",
                                        "[instructions]\nno_such = 1\n",
                                        "half.float = x\n",
                                        "half.float = -1\n",
                                        "half.float = nan\n",
                                        "half.float = 1e9\n",
                                        "half.float = 1 fp32 2\n",
                                        "half.float = 1 fp99 1\n",
                                        "half.float = 1 fp32\n",
                                        "half.half = 1\n",
                                        "half = 1\n",
                                        ".float = 1\n",
                                        "exp.float = 1\n",
                                        "[other]\na.float = 1\n",
                                        "[instructions x]\nmove = 1\n",
                                        "[instructions 0]\nmove = 1\n",
                                        "[instructions 7.]\nmove = 1\n",
                                        "[instructions 7.12]\nmove = 1\n",
                                        "[builtins x]\na.float = 1\n",
                                        "[builtins 3]\na.float = x\n",
                                        "[instructions 6-5]\nmove = 1\n",
                                        "[instructions 5-]\nmove = 1\n",
                                        "[instructions 3]\nno_such = 1\n",
                                        "[instructions 3]\nmove = x\n",
                                        "nothing\n"};
    pm_costs *costs;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (read_with(lines[i]))
            fail_msg("taken: %s", lines[i]);
        assert_error(PM_BAD_INPUT, "/costs.ini");
    }
    costs = owned_costs(read_with("mine.float = 2.5 fp32 1.5\n"));
    assert_float_equal(pm_costs_builtin(costs, "_Z4minef", false)->fp32, 1.5, 0.0);
    assert_null(pm_costs_read("/no/such/table.ini", 90, told()));
    assert_int_equal(last_error.status, PM_BAD_INPUT);
}

TEST(test_incomplete_table)
{
    char path[320];

    snprintf(path, sizeof path, "%s/costs.ini", scratch_folder());
    write_text(path, "[instructions]\nmove = 1\n");
    assert_null(pm_costs_read(path, 90, told()));
    assert_error(PM_BAD_INPUT, "no row");
    write_text(path, "[instructions 9]\nmove = 1\n"); /* for what rows? */
    assert_null(pm_costs_read(path, 90, told()));
    assert_error(PM_BAD_INPUT, "[instructions 9]");
}
