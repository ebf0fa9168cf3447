"""Writes tests/unit/enclose_data.h: values of functions by mpmath, to compare enclosures with. Run: python enclose_data.py > enclose_data.h"""
import mpmath as mp

TINY = 2.0**-40
REAL = [-20.25, -2.5, -2.0, -1.25, -0.5, -0.125, 0.25, 0.5, 0.75, 1.5, 2.0, 3.0, 10.5, 60.5]
NEAR = [complex(x, s * TINY) for x in (-2.0, -0.5, -0.125, 0.5, 2.0) for s in (1, -1)] + [complex(s * TINY, y) for y in (2.0, -2.0, 0.5) for s in (1, -1)]
COMPLEX = [0.5 + 1j, -1.5 - 0.25j, 3 - 2j, -0.125 + 4j, 2j, -2j, 0.5j, -0.5j, 20 + 10j]
EXTREME = [1e-10, -1e-10, 1e3, -1e3 + 0.5, 1e10, 1e-20j, 1e6 + 1e-3j]
ALL = REAL + NEAR + COMPLEX + EXTREME

U = {  # of one argument
    "EXP": mp.exp, "LOG": mp.log, "SIN": mp.sin, "COS": mp.cos, "TAN": mp.tan, "COT": mp.cot, "SEC": mp.sec, "CSC": mp.csc,
    "ASIN": mp.asin, "ACOS": mp.acos, "ATAN": mp.atan, "ACOT": mp.acot, "ASEC": mp.asec, "ACSC": mp.acsc,
    "SINH": mp.sinh, "COSH": mp.cosh, "TANH": mp.tanh, "COTH": mp.coth, "SECH": mp.sech, "CSCH": mp.csch,
    "ASINH": mp.asinh, "ACOSH": mp.acosh, "ATANH": mp.atanh, "ACOTH": mp.acoth, "ASECH": mp.asech, "ACSCH": mp.acsch,
    "SINC": mp.sinc, "ABS": abs, "SIGN": mp.sign, "RE": mp.re, "IM": mp.im, "ARG": mp.arg, "CONJUGATE": mp.conj,
    "FLOOR": mp.floor, "CEIL": mp.ceil, "GAMMA": mp.gamma, "LOGGAMMA": mp.loggamma, "DIGAMMA": mp.digamma, "ZETA": mp.zeta,
    "ERF": mp.erf, "ERFC": mp.erfc, "ERFI": mp.erfi, "EI": mp.ei, "LI": mp.li, "SI": mp.si, "CI": mp.ci, "SHI": mp.shi, "CHI": mp.chi,
    "FRESNELS": mp.fresnels, "FRESNELC": mp.fresnelc, "LAMBERTW": mp.lambertw, "AIRYAI": mp.airyai, "AIRYBI": mp.airybi,
    "AIRYAIPRIME": lambda z: mp.airyai(z, derivative=1), "AIRYBIPRIME": lambda z: mp.airybi(z, derivative=1),
    "ELLIPTIC_K": mp.ellipk, "ELLIPTIC_E": mp.ellipe, "FACTORIAL": mp.factorial, "FACTORIAL2": mp.fac2, "FIBONACCI": mp.fibonacci,
    "LUCAS": lambda n: mp.phi**n + mp.cos(mp.pi * n) * mp.phi**-n, "HARMONIC": mp.harmonic, "BERNOULLI": lambda n: -n * mp.zeta(1 - n),
    "CATALAN": lambda n: 4**n * mp.gamma(n + 0.5) / (mp.sqrt(mp.pi) * mp.gamma(n + 2)),
}
ENTIRE = "EXP SIN COS TAN COT SEC CSC SINH COSH TANH COTH SECH CSCH SINC ABS SIGN RE IM CONJUGATE GAMMA DIGAMMA ZETA ERF ERFC ERFI SI SHI FRESNELS " \
    "FRESNELC AIRYAI AIRYBI AIRYAIPRIME AIRYBIPRIME FACTORIAL FACTORIAL2 FIBONACCI LUCAS HARMONIC BERNOULLI CATALAN".split()
