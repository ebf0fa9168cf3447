"""Random questions beside Maxima: forms, derivatives, integrals, limits, series, equations, sums, transforms, differential equations.

Both ways: what Maxima answers is read and judged by the program, and what the program answers is evaluated by Maxima. Maxima takes other branches at
places (it writes x for sqrt(x^2)) and is wrong now and then, so that where the two differ, balls at points or mpmath decide.
"""

import re

import mpmath
import pytest
from flint import acb, arb, ctx, fmpq

import peers
from peers import Foreign, decimal, from_maxima, to_maxima
from questions import FUNCTIONS, NONE, Maker, agree, apart_from, ask, at, balls, evaluate, judged


UNDONE = re.compile(r"'(integrate|limit|diff|sum|product|ilt|laplace|at|taylor)|\b(integrate|limit|nusum|sum|ilt|laplace|unsum|und|ind|false|nounified|true|unknown|error)\b")


def theirs(maxima, form, *texts, timeout=3.0):
    """Maxima's answer to a form with expressions of ours put in, in our notation; None when it has none."""
    try:
        answer = maxima.ask(form.format(*map(to_maxima, texts)), timeout)
        return None if answer is None or UNDONE.search(answer) else from_maxima(answer)
    except Foreign:
        return None


def known(text):
    """Whether balls can be had of it."""
    try:
        balls.read(text)
    except (SyntaxError, MemoryError, RecursionError):
        return False
    return True


# ---- forms ----

FORMS = ["expand({})", "factor({})", "ratsimp({})", "trigsimp({})", "trigreduce({})", "trigexpand({})", "exponentialize({})", "partfrac({},x)", "xthru({})", "multthru({})", "fullratsimp({})",
         "rectform({})", "radcan({})", "logcontract({})", "demoivre({})", "logarc({})", "rootscontract({})", "horner({})", "gfactor({})", "trigrat({})", "diff(integrate(expand({}),x),x)"]


def form(server, maxima, r):
    """What Maxima made of an expression is read as it is meant, and is called the same or another by its value."""
    m = Maker(r, functions=r.choice([[], ["sin", "cos", "tan"], ["exp", "log"], ["sqrt", "abs"], ["sinh", "cosh", "tanh", "exp"], FUNCTIONS[:-2]]), roots=r.random() < 0.4)
    f = m.expression(3)
    g = theirs(maxima, r.choice(FORMS), f)
    if g is None or not known(g) or len(g) > 1500:
        return
    judged(server, f, g)
    body = evaluate(server, g)
    if body.get("ok") and not re.search(r"\b(zoo|nan|oo)\b", body["expression"]) and not NONE.search(body["expression"]):
        agree(g, body["expression"])


# ---- derivatives ----

SPECIAL = ["erf({})", "gamma({})", "loggamma({})", "Ei({})", "Si({})", "Ci({})", "li({})", "besselj(2,{})", "bessely(1,{})", "besseli(0,{})", "besselk(1,{})", "uppergamma(1/3,{})",
           "lowergamma(2,{})", "polylog(2,{})",
           "polylog(3,{})", "digamma({})", "LambertW({})", "fresnels({})", "fresnelc({})", "elliptic_k({})", "expint(2,{})", "abs({})", "atan2({},2)", "acot({})", "asec({})", "acsch({})",
           "asech({})", "acoth({})"]


def derivative(server, maxima, r):
    """Beside Maxima's, by their values: special functions as well, and higher orders."""
    m = Maker(r)
    f = r.choice(SPECIAL).format(m.polynomial(2) if r.random() < 0.6 else m.expression(1)) if r.random() < 0.5 else m.expression(3)
    f = f"{f}{r.choice(['', '*x', '**2', '/(x+3)', ' + exp(x)'])}"
    n = r.choice([1, 1, 2, 3])
    body = ask(server, "symbolic", op="diff", expr=f, var="x", n=n)
    g = theirs(maxima, f"diff({{}},x,{n})", f)
    if not body.get("ok") or NONE.search(body["result"]) or not g or not known(g):
        return
    try:
        agree(g, body["result"], points=balls.REAL[:5] + balls.COMPLEX[:4])
    except AssertionError:
        first = [f] + [ask(server, "symbolic", op="diff", expr=f, var="x", n=k)["result"] for k in range(1, n + 1)]
        for a, b in zip(first, first[1:]):
            agree(a, b, derivative=True)
        F = at(balls.read(f), ("x",), fmpq(7, 20))
        assert F is not None and balls.finite(F.d), f"diff({f}, x, {n}) -> {body['result']}; Maxima's is {g}"


