"""Values with derivatives in ball arithmetic: the independent check of antiderivatives.

For whom: tests/suites/integrals.py. An expression (ours, or a case's in the notation of computer algebra: ^, E, exp ...) is read by Python's own
grammar and evaluated with python-flint at a point as the pair (value, derivative in the variable), so that F' - f is an enclosure and no
string is ever compared. Knows nothing of how the program computes.
"""
import ast
import re
from fractions import Fraction
from flint import acb, arb, fmpq, ctx


class Cannot(Exception):
    """No enclosure: a function that is not known here, or a point on a pole or a cut."""


class D:
    __slots__ = ("v", "d")

    def __init__(self, v, d=None):
        self.v = v if isinstance(v, acb) else acb(v)
        self.d = d if d is not None else acb(0)


ONE, TWO, I = acb(1), acb(2), acb(0, 1)
HALF = acb(fmpq(1, 2))


def pi():
    return acb.pi()


def is_exact_zero(z):
    return z.real.is_zero() and z.imag.is_zero()


def power(a, b):
    if is_exact_zero(b.d):
        e = b.v
        if e.imag.is_zero() and e.real.is_integer():
            n = int(e.real.unique_fmpz())
            if n == 0:
                return D(1)
            v = a.v ** n
            return D(v, acb(n) * (a.v ** (n - 1)) * a.d)
        if e.imag.is_zero() and (2 * e.real).is_integer():
            n = int((2 * e.real).unique_fmpz())
            r = a.v.sqrt()
            v = r ** n
            return D(v, e * (r ** (n - 2)) * a.d)
        v = (a.v.log() * e).exp()
        return D(v, e * ((a.v.log() * (e - 1)).exp()) * a.d)
    la = a.v.log()
    v = (la * b.v).exp()
    return D(v, v * (b.d * la + b.v * a.d / a.v))


def f1(value, derivative):
    def go(a):
        return D(value(a.v), derivative(a.v) * a.d if not is_exact_zero(a.d) else acb(0))
    return go


def sq(z):
    return z * z


def acoth_(z):
    return (1 / z).atanh()


def asin_(z):
    return z.asin()


ROOT1 = lambda z: (1 - z).sqrt() * (1 + z).sqrt()

F1 = {
    "exp": f1(lambda z: z.exp(), lambda z: z.exp()),
    "log": f1(lambda z: z.log(), lambda z: 1 / z),
    "sqrt": f1(lambda z: z.sqrt(), lambda z: HALF / z.sqrt()),
    "sin": f1(lambda z: z.sin(), lambda z: z.cos()),
    "cos": f1(lambda z: z.cos(), lambda z: -z.sin()),
    "tan": f1(lambda z: z.tan(), lambda z: 1 + sq(z.tan())),
    "cot": f1(lambda z: z.cot(), lambda z: -(1 + sq(z.cot()))),
    "sec": f1(lambda z: 1 / z.cos(), lambda z: z.tan() / z.cos()),
    "csc": f1(lambda z: 1 / z.sin(), lambda z: -z.cot() / z.sin()),
    "asin": f1(lambda z: z.asin(), lambda z: 1 / ROOT1(z)),
    "acos": f1(lambda z: z.acos(), lambda z: -1 / ROOT1(z)),
    "atan": f1(lambda z: z.atan(), lambda z: 1 / (1 + sq(z))),
    "acot": f1(lambda z: (1 / z).atan(), lambda z: -1 / (1 + sq(z))),
    "asec": f1(lambda z: (1 / z).acos(), lambda z: 1 / (sq(z) * (1 - 1 / sq(z)).sqrt())),
    "acsc": f1(lambda z: (1 / z).asin(), lambda z: -1 / (sq(z) * (1 - 1 / sq(z)).sqrt())),
    "sinh": f1(lambda z: z.sinh(), lambda z: z.cosh()),
    "cosh": f1(lambda z: z.cosh(), lambda z: z.sinh()),
    "tanh": f1(lambda z: z.tanh(), lambda z: 1 - sq(z.tanh())),
    "coth": f1(lambda z: z.coth(), lambda z: 1 - sq(z.coth())),
    "sech": f1(lambda z: 1 / z.cosh(), lambda z: -z.tanh() / z.cosh()),
    "csch": f1(lambda z: 1 / z.sinh(), lambda z: -z.coth() / z.sinh()),
    "asinh": f1(lambda z: z.asinh(), lambda z: 1 / (1 + sq(z)).sqrt()),
    "acosh": f1(lambda z: z.acosh(), lambda z: 1 / ((z - 1).sqrt() * (z + 1).sqrt())),
    "atanh": f1(lambda z: z.atanh(), lambda z: 1 / (1 - sq(z))),
    "acoth": f1(acoth_, lambda z: 1 / (1 - sq(z))),
    "asech": f1(lambda z: (1 / z).acosh(), lambda z: -1 / (sq(z) * (1 / z - 1).sqrt() * (1 / z + 1).sqrt())),
    "acsch": f1(lambda z: (1 / z).asinh(), lambda z: -1 / (sq(z) * (1 + 1 / sq(z)).sqrt())),
    "sinc": f1(lambda z: z.sin() / z, lambda z: (z * z.cos() - z.sin()) / sq(z)),
    "erf": f1(lambda z: z.erf(), lambda z: 2 * (-sq(z)).exp() / pi().sqrt()),
    "erfc": f1(lambda z: z.erfc(), lambda z: -2 * (-sq(z)).exp() / pi().sqrt()),
    "erfi": f1(lambda z: z.erfi(), lambda z: 2 * sq(z).exp() / pi().sqrt()),
    "Ei": f1(lambda z: z.ei(), lambda z: z.exp() / z),
    "li": f1(lambda z: z.li(), lambda z: 1 / z.log()),
    "Si": f1(lambda z: z.si(), lambda z: z.sin() / z),
    "Ci": f1(lambda z: z.ci(), lambda z: z.cos() / z),
    "Shi": f1(lambda z: z.shi(), lambda z: z.sinh() / z),
    "Chi": f1(lambda z: z.chi(), lambda z: z.cosh() / z),
    "fresnels": f1(lambda z: z.fresnel_s(), lambda z: (pi() * sq(z) / 2).sin()),
    "fresnelc": f1(lambda z: z.fresnel_c(), lambda z: (pi() * sq(z) / 2).cos()),
    "gamma": f1(lambda z: z.gamma(), lambda z: z.gamma() * z.digamma()),
    "loggamma": f1(lambda z: z.lgamma(), lambda z: z.digamma()),
    "digamma": f1(lambda z: z.digamma(), lambda z: z.polygamma(acb(1)) if hasattr(z, "polygamma") else _cannot("polygamma")),
    "LambertW": f1(lambda z: z.lambertw(), lambda z: z.lambertw() / (z * (1 + z.lambertw()))),
    "elliptic_k": f1(lambda z: z.elliptic_k(), lambda z: (z.elliptic_e() - (1 - z) * z.elliptic_k()) / (2 * z * (1 - z))),
}
ALIASES = {"ln": "log", "arcsin": "asin", "arctan": "atan", "arccos": "acos", "ProductLog": "LambertW", "FresnelS": "fresnels", "FresnelC": "fresnelc",
           "lambertw": "LambertW", "ceiling": "ceil", "sqrt": "sqrt", "Abs": "abs"}


