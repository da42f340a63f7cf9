/* Describes the kernels of a PTX module. See describe.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PTX does not say which parameters are pointers. For each register we find the parameter from
 * which its value is computed by copies, sums and conversions of addresses. A parameter is a
 * pointer if such a register is the base of an address.
 */
#include "compiler/ptx/describe.h"

#include <string.h>

#include "base/strings.h"

enum { UNKNOWN = 0, MOST_ROUNDS = 16 };

/* The state of the search for pointers. origins[r]: index plus one of the parameter from which the
 * value of register r is computed, or UNKNOWN. */
typedef struct {
    const pm_ptx_function *function;
    pm_ptx_kernel *kernel;
    size_t *origins;
    bool changed;
} tracing;

static size_t origin_of(const tracing *t, const pm_ptx_operand *operand)
{
    if (operand->kind == PM_PTX_ADDRESS && operand->part_count == 1)
        operand = &operand->parts[0];
    return operand->kind == PM_PTX_REGISTER ? t->origins[operand->reg->number] : UNKNOWN;
}

/* Returns the kernel parameter that an operand [name] addresses; NULL: the operand addresses
 * something else. */
static const pm_ptx_variable *parameter_at(const pm_ptx_operand *operand)
{
    const pm_ptx_variable *variable;

    if (operand->kind != PM_PTX_ADDRESS || operand->part_count != 1 ||
        operand->parts[0].kind != PM_PTX_SYMBOL)
        return NULL;
    variable = operand->parts[0].variable;
    return variable->space == PM_PTX_PARAM && !variable->is_result ? variable : NULL;
}

/* Returns whether a variable is a parameter of the kernel. A variable of the state space .param may
 * instead be an argument of a call. */
static bool is_own(const tracing *t, const pm_ptx_variable *variable)
{
    const pm_ptx_function *f = t->function;

    return variable && variable->number < f->parameter_count &&
           f->parameters[variable->number] == variable;
}

static void set_origin(tracing *t, const pm_ptx_operand *operand, size_t origin)
{
    if (origin == UNKNOWN)
        return;
    if (operand->kind == PM_PTX_LIST)
        for (size_t i = 0; i < operand->part_count; i++)
            set_origin(t, &operand->parts[i], origin);
    if (operand->kind != PM_PTX_REGISTER || t->origins[operand->reg->number] != UNKNOWN)
        return;
    t->origins[operand->reg->number] = origin;
    t->changed = true;
}

/* Records the parameter from which an instruction's result is computed, if the instruction is a
 * copy, a sum or a load of a parameter. */
static void follow(tracing *t, const pm_ptx_instruction *i)
{
    static const char *const copies[] = {"mov",  "cvta", "add", "sub", "mad",
                                         "selp", "cvt",  "ld",  NULL};
    size_t origin = UNKNOWN;

    if (i->operand_count < 2 || !pm_listed(copies, i->opcode))
        return;
    if (strcmp(i->opcode, "ld") == 0) {
        const pm_ptx_variable *variable = parameter_at(&i->operands[1]);

        if (!is_own(t, variable) || variable->is_array)
            return;
        origin = variable->number + 1;
    }
    /* the product in mad is an index or an offset, and the last operand may be an address */
    for (size_t k = strcmp(i->opcode, "mad") == 0 ? 3 : 1; k < i->operand_count; k++) {
        const size_t other = origin_of(t, &i->operands[k]);

        /* a sum of an index and an address comes from the address; only the address has 8 bytes */
        if (origin == UNKNOWN || (other != UNKNOWN && t->kernel->parameters[origin - 1].bytes != 8))
            origin = other;
    }
    set_origin(t, &i->operands[0], origin);
}

static void note_access(pm_ptx_kernel_parameter *parameter, const pm_ptx_instruction *i, bool loads,
                        bool stores)
{
    parameter->is_pointer = true;
    parameter->read = parameter->read || loads;
    parameter->written = parameter->written || stores;
    if (!parameter->type && i->type_count > 0) {
        parameter->type = i->types[0];
        parameter->width = pm_ptx_has(i, "v4") ? 4 : pm_ptx_has(i, "v2") ? 2 : 1;
    }
}

/* Records that instruction `i` uses pointers from the kernel's parameters: it loads or stores by
 * them, converts them to another address space, or passes them to a function. */