# ---- integrals ----


def antiderivative(server, maxima, r):
    """Ours has the right derivative; Maxima's is accepted by the program when it has."""
    m = Maker(r, functions=["sqrt", "exp", "log", "sin", "cos", "tan", "atan", "asin", "sinh", "tanh"], roots=r.random() < 0.5)
    f = r.choice([lambda: m.expression(2), lambda: f"{m.polynomial(3)}/{m.polynomial(3)}", lambda: f"{m.polynomial(2)}*{m.expression(1)}",
                  lambda: f"{m.polynomial(2)}*{r.choice(['exp', 'sin', 'cos', 'log'])}({m.polynomial(1)})"])()
    body = evaluate(server, f"integrate({f}, x)")
    if body.get("ok") and not NONE.search(body["expression"]) and known(body["expression"]):
        agree(body["expression"], f"({f})", derivative=True)
    F = theirs(maxima, "integrate({},x)", f)
    if F is None or not known(F) or len(F) > 800:
        return
    try:
        agree(F, f"({f})", derivative=True)
    except AssertionError:
        return
    body = ask(server, "symbolic", op="diff", expr=F, var="x")
    if body.get("ok") and not NONE.search(body["result"]):
        judged(server, body["result"], f)


def quadrature(f, low, high):
    """mpmath's value and its error, or None."""
    code = re.sub(r"(?<![\w.])(\d+)", r"mpf(\1)", f.replace("abs(", "fabs("))
    g = eval(f"lambda x: {code}", vars(mpmath) | {"E": mpmath.e, "I": mpmath.mpc(0, 1)})  # noqa: S307
    with mpmath.workdps(20):
        try:
            ends = [eval(str(t), {"pi": mpmath.pi, "oo": mpmath.inf}) for t in (low, high)]  # noqa: S307
            middle = [ends[0] + (ends[1] - ends[0]) * k / 7 for k in range(8)] if mpmath.inf not in ends and -mpmath.inf not in ends else [ends[0],
                (ends[0] + 1) if ends[0] != -mpmath.inf else 0, ends[1]]
            values = [mpmath.quad(g, middle), mpmath.quad(g, middle[:1] + [mpmath.mpf(middle[1]) + mpmath.mpf(1) / 17] + middle[2:])]
        except (ValueError, ZeroDivisionError, TypeError, OverflowError, mpmath.libmp.NoConvergence):
            return None
        return values[0] if mpmath.isfinite(values[0]) and abs(values[0] - values[1]) < 1e-12 * (1 + abs(values[0])) else None


