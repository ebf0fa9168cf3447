"""Random questions beside PARI/GP that have a number for an answer: integrals, sums, products, series, limits, roots on an interval.

GP computes from what was asked (quadrature, summation, interpolation), the program from a closed form, so that they share no step. Where two
precisions of GP's quadrature do not agree it has no opinion.
"""

import re
from fractions import Fraction

import pytest

import peers
from peers import Foreign, decimal, to_pari
from questions import NONE, Maker, agree, ask, evaluate


def sure(gp, text, *others, timeout=4.0):
    """A number to some 20 digits on which different ways of computing it agree."""
    values = [gp.number(t, timeout) for t in (text, *others)]
    if None in values:
        return None
    z, size = values[0], max(map(abs, values[0]))
    return z if all(abs(a - b) <= (1 + size) / 10**20 for v in values[1:] for a, b in zip(v, z)) else None


def same(got, z, digits=18):
    size = 1 + max(map(abs, z))
    return all(abs(p - t) <= unit + size / 10**digits for (p, unit), t in zip(got, z))


def agrees(body, what, value):
    """The answer for an integral or sum is the value on which two ways of GP agree; one that is said to diverge has none."""
    assert not body.get("ok") or body["expression"] not in ("oo", "-oo", "zoo", "nan") or value() is None, f"{what} -> {body['expression']}, not {shown(value())}"
    got = decimal(body.get("value", ""))
    if not body.get("ok") or got is None:
        return
    z = value()
    assert z is None or same(got, z), f"{what} -> {body['expression']} = {body['value']}, not {shown(z)}"


def shown(z):
    return " + ".join(f"{float(t):.20g}{i}" for t, i in zip(z, ("", "*I")) if t or not i)


# ---- integrals ----


def smooth(m):
    """Analytic near [0, 3]: what a quadrature finds to all digits."""
    r = m.r
    a, b, c = r.choice("1234"), r.choice("1235"), r.choice("123")
    q = r.choice([f"(x**2+{a})", f"(x+{b})", f"(x**2+x+{c})", f"(x**4+{a})", f"(exp(x)+{b})", f"(2+sin({c}*x))", f"(2+cos(x))", f"(x**3+{a})", f"cosh(x)", f"(x+{a})**2", f"(1+exp(-x))",
                  f"({b}*x+{a})"])
    p = r.choice(["1", "x", "x**2", f"({a}*x+{b})", f"(x**2-{c})", f"x**{b}"])
    e = r.choice(["1", "1", f"exp(-{c}*x)", f"sin({a}*x)", f"cos({b}*x)", f"log({a}+x)", f"log(x**2+{b})", f"atan({c}*x)", f"sqrt({a}+x)", f"sqrt(x**2+{b})", f"exp(-x**2)", f"asinh(x)",
                  f"(x+{a})**({b}/3)", f"exp(x)*sin(x)", f"1/sqrt({a}+x)", f"sin(x)**2", f"tanh(x)", f"log({a}+x)**2", f"exp(-{c}*x)*cos({a}*x)", f"abs(x-1)", f"erf(x)", f"besselj(0,x)",
                  f"polylog(2,-x)"])
    return r.choice([f"{p}*{e}", f"{p}*{e}/{q}", f"{e}/{q}", f"{p}/{q}", f"{p}*{e}*{q}", f"{p}/{q} + {e}", f"{e}/{q}**{r.choice('23')}", f"{e}/sqrt({q})"])


def definite(server, gp, r):
    m = Maker(r)
    f = smooth(m) if r.random() < 0.8 else f"({m.expression(2)})*exp(-x)"
    low, high = r.choice([("0", "1"), ("0", "2"), ("1", "3"), ("0", "pi"), ("1/2", "3"), ("0", "E"), ("-1/2", "1"), ("2", "0"), ("1", "sqrt(2)")])
    body = evaluate(server, f"integrate({f}, (x, {low}, {high}))", digits=25)
    got = decimal(body.get("value", ""))
    if not body.get("ok") or got is None:
        return
    try:
        a, b, F = to_pari(low), to_pari(high), to_pari(f)
    except Foreign:
        return
    cut = "1" if "abs" in f else f"({a}+{b})/3"
    z = sure(gp, f"intnum(x={a},{cut},{F})+intnum(x={cut},{b},{F})",
             f"intnumgauss(x={a},{cut},{F})+intnumgauss(x={cut},{b},{F})" if "abs" not in f else f"intnum(x={a},{cut},{F},1)+intnum(x={cut},{b},{F},1)")
    assert z is None or same(got, z), f"integrate({f}, (x, {low}, {high})) -> {body['expression']} = {body['value']}, not {shown(z)}"


