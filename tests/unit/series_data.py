"""Writes series_data.h: random expressions and what they are near 0, evaluated by mpmath at 330 digits; and series that SymPy 1.14 prints.
Run where both are installed:

python3 tests/unit/series_data.py > tests/unit/series_data.h
"""

import random
import re

import mpmath as mp
from sympy import series, symbols, sympify

mp.mp.dps = 330
random.seed(5)
UNARY = ["sin({})", "(exp({})-1)", "log(1+{})", "atan({})", "(cos({})-1)", "tan({})", "asin({})", "sinh({})", "erf({})", "(sqrt(1+{})-1)"]
LEAVES = ["x", "x^2", "2*x", "-x", "sqrt(x)", "x/(1+x)", "x^2-x", "x^(1/3)"]


def small(depth):
    """An expression that vanishes at 0."""
    if depth == 0 or random.random() < 0.2:
        return random.choice(LEAVES)
    kind = random.random()
    if kind < 0.15:
        return f"({small(depth - 1)})*({small(depth - 1)})"
    if kind < 0.3:
        return f"({small(depth - 1)}-({small(depth - 1)}))"
    return random.choice(UNARY).format(small(depth - 1))


def expression():
    kind = random.randint(0, 5)
    if kind < 3:
        return f"({small(2)})/({small(2)})"
    if kind == 3:
        return f"(1+{small(2)})^(1/({small(1)}))"
    if kind == 4:
        return f"({small(2)})/({small(1)})-({small(1)})/({small(2)})"
    return f"1/({small(2)})-1/({small(2)})"


def value(text, x):
    names = {n: getattr(mp, n) for n in "sin cos tan exp log sqrt atan asin sinh erf".split()}
    return eval(re.sub(r"(\d+)", r"mpf(\1)", text.replace("^", "**")), names | {"mpf": mp.mpf, "x": x})


def near_zero(text):
    """What the expression seems to tend to for x → 0+, "oo", "-oo", or None when two points do not say."""
    try:
        far, near = value(text, mp.mpf(10) ** -45), value(text, mp.mpf(10) ** -60)
    except (ZeroDivisionError, ValueError, OverflowError):
        return None
    if mp.im(near) != 0 or mp.isnan(near):
        return None
    if abs(near) > 1e9 * max(1, abs(far) / 10) and abs(near) > abs(far):
        return "oo" if near > 0 else "-oo"
    if abs(near) < 1e-9 and abs(near) <= abs(far):
        return "0"
    return mp.nstr(near, 17) if abs(near - far) < 1e-9 * abs(near) and 1e-6 < abs(near) < 1e9 else None


SERIES = """exp(sin(x));0;12
tan(x);0;12
1/sin(x);0;8
log(1+x)/(1-x);0;7
sqrt(1+x);0;7
exp(x)*cos(x);0;9
asin(x);0;10
atanh(x);0;8
sec(x);0;9
coth(x);0;7
x/(exp(x)-1);0;9
log(cos(x));0;9
exp(x**2+x);0;7
1/(1-x-x**2);0;10
LambertW(x);0;7
sqrt(sin(x));0;5
x**x;0;4
log(sin(x));0;6
cos(sqrt(x));0;4
erf(x);0;6
exp(x);1;4
1/(1+x**2);oo;8
sqrt(x**2+1);oo;6
sinh(x)/x;0;7
asinh(x);0;8
sin(x)**3/x**2;0;8
exp(1/x);oo;5
atan(x);0;9
(1+x)**(1/x);0;3
tanh(x);0;8
1/x;1;4
log(x);1;4
acos(x);0;6
sqrt(4+x);0;4
cot(x)**3;0;5"""


def main():
    print("// Written by series_data.py: random expressions and what they tend to for x → 0+ by mpmath, and series as SymPy prints them.")
    print("static const struct {\n    const char *expr, *value;\n} limit_data[] = {")
    seen = set()
    while len(seen) < 300:
        text = expression()
        v = near_zero(text) if text not in seen else None
        if v is not None:
            seen.add(text)
            print(f'    {{"{text}", "{v}"}},')
    print("};\n\nstatic const struct {\n    const char *expr, *point;\n    int order;\n    const char *text;\n} series_data[] = {")
    x = symbols("x")
    for line in SERIES.split("\n"):
        f, at, n = line.split(";")
        print(f'    {{"{f}", "{at}", {n}, "{series(sympify(f), x, sympify(at), int(n))}"}},')
    print("};")


if __name__ == "__main__":
    main()