static void note_address(tracing *t, const pm_ptx_instruction *i)
{
    const bool is_load = strcmp(i->opcode, "ld") == 0 || strcmp(i->opcode, "ldu") == 0 ||
                         (strcmp(i->opcode, "wmma") == 0 && pm_ptx_has(i, "load"));
    const bool is_store = strcmp(i->opcode, "st") == 0 || strcmp(i->opcode, "red") == 0 ||
                          (strcmp(i->opcode, "wmma") == 0 && pm_ptx_has(i, "store"));
    const bool is_atomic = strcmp(i->opcode, "atom") == 0;
    /* true: the instruction copies from the address in operand 1 to the address in operand 0 */
    const bool is_copy = strcmp(i->opcode, "cp") == 0;
    /* sets the address of a tensor map */
    const bool sets_address =
        strcmp(i->opcode, "tensormap") == 0 && pm_ptx_has(i, "global_address");
    const bool is_call = is_store && pm_ptx_has(i, "param");
    size_t origin;

    for (size_t k = 0; k < i->operand_count; k++) {
        const pm_ptx_operand *operand = &i->operands[k];

        origin = origin_of(t, operand);
        if (origin == UNKNOWN || t->function->parameters[origin - 1]->is_array ||
            t->kernel->parameters[origin - 1].bytes != 8)
            continue;
        if (operand->kind == PM_PTX_ADDRESS)
            note_access(&t->kernel->parameters[origin - 1], i,
                        is_load || is_atomic || (is_copy && k == 1),
                        is_store || is_atomic || (is_copy && k == 0));
        else if (strcmp(i->opcode, "cvta") == 0 || is_call || sets_address)
            t->kernel->parameters[origin - 1].is_pointer = true;
    }
}

static void note_value(tracing *t, const pm_ptx_instruction *i)
{
    static const char *const sizes[] = {"setp", "mul", "mad", "min", "max", NULL};

    for (size_t k = 1; k < i->operand_count && pm_listed(sizes, i->opcode); k++) {
        const size_t origin = origin_of(t, &i->operands[k]);

        if (origin != UNKNOWN)
            t->kernel->parameters[origin - 1].is_compared = true;
    }
}

/* Records in the kernel's description that an operand reads a thread or block index (%tid.y: at
 * least two dimensions), or names an array in shared memory whose size is set at launch. */
