/* Finds the structs of which kernels get arrays, and describes their fields. See source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "transform/source/clang/source_unit.h"

enum { MOST_FIELDS = 4096, MOST_EXTENTS = 8, MOST_PATH = 200 };

/* ---- fields -------------------------------------------------------------------------------- */

/* State while a struct is flattened to a list of its scalar, vector and array fields. If the fields
 * of a nested struct are being added, `path` and `access` are the path of the nested struct in the
 * outermost struct, and `offset`, `extents` and `extent_count` are its position in the outermost
 * struct. */
typedef struct {
    pm_source_unit *unit;
    pm_struct *structure;
    /* true: the struct's layout does not change, so more kinds of fields are allowed */
    bool stays;
    /* path of the nested struct that is read, which ends in '.'; "": the outermost struct is
     * read */
    const char *path, *access;
    size_t offset, extent_count;
    pm_extent extents[MOST_EXTENTS];
} nest;

/* Fields of a struct that libclang reported. They are collected before they are read, because
 * libclang's callbacks must not raise errors by longjmp. */
typedef struct {
    CXCursor items[MOST_FIELDS];
    size_t count;
} fields;

static enum CXVisitorResult take_field(CXCursor cursor, CXClientData data)
{
    fields *list = data;

    if (list->count < MOST_FIELDS)
        list->items[list->count] = cursor;
    return list->count++ < MOST_FIELDS ? CXVisit_Continue : CXVisit_Break;
}

_Noreturn static void refuse(const nest *in, const pm_node *field, const char *why,
                             const char *instead)
{
    pm_ast_refuse(&in->unit->ast.memory, field,
                  "struct %s: %s%s %s; no layout can be made for it%s", in->structure->name,
                  in->path, field->name, why, instead);
}

/* Makes a C identifier from a field's path, such as pos_x from pos.x. The identifier differs from
 * the names of all other fields. */
static char *unique_name(pm_memory *memory, const pm_struct *structure, const char *path)
{
    char *plain = pm_copy(memory, path), *name = plain;
    size_t number = 1;

    for (char *c = plain; *c; c++)
        *c = *c == '.' ? '_' : *c;
    for (size_t f = 0; f < structure->field_count; f++)
        if (strcmp(structure->fields[f].name, name) == 0) {
            name = pm_format(memory, "%s_%zu", plain, ++number);
            f = (size_t)-1; /* the name changed, so compare it with all fields again */
        }
    return name;
}

static void add_field(const nest *place, const char *path, const char *access, const char *type,
                      CXType scalar)
{
    pm_struct *structure = place->structure;
    pm_memory *memory = &place->unit->ast.memory;
    pm_field field = {.path = pm_copy(memory, path),
                      .access = pm_copy(memory, access),
                      .name = unique_name(memory, structure, path),
                      .type = pm_copy(memory, type),
                      .bytes = (size_t)clang_Type_getSizeOf(scalar),
                      .align = (size_t)clang_Type_getAlignOf(scalar),
                      .offset = place->offset,
                      .extent_count = place->extent_count};

    if (structure->field_count >= MOST_FIELDS)
        pm_leave(memory, PM_BAD_INPUT, "struct %s has more than %d fields", structure->name,
                 MOST_FIELDS);
    memcpy(field.extents, place->extents, sizeof place->extents);
    *pm_add(memory, structure->fields, structure->field_count) = field;
}

/* If a field is an array, adds its dimensions to place->extents. Returns the type of the array's
 * elements, or of the field if it is no array. */
static CXType add_extents(nest *place, const pm_node *field)
{
    CXType type = field->type;

    while (type.kind == CXType_ConstantArray) {
        CXType element = pm_type_pointee(type);
        long long count = clang_getArraySize(type), bytes = clang_Type_getSizeOf(element);

        if (place->extent_count == MOST_EXTENTS || count <= 0 || bytes <= 0)
            refuse(place, field, "is an array of no size, or of more than 8 dimensions", "");
        place->extents[place->extent_count++] =
            (pm_extent){.count = (size_t)count, .stride = (size_t)bytes};
        type = element;
    }
    return type;
}