def definite(server, maxima, r):
    """Proper and improper; where Maxima's value is another, a quadrature decides."""
    m = Maker(r, functions=["sqrt", "exp", "log", "sin", "cos", "atan"], roots=False)
    a, b = r.choice([1, 2, 3, "(1/2)"]), r.choice([1, 2, 3, 5])
    f, low, high = r.choice([
        lambda: (m.expression(2), "0", r.choice(["1", "2", "pi"])), lambda: (f"{m.polynomial(2)}/(x**2+{a})", "-1", "oo"),
        lambda: (f"1/((x**2+{a})*(x**2+{b}))", r.choice(["0", "-oo"]), "oo"), lambda: (f"x**{b}*exp(-{a}*x)*{r.choice(['1', 'sin(x)', 'cos(2*x)', 'log(x)'])}", "0", "oo"),
        lambda: (f"exp(-{a}*x**2)*{r.choice(['1', 'x**2', 'cos(x)', f'x**{b}'])}", r.choice(["0", "-oo"]), "oo"),
        lambda: (f"1/({a}+{r.choice(['cos(x)', 'sin(x)**2', 'cos(x)**2'])}+{b})", "0", r.choice(["2*pi", "pi"])), lambda: (f"log(x)**{r.choice([1, 2])}*x**{a}", "0", "1"),
        lambda: (f"x**(-1/{b + 1})*(1-x)**({a}-1/3)", "0", "1"), lambda: (f"sin({a}*x)/x", "0", "oo"), lambda: (f"1/(x**{b + 1}+{a})", "0", "oo"),
        lambda: (f"log(1+{a}*x)/(x+{b})", "0", "1"), lambda: (f"x**{b}/(exp({a}*x)-1)", "0", "oo"), lambda: (f"cos({a}*x)/(x**2+{b})", "-oo", "oo"),
    ])()
    body = evaluate(server, f"integrate({f}, (x, {low}, {high}))", digits=20)
    g = theirs(maxima, f"integrate({{}},x,{to_maxima(low)},{to_maxima(high)})", f)
    if not body.get("ok") or (NONE.search(body["expression"]) and "value" not in body):
        return
    got = decimal(body.get("value", ""))
    if got is None and body["expression"] in ("oo", "-oo", "nan", "zoo") and g not in ("oo", "(-oo)", "-oo") and g is not None:
        wanted = quadrature(f, low, high)
        assert wanted is None, f"integrate({f}, (x, {low}, {high})) -> {body['expression']}, not {wanted}; Maxima's is {g}"
    if got is None:
        return
    ours = mpmath.mpc(*(mpmath.mpf(p[0].numerator) / p[0].denominator for p in got))
    value = at(balls.read(g), ("x",), fmpq(0)) if g and known(g) else None
    if value is not None and balls.finite(value.v) and abs(ours - mpmath.mpc(float(value.v.real.mid()), float(value.v.imag.mid()))) < 1e-12 * (1 + abs(ours)):
        return
    with peers.within(4):
        try:
            wanted = quadrature(f, low, high)
        except TimeoutError:
            return
    assert wanted is None or abs(ours - wanted) < 1e-10 * (1 + abs(wanted)), f"integrate({f}, (x, {low}, {high})) -> {body['expression']} = {body.get('value')}, not {wanted}; Maxima's is {g}"


# ---- limits and series ----


def limit(server, maxima, r):
    """Where Maxima's limit is another, values close to the point decide."""
    m = Maker(r, functions=["sqrt", "exp", "log", "sin", "cos", "atan", "tan", "sinh", "asin", "tanh"])
    f = r.choice([lambda: m.expression(3), lambda: f"({m.expression(2)})/({m.expression(2)})", lambda: f"({m.expression(2)})**({m.expression(1)})",
                  lambda: f"({m.expression(2)}) - ({m.expression(2)})"])()
    point, where = r.choice([("0", lambda t: t), ("1", lambda t: 1 + t), ("oo", lambda t: 1 / t), ("-oo", lambda t: -1 / t)])
    finite = "oo" not in point
    body = ask(server, "symbolic", op="limit", expr=f, var="x", point=point, timeout=3, **({"dir": "+"} if finite else {}))
    g = theirs(maxima, "limit({},x," + point.replace("-oo", "minf").replace("oo", "inf") + (",plus)" if finite else ")"), f)
    got = body.get("limit")
    if not body.get("ok") or not got or not g or NONE.search(got) or not known(g):
        return
    infinite = ("oo", "-oo", "zoo", "(-oo)", "nan", "infinity")
    L, T = (None if t in infinite else at(balls.read(t), ("x",), fmpq(0), 400) for t in (got, g))
    if L is None and T is None or L is not None and T is not None and not apart_from(L.v, T.v):
        return
    F, values = balls.read(f), []
    for k in (5, 15, 40) if finite else (4, 8, 13):
        v = at(F, ("x",), where(fmpq(1, 10**k)), 3000)
        if v is None or not balls.finite(v.v) or v.v.rad() > arb("1e-30") * (1 + abs(v.v)):
            return
        values.append(v.v)
    text = f"limit({f}, x, {point}) -> {got}, Maxima's is {g}; values {[v.str(8) for v in values]}"
    if L is None:
        assert got != "nan" and abs(values[2]) > abs(values[0]), text
    elif T is None:
        assert abs(values[2] - L.v) < abs(values[0] - L.v) or balls.contains_zero(values[2] - L.v), text
    else:
        assert abs(values[2] - L.v) < abs(values[2] - T.v), text