def improper(server, gp, r):
    """To infinity, and with a singularity of the integrand at an end, of which GP is told."""
    a, b, c, n = r.choice("1234"), r.choice("1235"), r.choice("123"), r.randint(0, 4)
    s = r.choice(["1/2", "1/3", "-1/2", "-1/3", "-2/3", "3/2", "1/4"])
    f, low, high = r.choice([
        (f"x**{n}*exp(-{a}*x)", "0", "[oo,{a}]"), (f"x**({s})*exp(-{a}*x)", "[0,{s}]", "[oo,{a}]"), (f"exp(-{a}*x)*sin({b}*x)/x", "0", "[oo,{a}]"),
        (f"x**{n}/(x**{n + 2}+{a})", "0", "[oo,-2]"), (f"1/((x**2+{a})*(x+{b}))", "0", "[oo,-3]"),
        (f"log(x)/(x**2+{a})", "[0,0]", "[oo,-2]"), (f"x**({s})*log(x)", "[0,{s}]", "1"), (f"x**({s})*(1-x)**{n}", "[0,{s}]", "1"), (f"x**({s})/(x+{a})", "[0,{s}]", "1"),
        (f"log(x)**{n % 3 + 1}/(x+{a})", "[0,0]", "1"), (f"x**{n + 1}/(exp({a}*x)-1)", "0", "[oo,{a}]"),
        (f"x**{n}/(exp({a}*x)+1)", "0", "[oo,{a}]"), (f"x**{n}*exp(-{a}*x**2)", "0", "[oo,1]"), (f"exp(-{a}*x**2-{b}*x)", "0", "[oo,1]"), (f"exp(-{a}*x**2)*cos({b}*x)", "0", "[oo,1]"),
        (f"1/(x**2+{a})**({n}+1)", "0", "[oo,-2]"), (f"exp(-{a}*x)*log(x)", "[0,0]", "[oo,{a}]"),
        (f"exp(-{a}*x)/(x+{b})", "0", "[oo,{a}]"), (f"x**{n}/cosh({a}*x)", "0", "[oo,{a}]"), (f"atan({a}*x)/(x**2+{b})", "0", "[oo,-2]"), (f"1/(sqrt(x)*(x+{a}))", "[0,-1/2]", "[oo,-3/2]"),
        (f"log(1+{a}*x**2)/(1+x**2)**2", "0", "[oo,-3]"), (f"1/(x**2+{a}*x+{b})", "1", "[oo,-2]"),
        (f"exp(-{a}*sqrt(x))", "0", "[oo,1/2]"), (f"log(x+{a})/(x+{a})**{n + 2}", "0", "[oo,-2]"), (f"erfc({a}*x)*x**{n}", "0", "[oo,1]"), (f"besselj(0,{b}*x)*exp(-{a}*x)", "0", "[oo,{a}]"),
        (f"sin({a}*x)**2*exp(-{b}*x)", "0", "[oo,{b}]"), (f"1/(1+x**{n + 2})", "0", "[oo,-2]"),
        (f"x**({s})*log(x)**2*exp(-x)", "[0,{s}]", "[oo,1]"), (f"(exp(-{a}*x)-exp(-{b}*x))/x", "0", "[oo,1]"), (f"x*exp(-{a}*x)*cos({c}*x)", "0", "[oo,{a}]"), (f"1/(exp({a}*x)+{b})", "0", "[oo,{a}]"),
    ])
    low, high = (t.replace("{a}", a).replace("{b}", b).replace("{s}", s) for t in (low, high))
    l, h = (re.sub(r"\[([^,]+),.*", r"\1", t) for t in (low, high))
    body, F = evaluate(server, f"integrate({f}, (x, {l}, {h}))", digits=25), to_pari(f)

    def value():
        return sure(gp, f"intnum(x={low},3/4,{F})+intnum(x=3/4,{high},{F})", f"intnum(x={low},1/3,{F},1)+intnum(x=1/3,{high},{F},1)")

    agrees(body, f"integrate({f}, (x, {l}, {h}))", value)


