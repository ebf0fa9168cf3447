// Finds physical constants by name, symbol or words. Called by physical_constants. The numbers are in constants_data.c.
#include "codecalc/constants.h"

#include <assert.h>
#include <stdlib.h>

#define HERE(v, u, f)                                                                                                                      \
    { .name = "", .value = v, .digits = "", .uncertainty = "", .unit = u, .formula = f }

const cc_known_constant cc_known_constants[] = {
    {"astronomical_unit", "1 au", "au", NULL, "m", "", true, HERE("149597870700", "m", ""), "IAU 2012 B2"},
    {"atomic_mass", "1 u", "u m_u amu dalton atomic_mass_unit unified_atomic_mass_unit", "atomic mass constant", "kg", "", true},
    {"avogadro", "N_A", "N_A avogadro_number avogadros_number", "Avogadro constant", "/mol", "", true},
    {"bohr_radius", "a₀", "a_0 a0", "Bohr radius", "m", "", true},
    {"boltzmann", "k_B", "k_B kB k", "Boltzmann constant", "J/K", "", true},
    {"electron_mass", "m_e", "m_e me", "electron mass", "kg", "", true},
    {"electron_volt", "1 eV", "eV electronvolt", "electron volt", "J", "", true},
    {"elementary_charge", "e", "e q_e electron_charge", "elementary charge", "C", "", true},
    {"faraday", "F", "F", "Faraday constant", "C/mol", "", true},
    {"gas_constant", "R", "R molar_gas_constant ideal_gas_constant universal_gas_constant", "molar gas constant", "J/(mol·K)", "", true},
    {"gravitational_constant", "G", "G big_g newtonian_constant newton_constant universal_gravitational_constant",
     "Newtonian constant of gravitation", "m³/(kg·s²)", "", true},
    {"gravity", "g", "g g_n g_0 g0 gn standard_gravity gravitational_acceleration acceleration_due_to_gravity",
     "standard acceleration of gravity", "m/s²", " (standard)", true},
    {"hbar", "ℏ", "ℏ h_bar dirac_constant reduced_planck", "reduced Planck constant", "J·s", "", true},
    {"lightyear", "1 ly", "ly light_year", NULL, "m", "", true, HERE("9460730472580800", "m", ""), "speed of light times 365.25 d (IAU)"},
    {"neutron_mass", "m_n", "m_n mn", "neutron mass", "kg", "", true},
    {"parsec", "1 pc", "pc", NULL, "m", "", true, HERE("3.085677581491367278913938e16", "m", "648000*149597870700/pi"), "IAU 2015 B2"},
    {"planck", "h", "h", "Planck constant", "J·s", "", true},
    {"proton_mass", "m_p", "m_p mp", "proton mass", "kg", "", true},
    {"rydberg", "R∞", "R_inf R_infinity R∞", "Rydberg constant", "/m", "", true},
    {"speed_of_light", "c", "c c_0 c0 light_speed lightspeed speed_of_light_in_vacuum", "speed of light in vacuum", "m/s", "", true},
    {"stefan_boltzmann", "σ", "sigma σ sigma_SB", "Stefan-Boltzmann constant", "W/(m²·K⁴)", "", true},
    {"wien", "b", "b wien_displacement", "Wien wavelength displacement law constant", "m·K", "", true},
    {"vacuum_permittivity", "ε₀", "epsilon_0 eps_0 eps0 epsilon0 ε₀ ε0 electric_constant permittivity_of_free_space",
     "vacuum electric permittivity", "F/m", "", false},
    {"vacuum_permeability", "μ₀", "mu_0 mu0 μ₀ μ0 magnetic_constant permeability_of_free_space", "vacuum mag. permeability", "N/A²", "",
     false},
    {"fine_structure", "α", "alpha α", "fine-structure constant", "", "", false},
    {"bohr_magneton", "μ_B", "mu_B μ_B", "Bohr magneton", "J/T", "", false},
    {"nuclear_magneton", "μ_N", "mu_N μ_N", "nuclear magneton", "J/T", "", false},
    {"coulomb",
     "k_e",
     "k_e coulomb_constant coulombs_constant",
     NULL,
     "N·m²/C²",
     "",
     false,
     {"", "8.9875517862e9", "14", "1.4", "N m^2 C^-2", ""},
     "1/(4*pi*epsilon_0), CODATA 2022"},
    {"vacuum_impedance", "Z₀", "Z_0 Z0 impedance_of_free_space", "characteristic impedance of vacuum", "Ω", "", false},
    {"josephson", "K_J", "K_J", "Josephson constant", "Hz/V", "", false},
    {"von_klitzing", "R_K", "R_K", "von Klitzing constant", "Ω", "", false},
    {"conductance_quantum", "G₀", "G_0", "conductance quantum", "S", "", false},
    {"magnetic_flux_quantum", "Φ₀", "phi_0 Phi_0 flux_quantum", "mag. flux quantum", "Wb", "", false},
    {"hartree", "E_h", "E_h hartree_energy", "Hartree energy", "J", "", false},
    {"muon_mass", "m_μ", "m_mu", "muon mass", "kg", "", false},
    {"standard_atmosphere", "1 atm", "atm", "standard atmosphere", "Pa", "", false},
    {0},
};

