"""Writes tests/unit/constant_data.h: random constant expressions and their values by mpmath at 50 digits. Run: python constant_data.py > constant_data.h"""
import random

import mpmath as mp


class Reject(Exception):
    pass


def near_cut(z):
    """Rounding may have put z on the wrong side of a branch cut, or hides a zero."""
    z = mp.mpc(z)
    size = abs(z)
    if not mp.isfinite(z) or size > 1e30 or size < 1e-30:
        raise Reject
    for part in (z.real, z.imag, abs(z - 1), abs(z + 1), abs(z - 1j), abs(z + 1j)):
        if 0 < abs(part) < size * mp.mpf(10) ** -25:
            raise Reject
    return z.real if z.imag == 0 else z


UNARY = {
    "sqrt": mp.sqrt, "exp": mp.exp, "log": mp.log, "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan,
    "acot": mp.acot, "asec": mp.asec, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh, "asinh": mp.asinh, "acosh": mp.acosh, "atanh": mp.atanh,
    "gamma": mp.gamma, "loggamma": mp.loggamma, "digamma": mp.digamma, "erf": mp.erf, "erfc": mp.erfc, "Ei": mp.ei, "Si": mp.si, "Ci": mp.ci,
    "LambertW": mp.lambertw, "Abs": abs, "re": mp.re, "im": mp.im, "conjugate": mp.conj, "arg": mp.arg, "airyai": mp.airyai, "fresnels": mp.fresnels,
    "elliptic_k": mp.ellipk, "li": mp.li, "sign": mp.sign, "factorial": mp.factorial,
}


def build(r, depth):
    """(text, function that computes it at the present precision)"""
    if depth == 0 or r.random() < 0.12:
        k = r.randrange(7)
        if k == 0:
            return "pi", lambda: +mp.pi
        if k == 1:
            return "I", lambda: mp.mpc(0, 1)
        if k == 2:
            n = r.choice([2, 3, 5, 7])
            return f"sqrt({n})", lambda: mp.sqrt(n)
        p, q = r.randrange(-9, 10) or 1, r.choice([1, 1, 2, 3, 4, 7])
        return f"({p}/{q})", lambda: mp.mpf(p) / q
    a, f = build(r, depth - 1)
    k = r.randrange(8)
    if k < 3:
        name = r.choice(sorted(UNARY))
        return f"{name}({a})", lambda: near_cut(UNARY[name](near_cut(f())))
    if k == 3:
        e = r.choice([2, 3, -1, -2])
        return f"({a})**({e})", lambda: near_cut(near_cut(f()) ** e)
    if k == 4:
        p, q = r.choice([(1, 3), (-1, 2), (2, 3), (3, 2)])
        return f"({a})**({p}/{q})", lambda: near_cut(mp.power(near_cut(f()), mp.mpf(p) / q))
    b, g = build(r, depth - 1)
    sign = r.choice("+-*/")
    ops = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y, "/": lambda x, y: x / y}
    return f"({a}){sign}({b})", lambda: near_cut(ops[sign](near_cut(f()), near_cut(g())))


r = random.Random(20261129)
print("// Written by constant_data.py with mpmath %s: expression, real and imaginary part." % mp.__version__)
print("// clang-format off")
done = 0
while done < 400:
    text, f = build(r, r.choice([2, 3, 4]))
    try:
        mp.mp.dps = 70
        v = mp.mpc(f())
        mp.mp.dps = 100
        w = mp.mpc(f())
    except (Reject, ValueError, ZeroDivisionError, OverflowError, NotImplementedError, TypeError, mp.libmp.NoConvergence):
        continue
    if abs(v - w) > mp.mpf(10) ** -55 * abs(w) or len(text) > 160 or not mp.isfinite(w):
        continue
    print(f'    {{"{text}", "{mp.nstr(w.real, 50)}", "{mp.nstr(w.imag, 50)}"}},')
    done += 1
print("// clang-format on")