static void note_operand(tracing *t, const pm_ptx_instruction *i, const pm_ptx_operand *operand)
{
    if (operand->kind == PM_PTX_SPECIAL &&
        (strncmp(operand->text, "%tid.", 5) == 0 || strncmp(operand->text, "%ctaid.", 7) == 0)) {
        const char last = operand->text[strlen(operand->text) - 1];
        const unsigned dimension = last >= 'x' && last <= 'z' ? (unsigned)(last - 'x') + 1 : 1;

        if (dimension > t->kernel->dimensions)
            t->kernel->dimensions = dimension;
    }
    if (operand->kind == PM_PTX_SYMBOL && operand->variable->space == PM_PTX_SHARED &&
        operand->variable->is_unsized && t->kernel->shared_element == 0)
        t->kernel->shared_element = 4;
    for (size_t k = 0; k < operand->part_count; k++)
        note_operand(t, i, &operand->parts[k]);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static const char *short_name(const char *name, const char *kernel)
{
    const size_t length = strlen(kernel);

    return strncmp(name, kernel, length) == 0 && name[length] == '_' && name[length + 1]
               ? name + length + 1
               : name;
}

static void describe_parameters(pm_memory *memory, pm_ptx_kernel *kernel)
{
    const pm_ptx_function *f = kernel->function;

    kernel->parameter_count = f->parameter_count;
    kernel->parameters = pm_take(memory, f->parameter_count + 1, sizeof *kernel->parameters);
    for (size_t i = 0; i < f->parameter_count; i++) {
        const pm_ptx_variable *v = f->parameters[i];

        kernel->parameters[i] = (pm_ptx_kernel_parameter){.name = short_name(v->name, f->name),
                                                          .bytes = pm_ptx_variable_bytes(v),
                                                          .is_pointer = v->is_pointer,
                                                          .width = 1};
    }
}

/* Sets the type of each parameter that is no pointer. If the parameter is declared as untyped bits,
 * such as .b32, takes the type of the instruction that loads it. */
static void describe_values(tracing *t)
{
    const pm_ptx_function *f = t->function;

    for (size_t i = 0; i < f->parameter_count; i++)
        if (!t->kernel->parameters[i].is_pointer)
            t->kernel->parameters[i].type =
                f->parameters[i]->is_array ? NULL : f->parameters[i]->type;
    for (size_t k = 0; k < f->instruction_count; k++) {
        const pm_ptx_instruction *i = &f->instructions[k];
        const pm_ptx_variable *v =
            i->operand_count == 2 && i->type_count == 1 ? parameter_at(&i->operands[1]) : NULL;
        pm_ptx_kernel_parameter *parameter;

        if (!is_own(t, v) || strcmp(i->opcode, "ld") != 0)
            continue;
        parameter = &t->kernel->parameters[v->number];
        if (!parameter->is_pointer && parameter->type && parameter->type->number == PM_PTX_BITS &&
            pm_ptx_type_bits(i->types[0]) == pm_ptx_type_bits(parameter->type))
            parameter->type = i->types[0];
    }
}

/* Sets is_used of the kernel parameters whose names appear in an operand. */
static void note_use(tracing *t, const pm_ptx_operand *operand)
{
    if (operand->kind == PM_PTX_SYMBOL && is_own(t, operand->variable) &&
        !operand->variable->is_result)
        t->kernel->parameters[operand->variable->number].is_used = true;
    for (size_t k = 0; k < operand->part_count; k++)
        note_use(t, &operand->parts[k]);
}

static void describe(pm_memory *memory, pm_ptx_kernel *kernel)
{
    const pm_ptx_function *f = kernel->function;
    tracing t = {.function = f,
                 .kernel = kernel,
                 .origins = pm_take(memory, f->register_count + 1, sizeof(size_t)),
                 .changed = true};

    kernel->dimensions = 1;
    describe_parameters(memory, kernel);
    for (unsigned round = 0; t.changed && round < MOST_ROUNDS; round++) {
        t.changed = false;
        for (size_t k = 0; k < f->instruction_count; k++)
            follow(&t, &f->instructions[k]);
    }
    for (size_t k = 0; k < f->instruction_count; k++) {
        const pm_ptx_instruction *i = &f->instructions[k];

        note_address(&t, i);
        note_value(&t, i);
        for (size_t o = 0; o < i->operand_count; o++)
            note_operand(&t, i, &i->operands[o]);
        for (size_t o = 0; o < i->operand_count; o++)
            note_use(&t, &i->operands[o]);
    }
    describe_values(&t);
}

static const pm_ptx_variable *find_variable(const pm_ptx_module *module, const char *name)
{
    for (size_t i = 0; i < module->variable_count; i++)
        if (strcmp(module->variables[i]->name, name) == 0)
            return module->variables[i];
    return NULL;
}

/* Returns the text in a variable that is an array of characters. */
static const char *text_in(pm_memory *memory, const pm_ptx_variable *variable)
{
    char *text = pm_take(memory, variable->initial_count + 1, 1);

    for (size_t i = 0; i < variable->initial_count; i++)
        if (variable->initial[i].index < variable->initial_count)
            text[variable->initial[i].index] = (char)variable->initial[i].bits;
    return text;
}

/* Returns the name by which the workload calls a kernel. The module has it in two variables:
 * pm_kernel_N, a pointer to the kernel, and pm_kernel_name_N, the name (compiler/nvidia/cuda_ptx.c
 * adds them). NULL: the module has no such variables. */
static const char *given_name(pm_memory *memory, const pm_ptx_module *module, const char *kernel)
{
    static const char prefix[] = "pm_kernel_";
    const pm_ptx_variable *pointer, *name;

    for (size_t i = 0; i < module->variable_count; i++) {
        pointer = module->variables[i];
        if (strncmp(pointer->name, prefix, strlen(prefix)) != 0 || pointer->initial_count != 1 ||
            !pointer->initial[0].symbol || strcmp(pointer->initial[0].symbol, kernel) != 0)
            continue;
        name = find_variable(
            module, pm_format(memory, "%sname_%s", prefix, pointer->name + strlen(prefix)));
        if (name)
            return text_in(memory, name);
    }
    return NULL;
}

/* Sets the names of all kernels: the name in the workload if the module has it; else the name in
 * CUDA C++ without parameters (ns::sum) if it is unique; else the mangled name. */
static void name_kernels(pm_memory *memory, const pm_ptx_module *module, pm_ptx_kernel *kernels,
                         size_t count)
{
    const char **plain = pm_take(memory, count + 1, sizeof *plain);

    for (size_t k = 0; k < count; k++)
        plain[k] = pm_ptx_plain_name(memory, kernels[k].function->name);
    for (size_t k = 0; k < count; k++) {
        const char *given = given_name(memory, module, kernels[k].function->name);
        bool is_unique = true;

        for (size_t other = 0; other < count && is_unique; other++)
            is_unique = other == k || strcmp(plain[other], plain[k]) != 0;
        kernels[k].plain = given ? given : is_unique ? plain[k] : kernels[k].function->name;
    }
}

pm_ptx_kernel *pm_ptx_describe(pm_memory *memory, const pm_ptx_module *module, size_t *count)
{
    pm_ptx_kernel *kernels = NULL;

    *count = 0;
    for (size_t i = 0; i < module->function_count; i++)
        if (module->functions[i]->is_kernel && module->functions[i]->has_body)
            *pm_add(memory, kernels, *count) = (pm_ptx_kernel){.function = module->functions[i]};
    for (size_t k = 0; k < *count; k++)
        describe(memory, &kernels[k]);
    name_kernels(memory, module, kernels, *count);
    return kernels;
}

const pm_ptx_kernel *pm_ptx_find_kernel(const pm_ptx_kernel *kernels, size_t count,
                                        const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(kernels[k].function->name, name) == 0)
            return &kernels[k];
    for (size_t k = 0; k < count; k++)
        if (strcmp(kernels[k].plain, name) == 0)
            return &kernels[k];
    return NULL;
}