def broken(server, gp, r):
    """Integrands with steps and corners, at places that are known: GP integrates from one to the next."""
    c = [f"({r.randint(-3, 8)}/{r.choice([1, 2, 3])})" for _ in range(3)]
    k = r.choice("123")
    step = r.choice([f"floor({k}*x)", f"ceiling(x/{k}+{c[0]})", f"abs(x-{c[0]})", f"sign(x-{c[0]})", f"Heaviside(x-{c[0]})", f"Max(x,{c[0]})", f"Min({k}*x,{c[0]})", f"Max(x-{c[0]},2-x)",
                     f"Piecewise((x,x<{c[0]}),(x**2,True))", f"Piecewise((1,x<{c[0]}),(exp(x),x<{c[1]}),(x,True))", f"abs(x**2-{k}*{k}/4)",
                     f"abs(abs(x-{c[0]})-{k})", f"floor(x)*Heaviside(x-{c[0]})", f"Mod(x,{k})", f"frac(x)", f"sign((x-{c[0]})*(x-{c[1]}))", f"abs(x-{c[0]})*abs(x-{c[1]})",
                     f"abs(x-{c[0]})**3", f"sqrt((x-{c[0]})**2)", f"Max(0,Min(x-{c[0]},1))", f"floor({k}*x+1/2)**2", f"(x-floor(x))**{k}"])
    f = r.choice([step, f"{step}*{r.choice(['x', 'x**2', 'exp(x)', 'exp(-x)', 'cos(x)', 'sin(2*x)', '1/(x+5)', 'log(x+5)'])}", f"{step} + x", f"exp(-{step})", f"1/(1+({step})**2)", f"x*{step}**2"])
    low, high = r.choice([("0", "3"), ("-1", "2"), ("-2", "5/2"), ("1/3", "4"), ("3", "0")])
    body = evaluate(server, f"integrate({f}, (x, {low}, {high}))", digits=25)
    got = decimal(body.get("value", ""))
    if not body.get("ok") or got is None:
        return
    try:
        F = to_pari(f.replace("frac(x)", "(x-floor(x))"))
    except Foreign:
        return
    a, b = Fraction(low), Fraction(high)
    ends = sorted({a, b} | {t for n in range(-36, 61) for t in [Fraction(n, 12)] if min(a, b) < t < max(a, b)})
    breaks = ",".join(f"{t.numerator}/{t.denominator}" for t in ends)
    z = gp.number(f"(v->sum(i=1,#v-1,intnumgauss(x=v[i],v[i+1],{F})))([{breaks}])")
    again = gp.number(f"(v->sum(i=1,#v-1,intnum(x=v[i]+1e-60,v[i+1]-1e-60,{F})))([{breaks}])")
    if z is None or again is None or max(abs(p - q) for p, q in zip(z, again)) > Fraction(1, 10**20):
        return
    sign = 1 if a < b else -1
    assert same(got, [t * sign for t in z]), f"integrate({f}, (x, {low}, {high})) -> {body['expression']} = {body['value']}, not {shown([t * sign for t in z])}"


