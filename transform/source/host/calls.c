/* Interprets function calls in host code: assigns the arguments to the parameters, and executes the
 * function's body. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/host/state.h"

enum { MOST_DEPTH = 48, MOST_PARAMETERS = 48, QUIET_STEPS = 100000 };

typedef struct {
    pm_host_node *parameter;
    pm_host_value value;
    pm_host_place place; /* memory of the argument, if the parameter is a reference; else unused */
} passed;

/* ---- functions ----------------------------------------------------------------------------- */

static CXType result_of(const pm_host_node *function)
{
    return clang_getCanonicalType(clang_getCursorResultType(function->cursor));
}

static void bind_passed(pm_host_state *state, const passed *argument)
{
    pm_host_node *parameter = argument->parameter;
    pm_host_place place;

    if (pm_host_is_reference(parameter->type)) {
        pm_host_bind(state, parameter, argument->place);
        return;
    }
    place = pm_host_bind_new(state, parameter);
    pm_host_store(&state->heap, place, parameter->type,
                  pm_host_settle(state, parameter, parameter->type, argument->value));
}

/* Executes the body of a function with its arguments, and returns the function's result. self: for
 * a method, the address of the object on which it is called. */
static pm_host_value run_body(pm_host_state *state, pm_host_node *function, pm_host_node *body,
                              const passed *arguments, size_t count, pm_host_place self)
{
    const size_t frame = state->frame, bindings = state->binding_count, limit = state->limit;
    const pm_host_place outer = state->self;
    const bool places = state->returns_place;
    const bool quiet = !pm_host_matters(state->tree, body);
    pm_host_value result;

    if (quiet && state->steps + QUIET_STEPS < limit)
        state->limit = state->steps + QUIET_STEPS;
    state->frame = bindings;
    state->self = self;
    state->returns_place = pm_host_is_reference(result_of(function));
    state->returned = pm_host_unknown(NULL, 0);
    if (state->depth++ == 1)
        state->root_count = bindings;
    for (size_t i = 0; i < count; i++)
        bind_passed(state, &arguments[i]);
    pm_host_run(state, body);
    result = state->exhausted ? pm_host_unknown(NULL, 0) : state->returned;
    state->depth--;
    state->binding_count = bindings;
    state->frame = frame;
    state->self = outer;
    state->returns_place = places;
    if (state->limit < limit)
        state->exhausted = false;
    state->limit = limit;
    return result;
}

/* Evaluates the arguments of a call and lists them with the parameters of `function`. If a
 * parameter is a reference, the argument's address is taken instead of its value. The first
 * argument is child number `first` of the call. Returns the number of arguments. */
static size_t pass(pm_host_state *state, pm_host_node *call, size_t first, pm_host_node *function,
                   passed arguments[MOST_PARAMETERS])
{
    const int parameters = clang_Cursor_getNumArguments(function->cursor);
    size_t count = 0;

    for (; count < MOST_PARAMETERS && (int)count < parameters; count++) {
        pm_host_node *value = pm_host_argument(state->tree, call, first + count);
        passed *argument = &arguments[count];

        *argument =
            (passed){.parameter = pm_host_declared(
                         state->tree, clang_Cursor_getArgument(function->cursor, (unsigned)count))};
        if (!argument->parameter)
            break;
        if (value && pm_host_is_reference(argument->parameter->type))
            argument->place = pm_host_locate(state, value);
        else
            argument->value = pm_host_evaluate(state, value);
    }
    return count;
}

/* Handles a call of a function whose code is unknown. The function may change the objects to which
 * its arguments refer, so the values in these objects become unknown. */