static bool is_packed(const pm_source_unit *unit, CXCursor declaration)
{
    const pm_node *node = pm_ast_find(&unit->ast, declaration);

    for (const pm_node *child = node ? node->first : NULL; child; child = child->next)
        if (child->kind == CXCursor_PackedAttr)
            return true;
    return false;
}

static void check_field(const nest *in, const pm_node *field, CXType type)
{
    if (clang_Cursor_isBitField(field->cursor))
        refuse(in, field, "is a bit-field", ": give it a type of its own");
    if (type.kind == CXType_Pointer && !in->stays)
        refuse(in, field, "is a pointer", ": keep an index instead");
    if (clang_getTypeDeclaration(type).kind == CXCursor_UnionDecl)
        refuse(in, field, "is a union", ": make it a struct of its members");
    if (!in->stays && type.kind == CXType_Record &&
        is_packed(in->unit, clang_getTypeDeclaration(type)))
        refuse(in, field, "is packed", ": leave the attribute out");
    if (in->unit->ast.is_cuda && type.kind == CXType_Enum && !in->stays)
        refuse(in, field, "is an enumeration", ": make it an int");
    if (type.kind == CXType_IncompleteArray || type.kind == CXType_VariableArray)
        refuse(in, field, "is an array of unknown size", "");
}

static void check_class(pm_source_unit *unit, const pm_node *declaration, bool stays,
                        const char *name)
{
    const char *what;
    const pm_node *at = pm_ast_more_than_c(declaration, stays, &what);

    if (at)
        pm_ast_refuse(&unit->ast.memory, at,
                      "struct %s has %s; no layout can be made for it: make it a plain struct",
                      name, what);
}

/* Returns the type of a field that is a pointer, such as "float *". Returns "void *" if the
 * pointer's target is neither a scalar nor a vector. */
static char *name_pointer(pm_memory *memory, CXType type)
{
    char word[40];

    if (!pm_type_word(pm_type_pointee(type), word, sizeof word))
        snprintf(word, sizeof word, "void");
    return pm_format(memory, "%s *", word);
}

static void read_fields(const nest *in, CXType type);

static void read_field(const nest *in, const pm_node *field)
{
    pm_memory *memory = &in->unit->ast.memory;
    /* libclang gives an unnamed field a description with a parenthesis as its name. */
    bool anonymous = !*field->name || strchr(field->name, '(');
    nest place = *in;
    CXType type = add_extents(&place, field);
    char *path = pm_format(memory, "%s%s", in->path, anonymous ? "" : field->name);
    char *access = pm_format(memory, "%s%s", in->access, anonymous ? "" : field->name);
    char word[40];

    place.offset += (size_t)(clang_Cursor_getOffsetOfField(field->cursor) / 8);
    for (size_t d = in->extent_count; d < place.extent_count; d++)
        access = pm_format(memory, "%s[]", access);
    if (strlen(path) > MOST_PATH)
        refuse(in, field, "is nested too deep", "");
    check_field(in, field, type);
    if (type.kind == CXType_Record && !pm_type_is_cuda_vector(type)) {
        const pm_node *declaration = pm_ast_find(&in->unit->ast, clang_getTypeDeclaration(type));

        if (declaration)
            check_class(in->unit, declaration, in->stays, in->structure->name);
        place.path = anonymous ? path : pm_format(memory, "%s.", path);
        place.access = anonymous ? access : pm_format(memory, "%s.", access);
        read_fields(&place, type);
    } else if (pm_type_word(type, word, sizeof word))
        add_field(&place, path, access, word, type);
    else if (type.kind == CXType_Bool && (in->stays || in->unit->ast.is_cuda))
        add_field(&place, path, access, in->stays ? "uchar" : "bool", type);
    else if (type.kind == CXType_Pointer)
        add_field(&place, path, access, name_pointer(memory, type), type);
    else
        refuse(in, field, "is neither a number nor a vector of numbers", "");
}

