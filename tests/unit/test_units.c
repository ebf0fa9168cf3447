// Units and constants: the tables are sound, expressions are read as documented, conversions are exact. Expected values come from the
// definitions (SI brochure, NIST SP 811 and Handbook 44) and from CODATA 2022.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "codecalc/constants.h"
#include "codecalc/math.h"
#include "codecalc/rational.h"
#include "codecalc/units.h"
#include "math/units.h"

// The answer in one line: value, "exact" or the exact value, and the warnings; or the error.
static const char *convert(const char *value, const char *from, const char *to) {
    static char line[2000];
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_conversion r;
    cc_error err = {0};
    if (cc_units_convert(&a, cc_str_of(value), cc_str_of(from), cc_str_of(to), NULL, &r, &err)) {
        snprintf(line, sizeof line, "%s: %s", cc_code_name(err.code), err.msg);
        return line;
    }
    int n = snprintf(line, sizeof line, "%.*s%s%.*s%.*s", (int)r.value.n, r.value.p, r.exact ? "" : " ~", r.exact_value.n ? 1 : 0, " ",
                     (int)r.exact_value.n, r.exact_value.p);
    for (size_t i = 0; i < r.n_warnings; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, " [%.*s]", (int)r.warnings[i].n, r.warnings[i].p);
    return line;
}

static void check(const char *value, const char *from, const char *to, const char *want) {
    const char *got = convert(value, from, to);
    if (strcmp(got, want) != 0) fail_msg("%s %s in %s: %s, not %s", value, from, to, got, want);
}

static void check_has(const char *value, const char *from, const char *to, const char *part) {
    const char *got = convert(value, from, to);
    if (!strstr(got, part)) fail_msg("%s %s in %s: %s, without %s", value, from, to, got, part);
}

// ---- the tables ----

static void check_names(const cc_unit *u, const char *list) {
    cc_str word;
    char mark;
    while (cc_unit_next_word(&list, &word, &mark)) {
        cc_unit_reading r[CC_UNIT_READINGS];
        size_t n = cc_unit_read_name(word, false, r), whole = 0;
        bool own = false;
        assert_true(n > 0 && n < CC_UNIT_READINGS);
        for (size_t i = 0; i < n; i++) {
            whole += r[i].rank == CC_RANK_WHOLE;
            own |= r[i].unit == u && !r[i].prefix && r[i].rank <= CC_RANK_SECOND;
        }
        if (whole > 1) fail_msg("%.*s is the first name of two units", (int)word.n, word.p);
        if (!own) fail_msg("%.*s does not lead to its unit", (int)word.n, word.p);
        if (!mark && (r[0].unit != u || r[0].rank != CC_RANK_WHOLE)) fail_msg("%.*s means something else first", (int)word.n, word.p);
    }
}

static void test_every_name_leads_to_its_unit(void **state) {
    (void)state;
    for (const cc_unit *u = cc_units; u->def; u++) {
        check_names(u, u->symbols);
        check_names(u, u->names);
    }
}

static void test_every_definition_has_a_value(void **state) {
    (void)state;
    for (const cc_unit *u = cc_units; u->def; u++) {
        cc_factor f;
        cc_factor_init(&f);
        cc_unit_factor(u, &f); // asserts that it parses
        assert_true(fmpq_sgn(f.q) > 0 && fmpq_is_canonical(f.q));
        if (u->offset) assert_int_equal(f.dim[CC_DIM_TEMPERATURE], 1);
        cc_factor_clear(&f);
    }
    for (const cc_dimension_name *d = cc_dimension_names; d->name; d++) {
        cc_unit u = {"", "", d->def, 0};
        cc_factor f;
        cc_factor_init(&f);
        cc_unit_factor(&u, &f);
        assert_string_equal(cc_dimension_name_of(f.dim), d->name); // no two names of one dimension
        cc_factor_clear(&f);
    }
}

static void test_decided_and_common_names_are_read(void **state) {
    (void)state;
    for (size_t i = 0; cc_unit_decided[i][0]; i++) {
        cc_unit_reading r[CC_UNIT_READINGS];
        assert_int_equal(cc_unit_read_name(cc_str_of(cc_unit_decided[i][1]), true, r), 1);
    }
    const char *list = cc_unit_common;
    cc_str word;
    while (cc_unit_next_word(&list, &word, NULL)) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)word.n, word.p);
        const char *got = convert("1", name, name);
        if (*got != '1') fail_msg("%s: %s", name, got);
    }
}