def parametric(server, gp, r):
    """With parameters: at values for which the conditions of the answer hold, it is the integral or sum at these."""
    n, s = r.randint(0, 3), r.choice(["1/2", "-1/2", "1/3", "3/2"])
    values = {"a": r.choice(["7/5", "2", "1/3", "5/2", "3/4"]), "b": r.choice(["9/4", "1/2", "3", "5/7"])}
    assume = r.choice(["a>0, b>0", "a>0, b>0", "", "a real, b real", "a>0, b real", "a>b, b>0"])
    values = {k: v if f"{k}>" in assume else r.choice(["", "-"]) + v for k, v in values.items()}
    if "a>b" in assume:
        values["a"] = f"{values['a']}+{values['b']}"
    f, low, high = r.choice([
        (f"x**{n}*exp(-a*x)", "0", "[oo,1/2]"), ("exp(-a*x)*sin(b*x)", "0", "[oo,1/2]"), ("exp(-a*x)*cos(b*x)", "0", "[oo,1/2]"), ("1/(x**2+a**2)", "0", "[oo,-2]"),
        ("1/((x**2+a**2)*(x**2+b**2))", "0", "[oo,-4]"), ("exp(-a*x**2)", "0", "[oo,1]"),
        (f"x**{n}*exp(-a*x**2)", "0", "[oo,1]"), ("exp(-a*x**2+b*x)", "[-oo,1]", "[oo,1]"), ("x**a", "0", "1"), ("x**a*log(x)", "0", "1"), ("1/(x+a)**2", "0", "[oo,-2]"), ("a**x", "0", "1"),
        ("cos(a*x)*cos(b*x)", "0", "1"), ("sin(a*x)**2", "0", "1"), ("1/(x**2+a)", "0", "1"), ("1/sqrt(x+a)", "0", "1"), ("x/(x**2+a**2)", "0", "b"), ("exp(a*x)*x", "0", "b"),
        ("abs(x-a)", "0", "b"), ("1/(1+a*x)", "0", "1"), ("sqrt(a**2+x**2)", "0", "1"), ("1/(exp(a*x)+1)", "0", "[oo,1/2]"), ("log(1+a*x)", "0", "1"),
        ("exp(-a*x)-exp(-b*x)", "0", "[oo,1/2]"), ("(exp(-a*x)-exp(-b*x))/x", "0", "[oo,1/2]"), (f"x**({s})*exp(-a*x)", f"[0,{s}]", "[oo,1/2]"), ("1/(a+b*x**2)", "0", "1"), ("a*x/(b+x)", "0", "1"),
        ("1/(a**2*cos(x)**2+b**2*sin(x)**2)", "0", "1"), ("cosh(a*x)*exp(-3*x)", "0", "1"), ("1/(a+cos(x))", "0", "1"), ("atan(a*x)", "0", "1"), ("log(x**2+a**2)", "0", "1"),
        ("x**(a-1)*exp(-b*x)", "0", "[oo,1/2]"), ("1/(x**2+2*a*x+a**2+b**2)", "0", "[oo,-2]"), ("max(x,a)", "0", "b"), ("sign(x-a)", "0", "b"), ("1/x**a", "1", "[oo,-2]"),
        ("log(x)/x**a", "1", "[oo,-2]"),
        ("sin(a*x)*sin(b*x)", "0", "pi"), ("x*exp(-a*x)*sin(b*x)", "0", "[oo,1/2]"), ("1/(x*(x+a))", "1", "[oo,-2]"), ("1/(x+a)/(x+b)", "0", "[oo,-2]"),
        ("sqrt(x)/(x+a)**2", "0", "[oo,-3/2]"), ("sqrt(b**2-x**2)", "0", "b"), ("1/(x**2-a**2)", "3", "[oo,-2]"), ("(x**2+a)**(3/2)", "0", "1"), ("heaviside(x-a)*x", "0", "b"),
        ("exp(-abs(x-a))", "0", "1"), ("tanh(a*x)", "0", "b"),
    ])
    l, h = (re.sub(r"\[([^,]+),.*", r"\1", t) for t in (low, high))
    f = f.replace("max(", "Max(").replace("heaviside(", "Heaviside(")
    body = evaluate(server, f"integrate({f}, (x, {l}, {h}))", **({"assume": assume} if assume else {}))
    got = body.get("expression", "")
    if not body.get("ok") or NONE.search(got) or re.search(r"\b(oo|nan|zoo)\b", got):
        return

    def put(text):
        return re.sub(r"\b[ab]\b", lambda t: f"({values[t[0]]})", text)

    for condition in body.get("conditions", []):
        if evaluate(server, put(condition)).get("expression") != "True":
            return
    said = evaluate(server, put(got), digits=25)
    value = decimal(said.get("value", ""))
    if value is None:
        return
    F, l, h = to_pari(put(f)), put(low), to_pari(put(high)) if "[" not in high else high
    cut = "(" + (values["a"] if re.search("abs|Max|sign|Heaviside", f) else "4/5") + ")"
    if re.search("abs|Max|sign|Heaviside", f):
        z = sure(gp, f"if({l}<{cut}&&{cut}<{h},intnumgauss(x={l},{cut},{F})+intnumgauss(x={cut},{h},{F}),intnumgauss(x={l},{h},{F}))")
    else:
        z = sure(gp, f"intnum(x={l},{cut},{F})+intnum(x={cut},{h},{F})", f"intnum(x={l},1/3,{F},1)+intnum(x=1/3,{h},{F},1)")
    assert z is None or same(value, z, 12), f"integrate({f}, (x, {l}, {h})), {assume} -> {got}, {body.get('conditions')}: at {values} {said['value']}, not {shown(z)}"


def power_series(server, gp, r):
    """Infinite sums with a symbol, where their conditions hold."""
    a, b, n = r.randint(1, 3), r.randint(1, 3), r.randint(1, 3)
    f = r.choice([f"x**k/k", f"x**k", f"k**{n}*x**k", f"x**k/factorial(k)", f"x**k/(k+{a})", f"x**(2*k)/factorial(2*k+{a})", f"(-1)**k*x**(2*k+1)/(2*k+1)", f"x**k/k**2",
                  f"x**(2*k)/(2*k+{a})", f"binomial(2*k,k)*x**k", f"(k+{a})/(k+{b})*x**k", f"x**k/(k*(k+{a}))", f"(-1)**k*x**(2*k)/factorial(k)**2", f"harmonic(k)*x**k", f"x**({a}*k)/{b + 1}**k",
                  f"k*x**k/factorial(k+{a})", f"(x+{a})**k/{b + 4}**k", f"exp(-k*x**2)", f"x**k/((k+1)*(k+2))", f"(2*k+1)*x**(2*k)", f"binomial(k+{n},{n})*x**k", f"(-1)**k*x**k/(2*k+{a})",
                  f"x**(k+{a})/(k+{b})", f"cos(k)*x**k", f"fibonacci(k)*x**k", f"1/(k**2+x**2)", f"1/((k+x)*(k+x+{a}))", f"1/(k+x)**2"])
    low = r.choice([0, 1, 2]) if not re.search(r"/k\b|/\(k\*", f) else r.choice([1, 2])
    body = evaluate(server, f"sum({f}, (k, {low}, oo))")
    got = body.get("expression", "")
    if not body.get("ok") or NONE.search(got):
        return
    for x in ("1/7", "-1/5", "2/9", "-3/4", "3/5", "1/10+I/9"):
        holds = [evaluate(server, f"subs({c}, x, {x})").get("expression") for c in body.get("conditions", [])]
        if any(h != "True" for h in holds):
            continue
        said = evaluate(server, f"subs({got}, x, {x})", digits=25)
        value = decimal(said.get("value", ""))
        if value is None:
            continue
        F = to_pari(f)
        way = "sumnum" if "1/(" in f[:3] and "**k" not in f else "suminf"
        z = sure(gp, f"(x->{way}(k={low},{F}))({x})", f"(x->sum(k={low},{low + 9},1.*{F})+{way}(k={low + 10},{F}))({x})")
        assert z is None or same(value, z, 12), f"sum({f}, (k, {low}, oo)) -> {got}, {body.get('conditions')}: at {x} {said['value']}, not {shown(z)}"