SOME = [-2.5, -0.5, 0.25, 0.5, 1.5, 2.0, 10.5, 0.5 + 1j, -1.5 - 0.25j, -0.5 + TINY * 1j, -0.5 - TINY * 1j, 2 + TINY * 1j, 2 - TINY * 1j, 2j]
ORDERS = [0, 1, 2, -1, 0.5, 1.25, 3, 0.5 + 0.5j]
B = {  # of two: function, first arguments, second arguments
    "ATAN2": (mp.atan2, [-2.5, -0.5, 0.5, 2.0], [-2.5, -0.5, 0.5, 2.0]),
    "MOD": (lambda a, b: a - b * mp.floor(a / b), [-2.5, 0.25, 7.0], [2.0, -0.75, 1.5]),
    "POLYGAMMA": (lambda n, z: mp.psi(int(mp.re(n)), z), [0, 1, 2, 5], SOME),
    "UPPERGAMMA": (lambda s, z: mp.gammainc(s, z), ORDERS, SOME), "LOWERGAMMA": (lambda s, z: mp.gammainc(s, 0, z), [1, 2, 0.5, 1.25, 0.5 + 0.5j], SOME),
    "BETA": (mp.beta, [0.5, 2.0, 3.25, 0.5 + 1j, -0.5], [0.25, 3.0, 1.5 - 2j]),
    "ZETA": (lambda s, a: mp.zeta(s, a), [2, 2.5, 3, 0.5, 1.5 + 2j], [0.25, 1.5, 10.5, 2 + 1j]),
    "POLYLOG": (mp.polylog, [0, 1, 2, 3, -1, 0.5, 1.5], SOME), "EXPINT": (mp.expint, ORDERS, SOME),
    "LAMBERTW": (lambda z, k: mp.lambertw(z, int(mp.re(k))), SOME, [0, 1, -1, 2, -3]),
    "BESSELJ": (mp.besselj, ORDERS, SOME), "BESSELY": (mp.bessely, ORDERS, SOME), "BESSELI": (mp.besseli, ORDERS, SOME), "BESSELK": (mp.besselk, ORDERS, SOME),
    "ELLIPTIC_E": (mp.ellipe, [-0.5, 0.5, 1.25, 2.0, 4.0, 0.5 + 1j], [-2.5, 0.25, 0.5, 0.5 + 1j]),
    "ELLIPTIC_F": (mp.ellipf, [-0.5, 0.5, 1.25, 2.0, 4.0, 0.5 + 1j], [-2.5, 0.25, 0.5, 0.5 + 1j]),
    "ELLIPTIC_PI": (mp.ellippi, [-2.5, 0.25, 0.5, 0.5 + 1j], [-2.5, 0.25, 0.75, 0.5 + 1j]),
    "BINOMIAL": (mp.binomial, [-2.5, 0.5, 5.0, 10.5, 2 + 1j], [0, 1, 3, 0.5, 1 - 1j]), "RISING": (mp.rf, [-2.5, 0.5, 5.0, 2 + 1j], [0, 1, 3, 0.5]),
    "FALLING": (mp.ff, [-2.5, 0.5, 5.0, 2 + 1j], [0, 1, 3, 0.5]), "HARMONIC": (lambda n, m: mp.zeta(m) - mp.zeta(m, n + 1), [0.5, 3, 10.5], [2, 3, 2.5]),
}
T = {"ELLIPTIC_PI": (mp.ellippi, [-2.5, 0.25, 0.5], [0.5, -0.5, 1.25], [-2.5, 0.25, 0.75])}


def number(x):
    return mp.mpc(x) if isinstance(x, complex) and x.imag else mp.mpf(x.real if isinstance(x, complex) else x)


def value(f, args):
    got = []
    for dps in (60, 90):
        mp.mp.dps = dps
        try:
            v = mp.mpc(f(*[number(a) for a in args]))
        except (ValueError, ZeroDivisionError, OverflowError, NotImplementedError, mp.libmp.NoConvergence, TypeError):
            return None
        got.append(v)
    a, b = got
    if not mp.isfinite(b) or abs(b) > mp.mpf(10) ** 1000 or (b != 0 and abs(b) < mp.mpf(10) ** -1000):
        return None
    if abs(a - b) > mp.mpf(10) ** -48 * (abs(b) + (b == 0)):
        return None  # mpmath is not sure itself
    return b


def line(name, f, args):
    v = value(f, args)
    if v is None:
        return
    flat = ", ".join(f"{complex(a).real!r}, {complex(a).imag!r}" for a in args)
    print(f'    {{CC_F_{name}, {len(args)}, {{{flat}}}, "{mp.nstr(v.real, 36)}", "{mp.nstr(v.imag, 36)}"}},')


print("// Written by enclose_data.py with mpmath %s: function, number of arguments, these as pairs, value." % mp.__version__)
print("// clang-format off")
for name, f in U.items():
    for z in ALL:
        if name in ("FIBONACCI", "LUCAS", "FACTORIAL2", "CATALAN", "BERNOULLI") and abs(z) > 100:
            continue
        if name in ENTIRE and z in NEAR:
            continue
        if name in ("FLOOR", "CEIL") and isinstance(z, complex):
            continue
        line(name, f, [z])
for name, (f, p, q) in B.items():
    for a in p:
        for b in q:
            line(name, f, [a, b])
for name, (f, p, q, r) in T.items():
    for a in p:
        for b in q:
            for c in r:
                line(name, f, [a, b, c])
print("// clang-format on")
