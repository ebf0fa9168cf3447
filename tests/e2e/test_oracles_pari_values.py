"""Random questions beside PARI/GP about values: special functions to 40 digits, constants to very many, functions of a symbol after rewriting.

A value on which the program and GP differ is decided by mpmath, since on a cut, or where a function is defined otherwise, GP may be the one that differs.
"""

import re
from fractions import Fraction

import mpmath
import pytest

import peers
from peers import Foreign, decimal, to_pari
from questions import NONE, Maker, evaluate


def argument(r, complex_too=True):
    """Small and large, on the axes and their cuts, close to a cut, complex."""
    q = f"{r.choice([1, 1, 2, 3, 5, 7, 9, 12, 25, 100])}/{r.choice([1, 1, 2, 3, 4, 7, 10, 1000])}"
    a = r.choice(["", "", "-"]) + q
    kind = r.randrange(10) if complex_too else r.randrange(5)
    if kind < 4:
        return f"({a})"
    if kind == 4:
        return r.choice(["sqrt(2)", "(-sqrt(3))", "pi", "(-pi/2)", "E", "(1/pi)", "log(2)", "(-1/E)", "(1-sqrt(2))", "1", "(-1)", "2", "(-2)", "0"])
    b = f"{r.choice([1, 2, 3, 5, 7])}/{r.choice([1, 2, 3, 10])}"
    if kind < 8:
        return f"({a} {r.choice('+-')} {b}*I)"
    if kind == 8:
        return f"({r.choice(['', '-'])}{b}*I)"
    return f"({a} {r.choice('+-')} I/10**{r.randint(5, 25)})"


def small(r, negative=True):
    return f"({r.choice(['', '-'] if negative else [''])}{r.choice([1, 1, 2, 3, 5])}/{r.choice([1, 1, 2, 3])})"


ONE = ["sqrt", "exp", "log", "sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "acot", "asec", "acsc", "sinh", "cosh", "tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh",
       "acoth", "asech", "acsch", "sinc", "gamma", "loggamma", "digamma", "zeta", "erf", "erfc", "erfi", "Ei", "li", "Si", "Ci", "Shi", "Chi", "fresnels", "fresnelc", "LambertW", "elliptic_k",
       "elliptic_e", "airyai", "airybi", "airyaiprime", "airybiprime", "harmonic", "factorial", "catalan", "fibonacci", "abs", "arg", "sign"]