def by_parts(server, gp, r):
    """The difference of an indefinite integral at two points is the integral between them."""
    m = Maker(r, functions=["exp", "sin", "cos", "log", "sqrt", "atan"], roots=False)
    f = smooth(m) if r.random() < 0.5 else m.expression(2)
    body = evaluate(server, f"integrate({f}, x)")
    F = body.get("expression", "")
    if not body.get("ok") or NONE.search(F) or "Piecewise" in F or "abs" in f:
        return
    low, high = "3/10", "2/5"
    ends = [decimal(evaluate(server, f"subs({F}, x, {p})", digits=30).get("value", "")) for p in (low, high)]
    if None in ends:
        return
    try:
        g = to_pari(f)
    except Foreign:
        return
    z = sure(gp, f"intnum(x={low},{high},{g})", f"intnumgauss(x={low},{high},{g})")
    got = [(b[0] - a[0], a[1] + b[1]) for a, b in zip(*ends)]
    if z is not None and not same(got, z):  # it may jump between the two: the derivative tells
        agree(F, f"({f})", derivative=True)


# ---- sums ----


def infinite(server, gp, r):
    """By the way of GP that fits the summand: alternating, of geometric decrease, rational, of known asymptotics."""
    a, b, c, n = r.randint(1, 4), r.randint(1, 5), r.randint(2, 4), r.randint(1, 4)
    f, way = r.choice([
        (f"1/(k**2+{a})", "sumnum"), (f"1/((k+{a})*(k+{b}+1/2))", "sumnum"), (f"1/({c}**k*k)", "suminf"), (f"k**{n}/{c}**k", "suminf"), (f"(-1)**k/(k+{a})", "sumalt"),
        (f"(-1)**k/({c}*k+{a})**{n}", "sumalt"), (f"1/k**{c}", "sumnum"),
        (f"({a}*k+{b})/(k*(k+1)*(k+{c}))", "sumnum"), (f"{a}**k/factorial(k)", "suminf"), (f"1/factorial(2*k+{a})", "suminf"), (f"k**{n}/factorial(k)", "suminf"),
        (f"1/(4*k**2-1)**{n}", "sumnum"), (f"(-1)**k/(2*k+1)**{2 * n - 1}", "sumalt"), (f"1/(k**2-{a}/7)", "sumnum"),
        (f"binomial(2*k,k)/{4 + a}**k", "suminf"), (f"1/(k*({c}*k+1))", "sumnum"), (f"1/(k**4+{a})", "sumnum"), (f"cos({a}*k)/{c}**k", "suminf"), (f"1/binomial(2*k,k)", "suminf"),
        (f"k/(k**4+k**2+{a})", "sumnum"), (f"1/(k**3+{a})", "sumnum"), (f"(-1)**k/(k**2+{a})", "sumalt"),
        (f"1/(k**2*(k+{a})**2)", "sumnum"), (f"sin({b}*k)/factorial(k)", "suminf"), (f"(k**2+{a})/{c}**k", "suminf"), (f"1/(k**2+k+{a})", "sumnum"), (f"(-1)**k*k/(k**2-{a}/3)", "sumalt"),
        (f"{a}**k/factorial({c}*k)", "suminf"), (f"binomial(k+{n},{n})/{c}**k", "suminf"), (f"1/((2*k+1)*{c}**k)", "suminf"),
        (f"(-1)**k*{a}**(2*k)/factorial(2*k+1)", "suminf"), (f"1/(k+{a})**{n + 1}", "sumnum"), (f"log(1+1/(k**2+{a}))", "sumnum"), (f"1/(k**2-1/4)", "sumnum"), (f"exp(-{a}*k)*k", "suminf"),
        (f"harmonic(k)/{c}**k", "suminf"), (f"1/(k*{c}**k*(k+1))", "suminf"), (f"(-1)**k/(3*k+{a})", "sumalt"),
    ])
    low = r.choice([1, 1, 2])
    body = evaluate(server, f"sum({f}, (k, {low}, oo))", digits=25)
    F = to_pari(f)

    def value():
        return sure(gp, f"{way}(k={low},{F})", f"sum(k={low},{low + 9},{F}*1.)+{way}(k={low + 10},{F})")

    agrees(body, f"sum({f}, (k, {low}, oo))", value)


