// matrix: exact linear algebra.
#include "codecalc/matrix.h"
#include "codecalc/tools.h"

static const cc_param params[] = {
    {"rows", CC_MATRIX, .required = true, .brief = true},
    {"op", CC_STRING, .required = true, .max_len = 40,
     .doc = "det inverse eigenvalues transpose rank trace eigenvectors charpoly minpoly nullspace rref lu qr norm jordan exp smith hermite "
            "solve,multiply (rhs) power (n)"},
    {"rhs", CC_MATRIX, .brief = true},
    {"n", CC_INT},
    {0},
};

static const cc_field result[] = {
    {"op", "string", true, "The operation"},
    {"shape", "integer[]", true, "Rows and columns of the matrix in the result, else of the one given"},
    {"value", "string", false, "A number, or a polynomial (charpoly, minpoly)"},
    {"matrix", "array", false, "Rows of exact entries"},
    {"vectors", "array", false, "A basis of the null space; with solve, of what may be added to the solution"},
    {"solutions", "string", false, "Of solve: none, unique or infinite (matrix is then one of them)"},
    {"pivots", "integer[]", false, "Of rref: the pivot columns, from 0"},
    {"eigenvalues", "object", false, "Eigenvalue: multiplicity. root(p, d) is the root of p nearest to the decimal d"},
    {"polynomials", "object", false, "The polynomials p1, p2 … that root() names"},
    {"eigenvectors", "object[]", false,
     "value, multiplicity, vectors (a basis of the eigenspace); with roots_of, value is a name for each root of that polynomial"},
    {"P", "array", false, "lu: permutation (absent when it is 1), rows = P L U; jordan: rows = P J P**-1"},
    {"L", "array", false, "Lower triangular, units on the diagonal"},
    {"U", "array", false, "Upper triangular (row echelon)"},
    {"Q", "array", false, "Orthonormal columns"},
    {"R", "array", false, "Upper triangular"},
    {"J", "array", false, "Jordan form"},
    {"conditions", "string[]", false, "What must hold of the symbols"},
    {"note", "string", false, "What the conditions mean"},
    {0},
};

static void write_rows(cc_jw *w, const cc_matrix_text *m) {
    cc_jw_array(w);
    for (size_t i = 0; i < m->rows; i++) {
        cc_jw_array(w);
        for (size_t j = 0; j < m->columns; j++) cc_jw_string(w, m->entries[i * m->columns + j]);
        cc_jw_end_array(w);
    }
    cc_jw_end_array(w);
}

static void write_eigen(cc_jw *w, const cc_matrix_result *r, bool vectors) {
    cc_jw_key(w, vectors ? "eigenvectors" : "eigenvalues");
    if (vectors)
        cc_jw_array(w);
    else
        cc_jw_object(w);
    for (size_t i = 0; i < r->n_eigen; i++) {
        const cc_matrix_eigen *e = &r->eigen[i];
        if (!vectors) {
            cc_jw_keys(w, e->value);
            cc_jw_int(w, (int64_t)e->multiplicity);
            continue;
        }
        cc_jw_object(w);
        cc_jw_kstring(w, "value", e->value);
        if (e->roots_of.n) cc_jw_kstring(w, "roots_of", e->roots_of);
        cc_jw_kint(w, "multiplicity", (int64_t)e->multiplicity);
        cc_jw_key(w, "vectors");
        write_rows(w, &e->vectors);
        cc_jw_end_object(w);
    }
    if (vectors)
        cc_jw_end_array(w);
    else
        cc_jw_end_object(w);
}

static void write_result(cc_jw *w, cc_str op, const cc_matrix_result *r) {
    cc_jw_kstring(w, "op", op);
    cc_jw_key(w, "shape");
    cc_jw_array(w);
    cc_jw_int(w, (int64_t)r->rows);
    cc_jw_int(w, (int64_t)r->columns);
    cc_jw_end_array(w);
    if (r->value.n) cc_jw_kstring(w, "value", r->value);
    if (r->solutions) cc_jw_kstringz(w, "solutions", r->solutions);
    for (size_t i = 0; i < r->n_parts; i++) {
        cc_jw_key(w, r->parts[i].name);
        write_rows(w, &r->parts[i].text);
    }
    if (r->has_pivots) {
        cc_jw_key(w, "pivots");
        cc_jw_array(w);
        for (size_t i = 0; i < r->n_pivots; i++) cc_jw_int(w, r->pivots[i]);
        cc_jw_end_array(w);
    }
    if (r->has_eigen) write_eigen(w, r, cc_str_eqz(op, "eigenvectors"));
    if (r->n_polynomials) {
        cc_jw_key(w, "polynomials");
        cc_jw_object(w);
        for (size_t i = 0; i < r->n_polynomials; i++) {
            char name[24] = "p";
            cc_str digits = {name, 1};
            size_t n = i + 1, length = 1;
            for (size_t t = n; t; t /= 10) length++;
            for (size_t at = length; n; n /= 10) name[--at] = (char)('0' + n % 10);
            digits.n = length;
            cc_jw_keys(w, digits);
            cc_jw_string(w, r->polynomials[i]);
        }
        cc_jw_end_object(w);
    }
    cc_jw_kstrings(w, "conditions", r->conditions, r->n_conditions);
    if (r->note.n) cc_jw_kstring(w, "note", r->note);
}

static cc_matrix_text text_of(const cc_value *v) {
    if (!v->present) return (cc_matrix_text){0};
    return (cc_matrix_text){v->n / v->columns, v->columns, v->items};
}

static int run(cc_call *call, cc_error *err) {
    const cc_value *n = cc_arg(&call->args, "n");
    if (n->present && !n->fits) return cc_error_set(err, CC_RESOURCE_EXHAUSTED, "n: the exponent is too large");
    cc_matrix_request request = {.op = cc_arg_text(call, "op"),
                                 .a = text_of(cc_arg(&call->args, "rows")),
                                 .b = text_of(cc_arg(&call->args, "rhs")),
                                 .has_n = n->present,
                                 .n = n->i,
                                 .stop = call->stop};
    cc_matrix_result r;
    if (cc_matrix_run(call->arena, &request, &r, err)) return -1;
    write_result(&call->out, request.op, &r);
    for (size_t i = 0; i < r.n_warnings; i++) cc_call_warn(call, "%.*s", (int)r.warnings[i].n, r.warnings[i].p);
    return 0;
}

const cc_tool cc_tool_matrix = {
    .name = "matrix",
    .group = CC_CALCULATOR,
    .title = "Matrix",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Exact linear algebra. Entries: 2, 1/3, sqrt(2), x+1.",
    .params = params,
    .result = result,
    .run = run,
};