// ---- conversions ----

static void test_exact(void **state) {
    (void)state;
    check("1", "mi", "km", "1.609344");
    check("60", "mph", "km/h", "96.56064");
    check("1", "lb", "kg", "0.45359237");
    check("1", "psi", "Pa", "6894.757293168362 ~ 8896443230521/1290320000");
    check("1", "knot", "m/s", "0.5144444444444445 ~ 463/900");
    check("1", "lbf", "N", "4.4482216152605");
    check("1", "ft*lbf", "J", "\"1.3558179483314004\"");
    check("1", "eV", "J", "1.602176634e-19");
    check("1", "light-year", "m", "\"9460730472580800\"");
    check("1", "GB", "MiB", "953.67431640625");
    check("1e308", "km", "mm", "\"1e314\"");
    check("1/3", "ft", "in", "4");
    check("-0.1", "km", "m", "-100");
    check("0", "in", "cm", "0");
    check("1", "u", "u", "1");
    check("1", "acre", "m^2", "4046.8564224");
    check("1", "US gallon", "l", "3.785411784");
    check("1", "imperial gallon", "l", "4.54609");
}

static void test_angles(void **state) {
    (void)state;
    check("180", "deg", "rad", "3.141592653589793 ~ pi");
    check("pi/2", "rad", "deg", "90");
    check("1", "turn", "gon", "400");
    check("1", "arcsec", "deg", "0.0002777777777777778 ~ 1/3600");
    check("3000", "rpm", "rad/s", "314.1592653589793 ~ 100*pi");
    check("3000", "rpm", "Hz", "50 [1 Hz was counted as one turn a second, 2*pi rad/s]");
    check("1", "rad/s", "1/s", "1 [the radian was counted as 1, as in the SI]");
    check_has("60", "rpm", "1/s", "the dimensions differ"); // 1 or 2 pi
    check("1", "lm", "cd*sr", "1");
}

static void test_temperatures(void **state) {
    (void)state;
    check("100", "celsius", "fahrenheit", "212");
    check("-40", "degF", "degC", "-40");
    check("0", "k", "c", "-273.15");
    check("32", "F", "C", "0");
    check("1", "°C", "K", "274.15");
    check("671.67", "degR", "°F", "212");
    check("80", "degRe", "degC", "100");
    check("5", "delta_degC", "delta_degF", "9");
    check("9", "delta_degF", "K", "5");
    check("1", "J/(kg*degC)", "J/(kg*K)", "1");
    check("-500", "C", "F", "-868 [this is below absolute zero]");
    check("sqrt(2)", "degC", "K", "274.5642135623731 ~ 5463/20 + sqrt(2)");
    check_has("5", "delta_degC", "degF", "a temperature difference, to_unit a temperature");
    check_has("5", "2 degC", "degF", "a number before a temperature scale");
}

static void test_expressions(void **state) {
    (void)state;
    static const char *const newton[] = {"kg*m/s^2",
                                         "kg m s^-2",
                                         "kg·m·s⁻²",
                                         "kg m/s²",
                                         "kg m/s**2",
                                         "(kg*m)/(s*s)",
                                         "kg*m/s/s",
                                         "1000 g m/s2",
                                         "kg-m/s^2",
                                         "m kg s-2",
                                         "kilogram meters per second squared",
                                         "kg*m/square second",
                                         "kg/(s^2/m)",
                                         "(s/m)^-1 kg/s",
                                         "KG*M/S^2",
                                         "10^3 g*m/s^2",
                                         "1/1000 kN"};
    for (size_t i = 0; i < CC_ARRAY_LEN(newton); i++) check_has("7", newton[i], "N", "7");
    check("1", "cubic feet per minute", "L/s", "0.4719474432");
    check("1", "1/2 inch", "mm", "12.7");
    check("1", "W/m²·K", "W*K/m^2", "1");
    check("1", "W/(m²·K)", "W/m^2 K", "1 [a space binds tighter than /: 'J/kg K' is J/(kg*K)]");
    check("6", "'", "ft", "6");
    check_has("1", "m^0.5", "m", "whole number");
    check_has("1", "m^(1/2)", "m", "roots");
    check_has("1", "(m", "m", "parenthesis");
    check_has("1", "m)", "m", "column 2");
    check_has("1", "m/", "m", "missing at the end");
    check_has("1", "m+ft", "m", "not part of a unit");
    check_has("1", "m 2", "m", "put a *");
    check_has("1", "0 m", "m", "is 0");
    check_has("1", "m/0", "m", "0 in a denominator");
    check_has("1", "", "m", "is empty");
    check_has("1", "m^61", "m", "up to 60");
    check_has("1", "(m^60)^60", "m", "up to 60");
    check_has("1", "((((((((((((((((((((((m))))))))))))))))))))))", "m", "too deeply nested");
    check_has("1", "(1e300^50)^50 m", "m", "resource_exhausted");
    check_has("1", "m\xff", "m", "from_unit");
}

