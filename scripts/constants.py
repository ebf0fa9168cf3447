#!/usr/bin/env python3
"""Writes src/math/constants_data.c from the CODATA 2022 table in its published ASCII layout.

    scripts/constants.py TABLE > src/math/constants_data.c

Not run by the build: the file that it writes is checked in. Constants that follow from the defining ones, which the table cuts off
with "...", are computed here from their formulas, and each is checked against the digits that the table gives.
"""

import decimal
import fractions
import re
import sys

decimal.getcontext().prec = 60
D = decimal.Decimal
PI = D("3.14159265358979323846264338327950288419716939937510582097494")
DIGITS = 25  # kept of a value that has no end

DEFINING = {"h": "6.62607015e-34", "e": "1.602176634e-19", "k": "1.380649e-23", "N_A": "6.02214076e23", "c": "299792458"}
# Of the constants that the table cuts off; in the language of calc_exact once the letters are replaced.
FORMULAS = {
    "atomic unit of action": "h/(2*pi)",
    "Boltzmann constant in eV/K": "k/e",
    "Boltzmann constant in Hz/K": "k/h",
    "Boltzmann constant in inverse meter per kelvin": "k/(h*c)",
    "conductance quantum": "2*e**2/h",
    "conventional value of ampere-90": "483597.9e9*h/(2*e)*25812.807*e**2/h",
    "conventional value of coulomb-90": "483597.9e9*h/(2*e)*25812.807*e**2/h",
    "conventional value of farad-90": "25812.807*e**2/h",
    "conventional value of henry-90": "h/e**2/25812.807",
    "conventional value of ohm-90": "h/e**2/25812.807",
    "conventional value of volt-90": "483597.9e9*h/(2*e)",
    "conventional value of watt-90": "(483597.9e9*h/(2*e))**2*25812.807*e**2/h",
    "electron volt-hertz relationship": "e/h",
    "electron volt-inverse meter relationship": "e/(h*c)",
    "electron volt-kelvin relationship": "e/k",
    "electron volt-kilogram relationship": "e/c**2",
    "elementary charge over h-bar": "2*pi*e/h",
    "Faraday constant": "e*N_A",
    "first radiation constant": "2*pi*h*c**2",
    "first radiation constant for spectral radiance": "2*h*c**2",
    "hertz-electron volt relationship": "h/e",
    "hertz-inverse meter relationship": "1/c",
    "hertz-kelvin relationship": "h/k",
    "hertz-kilogram relationship": "h/c**2",
    "inverse meter-electron volt relationship": "h*c/e",
    "inverse meter-joule relationship": "h*c",
    "inverse meter-kelvin relationship": "h*c/k",
    "inverse meter-kilogram relationship": "h/c",
    "inverse of conductance quantum": "h/(2*e**2)",
    "Josephson constant": "2*e/h",
    "joule-electron volt relationship": "1/e",
    "joule-hertz relationship": "1/h",
    "joule-inverse meter relationship": "1/(h*c)",
    "joule-kelvin relationship": "1/k",
    "joule-kilogram relationship": "1/c**2",
    "kelvin-electron volt relationship": "k/e",
    "kelvin-hertz relationship": "k/h",
    "kelvin-inverse meter relationship": "k/(h*c)",
    "kelvin-kilogram relationship": "k/c**2",
    "kilogram-electron volt relationship": "c**2/e",
    "kilogram-hertz relationship": "c**2/h",
    "kilogram-inverse meter relationship": "c/h",
    "kilogram-joule relationship": "c**2",
    "kilogram-kelvin relationship": "c**2/k",
    "Loschmidt constant (273.15 K, 100 kPa)": "100000/(273.15*k)",
    "Loschmidt constant (273.15 K, 101.325 kPa)": "101325/(273.15*k)",
    "mag. flux quantum": "h/(2*e)",
    "molar gas constant": "N_A*k",
    "molar Planck constant": "N_A*h",
    "molar volume of ideal gas (273.15 K, 100 kPa)": "N_A*k*273.15/100000",
    "molar volume of ideal gas (273.15 K, 101.325 kPa)": "N_A*k*273.15/101325",
    "natural unit of action": "h/(2*pi)",
    "natural unit of action in eV s": "h/(2*pi*e)",
    "Planck constant in eV/Hz": "h/e",
    "reduced Planck constant": "h/(2*pi)",
    "reduced Planck constant in eV s": "h/(2*pi*e)",
    "reduced Planck constant times c in MeV fm": "h*c/(2*pi*e)*1e9",
    "second radiation constant": "h*c/k",
    "Stefan-Boltzmann constant": "2*pi**5*k**4/(15*h**3*c**2)",
    "von Klitzing constant": "h/e**2",
    "Wien frequency displacement law constant": "x*k/h",
    "Wien wavelength displacement law constant": "h*c/(x*k)",
}
ROOTS = {"x*k/h": ", x = 3*(1-exp(-x))", "h*c/(x*k)": ", x = 5*(1-exp(-x))"}  # no closed form in that language


