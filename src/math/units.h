// Between the files of the unit converter: units_data.c holds the table, units_names.c finds what a name may mean, units_parse.c
// reads expressions, units.c converts. Private to src/math.
#ifndef CODECALC_MATH_UNITS_H
#define CODECALC_MATH_UNITS_H

#include <flint/fmpq.h>

#include "codecalc/base.h"

// Base dimensions: the seven of the SI, and angle and information, so that rpm and Hz, or bit/s and Hz, are told apart.
enum {
    CC_DIM_LENGTH,
    CC_DIM_MASS,
    CC_DIM_TIME,
    CC_DIM_CURRENT,
    CC_DIM_TEMPERATURE,
    CC_DIM_AMOUNT,
    CC_DIM_LIGHT,
    CC_DIM_ANGLE,
    CC_DIM_BITS,
    CC_DIMS
};

// Which prefixes a unit takes.
enum { CC_PREFIX_NONE, CC_PREFIX_SI, CC_PREFIX_UP }; // UP: kilo and larger, and the binary ones

// What a unit counts, where its dimension alone would let it pass for something else.
enum { CC_KIND_NONE, CC_KIND_CYCLES, CC_KIND_TURNS, CC_KIND_DECAYS, CC_KIND_DOSE, CC_KIND_EFFECT, CC_KIND_DIFFERENCE };

// One unit. Lists of names are separated by spaces. A name after '~' is a second meaning of a name that has a first one elsewhere:
// it is taken where the first does not fit the dimension asked for; after '!' the reader is told so.
typedef struct cc_unit {
    const char *symbols; // take the prefixes' symbols ("km")
    const char *names;   // take the prefixes' names and a plural s ("kilometers")
    const char *def;     // an expression of other units; "@3" is base dimension 3, "#" is pi
    uint8_t prefixes;
    uint8_t kind;
    uint8_t digits;     // significant digits of a measured value; 0 = exact
    const char *offset; // of a temperature scale, in kelvin: K = x * def + offset
} cc_unit;

extern const cc_unit cc_units[]; // ends with a NULL def

typedef struct cc_unit_prefix {
    const char *symbol, *name;
    int8_t power; // of 10, or of 1024
    bool binary;
} cc_unit_prefix;

extern const cc_unit_prefix cc_unit_prefixes[]; // ends with a NULL symbol

typedef struct cc_dimension_name {
    const char *name, *def;
} cc_dimension_name;

extern const cc_dimension_name cc_dimension_names[]; // ends with a NULL name
// Spellings in capitals or not that stand for one of several that differ in case only; pairs of from, to; ends with NULL.
extern const char *const cc_unit_decided[][2];
// Prefixed and compound spellings that the list of units shows too; words.
extern const char cc_unit_common[];
extern const char cc_unit_currencies[], cc_unit_logarithmic[]; // words

// ---- names (units_names.c) ----

// Ranks of readings, best first.
enum {
    CC_RANK_DECIDED,  // a row of cc_unit_decided
    CC_RANK_WHOLE,    // the name itself
    CC_RANK_PREFIXED, // with a prefix
    CC_RANK_SECOND,   // a second meaning
    CC_RANK_CASE,     // and the same with other capitals
    CC_RANK_CASE_PREFIXED,
    CC_RANK_CASE_SECOND,
};

typedef struct cc_unit_reading {
    const cc_unit *unit;
    const cc_unit_prefix *prefix; // or NULL
    uint8_t rank;
    bool tell;  // a second meaning that must be told
    bool upper; // its prefix stands in capitals, as written
} cc_unit_reading;

enum { CC_UNIT_READINGS = 12 };
// What a name may mean, best first; returns how many. strict: exact first meanings only.
size_t cc_unit_read_name(cc_str name, bool strict, cc_unit_reading out[CC_UNIT_READINGS]);
// True when the whole name, case aside, is that of a unit, without prefix or plural guess.
bool cc_unit_is_name(cc_str name);
// The error for a name that has no reading: refused kinds, or the nearest names. what is the argument's name.
int cc_unit_unknown(cc_str name, const char *what, cc_error *err);
// Appends the name of a reading as a user would write it ("MiB", "kilometer").
void cc_unit_print(cc_buf *out, const cc_unit_reading *r);
// A word of a list separated by spaces; the list moves on. False at its end. *mark is '~', '!' or 0 (may be NULL).
bool cc_unit_next_word(const char **list, cc_str *word, char *mark);

// ---- values ----

typedef struct cc_factor {
    fmpq_t q; // × pi^pi
    int pi;
    int dim[CC_DIMS];
    const cc_unit *measured; // the measured unit in it, with its power; NULL = none
    int power;
    unsigned digits; // of what was measured; 0 = exact
} cc_factor;

void cc_factor_init(cc_factor *f); // 1
void cc_factor_clear(cc_factor *f);
// f *= g^power. -1 with CC_RESOURCE_EXHAUSTED when the number gets too large.
int cc_factor_mul(cc_factor *f, const cc_factor *g, int power, cc_error *err);
// The value of a unit in SI base units; the definitions in the table are right (asserted).
void cc_unit_factor(const cc_unit *u, cc_factor *out);
void cc_reading_factor(const cc_unit_reading *r, cc_factor *out);

// ---- expressions (units_parse.c) ----

typedef struct cc_unit_item {
    cc_str text;
    int power;
    size_t n;
    cc_unit_reading readings[CC_UNIT_READINGS];
} cc_unit_item;

enum { CC_UNIT_ITEMS = 24, CC_UNIT_MAX_LEN = 400, CC_UNIT_MAX_POWER = 60 };

// number × product of item^power
typedef struct cc_unit_product {
    fmpq_t number;
    size_t n;
    cc_unit_item items[CC_UNIT_ITEMS];
    bool regrouped; // a space bound tighter than a division before it
} cc_unit_product;

// Parses an expression; what names the argument. The caller initialises and clears out->number. 0, or -1 with *err.
int cc_unit_parse(cc_str text, bool strict, const char *what, cc_unit_product *out, cc_error *err);

// Appends a dimension in base units: "kg*m/s^2", "1".
void cc_dimension_print(cc_buf *out, const int dim[CC_DIMS]);
// Its usual name, NULL when it has none.
const char *cc_dimension_name_of(const int dim[CC_DIMS]);

#endif