/* Returns the node of a field. Returns NULL for an unnamed nested struct, which is a field without
 * a node. */
static const pm_node *field_of(const nest *in, CXCursor cursor)
{
    pm_node *node = pm_ast_find(&in->unit->ast, cursor);
    CXString name;

    if (node)
        return node;
    node = pm_take(&in->unit->ast.memory, 1, sizeof *node);
    name = clang_getCursorSpelling(cursor);
    *node = (pm_node){.cursor = cursor,
                      .type = clang_getCanonicalType(clang_getCursorType(cursor)),
                      .name = pm_copy(&in->unit->ast.memory, clang_getCString(name))};
    clang_disposeString(name);
    return node;
}

static void read_fields(const nest *in, CXType type)
{
    fields *list = pm_take(&in->unit->ast.memory, 1, sizeof *list);

    clang_Type_visitFields(type, take_field, list);
    for (size_t i = 0; i < list->count && i < MOST_FIELDS; i++)
        read_field(in, field_of(in, list->items[i]));
    if (list->count > MOST_FIELDS)
        pm_leave(&in->unit->ast.memory, PM_BAD_INPUT, "struct %s has more than %d fields",
                 in->structure->name, MOST_FIELDS);
}

static void check_struct(pm_source_unit *unit, const pm_node *node, bool stays, const char *name)
{
    pm_memory *memory = &unit->ast.memory;

    if (node->kind == CXCursor_UnionDecl)
        pm_ast_refuse(memory, node, "%s is a union; no layout can be made for it: make it a struct",
                      name);
    if (clang_Type_getSizeOf(node->type) <= 0)
        pm_ast_refuse(memory, node, "struct %s has no members here", name);
    check_class(unit, node, stays, name);
    if (!stays && is_packed(unit, node->cursor))
        pm_ast_refuse(memory, node,
                      "struct %s is packed; no layout can be made for it: leave the attribute out",
                      name);
}

/* ---- names --------------------------------------------------------------------------------- */

/* Returns the name of a struct: the name of its typedef or, if it has none, its tag. *behind
 * becomes the declaration at file scope after which the tag and the typedef can be used. */
static const char *name_of(const pm_source_unit *unit, pm_node *declaration, pm_node **behind)
{
    *behind = declaration;
    while ((*behind)->parent->parent)
        *behind = (*behind)->parent;
    for (pm_node *node = unit->ast.root->first; node; node = node->next)
        if (node->kind == CXCursor_TypedefDecl &&
            clang_equalTypes(
                clang_getCanonicalType(clang_getTypedefDeclUnderlyingType(node->cursor)),
                declaration->type)) {
            *behind = node;
            return node->name;
        }
    return declaration->name;
}

static void read_struct(pm_source_unit *unit, pm_node *declaration, bool stays,
                        pm_struct *structure, pm_node **behind)
{
    const nest in = {
        .unit = unit, .structure = structure, .stays = stays, .path = "", .access = ""};

    *structure = (pm_struct){.bytes = (size_t)clang_Type_getSizeOf(declaration->type),
                             .align = (size_t)clang_Type_getAlignOf(declaration->type)};
    structure->name = pm_copy(&unit->ast.memory, name_of(unit, declaration, behind));
    check_struct(unit, declaration, stays, structure->name);
    read_fields(&in, declaration->type);
}

static void add_struct(pm_source_unit *unit, pm_node *declaration)
{
    pm_memory *memory = &unit->ast.memory;
    size_t number = unit->info.structs.count;
    pm_unit_struct own = {.declaration = declaration,
                          .spelling = pm_type_text(declaration->type, memory)};
    pm_struct structure;

    read_struct(unit, declaration, false, &structure, &own.node);
    /* libclang gives an unnamed struct a description with a parenthesis as its name. The struct
     * needs a name, because functions, types and a file are named after it. */
    if (!*structure.name || strchr(structure.name, '('))
        pm_ast_refuse(memory, declaration,
                      "a struct without a name; no layout can be made for it: give it one");
    unit->structs = pm_more(memory, unit->structs, number, sizeof own);
    unit->structs[number] = own;
    *pm_add(memory, unit->info.structs.items, unit->info.structs.count) = structure;
}