TWO = {
    "polylog": lambda r: (r.choice(["2", "2", "3", "4", "1", "0", "(-1)", "(-3)", "(1/2)", "(5/2)"]), argument(r)), "uppergamma": lambda r: (small(r), argument(r)),
    "lowergamma": lambda r: (small(r, False), argument(r)),
    "expint": lambda r: (small(r), argument(r)), "besselj": lambda r: (small(r), argument(r)), "bessely": lambda r: (small(r), argument(r)), "besseli": lambda r: (small(r), argument(r)),
    "besselk": lambda r: (small(r), argument(r)), "LambertW": lambda r: (argument(r), r.choice(["-1", "0", "1", "-2", "3"])),
    "zeta": lambda r: (r.choice(["2", "3", "(1/2)", "(-2)", "(-1/3)", "(5/2)"]), argument(r)),
    "beta": lambda r: (argument(r), small(r)), "polygamma": lambda r: (r.choice("0123"), argument(r)), "binomial": lambda r: (argument(r), r.choice(["0", "1", "3", "5", "(1/2)", "(-1)", "(-3/2)"])),
    "atan2": lambda r: (argument(r, False), argument(r, False)), "RisingFactorial": lambda r: (argument(r), small(r)), "FallingFactorial": lambda r: (argument(r), small(r)),
    "elliptic_f": lambda r: (argument(r), small(r)),
    "elliptic_e": lambda r: (argument(r), small(r)), "elliptic_pi": lambda r: (small(r), small(r)), "harmonic": lambda r: (argument(r), r.choice("1234")),
}
MPMATH = {
    "acot": lambda z: mpmath.atan(1 / z), "asec": lambda z: mpmath.acos(1 / z), "acsc": lambda z: mpmath.asin(1 / z), "acoth": lambda z: mpmath.atanh(1 / z),
    "asech": lambda z: mpmath.acosh(1 / z), "acsch": lambda z: mpmath.asinh(1 / z),
    "sinc": lambda z: mpmath.sin(z) / z if z else mpmath.mpf(1), "abs": abs, "LambertW": lambda z, k=0: mpmath.lambertw(z, int(mpmath.re(k))), "Ei": lambda z: mpmath.ei(z), "Si": mpmath.si,
    "Ci": mpmath.ci, "Shi": mpmath.shi, "Chi": mpmath.chi,
    "elliptic_k": mpmath.ellipk, "elliptic_e": mpmath.ellipe, "elliptic_f": mpmath.ellipf, "elliptic_pi": mpmath.ellippi, "airyaiprime": lambda z: mpmath.airyai(z, derivative=1),
    "airybiprime": lambda z: mpmath.airybi(z, derivative=1), "catalan": lambda z: 4**z * mpmath.gamma(z + 0.5) / mpmath.sqrt(mpmath.pi) / mpmath.gamma(z + 2), "harmonic": lambda z,
    m=1: mpmath.harmonic(z) if m == 1 else mpmath.zeta(m) - mpmath.zeta(m, z + 1),
    "uppergamma": lambda s, z: mpmath.gammainc(s, z), "lowergamma": lambda s, z: mpmath.gammainc(s, 0, z), "RisingFactorial": mpmath.rf, "FallingFactorial": mpmath.ff,
    "fibonacci": mpmath.fib, "Abs": abs, "polygamma": lambda n, z: mpmath.psi(int(mpmath.re(n)), z), "hyper": lambda a, b, z: mpmath.hyper(a, b, z), "sign": mpmath.sign,
    "ceiling": mpmath.ceil, "Max": max, "Min": min, "Mod": lambda a, b: a - b * mpmath.floor(a / b), "conjugate": mpmath.conj,
}


def by_mpmath(f, digits=60, place=None, order=0):
    """A value with that many digits, or a derivative at a place, when two precisions agree on it."""
    names = vars(mpmath) | MPMATH | {"I": mpmath.mpc(0, 1), "E": mpmath.e, "EulerGamma": mpmath.euler, "mpf": mpmath.mpf}
    code, values = re.sub(r"(?<![\w.])(\d+)", r"mpf(\1)", f), []
    for dps in (digits + 10, digits + 35):
        with mpmath.workdps(dps), peers.within(2):
            try:
                x = eval(re.sub(r"(\d+)", r"mpf(\1)", place or "0"), names)  # noqa: S307
                g = eval("lambda x: " + code, names)  # noqa: S307
                values.append(mpmath.mpmathify(mpmath.diff(g, x, order) if order else g(x)))
            except (TimeoutError, ValueError, ZeroDivisionError, TypeError, NotImplementedError, OverflowError, mpmath.libmp.NoConvergence, AssertionError, MemoryError, NameError, AttributeError):
                return None
    with mpmath.workdps(digits):
        if not mpmath.isfinite(values[1]) or abs(values[0] - values[1]) > abs(values[1]) * mpmath.mpf(10) ** -(digits - 5):
            return None
        return tuple(Fraction(str(p)) for p in (mpmath.re(values[1]), mpmath.im(values[1])))


def near(parts, z, digits=50):
    """Every digit is right: within one in the last place, of a value that is known to so many digits."""
    size = max(abs(z[0]), abs(z[1]))
    return all(abs(p - t) <= unit + size / 10**digits for (p, unit), t in zip(parts, z))


def special(server, gp, r):
    """40 digits of a function, at arguments that its branches, poles and asymptotic forms are told apart by."""
    if r.random() < 0.6:
        name, args = r.choice(ONE), (argument(r),)
    else:
        name, of = r.choice(list(TWO.items()))
        args = of(r)
    text = f"{name}({', '.join(args)})"
    body = evaluate(server, text, digits=40)
    value = body.get("value")
    parts = decimal(value) if value else None
    if not body.get("ok") or parts is None:
        return
    try:
        theirs = gp.number(to_pari(text), 3)
    except Foreign:
        theirs = None
    if theirs is not None and near(parts, theirs):
        return
    other = by_mpmath(text)
    if other is None:
        theirs = theirs and gp.number(to_pari(text), 5, 200)
        assert theirs is None or near(parts, theirs), f"{text} is {value}, GP says {tuple(float(t) for t in theirs)}, mpmath nothing"
        return
    assert near(parts, other), f"{text} is {value}, not {mpmath.mpc(float(other[0]), float(other[1]))} (GP {theirs and tuple(float(t) for t in theirs)})"