static void test_names_with_two_meanings(void **state) {
    (void)state;
    check("10", "oz", "g", "283.49523125");
    check("10", "oz", "ml", "295.735295625 [\'oz\' was read as us_fluid_ounce]");
    check("1", "lb", "N", "4.4482216152605 ['lb' was read as pound_force]");
    check("1", "ton", "kg", "907.18474 ['ton' was read as short_ton; other meanings: long_ton, tonne]");
    check_has("1", "gal", "l", "3.785411784 ['gal' was read as us_gallon; other meanings: imp_gallon]");
    check("1", "Gal", "m/s^2", "0.01");
    check("1", "kiloton", "TJ", "4.184 ['kiloton' was read as kiloton_tnt]");
    check("1", "min", "floz",
          "0.0020833333333333333 ~ 1/480 ['min' was read as minim] ['floz' was read as us_fluid_ounce; other meanings: "
          "imp_fluid_ounce]");
    check("12", "pt", "in", "0.16666666666666666 ~ 1/6");
    check("1", "gb", "byte", "1000000000 ['gb' was read as GB; other meanings: Gbit]");
    check("1", "mb", "hPa", "1");
    check_has("1000", "kb", "mb", "1 ["); // as gb: bytes
    check("1", "Kb", "bit", "1000 ['Kb' was read as kbit; other meanings: kB]");
    check("1", "Mb", "MB", "0.125");
    check("1", "mev", "eV", "1000000 ['mev' was read as MeV; other meanings: meV]");
    check("1", "T", "gauss", "10000");
    check("1", "c", "m/s", "299792458");
    check("1", "kt", "m/s", "0.5144444444444445 ~ 463/900");
    check("1", "kt", "kg", "1000000");
    check("1", "Mw", "kW", "1000");
    check("1", "mw", "W", "1000000 ['mw' was read as MW; other meanings: mW]");
    check("1", "mv", "V", "validation: from_unit: 'mv' may mean MV or mV");
    check("1", "Cal", "J", "4184");
    check("1", "KM", "m", "1000");
    check_has("1", "Gy", "Sv", "weighting factor");
    check_has("1", "year", "day", "365.25 ['year' was read as julian_year; other meanings: common_year");
}

static void test_reciprocals(void **state) {
    (void)state;
    check("50", "Hz", "ms", "20 [to_unit measures the reciprocal of from_unit: the result is 1 / value, converted]");
    check_has("30", "mpg", "L/100km", "7.840486111111111 ~ 112903/14400");
    check_has("0", "L/100km", "mpg", "0 has no reciprocal");
    check_has("1", "1/m", "m", "the dimensions differ");
}

static void test_measured_units(void **state) {
    (void)state;
    check_has("1", "u", "kg", "1.6605390689e-27 ~");
    check_has("1", "kDa", "u", "1000");
    check_has("1", "hartree", "eV", "27.211386245981"); // CODATA 2022: 27.211386245981(30)
}

static void test_refusals(void **state) {
    (void)state;
    check("1", "m", "kg", "validation: from_unit m is length (m), to_unit kg is mass (kg): the dimensions differ");
    check("1", "m/s^3", "J", "validation: from_unit m/s^3 is m/s^3, to_unit J is energy (kg*m^2/s^2): the dimensions differ");
    check_has("1", "USD", "EUR", "currency");
    check_has("1", "€", "m", "currency");
    check_has("1", "dB", "m", "logarithmic");
    check("1", "furlng", "m", "validation: from_unit: unknown unit 'furlng'; did you mean furlong?");
    check("1", "m", "xyz", "validation: to_unit: unknown unit 'xyz'");
    check_has("x", "m", "km", "value: column 1: unknown name");
    check_has("i", "m", "km", "takes a real number");
    check_has("1e999999", "m", "km", "resource_exhausted");
}

