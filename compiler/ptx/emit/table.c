/* The table of PTX instructions that perfmodel can translate to LLVM IR, each with the function
 * that emits its code. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opcodes and modifiers are those of NVIDIA's "Parallel Thread Execution ISA", version 9.0.
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

#define ROUNDING "rn rz rm rp rna "
#define FLOAT ROUNDING "ftz sat "
#define SCOPES "cta cluster gpu sys gl "
#define SPACES                                                                                     \
    "global shared shared::cta shared::cluster const local param param::entry param::func "
#define CACHE                                                                                      \
    "ca cg cs lu cv wb wt nc volatile relaxed acquire release mmio weak L1::evict_normal "         \
    "L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate L2::evict_normal "         \
    "L2::evict_first L2::evict_last L2::cache_hint L2::64B L2::128B L2::256B unified "
#define COMPARISONS "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz "

#define INTEGER (PM_PTX_TAKES_INTEGER | PM_PTX_TAKES_BITS)
#define REAL PM_PTX_TAKES_FLOAT
#define LOGIC (PM_PTX_TAKES_INTEGER | PM_PTX_TAKES_BITS | PM_PTX_TAKES_PREDICATE)
#define ANY PM_PTX_TAKES_ANY

/* Messages about instructions that cannot be traced: the reason, and advice for the user. */
#define TENSOR "tensor cores of this generation cannot be traced yet; compile for an older -arch"
#define LAUNCHES "launches by other blocks cannot be traced yet; compile the kernel without them"
#define COPY "this form of an asynchronous copy is not known; compile for an older -arch"
#define TEXTURE "textures and surfaces cannot be traced from PTX; pass the array itself"

/* shapes of the matrix products of warp groups (wgmma) */
#define SHAPES                                                                                     \
    "m64n8k8 m64n16k8 m64n24k8 m64n32k8 m64n40k8 m64n48k8 m64n56k8 m64n64k8 "                      \
    "m64n72k8 m64n80k8 m64n88k8 m64n96k8 m64n104k8 m64n112k8 m64n120k8 "                           \
    "m64n128k8 m64n136k8 m64n144k8 m64n152k8 m64n160k8 m64n168k8 m64n176k8 "                       \
    "m64n184k8 m64n192k8 m64n200k8 m64n208k8 m64n216k8 m64n224k8 m64n232k8 "                       \
    "m64n240k8 m64n248k8 m64n256k8 m64n8k16 m64n16k16 m64n24k16 m64n32k16 "                        \
    "m64n40k16 m64n48k16 m64n56k16 m64n64k16 m64n72k16 m64n80k16 m64n88k16 "                       \
    "m64n96k16 m64n104k16 m64n112k16 m64n120k16 m64n128k16 m64n136k16 "                            \
    "m64n144k16 m64n152k16 m64n160k16 m64n168k16 m64n176k16 m64n184k16 "                           \
    "m64n192k16 m64n200k16 m64n208k16 m64n216k16 m64n224k16 m64n232k16 "                           \
    "m64n240k16 m64n248k16 m64n256k16 m64n8k32 m64n16k32 m64n24k32 m64n32k32 "                     \
    "m64n40k32 m64n48k32 m64n56k32 m64n64k32 m64n72k32 m64n80k32 m64n88k32 "                       \
    "m64n96k32 m64n104k32 m64n112k32 m64n120k32 m64n128k32 m64n136k32 "                            \
    "m64n144k32 m64n152k32 m64n160k32 m64n168k32 m64n176k32 m64n184k32 "                           \
    "m64n192k32 m64n200k32 m64n208k32 m64n216k32 m64n224k32 m64n232k32 "                           \
    "m64n240k32 m64n248k32 m64n256k32 "