OF_X = ["gamma({})", "loggamma({})", "digamma({})", "polygamma(1,{})", "polygamma(2,{})", "zeta({})", "erf({})", "erfc({})", "erfi({})", "polylog(2,{})", "polylog(3,{})", "polylog(1,{})",
        "polylog(-1,{})", "besselj(0,{})", "besselj(1/2,{})",
        "besselj(-2,{})", "bessely(0,{})", "bessely(1/2,{})", "besseli(1,{})", "besselk(0,{})", "besselk(3/2,{})", "uppergamma(1/2,{})", "uppergamma(2,{})", "uppergamma(0,{})",
        "uppergamma(-1,{})", "lowergamma(1/2,{})", "lowergamma(3,{})", "expint(1,{})", "expint(2,{})",
        "expint(0,{})", "LambertW({})", "elliptic_k({})", "elliptic_e({})", "beta({},2)", "beta({},1/2)", "beta({0},{0})", "factorial({})", "binomial({},2)", "binomial({},1/2)",
        "binomial(5,{})", "harmonic({})", "airyai({})", "zeta(2,{})", "gamma({0}+1)/gamma({0})", "gamma({0})*gamma(1-{0})",
        "loggamma({0}+1)-loggamma({0})", "gamma(2*{0})/gamma({0})", "digamma({0}+2)-digamma({0})", "digamma(1-{0})-digamma({0})", "RisingFactorial({},3)", "FallingFactorial({},2)",
        "binomial({0}+1,{0})", "factorial({0}+2)/factorial({0})", "binomial({0},3)/binomial({0},2)", "gamma({0}+1/2)*gamma({0})", "zeta(1-{})",
        "polylog(2,{0})+polylog(2,1-{0})", "polylog(2,{0})+polylog(2,-{0})", "erf({0})+erfc({0})", "lowergamma(1/3,{0})+uppergamma(1/3,{0})", "besselj(1,{0})+besselj(3,{0})",
        "hyper([1,2],[3],{})", "hyper([1/2],[3/2],{})", "hyper([1/3,1],[2],{})", "hyper([],[1/2],{})", "hyper([1,1],[2],{})", "sinc({})", "atan2({},2)"]
INNER = ["x", "x", "x", "(x+1)", "(2*x)", "(-x)", "(x**2)", "sqrt(x)", "(1/x)", "exp(x)", "(x/3)", "(I*x)", "(1-x)", "(-x**2)", "(x+1/2)", "(x-2)", "log(x)"]
OPERATIONS = ["simplify({})", "expand({})", "factor({})", "diff({},x)", "diff({},x)", "diff({},x,2)", "together({})", "{}", "cancel({})", "trigsimp({})", "expand_log({})", "collect({},x)"]
PLACES = ["7/10", "-13/10", "12/5", "3/10+2/5*I", "-4/5-3/10*I", "-23/10+I/7", "5/4-8/5*I", "1/9"]