def wien(n):
    x = D(n)
    for _ in range(200):
        x = n * (1 - (-x).exp())
    return x


def compute(formula):
    names = {name: D(value) for name, value in DEFINING.items()}
    numbers = re.sub(r"(?<![A-Za-z_\d.])(\d+(\.\d+)?(e\d+)?)", r"D('\1')", formula)
    return eval(numbers, {"D": D, "pi": PI, "x": wien(int(ROOTS[formula][6])) if formula in ROOTS else None} | names)


def with_numbers(formula):
    return re.sub(r"\b(h|e|k|N_A|c)\b", lambda m: DEFINING[m[1]], formula)


def exact_rational(formula):
    if "pi" in formula or "x" in formula:
        return None
    names = {name: fractions.Fraction(value) for name, value in DEFINING.items()}
    numbers = re.sub(r"(?<![A-Za-z_\d.])(\d+\.\d+(e\d+)?|\d+e\d+)", r"F('\1')", formula)
    return fractions.Fraction(eval(numbers, {"F": fractions.Fraction} | names))


def plain(value):
    """A decimal as mantissa and exponent, the way the table writes it: plain from 0.001 to 10^9."""
    sign, digits, exponent = value.as_tuple()
    text = "".join(map(str, digits))
    magnitude = len(text) + exponent - 1
    if -4 < magnitude < 10:
        return format(value, "f")
    mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
    return ("-" if sign else "") + mantissa + f"e{magnitude}"


def row(line):
    name, value, uncertainty, unit = line[:60].strip(), line[60:85].strip(), line[85:110].strip(), line[110:].strip()
    digits = value.replace(" ", "")
    if uncertainty == "(exact)" and "..." in digits:
        known, _, power = digits.partition("...")
        formula = FORMULAS[name]
        result = compute(formula)
        table = D(known + (power or ""))
        unit_of_last = D(1).scaleb(table.as_tuple().exponent)
        assert abs(result - table) < unit_of_last, (name, result, table)
        rational, ended = exact_rational(formula), result.normalize()
        ends = rational is not None and fractions.Fraction(str(ended)) == rational
        if ends and len(ended.as_tuple().digits) <= 40:
            return name, plain(ended), "", "", unit, ""
        rounded = +decimal.Context(prec=DIGITS).create_decimal(result)
        return name, plain(rounded), "", "", unit, with_numbers(formula) + ROOTS.get(formula, "")
    if uncertainty == "(exact)":
        return name, plain(D(digits).normalize()) if "e" in digits else digits, "", "", unit, ""
    u = uncertainty.replace(" ", "")
    v, du = D(digits), D(u)
    assert v.as_tuple().exponent == du.as_tuple().exponent, name
    last = int("".join(map(str, du.as_tuple().digits)))
    return name, plain(v), str(last), plain(du.normalize()), unit, ""


def main():
    text = open(sys.argv[1], encoding="ascii").read()
    lines = [line for line in re.split(r"^-{20,}$", text, flags=re.M)[-1].split("\n") if line.strip()]  # after the heading
    unused = set(FORMULAS) - {line[:60].strip() for line in lines}
    assert not unused, unused
    print("// CODATA 2022 recommended values of the fundamental physical constants (NIST, May 2024), for constants.c. Facts only, no code.\n// Written by scripts/constants.py: change that, not this.")
    print('#include "codecalc/constants.h"\n\n// clang-format off')
    print("const cc_constant cc_constants[] = {")
    for line in lines:
        print("    {" + ", ".join(f'"{field}"' for field in row(line)) + "},")
    print("    {0},\n};")


main()