def series(server, maxima, r):
    """The difference of both to a power as high as the order; where there is one, the function decides."""
    m = Maker(r, functions=["exp", "log", "sin", "cos", "sqrt", "atan", "tan", "sinh", "asin", "tanh"])
    f, n = m.expression(r.choice([2, 3])), r.choice([3, 5, 8])
    body = ask(server, "symbolic", op="series", expr=f, var="x", n=n, timeout=3)
    text = body.get("result", "")
    order = re.search(r" \+ O\((.*)\)$", text)
    if not body.get("ok") or not order or NONE.search(text[: order.start()]):
        return
    g = theirs(maxima, f"ratdisrep(taylor({{}},x,0,{n + 2}))", f)
    if g is None or not known(g):
        return
    exponent = re.fullmatch(r"(?:x|x\*\*\(?(-?\d+(?:/\d+)?)\)?|1)", order[1])
    k = fmpq(*map(int, (exponent[1] or "1").split("/"))) if exponent and exponent[0] != "1" else fmpq(0) if exponent else None
    if k is None:
        return
    small = fmpq(1, 10**30)
    a, b, c = (at(balls.read(t), ("x",), small, 2000) for t in (text[: order.start()], g, f))
    if a is None or b is None or not balls.finite(a.v) or not balls.finite(b.v):
        return
    bound = arb(10) ** -(30 * float(k) - 10)
    if abs(a.v - b.v) > bound:
        assert c is not None and balls.finite(c.v) and not (abs(a.v - c.v) > bound), f"series({f}, x, 0, {n}) -> {text}; Maxima's is {g}"


# ---- equations ----


def roots(server, maxima, r):
    """Every root that Maxima has, and that is one, is among ours."""
    m = Maker(r, functions=[], roots=False)
    v = r.choice(["x", "x", "x", "x**2", "exp(x)", "sin(x)", "cos(x)", "tan(x)", "log(x)", "sqrt(x)", "abs(x)", "2**x", "(x+1/x)", "sinh(x)", "(2*x+1)"])
    p = re.sub(r"\bx\b", f"({v})", m.polynomial(3))
    f = r.choice([f"{p} - {m.number()}", f"{p}/{m.polynomial(1)} - {m.number()}", f"{p} - {m.polynomial(1)}", f"{p}*{m.polynomial(2)}", f"({p})**2 - {m.number()}"])
    body = ask(server, "symbolic", op="solve", expr=f, var="x", timeout=3)
    status = body.get("status", "")
    if not body.get("ok") or status.startswith(("unknown", "all")) or body.get("complete") is False or "real roots" in status:
        return
    answer = maxima.ask(f"solve({to_maxima(f)},x)", 3)
    if not answer or answer == "all":
        return
    found = []
    for s in body.get("solutions", []):
        if not isinstance(s, str) or re.search("[<>=]", s):
            return
        names = sorted(balls.names(balls.read(s)) - {"CRootOf"} - {"x"}) if "CRootOf" not in s else []
        for n in range(-12, 13) if names else [0]:
            ctx.prec = 200
            try:
                found.append(balls.evaluate(balls.read(s), {k: balls.D(acb(n)) for k in names}).v)
            except (balls.Cannot, ZeroDivisionError):
                parts = decimal(evaluate(server, s, digits=30).get("value", ""))
                if parts is None:
                    return
                found.append(acb(*(arb(fmpq(q.numerator, q.denominator), 1e-25) for q, _ in parts)))
    F = balls.read(f)
    for left, right in re.findall(r"([^=,\[\]]+(?:\([^=]*\))?) = ((?:[^=\[\]](?! = ))+?)(?=,x = |,[a-z]+\([^=]* = |\]|$)", answer.strip("[]") + "]"):
        if left.strip() != "x":
            continue
        try:
            z = at(balls.read(from_maxima(right)), ("y",), fmpq(0), 300)
        except (Foreign, SyntaxError):
            continue
        if z is None or not balls.finite(z.v):
            continue
        if "real" in str(body.get("notes")) and not z.v.imag.is_zero():
            continue
        value = at(F, ("x",), z.v, 300)
        if value is None or not balls.finite(value.v) or not balls.contains_zero(value.v) or balls.magnitude(value.v) > 1e-30:
            continue
        assert any(not apart_from(t, z.v) for t in found), f"solve({f}) -> {body.get('solutions')} {status}: {right} is a root as well"