#define MAX_WORDS 16

// A name in lower case, as words: "mag. flux-quantum" is magnetic, flux, quantum. Filler is left out.
typedef struct words {
    char text[200];
    cc_str w[MAX_WORDS];
    size_t n;
} words;

static void split(words *out, cc_str s) {
    static const char *const full[][2] = {{"mag.", "magnetic"}, {"mom.", "moment"}, {"gyromag.", "gyromagnetic"}, {"mom.um", "momentum"}};
    static const char *const filler[] = {"the", "of", "constant", "a", "an", "to"};
    size_t used = 0;
    out->n = 0;
    for (size_t i = 0; i < s.n && out->n < MAX_WORDS;) {
        while (i < s.n && strchr(" _-,()\t", s.p[i])) i++;
        size_t start = used;
        for (; i < s.n && !strchr(" _-,()\t", s.p[i]) && used < sizeof out->text - 20; i++) {
            char c = s.p[i];
            out->text[used++] = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
        }
        if (i < s.n && !strchr(" _-,()\t", s.p[i])) return; // overlong
        cc_str word = {out->text + start, used - start};
        for (size_t k = 0; k < CC_ARRAY_LEN(full); k++)
            if (cc_str_eqz(word, full[k][0])) word = cc_str_of(full[k][1]);
        bool skip = !word.n;
        for (size_t k = 0; k < CC_ARRAY_LEN(filler); k++) skip |= cc_str_eqz(word, filler[k]);
        if (!skip) out->w[out->n++] = word;
    }
}

static bool same_words(const words *a, const words *b) {
    if (a->n != b->n) return false;
    for (size_t i = 0; i < a->n; i++)
        if (!cc_str_eq(a->w[i], b->w[i])) return false;
    return true;
}

// Every word of the question begins a word of the name, each another one.
static bool contains(const words *name, const words *asked) {
    bool used[MAX_WORDS] = {0};
    for (size_t i = 0; i < asked->n; i++) {
        size_t k = 0;
        while (k < name->n && (used[k] || !cc_str_starts(name->w[k], asked->w[i]))) k++;
        if (k == name->n) return false;
        used[k] = true;
    }
    return true;
}

const cc_constant *cc_constant_of(const cc_known_constant *known) {
    if (!known->of) return &known->elsewhere;
    for (const cc_constant *c = cc_constants; c->name; c++)
        if (strcmp(c->name, known->of) == 0) return c;
    assert(!"a short name without a constant");
    return NULL;
}

void cc_constant_describe(cc_buf *out, const cc_known_constant *known) {
    const cc_constant *c = cc_constant_of(known);
    cc_buf_printf(out, "%s = %s%s%s%s", known->symbol, c->value, *known->unit ? " " : "", known->unit, known->remark);
}