static pm_host_value follow_unknown(pm_host_state *state, pm_host_node *call)
{
    const pm_host_node *function = call->named;

    for (size_t i = 0; i < pm_host_arguments(call); i++) {
        pm_host_node *argument = pm_host_argument(state->tree, call, i);
        const CXType type = function ? clang_getCanonicalType(clang_getArgType(
                                           clang_getCursorType(function->cursor), (unsigned)i))
                                     : (CXType){.kind = CXType_Invalid};

        if (!argument)
            continue;
        pm_host_evaluate(state, argument);
        pm_host_forget_argument(state, argument);
        if (type.kind == CXType_LValueReference &&
            !clang_isConstQualifiedType(clang_getPointeeType(type)) &&
            pm_host_variable(state->tree, argument))
            pm_host_store(&state->heap, pm_host_locate(state, argument), argument->type,
                          pm_host_unknown(NULL, 0));
    }
    return pm_host_unknown(NULL, 0);
}

/* ---- constructors -------------------------------------------------------------------------- */

/* Executes the constructor of a struct's first base class, which is stored at the start of the
 * struct. Further base classes are ignored. */
static void run_base(pm_host_state *state, pm_host_node *call, pm_host_place self)
{
    const pm_host_value value = pm_host_evaluate(state, call);

    if (value.kind == PM_HOST_RECORD)
        pm_host_store(&state->heap, self, call->type, value);
}

/* Executes the member initializers of a constructor, such as x(1), y(2). They are pairs of children
 * in libclang's tree: a member, and a value. */
static void run_initializers(pm_host_state *state, pm_host_node *constructor, pm_host_place self)
{
    pm_host_open(state->tree, constructor);
    for (size_t i = 0; i + 1 < constructor->count; i++) {
        pm_host_node *member = constructor->children[i], *value = constructor->children[i + 1];
        pm_host_node *field;
        pm_host_place place = self;
        long long bits;

        if ((member->kind == CXCursor_TypeRef || member->kind == CXCursor_TemplateRef) &&
            value->kind == CXCursor_CallExpr)
            run_base(state, value, self);
        if (member->kind != CXCursor_MemberRef || !clang_isExpression(value->kind))
            continue;
        field = pm_host_open(state->tree, member)->named;
        bits = field ? clang_Cursor_getOffsetOfField(field->cursor) : -1;
        if (bits < 0)
            continue;
        place.offset += (uint64_t)bits / 8;
        pm_host_store(&state->heap, place, field->type,
                      pm_host_settle(state, field, field->type, pm_host_evaluate(state, value)));
    }
}

typedef struct {
    pm_host_state *state;
    pm_host_place place;
} emptying;

static enum CXVisitorResult empty_field(CXCursor field, CXClientData data)
{
    const emptying *e = data;
    const long long bits = clang_Cursor_getOffsetOfField(field);
    const CXType word = {.kind = CXType_ULong};

    if (bits < 0 || !pm_host_is_container(clang_getCursorType(field)))
        return CXVisit_Continue;
    for (uint64_t at = 0; at < 16; at += 8)
        pm_host_store(&e->state->heap,
                      (pm_host_place){e->place.object, e->place.offset + (uint64_t)bits / 8 + at},
                      word, pm_host_integer(0));
    return CXVisit_Continue;
}

/* Sets those members of a new object that are containers, such as std::vector, to be empty. */
static void empty_containers(pm_host_state *state, pm_host_place place, CXType type)
{
    emptying e = {state, place};

    clang_Type_visitFields(clang_getCanonicalType(type), empty_field, &e);
}

static pm_host_value construct(pm_host_state *state, pm_host_node *call)
{
    pm_host_node *constructor = pm_host_definition(state->tree, call->named);
    pm_host_node *body = clang_CXXMethod_isDefaulted(constructor->cursor)
                             ? NULL
                             : pm_host_body(state->tree, constructor);
    passed arguments[MOST_PARAMETERS];
    pm_host_place place;
    size_t count;

    if (!body) { /* without a body, the constructor copies its argument or does nothing */
        if (pm_host_arguments(call) == 1) {
            const pm_host_value value =
                pm_host_evaluate(state, pm_host_argument(state->tree, call, 0));

            if (value.kind != PM_HOST_INTEGER)
                return value;
        }
    }
    place = (pm_host_place){
        .object = pm_host_add_object(&state->heap, PM_HOST_VARIABLE, "", call->type, call->line)};
    empty_containers(state, place, call->type);
    if (body && state->depth < MOST_DEPTH) {
        const size_t frame = state->frame, bindings = state->binding_count;
        const pm_host_place outer = state->self;

        count = pass(state, call, 0, constructor, arguments);
        state->frame = bindings;
        state->self = place;
        for (size_t i = 0; i < count; i++)
            bind_passed(state, &arguments[i]);
        run_initializers(state, constructor, place);
        state->binding_count = bindings;
        state->frame = frame;
        state->self = outer;
        run_body(state, constructor, body, arguments, count, place);
    }
    return pm_host_record(place);
}