def system(server, maxima, r):
    """Every solution that Maxima has of a polynomial system is among ours."""
    m = Maker(r, functions=[], symbols=("x", "y"), roots=False)
    e = [f"{m.polynomial(2)} + {r.choice(['x*y', 'x', 'y', '2*y', 'x*y'])} - {m.number()}" for _ in range(2)]
    body = ask(server, "symbolic", op="solve_linear", system="; ".join(f"{t} = 0" for t in e), variables="x, y", timeout=3)
    status = body.get("status", "")
    if not body.get("ok") or status.startswith("unknown") or body.get("unsolved") or status == "all" or body.get("complete") is False:
        return
    ours = []
    for s in body.get("solutions", []):
        given = dict(re.findall(r"(\w+): (.*?)(?=, \w+: |\}$)", s))
        pair = []
        for v in ("x", "y"):
            parts = decimal(evaluate(server, given[v], digits=25).get("value", "")) if v in given else None
            if parts is None:
                return
            pair.append(complex(float(parts[0][0]), float(parts[1][0])))
        ours.append(pair)
    for pair in ours:  # they are solutions
        for t in e:
            value = eval(t, {"x": pair[0], "y": pair[1]})  # noqa: S307
            assert abs(value) < 1e-6 * (1 + abs(pair[0]) + abs(pair[1])) ** 4, f"{e} -> {pair}: {value}"
    answer = maxima.ask(f"algsys([{','.join(to_maxima(t) for t in e)}],[x,y])", 3)
    for x, y in re.findall(r"\[x = ([^\[\]=]+),y = ([^\[\]=]+)\]", answer or ""):
        try:
            z = [at(balls.read(from_maxima(t)), ("t",), fmpq(0)) for t in (x, y)]
        except (Foreign, SyntaxError):
            continue
        if any(t is None for t in z):
            continue
        z = [complex(float(t.v.real.mid()), float(t.v.imag.mid())) for t in z]
        if max(abs(eval(t, {"x": z[0], "y": z[1]})) for t in e) > 1e-9:  # noqa: S307
            continue
        assert any(abs(a - z[0]) + abs(b - z[1]) < 1e-5 * (1 + abs(z[0]) + abs(z[1])) for a, b in ours), f"{e} -> {ours}: {z} is a solution as well"


# ---- sums, transforms, differential equations, matrices ----


def total(server, maxima, r):
    m = Maker(r, functions=[], symbols=("k",), roots=False)
    f = r.choice([m.polynomial(3), f"{m.polynomial(2)}*{r.choice(['2', '3', '(1/2)', '(-1)'])}**k", f"1/((k+{r.randint(1, 3)})*(k+{r.randint(4, 6)}))", "binomial(n,k)*k**2",
                  "binomial(n,k)**2", "k*factorial(k)", f"binomial(k+{r.randint(1, 3)},2)", f"(2*k+{r.randint(1, 5)})/((k+1)**2*(k+2)**2)", "binomial(n,k)*(-1)**k/(k+1)",
                  f"cos({r.randint(1, 3)}*k)", "k*sin(k)"])
    low = r.choice([0, 1, 1, 2])
    body = evaluate(server, f"sum({f}, (k, {low}, n))")
    g = theirs(maxima, r.choice([f"simplify_sum(sum({{}},k,{low},n))", f"ev(sum({{}},k,{low},n),simpsum)", f"nusum({{}},k,{low},n)"]), f)
    if not body.get("ok") or NONE.search(body["expression"]) or "Piecewise" in body["expression"]:
        return
    for n in (3, 4, 9):
        direct = decimal(evaluate(server, " + ".join(f"({re.sub('[nk]', lambda t: str(n) if t[0] == 'n' else str(k), f)})" if "binomial" not in f and "factorial" not in f and "cos" not in f and "sin" not in f else f"subs(subs({f}, k, {k}), n, {n})" for k in range(low, n + 1)), digits=30).get("value", ""))
        said = [decimal(evaluate(server, f"subs({t}, n, {n})", digits=30).get("value", "")) for t in (body["expression"], g) if t]
        if direct and said[0]:
            assert abs(said[0][0][0] - direct[0][0]) < 1e-20 * (1 + abs(direct[0][0])), f"sum({f}, (k, {low}, n)) -> {body['expression']}: at {n} {float(said[0][0][0])}, not {float(direct[0][0])}; Maxima's is {g}"