static void test_list(void **state) {
    (void)state;
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_str *names;
    size_t n, m;
    cc_error err;
    assert_int_equal(cc_units_list(&a, CC_STR(""), &names, &n, &err), 0);
    for (size_t i = 1; i < n; i++)
        assert_true(memcmp(names[i - 1].p, names[i].p, names[i - 1].n < names[i].n ? names[i - 1].n : names[i].n) <= 0);
    assert_int_equal(cc_units_list(&a, CC_STR("Pressure"), &names, &n, &err), 0);
    assert_int_equal(cc_units_list(&a, CC_STR("lbf/in^2"), &names, &m, &err), 0);
    assert_int_equal(n, m);
    assert_true(n > 15 && n < 60);
    assert_int_equal(cc_units_list(&a, CC_STR("colour"), &names, &n, &err), -1);
}

// ---- constants ----

static void test_constants_are_sound(void **state) {
    (void)state;
    size_t count = 0, formulas = 0;
    for (const cc_constant *c = cc_constants; c->name; c++, count++) {
        CC_CLEANUP_ARENA cc_arena a = {0};
        cc_error err;
        if (*c->unit) { // convert_units reads every unit
            cc_conversion r;
            if (cc_units_convert(&a, CC_STR("1"), cc_str_of(c->unit), cc_str_of(c->unit), NULL, &r, &err))
                fail_msg("%s: %s", c->unit, err.msg);
        }
        assert_int_equal(!*c->uncertainty, !*c->digits);
        if (!*c->formula || strchr(c->formula, 'x')) continue;
        formulas++;
        cc_calc_options opt = {.digits = 25};
        cc_calc_result r;
        assert_int_equal(cc_calc_eval(&a, cc_str_of(c->formula), &opt, &r, &err), 0);
        fmpq_t x, y;
        fmpq_init(x);
        fmpq_init(y);
        assert_int_equal(cc_rational_parse(x, r.approx, 400, "approx", &err), 0);
        assert_int_equal(cc_rational_parse(y, cc_str_of(c->value), 400, "value", &err), 0);
        if (!fmpq_equal(x, y)) fail_msg("%s: %s is not %s", c->name, c->formula, c->value);
        fmpq_clear(x);
        fmpq_clear(y);
    }
    assert_int_equal(count, 355);
    assert_true(formulas > 40);
    for (const cc_known_constant *k = cc_known_constants; k->name; k++) assert_non_null(cc_constant_of(k)->value);
}

static void find(const char *name, const char *value) {
    cc_constant_search s;
    cc_error err = {0};
    if (cc_constants_search(cc_str_of(name), &s, &err)) fail_msg("%s: %s", name, err.msg);
    assert_non_null(s.found);
    assert_string_equal(s.found->value, value);
}

static void test_constants_are_found(void **state) {
    (void)state;
    find("planck", "6.62607015e-34");
    find("h", "6.62607015e-34");
    find("Planck constant", "6.62607015e-34");
    find("G", "6.67430e-11");
    find("g", "9.80665");
    find("gravitational constant", "6.67430e-11");
    find("Proton Mass", "1.67262192595e-27");
    find("proton-electron mass ratio", "1836.152673426");
    find("magnetic flux quantum", "2.067833848461929323081115e-15");
    find("fine structure constant", "0.0072973525643");
    find("muon g factor", "-2.00233184123");
    find("vacuum permittivity", "8.8541878188e-12");
    cc_constant_search s;
    cc_error err;
    assert_int_equal(cc_constants_search(CC_STR("compton wavelength muon"), &s, &err), 0);
    assert_null(s.found);
    assert_int_equal(s.total, 2); // and the reduced one
    assert_string_equal(s.matches[0]->name, "muon Compton wavelength");
    assert_int_equal(cc_constants_search(CC_STR("plank"), &s, &err), -1);
    assert_non_null(strstr(err.msg, "did you mean planck"));
    assert_int_equal(cc_constants_search(CC_STR("the of a"), &s, &err), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_name_leads_to_its_unit),
        cmocka_unit_test(test_every_definition_has_a_value),
        cmocka_unit_test(test_decided_and_common_names_are_read),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_temperatures),
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_names_with_two_meanings),
        cmocka_unit_test(test_reciprocals),
        cmocka_unit_test(test_measured_units),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_constants_are_sound),
        cmocka_unit_test(test_constants_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