static const pm_ptx_rule rules[] = {
    /* integer arithmetic; opcodes for integers and floating-point numbers, such as `add`, have a
     * row for each kind */
    {"add", pm_ptx_emit_sum, "sat", 3, 3, INTEGER},
    {"add", pm_ptx_emit_carry, "cc", 3, 3, INTEGER},
    {"add", pm_ptx_emit_float_sum, FLOAT, 3, 3, REAL},
    {"sub", pm_ptx_emit_sum, "sat", 3, 3, INTEGER},
    {"sub", pm_ptx_emit_carry, "cc", 3, 3, INTEGER},
    {"sub", pm_ptx_emit_float_sum, FLOAT, 3, 3, REAL},
    {"addc", pm_ptx_emit_carry, "cc", 3, 3, INTEGER},
    {"subc", pm_ptx_emit_carry, "cc", 3, 3, INTEGER},
    {"mul", pm_ptx_emit_product, "lo hi wide", 3, 3, INTEGER},
    {"mul", pm_ptx_emit_float_sum, FLOAT, 3, 3, REAL},
    {"mad", pm_ptx_emit_product, "lo hi wide sat cc", 4, 4, INTEGER},
    {"mad", pm_ptx_emit_fma, FLOAT, 4, 4, REAL},
    {"madc", pm_ptx_emit_product, "lo hi cc", 4, 4, INTEGER},
    {"mul24", pm_ptx_emit_product, "lo hi", 3, 3, INTEGER},
    {"mad24", pm_ptx_emit_product, "lo hi sat", 4, 4, INTEGER},
    {"div", pm_ptx_emit_quotient, "", 3, 3, INTEGER},
    {"div", pm_ptx_emit_division, FLOAT "approx full", 3, 3, REAL},
    {"rem", pm_ptx_emit_quotient, "", 3, 3, INTEGER},
    {"abs", pm_ptx_emit_sign, "", 2, 2, INTEGER},
    {"abs", pm_ptx_emit_float_sign, "ftz", 2, 2, REAL},
    {"neg", pm_ptx_emit_sign, "", 2, 2, INTEGER},
    {"neg", pm_ptx_emit_float_sign, "ftz", 2, 2, REAL},
    {"min", pm_ptx_emit_limit, "relu", 3, 3, INTEGER},
    {"min", pm_ptx_emit_float_limit, "ftz NaN xorsign abs", 3, 4, REAL},
    {"max", pm_ptx_emit_limit, "relu", 3, 3, INTEGER},
    {"max", pm_ptx_emit_float_limit, "ftz NaN xorsign abs", 3, 4, REAL},
    {"sad", pm_ptx_emit_sad, "", 4, 4, INTEGER},
    {"dp4a", pm_ptx_emit_dot, "", 4, 4, INTEGER},
    {"dp2a", pm_ptx_emit_dot, "lo hi", 4, 4, INTEGER},
    /* bits */
    {"and", pm_ptx_emit_logic, "", 3, 3, LOGIC},
    {"or", pm_ptx_emit_logic, "", 3, 3, LOGIC},
    {"xor", pm_ptx_emit_logic, "", 3, 3, LOGIC},
    {"not", pm_ptx_emit_not, "", 2, 2, LOGIC},
    {"cnot", pm_ptx_emit_not, "", 2, 2, INTEGER},
    {"shl", pm_ptx_emit_shift, "", 3, 3, INTEGER},
    {"shr", pm_ptx_emit_shift, "", 3, 3, INTEGER},
    {"shf", pm_ptx_emit_funnel, "l r clamp wrap", 4, 4, INTEGER},
    {"lop3", pm_ptx_emit_lop3, "", 5, 5, INTEGER},
    {"prmt", pm_ptx_emit_prmt, "f4e b4e rc8 ecl ecr rc16", 4, 4, INTEGER},
    {"bfe", pm_ptx_emit_field, "", 4, 4, INTEGER},
    {"bfi", pm_ptx_emit_field, "", 5, 5, INTEGER},
    {"bmsk", pm_ptx_emit_mask, "clamp wrap", 3, 3, INTEGER},
    {"brev", pm_ptx_emit_bit_count, "", 2, 2, INTEGER},
    {"clz", pm_ptx_emit_bit_count, "", 2, 2, INTEGER},
    {"popc", pm_ptx_emit_bit_count, "", 2, 2, INTEGER},
    {"bfind", pm_ptx_emit_find_bit, "shiftamt", 2, 2, INTEGER},
    /* floating-point numbers */
    {"fma", pm_ptx_emit_fma, FLOAT "relu", 4, 4, REAL},
    {"copysign", pm_ptx_emit_copysign, "", 3, 3, REAL},
    {"testp", pm_ptx_emit_testp, "finite infinite number notanumber normal subnormal", 2, 2, REAL},
    {"rcp", pm_ptx_emit_function_of_one, FLOAT "approx", 2, 2, REAL},
    {"sqrt", pm_ptx_emit_function_of_one, FLOAT "approx", 2, 2, REAL},
    {"rsqrt", pm_ptx_emit_function_of_one, "approx ftz", 2, 2, REAL},
    {"sin", pm_ptx_emit_function_of_one, "approx ftz", 2, 2, REAL},
    {"cos", pm_ptx_emit_function_of_one, "approx ftz", 2, 2, REAL},
    {"lg2", pm_ptx_emit_function_of_one, "approx ftz", 2, 2, REAL},
    {"ex2", pm_ptx_emit_function_of_one, "approx ftz", 2, 2, REAL},
    {"tanh", pm_ptx_emit_function_of_one, "approx", 2, 2, REAL},
    /* comparisons and selections */
    {"setp", pm_ptx_emit_setp, COMPARISONS, 3, 4, INTEGER | REAL},
    {"set", pm_ptx_emit_set, COMPARISONS, 3, 4, INTEGER | REAL},
    {"selp", pm_ptx_emit_selp, "", 4, 4, INTEGER | REAL},
    {"slct", pm_ptx_emit_slct, "ftz", 4, 4, INTEGER | REAL},
    /* conversions and copies */
    {"cvt", pm_ptx_emit_cvt, FLOAT "rni rzi rmi rpi satfinite relu", 2, 3, ANY},
    {"mov", pm_ptx_emit_mov, "", 2, 2, LOGIC | REAL},
    {"cvta", pm_ptx_emit_cvta, "to " SPACES, 2, 2, INTEGER},
    {"mapa", pm_ptx_emit_mapa, "shared::cluster", 3, 3, INTEGER},
    {"getctarank", pm_ptx_emit_getctarank, "shared::cluster", 2, 2, INTEGER},
    {"isspacep", pm_ptx_emit_isspacep, SPACES, 2, 2, ANY},
    /* memory */
    {"ld", pm_ptx_emit_ld, SPACES CACHE SCOPES "v2 v4 v8", 2, 3, ANY},
    {"ldu", pm_ptx_emit_ld, "global v2 v4", 2, 2, ANY},
    {"st", pm_ptx_emit_st, SPACES CACHE SCOPES "v2 v4 v8", 2, 3, ANY},
    {"atom", pm_ptx_emit_atom,
     SPACES CACHE SCOPES "acq_rel add min max inc dec and or xor exch cas noftz", 3, 5, ANY},
    {"red", pm_ptx_emit_atom, SPACES CACHE SCOPES "acq_rel add min max inc dec and or xor noftz", 2,
     3, ANY},
    {"createpolicy", pm_ptx_emit_policy,
     "fractional range cvt global L2 L2::evict_last L2::evict_normal L2::evict_first "
     "L2::evict_unchanged",
     2, 5, ANY},
    {"prefetch", pm_ptx_emit_nothing, SPACES "L1 L2 L2::evict_last L2::evict_normal tensormap", 1,
     1, ANY},
    {"prefetchu", pm_ptx_emit_nothing, "L1", 1, 1, ANY},
    {"applypriority", pm_ptx_emit_nothing, "global L2::evict_normal", 2, 2, ANY},
    {"discard", pm_ptx_emit_nothing, "global L2", 2, 2, ANY},
    /* control */
    {"bra", pm_ptx_emit_bra, "uni", 1, 1, ANY},
    {"brx", pm_ptx_emit_brx, "idx uni", 2, 2, ANY},
    {"call", pm_ptx_emit_call, "uni", 1, 4, ANY},
    {"ret", pm_ptx_emit_ret, "uni", 0, 0, ANY},
    {"exit", pm_ptx_emit_exit, "", 0, 0, ANY},
    {"trap", pm_ptx_emit_exit, "", 0, 0, ANY},
    {"brkpt", pm_ptx_emit_nothing, "", 0, 0, ANY},
    {"nanosleep", pm_ptx_emit_nothing, "", 1, 1, ANY},
    {"pmevent", pm_ptx_emit_nothing, "mask", 1, 1, ANY},
    {"setmaxnreg", pm_ptx_emit_nothing, "inc dec sync aligned", 1, 1, ANY},
    {"griddepcontrol", pm_ptx_emit_nothing, "launch_dependents wait", 0, 0, ANY},
    {"bar", pm_ptx_emit_barrier, "sync arrive red popc and or warp cta", 1, 4, ANY},
    {"barrier", pm_ptx_emit_barrier,
     "sync arrive red popc and or cta aligned cluster wait release relaxed acquire", 0, 4, ANY},
    {"mbarrier", pm_ptx_emit_mbarrier,
     SCOPES "init inval arrive arrive_drop expect_tx complete_tx noComplete test_wait try_wait "
            "parity pending_count release relaxed acquire shared shared::cta shared::cluster",
     1, 4, ANY},
    {"membar", pm_ptx_emit_fence, SCOPES, 0, 0, ANY},
    {"fence", pm_ptx_emit_fence,
     SCOPES SPACES
     "sc acq_rel acquire release proxy alias async async::generic tensormap::generic mbarrier_init "
     "sync_restrict::shared::cta sync_restrict::shared::cluster",
     0, 2, ANY},
    /* warps */
    {"shfl", pm_ptx_emit_shfl, "sync up down bfly idx", 4, 5, ANY},
    {"vote", pm_ptx_emit_vote, "sync all any uni ballot", 2, 3, ANY},
    {"match", pm_ptx_emit_match, "any all sync", 3, 3, INTEGER},
    {"redux", pm_ptx_emit_redux, "sync add min max and or xor", 3, 3, INTEGER},
    {"activemask", pm_ptx_emit_activemask, "", 1, 1, INTEGER},
    {"elect", pm_ptx_emit_elect, "sync", 2, 2, ANY},
    /* matrices */
    {"mma", pm_ptx_emit_mma,
     "sync aligned row col satfinite and xor popc m8n8k4 m8n8k16 m8n8k32 m8n8k128 m16n8k4 m16n8k8 "
     "m16n8k16 m16n8k32 m16n8k64 m16n8k128 m16n8k256 kind::f8f6f4 rn",
     4, 4, ANY},
    {"wmma", pm_ptx_emit_wmma,
     "load store mma a b c d sync aligned row col satfinite and xor popc rn m16n16k16 m8n32k16 "
     "m32n8k16 m16n16k8 m8n8k4 m8n8k32 m8n8k128 " SPACES,
     2, 4, ANY},
    {"wgmma", pm_ptx_emit_wgmma,
     "mma_async sync aligned satfinite fence commit_group wait_group " SHAPES, 0, 8, ANY},
    {"ldmatrix", pm_ptx_emit_ldmatrix, "sync aligned m8n8 x1 x2 x4 trans shared shared::cta", 2, 2,
     ANY},
    {"stmatrix", pm_ptx_emit_stmatrix, "sync aligned m8n8 x1 x2 x4 trans shared shared::cta", 2, 2,
     ANY},
    {"movmatrix", pm_ptx_emit_movmatrix, "sync aligned m8n8 trans", 2, 2, ANY},
    {"cp", pm_ptx_emit_cp,
     "async bulk mbarrier arrive noinc ca cg global shared shared::cta commit_group wait_group "
     "wait_all read L2::cache_hint L2::64B L2::128B L2::256B",
     0, 5, ANY},
    {"cp", pm_ptx_emit_bulk,
     "async bulk reduce tensor prefetch L2 global shared::cta shared::cluster bulk_group "
     "mbarrier::complete_tx::bytes multicast::cluster 1d 2d 3d 4d 5d tile im2col im2col_no_offs "
     "im2col::w im2col::w::128 im2col::w::128_no_offs tile::gather4 tile::scatter4 cta_group::1 "
     "cta_group::2 cp_mask add min max inc dec and or xor noftz L2::cache_hint",
     1, 7, ANY},
    {"cp", NULL, COPY, 0, 0, 0},
    {"tensormap", pm_ptx_emit_tensormap,
     SCOPES "replace tile global_address rank box_dim global_dim global_stride element_stride "
            "elemtype interleave_layout swizzle_mode fill_mode global shared::cta b1024 "
            "cp_fenceproxy tensormap::generic release sync aligned",
     2, 3, ANY},
    /* instructions that cannot be traced; a name in this table is the opcode up to the first dot */
    {"tcgen05", NULL, TENSOR, 0, 0, 0},
    {"clusterlaunchcontrol", NULL, LAUNCHES, 0, 0, 0},
    {"multimem", NULL, "memory of several GPUs cannot be traced", 0, 0, 0},
    {"tex", NULL, TEXTURE, 0, 0, 0},
    {"tld4", NULL, TEXTURE, 0, 0, 0},
    {"txq", NULL, TEXTURE, 0, 0, 0},
    {"istypep", NULL, TEXTURE, 0, 0, 0},
    {"suld", NULL, TEXTURE, 0, 0, 0},
    {"sust", NULL, TEXTURE, 0, 0, 0},
    {"sured", NULL, TEXTURE, 0, 0, 0},
    {"suq", NULL, TEXTURE, 0, 0, 0},
    {"alloca", NULL, "private arrays of variable length cannot be traced", 0, 0, 0},
    {"stacksave", NULL, "private arrays of variable length cannot be traced", 0, 0, 0},
    {"stackrestore", NULL, "private arrays of variable length cannot be traced", 0, 0, 0},
    {"fns", NULL, "this instruction cannot be traced yet", 0, 0, 0},
    {"szext", NULL, "this instruction cannot be traced yet", 0, 0, 0},
};