def transform(server, maxima, r):
    """Laplace's transform of a function beside Maxima's, and the inverse."""
    a, w, n = r.choice(["1", "2", "(1/2)", "(-1)", "0"]), r.choice(["1", "2", "3", "(1/2)"]), r.randint(0, 3)
    if r.random() < 0.5:
        terms = [f"t**{n}*exp({a}*t)", f"sin({w}*t)*exp({a}*t)", f"t*cos({w}*t)", f"cosh({w}*t)*t**{n}", f"t**{n}*sin({w}*t)*exp({a}*t)", f"sin({w}*t)**2", f"sin({w}*t)*cos(t)",
                 f"sqrt(t)*exp({a}*t)", f"t**{n}*sinh(t)", f"erf(sqrt(t))", f"exp(-t**2)", f"besselj(0,{w}*t)"]
        f, op, form, v = f"{r.choice(terms)} - {r.choice(['2', '(1/3)'])}*{r.choice(terms)}", "laplace", "laplace({},t,s)", "t"
    else:
        terms = [f"1/((s-{a})*(s+{w}))", f"(s+{n})/(s**2+{w}**2)", f"1/(s**2+{w})**2", f"s/((s-{a})**2+{w})", f"1/(s*(s+{w})**{n + 1})", f"(2*s+1)/(s**3+{w}*s)", f"s**2/(s**4+{w})",
                 f"(s-1)/((s**2+s+1)*(s+{w}))", f"1/(s**3-{w})"]
        f, op, form, v = f"{r.choice(terms)} + {r.choice(['2', '(-1/3)'])}*{r.choice(terms)}", "inverse_laplace", "ilt({},s,t)", "s"
    body = ask(server, "symbolic", op=op, expr=f, var=v, timeout=3)
    g = theirs(maxima, form, f)
    if not body.get("ok") or not body.get("result") or not g or not known(g) or re.search("Laplace|Dirac", body["result"]):
        return
    w = {"t": "s", "s": "t"}[v]
    agree(*(re.sub(rf"\b{w}\b", "x", t) for t in (g, body["result"])), points=[fmpq(31, 4), fmpq(19, 2), fmpq(4)] if w == "s" else balls.REAL[:1] + [fmpq(7, 4), fmpq(1, 3), fmpq(3)])


def ordinary(server, maxima, r):
    """What is given solves the equation: Maxima puts it in, at points and values of the constants."""
    m = Maker(r, functions=["exp", "sin", "cos"], roots=False)
    c = [r.choice([1, 2, 3, -1, -2, 0, "(1/2)"]) for _ in range(4)]
    right = r.choice(["0", "0", m.polynomial(2), f"exp({c[3]}*x)", f"sin({r.choice([1, 2])}*x)", "x*exp(x)", "exp(-x)*cos(x)", "x**2*exp(2*x)", "x*sin(x)"])
    kind = r.randrange(4)
    if kind == 0:
        e = f"y'' + {c[0]}*y' + {c[1]}*y = {right}"
    elif kind == 1:
        e = f"y''' + {c[0]}*y'' + {c[1]}*y' + {c[2]}*y = {right}"
    elif kind == 2:
        e = f"y' = ({m.expression(1)})*y + {right}"
    else:
        e = r.choice([f"x*y' = {c[0]}*y + {right}", f"y' = ({m.polynomial(1)})*y**2", f"y' = y/x + {c[0]}*(y/x)**2", f"y' = ({m.polynomial(2)})/(y+{r.choice([1, 2])})",
                      f"y'*(x**2+1) = y*x + {right}", f"y' = {c[0]}*y + {r.choice([1, 2])}*x*y**{r.choice([2, 3])}"])
    body = ask(server, "symbolic", op="ode", expr=e, timeout=3)
    if not body.get("ok"):
        return
    left, _, after = e.partition(" = ")
    residual = re.sub(r"y('*)", lambda t: f"diff(Y,x,{len(t[1])})", f"{left} - ({after})".replace("**", "^")).replace("exp(", "exp(")
    for s in body.get("solutions", []):
        name, _, value = s.partition(" = ")
        if name != "y(x)" or NONE.search(value) or "y(" in value:
            continue
        numbers = ",".join(f"C{i + 1}={t}" for i, t in enumerate(("1/3", "-5/7", "2")))
        try:
            text = to_maxima(value)
        except Foreign:
            continue
        for x in ("3/10", "13/20", "47/20"):
            answer = maxima.ask(f"block([Y:{text},e,fpprec:40],e:subst([{numbers}],{residual}),float(cabs(bfloat(rectform(subst([x={x}],e))))))", 2)
            if answer is None or not re.fullmatch(r"[-+.\dEe]+", answer):
                break
            assert float(answer) < 1e-6 or is_solution(server, f"{left} - ({after})", value), f"{e} -> {s}: off by {answer} at {x}"