def _cannot(what):
    raise Cannot(what)


def constant(a, what):
    if not is_exact_zero(a.d):
        raise Cannot(what)
    return a.v


def polylog(s, z):
    o = constant(s, "order of polylog")
    v = z.v.polylog(o)
    return D(v, z.v.polylog(o - 1) / z.v * z.d if not is_exact_zero(z.d) else acb(0))


def uppergamma(s, z):
    o = constant(s, "order of uppergamma")
    return D(z.v.gamma_upper(o), -(((o - 1) * z.v.log()) - z.v).exp() * z.d)


def lowergamma(s, z):
    o = constant(s, "order of lowergamma")
    return D(z.v.gamma_lower(o), (((o - 1) * z.v.log()) - z.v).exp() * z.d)


def expint(s, z):
    o = constant(s, "order of expint")
    return D(z.v.expint(o), -z.v.expint(o - 1) * z.d)


def elliptic_f(phi, m):
    k = constant(m, "modulus")
    return D(acb.elliptic_f(phi.v, k), phi.d / (1 - k * sq(phi.v.sin())).sqrt())


def elliptic_e(*a):
    if len(a) == 1:
        return D(constant(a[0], "modulus").elliptic_e())
    phi, k = a[0], constant(a[1], "modulus")
    return D(acb.elliptic_e_inc(phi.v, k), phi.d * (1 - k * sq(phi.v.sin())).sqrt())


def elliptic_pi(*a):
    if len(a) == 2:
        return D(acb.elliptic_pi(constant(a[0], "n"), constant(a[1], "m")))
    n, phi, k = constant(a[0], "n"), a[1], constant(a[2], "m")
    return D(acb.elliptic_pi_inc(n, phi.v, k), phi.d / ((1 - n * sq(phi.v.sin())) * (1 - k * sq(phi.v.sin())).sqrt()))


def hyper(p, q, z):
    a = [constant(t, "parameter of hyper") for t in p]
    b = [constant(t, "parameter of hyper") for t in q]
    v = z.v.hypgeom(a, b)
    if is_exact_zero(z.d):
        return D(v)
    c = acb(1)
    for t in a:
        c *= t
    for t in b:
        c /= t
    return D(v, c * z.v.hypgeom([t + 1 for t in a], [t + 1 for t in b]) * z.d)


FN = {"polylog": polylog, "uppergamma": uppergamma, "lowergamma": lowergamma, "GAMMA": uppergamma, "expint": expint, "elliptic_f": elliptic_f,
      "elliptic_e": elliptic_e, "elliptic_pi": elliptic_pi, "hyper": hyper}


DECIMAL = re.compile(r"(?<![\w.])(\d+\.\d*|\.\d+)(e[+-]?\d+)?")


def quotient(decimal):
    q = Fraction(decimal[0])
    return f"({q.numerator}/{q.denominator})"