static bool takes(const pm_ptx_rule *rule, const pm_ptx_instruction *i)
{
    static const unsigned kinds[] = {
        [PM_PTX_BITS] = PM_PTX_TAKES_BITS,          [PM_PTX_UNSIGNED] = PM_PTX_TAKES_INTEGER,
        [PM_PTX_SIGNED] = PM_PTX_TAKES_INTEGER,     [PM_PTX_FLOAT] = PM_PTX_TAKES_FLOAT,
        [PM_PTX_BFLOAT] = PM_PTX_TAKES_FLOAT,       [PM_PTX_NARROW] = 0,
        [PM_PTX_PREDICATE] = PM_PTX_TAKES_PREDICATE};

    if (rule->takes == ANY)
        return true;
    return i->type_count > 0 && (kinds[i->types[0]->number] & rule->takes) != 0;
}

/* Returns whether a list of words with blanks between them has a word. */
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static const char *unknown_modifier(const pm_ptx_rule *rule, const pm_ptx_instruction *i)
{
    for (size_t k = 0; k < i->modifier_count; k++)
        if (!has_word(rule->modifiers, i->modifiers[k]))
            return i->modifiers[k];
    return NULL;
}

/* Returns the row of the table of instructions for an instruction: the one with its opcode, type
 * and modifiers. If there is none, returns a row with its opcode only, for the error message. NULL:
 * no row has its opcode. */