def is_solution(server, residual, value):
    """Whether balls leave it possible, with derivatives from the program, of which another property takes care."""
    derivatives = [value] + [ask(server, "symbolic", op="diff", expr=value, var="x", n=k)["result"] for k in (1, 2, 3)]
    tree = balls.read(re.sub(r"y('*)", lambda t: f"Y{len(t[1])}", residual))
    for p in balls.REAL[:6]:
        ctx.prec = 600
        env = {"x": balls.D(acb(arb(p))), "C1": balls.D(acb(arb(fmpq(1, 3)))), "C2": balls.D(acb(arb(fmpq(-5, 7)))), "C3": balls.D(acb(2))}
        try:
            env |= {f"Y{k}": balls.evaluate(balls.read(t), env) for k, t in enumerate(derivatives)}
            if not balls.contains_zero(balls.evaluate(tree, env).v):
                return False
        except (balls.Cannot, ZeroDivisionError, ValueError):
            continue
    return True


def symbolic_matrix(server, maxima, r):
    """Determinant, inverse, characteristic polynomial and power of a matrix with symbols."""
    n = r.randint(2, 4)
    m = Maker(r, functions=[], symbols=("a", "b"), roots=False)
    rows = [[r.choice(["0", "1", "2", "a", "b", "a*b", "-a", "a+b", "1/b", "a-1", "b**2"]) if r.random() < 0.9 else m.polynomial(2) for _ in range(n)] for _ in range(n)]
    A = "matrix(" + ",".join("[" + ",".join(to_maxima(e) for e in row) + "]" for row in rows) + ")"
    for op, form in (("det", "determinant({})"), ("charpoly", f"determinant(lambda*ident({n})-({{}}))"), ("trace", f"sum(({{}})[i,i],i,1,{n})")):
        body = ask(server, "matrix", rows=rows, op=op)
        if body.get("ok"):
            value = body["value"].replace("lambda", "z")
            wrong = maxima.ask(f"ratsimp(({to_maxima(value)})-subst(z,lambda,{form.format(A)}))")
            assert wrong in ("0", None), f"{op} {rows} -> {body['value']}: off by {wrong}"
    for op, form in (("inverse", "invert({})"), ("power", "({})^^3")):
        body = ask(server, "matrix", rows=rows, op=op, **({"n": 3} if op == "power" else {}))
        if body.get("ok"):
            B = "matrix(" + ",".join("[" + ",".join(to_maxima(e) for e in row) + "]" for row in body["matrix"]) + ")"
            wrong = maxima.ask(f"ratsimp({B}-({form.format(A)}))")
            assert wrong is None or not re.search(r"[^0,\[\]()]", wrong.replace("matrix", "")), f"{op} {rows} -> {body['matrix']}: off by {wrong}"
    body = ask(server, "matrix", rows=rows, op="rank")
    if body.get("ok"):
        assert str(body["value"]) == maxima.ask(f"rank({A})"), f"rank {rows} -> {body}"