typedef struct {
    pm_source_unit *unit;
    pm_node *declaration;
    /* description of the struct that is passed by value; filled by the function that reads the
     * struct */
    pm_struct structure;
} reading;

/* Calls `read`, which may raise an error about a struct's fields. If it does, returns false and
 * sets *why to the error. */
static bool try_read(reading *r, void (*read)(void *user), pm_error *why)
{
    pm_memory *memory = &r->unit->ast.memory;
    jmp_buf *way_out = memory->way_out;
    pm_error *err = memory->err;
    pm_status status = pm_attempt(memory, read, r, why);

    memory->way_out = way_out;
    memory->err = err;
    return status == PM_OK;
}

static void add_one(void *user)
{
    const reading *r = user;

    add_struct(r->unit, r->declaration);
}

static void read_passed(void *user)
{
    reading *r = user;
    pm_node *behind;

    read_struct(r->unit, r->declaration, true, &r->structure, &behind);
}

/* Describes a struct whose layout does not change, for example one that is passed by value. Returns
 * the index of the struct in info.passed, and adds the struct if it is new. Returns PM_NO_STRUCT if
 * the struct has a union or a bit-field, because its fields cannot be described. */
static size_t find_passed(pm_source_unit *unit, CXType type)
{
    pm_memory *memory = &unit->ast.memory;
    pm_structs *passed = &unit->info.passed;
    reading r = {.unit = unit,
                 .declaration = pm_ast_find(&unit->ast, clang_getTypeDeclaration(type))};
    pm_error ignored;

    if (!r.declaration || !try_read(&r, read_passed, &ignored))
        return PM_NO_STRUCT;
    for (size_t s = 0; s < passed->count; s++)
        if (strcmp(passed->items[s].name, r.structure.name) == 0)
            return s;
    *pm_add(memory, passed->items, passed->count) = r.structure;
    return passed->count - 1;
}

/* Structs of which kernels get arrays, but whose memory layout cannot be changed. They stay as
 * in the source. */
typedef struct {
    size_t count;
    pm_node **declarations;
} odd_structs;

/* If a kernel's parameter points to a struct in memory, adds the struct to the unit's structs. If
 * the layout of the struct cannot change, for example because it has a union, adds it to `odd`
 * instead. */
static void add_parameter(pm_source_unit *unit, const pm_node *parameter, odd_structs *odd)
{
    pm_memory *memory = &unit->ast.memory;
    reading r = {.unit = unit};
    CXType pointee;
    pm_error why;

    if (!pm_type_points_to(pm_parameter_type(parameter), &pointee) ||
        !pm_unit_is_array_in_memory(unit, pointee) ||
        pm_unit_struct_of(unit, pointee) != PM_NO_STRUCT)
        return;
    r.declaration = pm_ast_find(&unit->ast, clang_getTypeDeclaration(pointee));
    if (!r.declaration &&
        unit->ast.is_cuda) { /* the struct is an instance of a template, or from a system header */
        if (!unit->info.left)
            unit->info.left = pm_ast_reason(memory, parameter,
                                            "the struct is an instance of a template; no layout "
                                            "can be made for it: write it as a struct");
        return;
    }
    if (!r.declaration)
        pm_leave(memory, PM_FAILED, "out of memory for the source's structs");
    if (try_read(&r, add_one, &why))
        return;
    if (!unit->info.left)
        unit->info.left = pm_copy(memory, why.text);
    *pm_add(memory, odd->declarations, odd->count) = r.declaration;
    find_passed(unit, pointee);
}

/* Returns whether a struct has a member, also in nested structs, whose type is one of the structs
 * whose layout can change. The search ends, because a struct cannot contain itself in C. */