static const pm_ptx_rule *find_rule(const pm_ptx_instruction *i)
{
    const pm_ptx_rule *near = NULL;

    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        const pm_ptx_rule *rule = &rules[k];

        if (strcmp(rule->opcode, i->opcode) != 0)
            continue;
        if (rule->emit && takes(rule, i) && !unknown_modifier(rule, i))
            return rule;
        near = !near || takes(rule, i) ? rule : near;
    }
    return near;
}

void pm_ptx_emit_instruction(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_rule *rule = find_rule(i);
    const char *modifier = rule && rule->emit ? unknown_modifier(rule, i) : NULL;

    if (!rule)
        pm_ptx_refuse(e, i,
                      "this instruction is not known; compile for an older -arch, or count "
                      "the kernel from its CUDA source");
    if (!rule->emit)
        pm_ptx_refuse(e, i, "%s", rule->modifiers);
    if (modifier)
        pm_ptx_refuse(e, i,
                      "the modifier .%.40s cannot be traced; count the kernel from its CUDA "
                      "source",
                      modifier);
    if (!takes(rule, i) || i->type_count > PM_PTX_MOST_TYPES)
        pm_ptx_refuse(e, i, "its type cannot be traced; count the kernel from its CUDA source");
    if (i->operand_count < rule->least || i->operand_count > rule->most)
        pm_ptx_refuse(e, i, "it needs %u to %u operands, and has %zu", rule->least, rule->most,
                      i->operand_count);
    rule->emit(e, i);
}