def read(text):
    """The tree; decimals as quotients, since Python's reader would make doubles of them."""
    text = DECIMAL.sub(quotient, text)
    return ast.parse(text.replace("^", "**"), mode="eval").body


def names(tree):
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - {"pi", "E", "I", "EulerGamma", "Catalan", "GoldenRatio"} - {
        n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}


def evaluate(n, env):
    if isinstance(n, ast.Constant):
        if isinstance(n.value, int):
            return D(acb(n.value))
        raise Cannot("number")
    if isinstance(n, ast.Name):
        if n.id in env:
            return env[n.id]
        if n.id == "pi":
            return D(pi())
        if n.id == "E":
            return D(acb(1).exp())
        if n.id == "I":
            return D(I)
        if n.id == "EulerGamma":
            return D(acb(arb.const_euler()))
        raise Cannot("name " + n.id)
    if isinstance(n, ast.UnaryOp):
        a = evaluate(n.operand, env)
        return D(-a.v, -a.d) if isinstance(n.op, ast.USub) else a
    if isinstance(n, ast.BinOp):
        if isinstance(n.op, ast.Pow) and isinstance(n.left, ast.Name) and n.left.id == "E" and "E" not in env:
            return F1["exp"](evaluate(n.right, env))
        a, b = evaluate(n.left, env), evaluate(n.right, env)
        if isinstance(n.op, ast.Add):
            return D(a.v + b.v, a.d + b.d)
        if isinstance(n.op, ast.Sub):
            return D(a.v - b.v, a.d - b.d)
        if isinstance(n.op, ast.Mult):
            return D(a.v * b.v, a.v * b.d + a.d * b.v)
        if isinstance(n.op, ast.Div):
            q = a.v / b.v
            # an exponent that is a fraction of integers stays exact enough: 1/2 is dyadic, others are enclosed
            return D(q, (a.d - q * b.d) / b.v if not (is_exact_zero(a.d) and is_exact_zero(b.d)) else acb(0))
        if isinstance(n.op, ast.Pow):
            return power(a, b)
        raise Cannot("operator")
    if isinstance(n, ast.Call) and isinstance(n.func, ast.Name):
        name = ALIASES.get(n.func.id, n.func.id)
        if name == "hyper":
            lists = [[evaluate(e, env) for e in a.elts] for a in n.args[:2]]
            return hyper(lists[0], lists[1], evaluate(n.args[2], env))
        args = [evaluate(a, env) for a in n.args]
        if name in F1 and len(args) == 1:
            return F1[name](args[0])
        if name in FN:
            return FN[name](*args)
        raise Cannot("function " + name)
    raise Cannot(type(n).__name__)


def finite(z):
    return z.is_finite()


def contains_zero(z):
    return z.real.contains(0) and z.imag.contains(0)


def magnitude(z):
    return float(abs(z).abs_upper())


# Points: real of both signs, below and above one, and complex in all quadrants.
REAL = [fmpq(3, 10), fmpq(-7, 20), fmpq(13, 20), fmpq(-17, 20), fmpq(23, 20), fmpq(-31, 20), fmpq(47, 20), fmpq(-53, 20), fmpq(81, 20), fmpq(29, 200), fmpq(171, 100)]
COMPLEX = [(fmpq(7, 20), fmpq(9, 20)), (fmpq(-9, 20), fmpq(11, 20)), (fmpq(13, 20), fmpq(-7, 20)), (fmpq(-11, 20), fmpq(-13, 20)), (fmpq(31, 20), fmpq(17, 20)),
           (fmpq(-37, 20), fmpq(19, 20)), (fmpq(41, 20), fmpq(-23, 20)), (fmpq(-29, 20), fmpq(-41, 20))]
PARAMETERS = [fmpq(p, q) for p, q in ((7, 5), (9, 4), (11, 7), (5, 8), (13, 6), (17, 9), (3, 7), (19, 11), (23, 10), (12, 13), (29, 12), (31, 17), (8, 19))]


def check(f, F, var, points=None):
    """(agreeing points, [differing points], points without enclosure) of F' against f."""
    ft, Ft = read(f), read(F)
    others = sorted((names(ft) | names(Ft)) - {var})
    good, bad, none = 0, [], 0
    for p in points or [(r, 0) for r in REAL] + COMPLEX:
        for prec in (128, 400, 1200):
            ctx.prec = prec
            env = {o: D(acb(PARAMETERS[i % len(PARAMETERS)])) for i, o in enumerate(others)}
            env[var] = D(acb(arb(p[0]), arb(p[1])), acb(1))
            try:
                a, b = evaluate(ft, env).v, evaluate(Ft, env).d
            except (Cannot, ValueError, ZeroDivisionError, OverflowError, NotImplementedError):
                state = None
                break
            if not (finite(a) and finite(b)):
                state = None
                continue
            e = b - a
            if not contains_zero(e):
                state = False
                break
            if magnitude(e) <= 1e-20 * (1 + magnitude(a)):
                state = True
                break
            state = None
        if state is None:
            none += 1
        elif state:
            good += 1
        else:
            bad.append(f"{p[0]}+{p[1]}*I")
    return good, bad, none