def factored(server, maxima, r):
    """Polynomials in three symbols: the product is right, and nothing in it can be factored further."""
    m = Maker(r, functions=[], symbols=("x", "y", "z"), roots=False)
    f = "*".join(f"({m.polynomial(2)} + {r.choice(['x*y', 'y*z', 'x', 'z**2', 'x*y*z'])} - {m.polynomial(1)})" for _ in range(r.randint(1, 3)))
    body = ask(server, "symbolic", op="factor", expr=f)
    if not body.get("ok"):
        return
    wrong = maxima.ask(f"ratsimp(({to_maxima(f)})-({to_maxima(body['result'])}))")
    assert wrong in ("0", None), f"factor({f}) -> {body['result']}: off by {wrong}"
    theirs_, ours = (maxima.ask(f"block([F:num({t})],if not atom(F) and op(F)=\"-\" then F:num(-F),apply(\"+\",map(lambda([e],if freeof(x,y,z,e) then 0 else if atom(e) or op(e)#\"^\" then 1 else part(e,2)),if atom(F) or op(F)#\"*\" then [F] else args(F))))") for t in (f"factor({to_maxima(f)})", to_maxima(body["result"])))
    assert theirs_ is None or ours is None or int(ours) >= int(theirs_), f"factor({f}) -> {body['result']}: Maxima has {theirs_} factors"


def constant(server, maxima, r):
    """30 digits of a constant in roots and elementary functions, complex as well."""
    m = Maker(r, functions=["sqrt", "exp", "log", "sin", "cos", "tan", "atan", "sinh", "tanh", "asinh", "cosh"])
    f = m.constants(3)
    body = evaluate(server, f, digits=30)
    got = decimal(body.get("value", ""))
    if not body.get("ok") or got is None:
        return
    answer = maxima.ask(f"block([fpprec:60,e:bfloat(rectform({to_maxima(f)}))],[realpart(e),imagpart(e)])", 3)
    match = re.fullmatch(r"\[([-+.\db]+),([-+.\db]+)\]", answer or "")
    if not match:
        return
    z = [fmpq(0), fmpq(0)]
    for i in range(2):
        q = peers.Fraction(match[i + 1].replace("b", "e"))
        z[i] = q
    size = max(abs(z[0]), abs(z[1]))
    if any(abs(p - t) > unit + size / 10**35 for (p, unit), t in zip(got, z)):
        ctx.prec = 400
        true = at(balls.read(f), ("x",), fmpq(0), 600)
        assert true is not None and balls.finite(true.v), f"{f} is {body['value']}, not {answer}"
        assert not any(abs(t - arb(fmpq(p.numerator, p.denominator))) > arb(fmpq(unit.numerator, unit.denominator)) for (p, unit),
                       t in zip(got, (true.v.real, true.v.imag))), f"{f} is {body['value']}, not {true.v.str(30)}; Maxima {answer}"


def test_maxima_answers(maxima):
    """It has what the properties ask of it, and comes back after an error, a question and a calculation without end."""
    for question, answer in [("integrate(2*x,x)", "x^2"), ("integrate(x^n,x)", None), ("1/0", None), ("1+)", None), ("simplify_sum(sum(binomial(n,k),k,0,n))", "2^n"),
                             ("laplace(sin(t),t,s)", "1/(s^2+1)"), ("ilt(1/s,s,t)", "1"), ("block(while true do 1)", None), ("limit(sin(x)/x,x,0)", "1"),
                             ("nusum(k,k,1,n)", "(n*(n+1))/2"), ("ratdisrep(taylor(exp(x),x,0,2))", "x^2/2+x+1"), ("algsys([x-1,y-2],[x,y])", "[[x = 1,y = 2]]"), ("rank(matrix([1,2],[2,4]))", "1")]:
        assert maxima.ask(question, 20 if answer else 1) == answer, question


PROPERTIES = [form, derivative, antiderivative, definite, limit, series, roots, system, total, transform, ordinary, symbolic_matrix, factored, constant]


@pytest.mark.timeout(peers.TIMEOUT)
@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("property", PROPERTIES, ids=lambda p: p.__name__)
def test_beside_maxima(shared_server, maxima, property, kind):
    peers.examine(property, kind, shared_server, maxima)