def product(server, gp, r):
    """Finite at a number, and infinite."""
    a, b = r.randint(1, 4), r.randint(2, 5)
    if r.random() < 0.5:
        f = r.choice([f"k+{a}", f"(k+{a})/(k+{b})", f"1-1/(k+{a})**2", f"k**{b}", f"{b}**k", f"(k**2-1)/k**2", f"2*k+{a}", f"(2*k-1)/(2*k)", f"1+1/k", f"k**2+{a}*k+{a}"])
        body = evaluate(server, f"product({f}, (k, 2, n))")
        if not body.get("ok") or NONE.search(body["expression"]):
            return
        for n in (2, 5, 11):
            said = decimal(evaluate(server, f"subs({body['expression']}, n, {n})", digits=30).get("value", ""))
            z = gp.number(f"prod(k=2,{n},{to_pari(f)})")
            assert not said or z is None or same(said, z, 22), f"product({f}, (k, 2, n)) -> {body['expression']}: at {n} {shown([p for p, _ in said])}, not {shown(z)}"
        return
    f = r.choice([f"1-1/(k+{a})**2", f"1+1/(k**2+{a})", f"(k**3-1)/(k**3+1)", f"1-1/(4*k**2)", f"1+{a}/k**2", f"1-{a}/(7*k**2)", f"(k**2-1)/(k**2+{a})", f"1+1/{b}**k"])
    body = evaluate(server, f"product({f}, (k, 2, oo))", digits=25)
    got = decimal(body.get("value", ""))
    if body.get("ok") and got:
        z = sure(gp, f"exp(sumnummonien(k=2,log({to_pari(f)})))", f"prod(k=2,9,1.*({to_pari(f)}))*exp(sumnum(k=10,log({to_pari(f)})))")
        assert z is None or same(got, z, 15), f"product({f}, (k, 2, oo)) -> {body['expression']} = {body['value']}, not {shown(z)}"


# ---- series, limits, roots ----


def series(server, gp, r):
    """Coefficients of a composition, exactly."""
    m = Maker(r, functions=["exp", "sin", "cos", "sqrt", "atan", "tan", "sinh", "asin", "tanh", "cosh", "atanh", "asinh"], roots=r.random() < 0.5)
    n = r.choice([4, 6, 9])
    inner = m.r.choice(["x", "x**2", "(2*x)", "sin(x)", "(x-x**2)", "(exp(x)-1)", "(x/(1+x))", "tan(x)", "log(1+x)", "(x/3)", "asin(x)", "(-x)"])
    f = m.r.choice([m.expression(3), f"exp({inner})", f"sqrt(1+{inner})", f"log(1+{inner})", f"1/(1-{inner}-{inner}**2)", f"{inner}/(exp({inner})-1)", f"(1+{inner})**(1/3)", f"tan({inner})",
                    f"sin({inner})/x", f"1/cos({inner})", f"exp({inner})*cos(x)", f"log(cos({inner}))", f"1/tan({inner})", f"atan({inner})/x**2",
                    f"(1+{inner})**(1/{inner})" if r.random() < 0.3 else f"cosh({inner})**2"])
    body = ask(server, "symbolic", op="series", expr=f, var="x", n=n, timeout=3)
    text = body.get("result", "")
    order = re.search(r" \+ O\((.*)\)$", text)
    if not body.get("ok") or not order or NONE.search(text[: order.start()]) or re.search(r"\b(pi|E|I|log|sqrt|sin|cos|exp|atan|tan|sinh|tanh|asin|cosh|atanh|asinh)\b", text[: order.start()]):
        return
    power = re.fullmatch(r"(?:x|x\*\*(\d+)|1)", order[1])
    if not power:
        return
    k = 0 if order[1] == "1" else int(power[1] or 1)
    try:
        wrong = gp.ask(f"my(x='x+O('x^{n + 12}),d=({to_pari(f)})-({to_pari(text[: order.start()])}));d==0||valuation(d,'x)>={k}||d", 4)
    except Foreign:
        return
    assert wrong in ("1", None), f"series({f}, x, 0, {n}) -> {text}: off by {wrong}"