def rewritten(server, gp, r):
    """What became of special functions of a symbol has the same values, complex ones as well; derivatives are those that differences give."""
    m = Maker(r)
    f = r.choice(OF_X).format(r.choice(INNER))
    if r.random() < 0.5:
        f = f"({f}) {r.choice('+-*/')} {r.choice(OF_X).format(r.choice(INNER)) if r.random() < 0.6 else m.expression(1)}"
    operation = r.choice(OPERATIONS)
    body = evaluate(server, operation.format(f"({f})"))
    got = body.get("expression", "")
    if not body.get("ok") or NONE.search(got) or re.search(r"\b(zoo|nan|oo)\b", got):
        return
    order = 0 if "diff" not in operation else 2 if "2)" in operation else 1
    try:
        F, G = to_pari(f), to_pari(got)
    except (Foreign, SyntaxError):
        return
    for place in PLACES:
        wanted = gp.number(f"(x->{F})({place}+0.)", 2) if not order else gp.number(f"derivnum(x={place}+0.,{F},{order})", 2)
        said = gp.number(f"(x->{G})({place}+0.)", 2)
        if wanted is None or said is None or max(map(abs, wanted)) > 10**15:
            continue
        size = 1 + max(map(abs, wanted))
        if max(abs(a - b) for a, b in zip(said, wanted)) > size / 10**20:
            # GP takes a branch of its own, or loses digits: what the program and mpmath say of both then counts
            ours = [decimal(evaluate(server, f"subs({t}, x, {place})", digits=30).get("value", "")) for t in (f, got)]
            if order or None in ours:
                z = [by_mpmath(t, 30, place, order if t is f else 0) for t in (f, got)]
                assert None in z or max(abs(a - b) for a, b in zip(*z)) < size / 10**12, f"{operation.format(f)} -> {got}: at {place} {tuple(map(float, said))}, not {tuple(map(float, wanted))}"
            else:
                assert all(abs(a[0] - b[0]) <= a[1] + b[1] + size / 10**20 for a,
                           b in zip(*ours)), f"{operation.format(f)} -> {got}: at {place} {[float(p[0]) for p in ours[1]]}, not {[float(p[0]) for p in ours[0]]}"


REAL = ["sqrt({})", "exp({})", "sin({})", "cos({})", "tan({})", "atan({})", "sinh({})", "cosh({})", "tanh({})", "asinh({})", "cbrt(abs({}))"]
VALUES = ["gamma({})", "zeta({})", "erf({})", "erfc({})", "digamma({})", "log({})", "pi", "E", "sqrt({})", "beta({},1/3)", "erfi({})", "lgamma({})"]


def calculator(server, gp, r):
    """The exact calculator: all digits of a real or complex expression, hundreds of them now and then."""

    def expression(depth):
        if depth <= 0:
            return r.choice([f"({r.choice(['', '', '-'])}{r.randint(1, 30)}/{r.choice([1, 1, 2, 3, 7, 10])})", r.choice(VALUES).format(f"({r.randint(1, 12)}/{r.choice([1, 2, 3, 5])})")])
        kind = r.randrange(6)
        if kind < 3:
            return f"({expression(depth - 1)} {r.choice('+-*/')} {expression(depth - 1)})"
        if kind == 3:
            return f"({expression(depth - 1)})**{r.choice(['2', '3', '(-1)', '(1/2)', '(1/3)', '(-3/2)'])}"
        return r.choice(REAL).format(expression(depth - 1))

    f = expression(r.choice([1, 2, 3]))
    digits = r.choice([20, 40, 40, 60, 300])
    body = server.call("calc_exact", {"expr": f, "digits": digits})
    parts = decimal(body.get("approx", "")) if body.get("ok") else None
    if parts is None:
        return
    gp.ask(f"default(realprecision,{digits + 40})")
    try:
        z = gp.number(to_pari(re.sub(r"\blgamma\(", "loggamma(", f)), 4, digits + 40)
    finally:
        gp.ask("default(realprecision,77)")
    if z is None or near(parts, z, digits):
        return
    other = by_mpmath(re.sub(r"\blgamma\(", "loggamma(", f), digits + 20)
    assert other is None or near(parts, other, digits + 5), f"{f} is {body['approx']}, not {mpmath.mpc(float(other[0]), float(other[1]))} (GP {tuple(map(float, z))})"


HIDDEN = ["(sqrt(2)+sqrt(3)-sqrt(5+2*sqrt(6)))", "((1+sqrt(2))*(sqrt(2)-1)-1)", "(sin(pi/12)-(sqrt(6)-sqrt(2))/4)", "(4*atan(1/5)-atan(1/239)-pi/4)", "(log(6)-log(2)-log(3))",
          "(exp(log(3)/2)-sqrt(3))", "(2*cos(pi/5)-GoldenRatio)", "(cbrt(2)**2-cbrt(4))", "(acos(1/3)+asin(1/3)-pi/2)", "(sqrt(3+2*sqrt(2))-1-sqrt(2))",
          "(tan(pi/8)-sqrt(2)+1)", "(cosh(log(2))-5/4)", "(I**I-exp(-pi/2))", "((-1)**(1/3)-1/2-sqrt(3)*I/2)", "(log(-1)-I*pi)", "(cbrt(7+5*sqrt(2))-1-sqrt(2))", "(gamma(1/2)-sqrt(pi))",
          "(zeta(2)-pi**2/6)", "(atan(1)+atan(2)+atan(3)-pi)", "(sinh(asinh(3))-3)", "(sqrt(-4)-2*I)"]


