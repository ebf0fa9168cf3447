"""Writes simplify_data.h: random expressions with their values at a point, by SymPy and mpmath. Run where both are installed:

python3 tests/unit/simplify_data.py > tests/unit/simplify_data.h
"""

import random

import mpmath
from sympy import I, Integer, Mul, Rational, cos, cosh, exp, lambdify, log, nan, oo, sin, sinh, sqrt, symbols, tan, zoo

x, y = symbols("x y")
POINT = {x: Rational(3, 7), y: Rational(5, 11)}
FUNCTIONS = [sin, cos, tan, exp, log, sqrt, sinh, cosh]
mpmath.mp.dps = 50


def polynomial():
    powers = [Mul(*[v ** random.randint(0, 2) for v in (x, y)]) for _ in range(random.randint(1, 3))]
    return sum(random.choice([-3, -2, -1, 1, 2, 3]) * p for p in powers) + random.choice([0, 1, -1, 2])


def rational(depth):
    if depth == 0:
        return polynomial() or x
    a, b = rational(depth - 1), rational(depth - 1)
    return {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b != 0 else a}[random.choice("+-**/")]


def mixed(depth):
    if depth == 0:
        return random.choice([x, x, y, Integer(2), 2 * x, x + 1, x + y, I * x])
    kind = random.random()
    if kind < 0.35:
        return random.choice(FUNCTIONS)(mixed(depth - 1))
    a, b = mixed(depth - 1), mixed(depth - 1)
    return a + b if kind < 0.55 else a - b if kind < 0.7 else a * b if kind < 0.9 or b == 0 else a / b


def sane(e):
    return not e.has(nan, zoo, oo) and e.free_symbols


def main():
    random.seed(5)
    print("// Written by simplify_data.py: random expressions and their values at x = 3/7, y = 5/11, by SymPy and mpmath.")
    print("static const struct {\n    const char *expr, *value;\n} rational_data[] = {")
    n = 0
    while n < 60:
        e = rational(2)
        value = e.subs(POINT) if sane(e) else nan
        if value.is_Rational and len(str(e)) < 150:
            print(f'    {{"{e}", "{value}"}},')
            n += 1
    print("};\n\nstatic const struct {\n    const char *expr, *re, *im;\n} mixed_data[] = {")
    n = 0
    while n < 80:
        e = mixed(3)
        if not sane(e) or len(str(e)) > 150:
            continue
        try:
            v = mpmath.mpc(lambdify((x, y), e, "mpmath")(mpmath.mpf(3) / 7, mpmath.mpf(5) / 11))
        except (ZeroDivisionError, OverflowError):
            continue
        if not mpmath.isfinite(v) or abs(v) > 1e6:
            continue
        print(f'    {{"{e}", "{mpmath.nstr(v.real, 40, min_fixed=-60)}", "{mpmath.nstr(v.imag, 40, min_fixed=-60)}"}},')
        n += 1
    print("};")


main()