/* ---- calls --------------------------------------------------------------------------------- */

/* Returns the function that a call executes. Returns NULL if it is unknown. */
static pm_host_node *callee_of(pm_host_state *state, pm_host_node *call)
{
    pm_host_node *named = call->named;
    pm_host_value value;

    if (named && (named->kind == CXCursor_FunctionDecl || named->kind == CXCursor_CXXMethod ||
                  named->kind == CXCursor_ConversionFunction))
        return pm_host_definition(state->tree, named);
    if (call->count == 0)
        return NULL;
    value = pm_host_evaluate(state, call->children[0]);
    return value.kind == PM_HOST_FUNCTION && value.function->kind != CXCursor_LambdaExpr
               ? pm_host_definition(state->tree, value.function)
               : NULL;
}

static enum CXChildVisitResult find_call_operator(CXCursor cursor, CXCursor parent,
                                                  CXClientData data)
{
    const CXString name = clang_getCursorSpelling(cursor);
    const bool found = clang_getCursorKind(cursor) == CXCursor_CXXMethod &&
                       strcmp(clang_getCString(name), "operator()") == 0;

    (void)parent;
    clang_disposeString(name);
    if (found)
        *(CXCursor *)data = cursor;
    return found ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Returns the function of the lambda expression that a std::function holds, if `call` calls a
 * std::function. NULL: the call is of another kind, or the function is unknown. */
static pm_host_node *held_function(pm_host_state *state, pm_host_node *call)
{
    CXCursor method = clang_getNullCursor();
    pm_host_value value;

    if (!call->named || call->named->kind != CXCursor_CXXMethod ||
        strcmp(call->named->name, "operator()") != 0)
        return NULL;
    value = pm_host_evaluate(state, pm_host_argument(state->tree, call, 0));
    if (value.kind != PM_HOST_FUNCTION || value.function->kind != CXCursor_LambdaExpr)
        return NULL;
    clang_visitChildren(clang_getTypeDeclaration(clang_getCursorType(value.function->cursor)),
                        find_call_operator, &method);
    return pm_host_declared(state->tree, method);
}

/* Returns the address of the object of a method call. *first: index of the call's child that is the
 * first argument. */
static pm_host_place self_of(pm_host_state *state, pm_host_node *call, size_t *first)
{
    pm_host_node *member = call->count ? pm_host_bare(state->tree, call->children[0]) : NULL;

    *first = 0;
    /* The first child of an operator's call, such as c.items[1], is the object itself, which may be
     * a member. */
    if (member && member->kind == CXCursor_MemberRefExpr &&
        !(member->named && member->named->kind == CXCursor_FieldDecl)) {
        pm_host_node *base = member->count ? member->children[0] : NULL;

        if (!base || !clang_isExpression(base->kind))
            return state->self;
        if (pm_host_is_pointer(base->type)) {
            const pm_host_value pointer = pm_host_evaluate(state, base);

            return pointer.kind == PM_HOST_POINTER ? (pm_host_place){pointer.object, pointer.offset}
                                                   : (pm_host_place){0};
        }
        return pm_host_locate(state, base);
    }
    *first = 1;
    return pm_host_locate(state, pm_host_argument(state->tree, call, 0));
}

static pm_host_value follow_function(pm_host_state *state, pm_host_node *call,
                                     pm_host_node *function, pm_host_node *body)
{
    const bool is_method =
        function->kind == CXCursor_CXXMethod || function->kind == CXCursor_ConversionFunction;
    passed arguments[MOST_PARAMETERS];
    pm_host_place self = state->self;
    size_t first = 0, count;

    if (is_method && !clang_CXXMethod_isStatic(function->cursor))
        self = self_of(state, call, &first);
    count = pass(state, call, first, function, arguments);
    return run_body(state, function, body, arguments, count, self);
}

/* Returns whether the call is the default assignment of a struct, which copies all members. */
static bool is_plain_assignment(pm_host_state *state, pm_host_node *call)
{
    return call->named && call->named->kind == CXCursor_CXXMethod &&
           strcmp(call->named->name, "operator=") == 0 && pm_host_arguments(call) == 2 &&
           (clang_CXXMethod_isDefaulted(call->named->cursor) ||
            !pm_host_body(state->tree, pm_host_definition(state->tree, call->named)));
}

static pm_host_value follow_assignment(pm_host_state *state, pm_host_node *call)
{
    pm_host_node *target = pm_host_argument(state->tree, call, 0);
    const pm_host_value value = pm_host_evaluate(state, pm_host_argument(state->tree, call, 1));
    const pm_host_place place = pm_host_locate(state, target);

    if (target && (value.kind == PM_HOST_RECORD || value.kind == PM_HOST_FUNCTION))
        pm_host_store(&state->heap, place, target->type, value);
    return pm_host_record(place);
}

pm_host_value pm_host_follow_call(pm_host_state *state, pm_host_node *call)
{
    pm_host_node *configuration = pm_host_configuration(state->tree, call);
    pm_host_node *function, *body;
    pm_host_value result;

    if (configuration) {
        pm_host_record_launch(state, call, configuration);
        return pm_host_integer(0);
    }
    if (call->named && call->named->kind == CXCursor_Constructor)
        return construct(state, call);
    if ((!call->named || call->named->kind == CXCursor_FunctionDecl) &&
        pm_host_call_native(state, call, call->name, &result))
        return result;
    if (is_plain_assignment(state, call))
        return follow_assignment(state, call);
    function = callee_of(state, call);
    body = function && !pm_host_is_kernel(state->tree, function)
               ? pm_host_body(state->tree, function)
               : NULL;
    if (!body) {
        function = held_function(state, call);
        body = function ? pm_host_body(state->tree, function) : NULL;
    }
    if (body && state->depth < MOST_DEPTH)
        return follow_function(state, call, function, body);
    return follow_unknown(state, call);
}

/* ---- functions that no other function calls ------------------------------------------------ */

void pm_host_run_root(pm_host_state *state, pm_host_node *function)
{
    const bool is_main = strcmp(function->name, "main") == 0;
    const int count = clang_Cursor_getNumArguments(function->cursor);
    pm_host_node *body = pm_host_body(state->tree, function);
    passed arguments[MOST_PARAMETERS];
    size_t passed_count = 0;

    for (; (int)passed_count < count && passed_count < MOST_PARAMETERS; passed_count++) {
        passed *argument = &arguments[passed_count];

        *argument = (passed){
            .parameter = pm_host_declared(
                state->tree, clang_Cursor_getArgument(function->cursor, (unsigned)passed_count))};
        if (!argument->parameter)
            break;
        if (pm_host_is_reference(argument->parameter->type))
            argument->place.object = pm_host_add_object(
                &state->heap, PM_HOST_VARIABLE, argument->parameter->name,
                clang_getCanonicalType(clang_getPointeeType(argument->parameter->type)),
                argument->parameter->line);
        if (is_main && passed_count == 0)
            argument->value = pm_host_argument_count(state);
        if (is_main && passed_count == 1)
            argument->value = pm_host_argument_list(state);
    }
    state->ended = false;
    if (body)
        run_body(state, function, body, arguments, passed_count, (pm_host_place){0});
}