static bool has_member(const pm_source_unit *unit, const pm_node *declaration)
{
    PM_EACH_NODE(&unit->ast, declaration, node) {
        CXType type = node->type;
        const pm_node *inner;

        if (node->kind != CXCursor_FieldDecl)
            continue;
        while (type.kind == CXType_ConstantArray)
            type = pm_type_pointee(type);
        if (type.kind != CXType_Record)
            continue;
        inner = pm_ast_find(&unit->ast, clang_getTypeDeclaration(type));
        if (pm_unit_struct_of(unit, type) != PM_NO_STRUCT ||
            (inner && inner->number < declaration->number && has_member(unit, inner)))
            return true;
    }
    return false;
}

/* Skips a kernel that is a template, and records why. The types of its instances are known only
 * after the instances were written as functions (instances.h). */
static void leave_template(pm_source_unit *unit, const pm_node *node)
{
    if (!unit->info.left)
        unit->info.left = pm_ast_reason(&unit->ast.memory, node,
                                        "kernel %s is a template; no layout can be made of "
                                        "what it takes before an instance "
                                        "is named, as in --kernel '%s<float>'",
                                        node->name, node->name);
}

/* Finds the structs of which kernels get arrays. The layout of a struct cannot change if it has a
 * union or a bit-field, so that it is no list of scalars, vectors and arrays. Raises an error if
 * such a struct has a member whose type is another struct of which a kernel gets an array. */
void pm_unit_find_structs(pm_source_unit *unit)
{
    odd_structs odd = {0};

    for (pm_node *node = unit->ast.root->first; node; node = node->next) {
        if (pm_ast_is_kernel_template(node))
            leave_template(unit, node);
        for (pm_node *child = node->is_kernel ? node->first : NULL; child; child = child->next)
            if (child->kind == CXCursor_ParmDecl)
                add_parameter(unit, child, &odd);
    }
    for (size_t i = 0; i < odd.count; i++)
        if (has_member(unit, odd.declarations[i]))
            pm_leave(&unit->ast.memory, PM_BAD_INPUT, "%s", unit->info.left);
}

/* ---- kinds of parameters ------------------------------------------------------------------- */

/* Writes the name of a parameter's type, as workload files have it, to `word`. A long long is
 * written as long. Only CUDA kernels have bool parameters. */
static void name_type(CXType type, char *word, size_t size)
{
    static const char twice[] = "longlong";
    char *found;

    if (type.kind == CXType_Bool)
        snprintf(word, size, "bool");
    else if (!pm_type_word(type, word, size))
        word[0] = '\0';
    found = strstr(word, twice);
    if (found)
        memmove(found, found + 4, strlen(found + 4) + 1);
}

/* Returns true if a type is the type of CUDA's texture objects (compiler/cuda/texture.cuh). */
static bool is_texture(CXType type)
{
    const CXString name = clang_getCursorSpelling(clang_getTypeDeclaration(type));
    const bool is = strcmp(clang_getCString(name), "cudaTextureObject_t") == 0;

    clang_disposeString(name);
    return is;
}

void pm_unit_parameter_kind(pm_source_unit *unit, const pm_node *parameter, pm_source_param *param)
{
    CXType type = pm_parameter_type(parameter), pointee;
    long long bytes = clang_Type_getSizeOf(type);

    param->takes = PM_TAKES_VALUE;
    param->bytes = bytes > 0 ? (size_t)bytes : 0;
    if (pm_type_points_to(type, &pointee)) {
        param->takes =
            clang_getAddressSpace(pointee) == PM_SPACE_LOCAL ? PM_TAKES_LOCAL : PM_TAKES_BUFFER;
        type = pointee;
        bytes = clang_Type_getSizeOf(pointee);
        param->element = bytes > 0 ? (size_t)bytes : 0;
    } else if (type.kind == CXType_Record) {
        param->passed = find_passed(unit, type);
        param->is_texture = is_texture(type);
    } else if (type.kind == CXType_Pipe ||
               (type.kind >= CXType_OCLImage1dRO && type.kind <= CXType_OCLReserveID)) {
        param->takes = PM_TAKES_OPAQUE;
    }
    name_type(type, param->type, sizeof param->type);
}