def parts(server, gp, r):
    """Real and imaginary parts, arguments, absolute values, rounding: of constants in which a zero may hide, that only a decision finds."""

    def real(depth):
        kind = r.randrange(9)
        if depth <= 0 or kind == 0:
            return r.choice(["pi", "E", "sqrt(2)", "sqrt(5)", "log(3)", "(1/3)", "(-7/2)", "2", "(-1)", "(pi-3)", "(5/4)", "cbrt(5)"])
        if kind == 1:
            return f"re({complex_(depth - 1)})"
        if kind == 2:
            return f"im({complex_(depth - 1)})"
        if kind == 3:
            return f"{r.choice(['abs', 'arg'])}({complex_(depth - 1)})"
        if kind == 4:
            return f"{r.choice(['floor', 'ceiling'])}({real(depth - 1)}*{r.choice([1, 2, 5, 100])})"
        if kind == 5:
            return f"{r.choice(['Max', 'Min'])}({real(depth - 1)},{real(depth - 1)})"
        if kind == 6:
            return f"Mod({real(depth - 1)},{r.choice(['1', '2', 'pi', '(2/3)', '(-3)'])})"
        return f"({real(depth - 1)}{r.choice('+-*')}{real(depth - 1)})"

    def complex_(depth):
        kind = r.randrange(7)
        if depth <= 0 or kind == 0:
            return f"({real(depth - 1)}{r.choice('+-')}I*{real(depth - 1)})"
        if kind == 1:
            return f"conjugate({complex_(depth - 1)})"
        if kind == 2:
            return f"({complex_(depth - 1)})**{r.choice(['2', '3', '(1/2)', '(1/3)', '(-1)', '(-3/2)', 'I', '(1+I)', '(2/3)'])}"
        if kind == 3:
            return f"{r.choice(['exp', 'log', 'sqrt', 'sin', 'atan', 'sinh', 'tan', 'asin', 'acos', 'acosh', 'atanh', 'sign', 'asinh', 'cos'])}({complex_(depth - 1)})"
        if kind == 4:
            return f"({complex_(depth - 1)}{r.choice('+-*/')}{complex_(depth - 1)})"
        return real(depth - 1)

    f = r.choice([real, complex_])(3)
    text = re.sub(r"\bpi\b", lambda t: f"(pi+{r.choice(HIDDEN)})" if r.random() < 0.3 else t[0], f)
    text = text if r.random() < 0.6 else text.replace("(5/4)", f"(5/4+{r.choice(HIDDEN)})").replace("(-1)", f"({r.choice(HIDDEN)}-1)")
    body, plain = evaluate(server, text, digits=30), evaluate(server, f, digits=30)
    got, same = (decimal(b.get("value", "")) if b.get("ok") else None for b in (body, plain))
    if got is not None and same is not None:
        assert all(abs(a[0] - b[0]) <= a[1] + b[1] for a, b in zip(got, same)), f"{text} is {body['value']}, and {f} is {plain['value']}"
    if same is None:
        return
    z, again = gp.number(to_pari(f)), gp.number(to_pari(f), digits=150)
    if z is None or again is None or near(same, z, 40):
        return
    other = by_mpmath(f, 60)
    assert other is None or near(same, other, 40) or max(abs(a - b) for a, b in zip(z, other)) > Fraction(1, 10**30), f"{f} is {plain['value']}, not {tuple(map(float, z))}"


PROPERTIES = [special, rewritten, calculator, parts]


@pytest.mark.timeout(peers.TIMEOUT)
@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("property", PROPERTIES, ids=lambda p: p.__name__)
def test_beside_pari(shared_server, gp, property, kind):
    peers.examine(property, kind, shared_server, gp)