void cc_constant_print(cc_buf *out, const cc_constant *c) {
    cc_str v = cc_str_of(c->value);
    const char *e = memchr(v.p, 'e', v.n);
    size_t mantissa = e ? (size_t)(e - v.p) : v.n;
    cc_buf_add(out, v.p, mantissa);
    if (*c->digits) cc_buf_printf(out, "(%s)", c->digits);
    cc_buf_add(out, v.p + mantissa, v.n - mantissa);
    if (*c->unit) cc_buf_printf(out, " %s", c->unit);
}

static bool is_alias(const cc_known_constant *k, cc_str name) {
    const char *p = k->aliases;
    for (size_t n; *p; p += n + (p[n] == ' ')) {
        n = strcspn(p, " ");
        if (cc_str_eq(name, (cc_str){p, n})) return true;
    }
    return false;
}

static bool alias_words(const cc_known_constant *k, const words *asked) {
    words w;
    split(&w, cc_str_of(k->name));
    if (same_words(&w, asked)) return true;
    const char *p = k->aliases;
    for (size_t n; *p; p += n + (p[n] == ' ')) {
        n = strcspn(p, " ");
        if (n < 4) continue; // symbols keep their case
        split(&w, (cc_str){p, n});
        if (same_words(&w, asked)) return true;
    }
    return false;
}

static void found(cc_constant_search *out, const cc_known_constant *known, const cc_constant *c) {
    out->known = known;
    out->found = c;
    for (const cc_known_constant *k = cc_known_constants; k->name && !out->known; k++)
        if (k->of && strcmp(k->of, c->name) == 0) out->known = k;
}

static int unknown(cc_str name, cc_error *err) {
    int n = (int)cc_utf8_prefix(name, 60).n;
    const char *best = NULL;
    unsigned distance = (unsigned)(name.n / 3) + 1;
    for (const cc_known_constant *k = cc_known_constants; k->name && name.n > 2; k++) {
        unsigned d = cc_edit_distance(name, cc_str_of(k->name));
        if (d < distance) best = k->name, distance = d;
    }
    if (best)
        cc_error_set(err, CC_VALIDATION, "name: unknown constant '%.*s'; did you mean %s?", n, name.p, best);
    else
        cc_error_set(err, CC_VALIDATION, "name: unknown constant '%.*s'", n, name.p);
    return cc_error_remedy(err, "give a symbol or fewer words (proton mass); without name the usual ones are listed");
}

int cc_constants_search(cc_str name, cc_constant_search *out, cc_error *err) {
    *out = (cc_constant_search){0};
    name = cc_str_trim(name);
    words asked, w;
    split(&asked, name);
    for (const cc_known_constant *k = cc_known_constants; k->name; k++)
        if (cc_str_eqz(name, k->name) || is_alias(k, name)) return found(out, k, cc_constant_of(k)), 0;
    if (!asked.n) return unknown(name, err);
    for (const cc_known_constant *k = cc_known_constants; k->name; k++)
        if (alias_words(k, &asked)) return found(out, k, cc_constant_of(k)), 0;
    size_t lengths[CC_CONSTANT_MATCHES];
    for (const cc_constant *c = cc_constants; c->name; c++) {
        split(&w, cc_str_of(c->name));
        if (same_words(&w, &asked)) return found(out, NULL, c), 0;
        if (!contains(&w, &asked)) continue;
        out->total++;
        size_t at = out->n; // the shortest names first
        while (at && lengths[at - 1] > w.n) at--;
        if (at == CC_CONSTANT_MATCHES) continue;
        if (out->n < CC_CONSTANT_MATCHES) out->n++;
        for (size_t i = out->n - 1; i > at; i--) lengths[i] = lengths[i - 1], out->matches[i] = out->matches[i - 1];
        lengths[at] = w.n;
        out->matches[at] = c;
    }
    if (!out->total) return unknown(name, err);
    if (out->total == 1) found(out, NULL, out->matches[0]);
    return 0;
}