def limit(server, gp, r):
    """Beside the values of the function close to the point, computed with very many digits."""
    m = Maker(r, functions=["sqrt", "exp", "log", "sin", "cos", "atan", "tan", "sinh", "tanh"])
    a = m.r.choice("123")
    f, point = m.r.choice([(f"({m.expression(2)})/({m.expression(2)})", "0"), (f"({m.expression(2)})**({m.expression(1)})", "0"), (f"({m.expression(2)})*log(x)", "0"),
                           (f"({m.expression(2)} - {m.expression(2)})*x**{a}", "oo"), (f"({m.polynomial(2)})**(1/2) - ({m.polynomial(2)})**(1/2)", "oo"),
                           (f"(1+{m.number()}/x)**({m.number()}*x+{a})", "oo"), (f"x**{a}*({m.expression(2)})/exp(x)", "oo"), (f"(exp({a}*x)-1-sin({a}*x))/x**2", "0"),
                           (f"gamma(x)*({m.expression(1)})", "0"), (f"zeta(x)*({m.polynomial(1)} - {m.number()})", "1"), (f"x*(gamma({a}/x)-x/{a})", "oo"), (f"loggamma(x)/(x*log(x))", "oo"),
                           (f"x*(erf({a}+1/x)-erf({a}))", "oo"), (f"(besselj(0,x)-1)/x**2", "0"), (f"(polylog(2,x)-x)/x**2", "0"), (f"digamma(x)-log(x)", "oo"),
                           (f"x**2*(digamma(x)-log(x)+1/(2*x))", "oo"), (f"(x**x-1)/x/log(x)", "0"), (f"(sin({a}*x)/({a}*x))**(1/x**2)", "0")])
    body = ask(server, "symbolic", op="limit", expr=f, var="x", point=point, timeout=3, **({} if point == "oo" else {"dir": "+"}))
    got = body.get("limit")
    if not body.get("ok") or not got or NONE.search(got) or got in ("nan", "oo", "-oo", "zoo"):
        return
    L = decimal(evaluate(server, got, digits=30).get("value", ""))
    if L is None:
        return
    at = {"0": "10^-{}", "1": "1+10^-{}", "oo": "10^{}"}[point]
    places = ("9", "18", "36") if not re.search("exp|sinh|tanh|gamma|zeta", f) or point != "oo" else ("1", "2", "3")
    try:
        values = [gp.number(f"(x->{to_pari(f)})({at.format(p)}+0.)", digits=400) for p in places]
    except Foreign:
        return
    if None in values:
        return
    errors = [max(abs(t - p) for (p, _), t in zip(L, v)) for v in values]
    size = 1 + max(abs(p) for p, _ in L)
    assert errors[2] <= size / 3 or errors[2] < errors[0] * Fraction(4, 5), f"limit({f}, x, {point}) -> {got}; values {[shown(v) for v in values]}"
    steady = max(abs(a - b) for a, b in zip(values[1], values[2])) <= size / 10**8
    assert not (steady and errors[2] > size / 10**6), f"limit({f}, x, {point}) -> {got}; values {[shown(v) for v in values]}"


def on_interval(server, gp, r):
    """Real roots on an interval: GP's function changes its sign at each, and nowhere else."""
    m = Maker(r, functions=["exp", "sin", "cos", "sqrt", "log"], roots=False)
    f = m.r.choice([f"{m.expression(2)} - {m.number()}", f"cos({m.number()}*x) - {m.polynomial(1)}", f"exp(x) - {m.polynomial(3)}", f"x*sin(x) - {m.number()}",
                    f"log(x+4) - {m.polynomial(2)}", f"besselj({m.r.choice('012')},x)", f"gamma(x+4) - {m.r.choice('3456')}", f"tan(x/3) - {m.polynomial(1)}"])
    low, high = m.r.choice([("-3", "3"), ("0", "5"), ("-2", "2"), ("1/2", "10")])
    body = ask(server, "symbolic", op="solve", expr=f, var="x", lower=low, upper=high, timeout=3)
    if not body.get("ok") or body.get("status", "").startswith(("unknown", "all")) or body.get("complete") is False:
        return
    found = []
    for s in body.get("solutions", []):
        if re.search("[<>=]", s) or re.search(r"\bn\b", s):
            return
        value = decimal(evaluate(server, s, digits=25).get("value", ""))
        if value is None:
            return
        found.append(value[0][0])
    try:
        F = to_pari(f)
    except Foreign:
        return
    grid = gp.ask(f"vector(401,i,my(x={low}+({high}-({low}))*(i-1+1/977)/401);iferr(my(y=({F})+0.);if(imag(y)!=0,9,sign(real(y))*if(abs(y)>20,2,1)),E,9))", 4)
    if grid is None:
        return
    signs = [int(t) for t in grid.strip("[]").split(",")]
    a, step = Fraction(low), (Fraction(high) - Fraction(low)) / 401
    for i, (s, t) in enumerate(zip(signs, signs[1:])):
        x = a + step * (i + Fraction(1, 977))
        if abs(s) == 1 and abs(t) == 1 and s != t:
            assert any(x <= z <= x + step for z in found), f"solve({f}) on [{low}, {high}] -> {body.get('solutions')}: a change of sign in [{float(x)}, {float(x + step)}] is missing"
    for z in found:
        y = gp.number(f"(x->{F})({z.numerator}/{z.denominator}+0.)")
        assert y is None or max(map(abs, y)) < Fraction(1, 10**12), f"solve({f}) on [{low}, {high}] -> {float(z)}: the value there is {shown(y)}"


def with_parameters(server, gp, r):
    """Roots of an equation with parameters, at values of these: each is a root where the answer says so; of a polynomial they are all there."""
    n = r.choice([2, 2, 3, 4])
    c = [r.choice(["a", "b", "a*b", "1", "(a+b)", "2", "(-1)", "a**2", "(b-1)", "0"]) for _ in range(n)]
    polynomial = " + ".join(f"{k}*x**{i}" for i, k in enumerate(c)) + r.choice([" + a*x**2", f" + x**{n}", " + b*x", ""])
    algebraic = r.random() < 0.5
    f = r.choice([polynomial, polynomial, f"({polynomial})*(x-a)", f"({polynomial})*(x**2-b)"]) if algebraic else r.choice([f"x**{n}-a", f"(x+a)**{n}-b",
        f"x**4-{r.choice(['a', 'a**2', 'a**4'])}", "a/x+b/(x+1)", "sqrt(x+a)-b", "sqrt(x+a)-x", "exp(a*x)-b", "log(x+a)-b", "a**x-b", "a*sin(x)-b", "cos(x+a)-b", "exp(2*x)-a*exp(x)+b",
        "x**2*exp(a)-b", "(x-a)/(x-b)-2",
                  "1/(x-a)+1/(x-b)", "sqrt(x)-a*x", "log(x)-log(x-a)-b", "tan(a*x)-b", "exp(x)-a*exp(-x)", "a*x*exp(x)-b", "sqrt(x-a)+sqrt(x)-b", "a*log(x)**2-b", "sinh(x)-a", "x**(1/3)-a",
                  "x**2+a*x+b-a*x**2", "a*x+b-x*b"])
    body = ask(server, "symbolic", op="solve", expr=f, var="x", timeout=3)
    if not body.get("ok") or body.get("status", "").startswith(("unknown", "all")):
        return
    for _ in range(3):
        v = {k: r.choice(["2", "(-3)", "(1/3)", "(7/5)", "(-5/4)", "(1+I)", "(2-I/3)", "5", "0"]) for k in "ab"}

        def put(text, v=v):
            return re.sub(r"\b[ab]\b", lambda t: v[t[0]], text)

        if any(evaluate(server, put(t)).get("expression") != "True" for t in body.get("conditions", [])):
            continue
        F, found, only = to_pari(put(f)), [], [t for t in body.get("notes", []) if " is a root only where " in t]
        for s in body.get("solutions", []):
            if re.search(r"CRootOf|[<>=]", s):
                return
            holds = [re.search(r" only where (.*) is 0$", t)[1] for t in only if t.startswith(s + " is")]
            for k in (0, 1, -2) if "n_" in s else (0,):
                z = gp.number(to_pari(re.sub(r"\bn_", f"({k})", put(s))))
                if z is None:
                    continue
                found.append(z)
                if any(evaluate(server, put(t)).get("expression") != "0" for t in holds):
                    continue
                x = f"(({z[0].numerator}/{z[0].denominator})+I*({z[1].numerator}/{z[1].denominator}))*1."
                value = gp.number(f"(x->{F})({x})")
                if value is None or "notes" in body and "real" in str(body["notes"]):
                    continue
                assert max(map(abs, value)) < Fraction(1, 10**12) * (1 + max(map(abs, z))) ** 6, f"solve({f}) -> {s}: at {v} it is {shown(z)}, with the value {shown(value)}"
        if algebraic and body.get("complete") is not False:
            roots = gp.ask(f"(p->#polroots(p/gcd(p,p')))({F})")
            distinct = []
            for z in found:
                if not any(max(abs(s - t) for s, t in zip(z, w)) < Fraction(1, 10**20) for w in distinct):
                    distinct.append(z)
            assert roots is None or int(roots) == len(distinct), f"solve({f}) -> {body['solutions']}: at {v} {roots} roots, not {len(distinct)}"


PROPERTIES = [with_parameters, definite, improper, broken, parametric, by_parts, infinite, power_series, product, series, limit, on_interval]


@pytest.mark.timeout(peers.TIMEOUT)
@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("property", PROPERTIES, ids=lambda p: p.__name__)
def test_beside_pari(shared_server, gp, property, kind):
    peers.examine(property, kind, shared_server, gp)
