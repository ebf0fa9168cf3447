"""Random expressions against independent programs: Arb by python-flint, mpmath's quadrature, SymPy's identities.

A property takes one random question and asks the program; what comes back is put beside a value that the program had no part in. "Not found" is
no failure, a wrong value is. Questions are made from a seed, so that each can be asked again:

    CODECALC_ORACLES=500 pytest tests/e2e/test_oracles.py -k limit    asks that many of each property (default: QUICK)
    CODECALC_ORACLES_FROM=1000                                         with other seeds
"""

import ast
import os
import random
import re

import mpmath
import pytest
import sympy
from flint import acb, arb, ctx, fmpq, fmpq_mat

from questions import FUNCTIONS, NONE, POINTS, Maker, agree, apart_from, ask, at, balls, judged

QUICK = 15
COUNT = int(os.environ.get("CODECALC_ORACLES", QUICK))
FIRST = int(os.environ.get("CODECALC_ORACLES_FROM", 0))

# ---- properties: each asks one question ----


def derivative(server, seed):
    f = Maker(seed).expression(3)
    body = ask(server, "symbolic", op="diff", expr=f, var="x")
    if body.get("ok") and not NONE.search(body["result"]):
        agree(f, body["result"], derivative=True)


def form(server, seed):
    """Another form of an expression has its value wherever both are defined."""
    m = Maker(seed, functions=FUNCTIONS if seed % 3 else [], symbols=("x", "y") if seed % 4 == 0 else ("x",))
    f = m.expression(4 if seed % 3 else 3)
    op = m.r.choice(["simplify", "simplify", "simplify", "expand", "factor", "together", "cancel", "apart", "collect"])
    body = ask(server, "symbolic", op=op, expr=f, var="x") if op in ("apart", "collect") else ask(server, "symbolic", op=op, expr=f)
    for field in ("original", "simplified", "factored", "expanded", "result"):
        if body.get("ok") and body.get(field) and "zoo" not in body[field] and "nan" not in body[field] and not NONE.search(body[field]):
            agree(f, body[field], m.symbols)


def constant(server, seed):
    """Every digit of a constant."""
    f = Maker(seed).constants(3)
    ctx.prec = 600
    true = at(balls.read(f), ("x",), fmpq(0), 600)
    body = ask(server, "evaluate_expression", expression=f, digits=40)
    value = body.get("value")
    if true is None or not balls.finite(true.v) or not value or not re.fullmatch(r"[-+0-9.eI* ]+", value):
        return
    real, imaginary = [], []
    for sign, number, i in re.findall(r"([-+]?) ?(\d+(?:\.\d+)?(?:e[-+]?\d+)?)?(\*?I)?", value):
        if number or i:
            (imaginary if i else real).append((sign, number or "1"))
    for part, exact in ((real, true.v.real), (imaginary, true.v.imag)):
        sign, number = part[0] if part else ("", "0")
        q = sympy.Rational(number)
        digits, _, exponent = number.partition("e")
        unit = sympy.Rational(10) ** (int(exponent or 0) - len(digits.partition(".")[2])) if "." in digits or exponent else sympy.Integer(0)
        error = exact - arb(fmpq(int(q.p), int(q.q))) * (-1 if sign == "-" else 1)
        assert not (abs(error) > arb(fmpq(int(unit.p), int(unit.q)))), f"{f}  ->  {value}, not {true.v.str(45)}"
    assert len(real) <= 1 and len(imaginary) <= 1, value
    agree(f, body["expression"], points=[fmpq(1)])


def definite(server, seed):
    """Beside mpmath's quadrature, where that is sure of itself."""
    m = Maker(seed, functions=["exp", "log", "sin", "cos", "atan", "sqrt", "abs", "tan", "tanh"])
    f = m.expression(3)
    a, b = m.r.choice([("0", "1"), ("1", "2"), ("-1", "1"), ("0", "pi"), ("1", "3"), ("-2", "3"), ("0", "oo"), ("1", "oo"), ("-oo", "oo"), ("0", "2*pi")])
    body = ask(server, "evaluate_expression", expression=f"integrate({f}, (x, {a}, {b}))", timeout=3)
    if not body.get("ok") or NONE.search(body["expression"]) or body["expression"] in ("oo", "-oo", "zoo", "nan"):
        return
    mpmath.mp.dps = 20
    low, high = (mpmath.inf if e == "oo" else -mpmath.inf if e == "-oo" else mpmath.mpf(eval(e, {"pi": mpmath.pi})) for e in (a, b))
    code = re.sub(r"(\d+)/(\d+)", r"mpf(\1)/\2", f.replace("abs", "fabs"))

    def values(x):
        v = eval(code, {"x": x, "mpf": mpmath.mpf, **{k: getattr(mpmath, k) for k in ("exp", "log", "sin", "cos", "atan", "sqrt", "fabs", "tan", "tanh")}})
        if not mpmath.isfinite(v) or abs(v) > 1e12:
            raise ArithmeticError
        return v

    try:
        cuts = [low + (high - low) * k / 7 for k in range(8)] if mpmath.isfinite(low) and mpmath.isfinite(high) else [low, -3, -1, 0, 1, 3, high] if a == "-oo" else [low, low + 1, low + 3, high]
        numeric, error = mpmath.quad(values, cuts, error=True)
        other = mpmath.quad(values, [cuts[0], (cuts[1] + cuts[2]) / 2, *cuts[2:]])
    except (ArithmeticError, ValueError, TypeError):
        return
    if error > 1e-9 or abs(numeric - other) > 1e-9:
        return
    v = at(balls.read(body["expression"]), ("x",), fmpq(0))
    if v is not None and balls.finite(v.v):
        got = mpmath.mpc(float(v.v.real.mid()), float(v.v.imag.mid()))
        assert abs(got - numeric) <= 1e-7 * (1 + abs(numeric)), f"integrate({f}, (x, {a}, {b})) -> {body['expression']} = {got}, not {numeric}"


def indefinite(server, seed):
    f = Maker(seed, functions=["exp", "log", "sin", "cos", "atan", "sqrt", "tan", "asin", "sinh"]).expression(3)
    body = ask(server, "evaluate_expression", expression=f"integrate({f}, x)", timeout=3)
    if body.get("ok") and not NONE.search(body["expression"]):
        _, bad, _ = balls.check(f, body["expression"], "x")
        assert not bad, f"integrate({f}, x) -> {body['expression']} differs at {bad}"


def root(server, seed):
    """Every root solves the equation; of polynomials there are as many as the degree says; a change of sign has a root."""
    m = Maker(seed, functions=["sqrt", "exp", "log", "abs", "sin", "cos"] if seed % 2 else [], roots=seed % 4 == 1)
    f = f"{m.expression(2)} - {m.expression(2 if seed % 3 else 1)}"
    real = m.r.random() < 0.4
    body = ask(server, "symbolic", op="solve", expr=f, var="x", timeout=3, **({"assume": "x real"} if real else {}))
    status = body.get("status", "")
    if not body.get("ok") or status.startswith("unknown"):
        return
    F = balls.read(f)
    found = []
    for s in body.get("solutions", []):
        if NONE.search(s) or not isinstance(s, str) or re.search("[<>=]", s):
            return
        names = sorted(balls.names(balls.read(s)))
        for n in range(-40, 41) if names else [0]:
            ctx.prec = 400
            try:
                p = balls.evaluate(balls.read(s), {k: balls.D(acb(n)) for k in names}).v
            except balls.Cannot:
                return
            found.append(p)
            v = at(F, ("x",), p, 400)
            assert v is None or not balls.finite(v.v) or balls.contains_zero(v.v) or balls.magnitude(v.v) < 1e-20, f"{f} = 0 -> {s}: value {v.v.str(10)} there"
    if status == "all" or "family" in status and len(body.get("solutions", [])) == 0:
        assert all(v is None or not balls.finite(v.v) or balls.contains_zero(v.v) for v in (at(F, ("x",), p) for p in balls.REAL)), f"{f} = 0 -> all"
        return
    if body.get("complete") in (False, "false") or status.startswith("infinitely many"):
        return
    before = None
    for k in range(-60, 61):  # a change of sign between neighbours, with a small value on both sides and no jump
        x = fmpq(k, 20) + fmpq(1, 977)
        v = at(F, ("x",), x)
        if v is None or not balls.finite(v.v) or not v.v.imag.is_zero():
            before = None
            continue
        if before is not None and (before[1] < 0) != (v.v.real < 0) and is_continuous(F, before[0], x):
            near = any(abs(float(p.real.mid()) - float(x.p) / float(x.q)) < 0.06 and abs(float(p.imag.mid())) < 1e-6 for p in found)
            assert near or "family" in status and abs(k) > 20, f"{f} = 0 -> {body.get('solutions')} {status}: there is a root near {x}"
        before = (x, v.v.real)


def is_continuous(tree, low, high):
    """By an enclosure of the value on the whole piece, cut into 64."""
    for i in range(64):
        ctx.prec = 100
        a, b = low + (high - low) * i / 64, low + (high - low) * (i + 1) / 64
        middle, half = (a + b) / 2, (b - a) / 2
        v = at(tree, ("x",), acb(arb(middle, arb(half))), 100)
        if v is None or not balls.finite(v.v) or not v.v.imag.is_zero() or balls.magnitude(v.v) > 1e3:
            return False
    return True


def limit(server, seed):
    """Beside the values at points that come near very fast."""
    m = Maker(seed, functions=["sqrt", "exp", "log", "sin", "cos", "atan", "tan", "sinh", "abs", "tanh"])
    f = m.expression(4)
    point, where = m.r.choice([("0", lambda t: t), ("0", lambda t: -t), ("1", lambda t: 1 + t), ("oo", lambda t: 1 / t), ("-oo", lambda t: -1 / t), ("2", lambda t: 2 - t)])
    side = {"0": "+" if where(1) > 0 else "-", "1": "+", "2": "-"}.get(point)
    body = ask(server, "symbolic", op="limit", expr=f, var="x", point=point, timeout=3, **({"dir": side} if side else {}))
    got = body.get("limit")
    if not body.get("ok") or not got or NONE.search(got):
        return
    F, values = balls.read(f), []
    for k in (4, 9, 19) if "oo" in point else (6, 20, 60):
        v = at(F, ("x",), where(fmpq(1, 10 ** k)), 3000)
        if v is None or not balls.finite(v.v) or v.v.rad() > arb("1e-30") * (1 + abs(v.v)):
            return
        values.append(v.v)
    text = f"limit({f}, x, {point}, {side}) -> {got}; values {[v.str(8) for v in values]}"
    sizes = [abs(v) for v in values]
    if got in ("oo", "-oo", "zoo"):
        assert sizes[2] > sizes[0], text
        if got != "zoo":
            assert (values[2].real > 0) == (got == "oo"), text
        return
    L = at(balls.read(got), ("x",), fmpq(0), 400)
    if got == "nan" or L is None or not balls.finite(L.v):
        return
    errors = [abs(v - L.v) for v in values]
    assert errors[2] <= 0.2 * (1 + abs(L.v)) or errors[2] < 0.8 * errors[0], text
    assert not (sizes[0] > 0.01 and abs(values[2] - values[1]) < arb("1e-8") and errors[2] > arb("1e-6")), text


def equivalence(server, seed):
    """What SymPy made of an expression is not called different, and something else is not called the same."""
    m = Maker(seed, functions=["sin", "cos", "exp", "log", "sqrt", "tan", "sinh", "atan"], roots=seed % 2 == 0)
    f = m.expression(3)
    x = sympy.Symbol("x")
    if seed % 3 == 0:
        g = f"({f}) + {m.number()}*{m.r.choice(['x', '1', 'sin(x)', 'x**2', '10**(-12)'])}"
    else:
        try:
            e = sympy.sympify(f)
            g = str(m.r.choice([sympy.expand, sympy.together, sympy.factor, lambda t: t.rewrite(sympy.exp), lambda t: sympy.expand_trig(t), sympy.nsimplify])(e))
        except Exception:  # SymPy's own failures are no matter here
            return
    if "zoo" in g or "nan" in g or "oo" in g:
        return
    judged(server, f, g)


def series(server, seed):
    """The difference to the truncated series falls as its order says."""
    m = Maker(seed, functions=["exp", "log", "sin", "cos", "sqrt", "atan", "tan", "sinh", "asin", "tanh"])
    f, n, point = m.expression(3), m.r.choice([3, 4, 6]), m.r.choice(["0", "0", "1"])
    body = ask(server, "symbolic", op="series", expr=f, var="x", n=n, point=point, timeout=3)
    text = body.get("result") or body.get("series") or ""
    order = re.search(r" \+ O\(.*\)$", text)
    if not body.get("ok") or not text or "oo" in text:
        return
    T = balls.read(text[:order.start()] if order else text)
    if NONE.search(text[:order.start()] if order else text):
        return
    F, sizes = balls.read(f), []
    for k in (20, 40):
        x = fmpq(int(point)) + fmpq(1, 10 ** k)
        a, b = at(F, ("x",), x, 4000), at(T, ("x",), x, 4000)
        if a is None or b is None or not balls.finite(a.v) or not balls.finite(b.v):
            return
        sizes.append(abs(a.v - b.v))
    least = n - 1 if order else 10
    for k, s in zip((20, 40), sizes):
        assert s < arb(10) ** int(12 - k * least + k * 0.6), f"series({f}, x, {point}, {n}) -> {text}: off by {s.str(5)} at 1e-{k}"


def total(server, seed):
    """A finite sum with a symbol for its last term, at numbers."""
    m = Maker(seed, functions=[], symbols=("k",), roots=False)
    f = m.r.choice([m.polynomial(), f"{m.polynomial(2)}*{m.r.choice(['2', '3', '(1/2)', '(-1)'])}**k", f"1/(k*(k+{m.r.randint(1, 3)}))", f"binomial(n, k)*{m.number()}**k",
                    f"k*{m.polynomial(1)}", f"(k+1)/((k+2)*(k+{m.r.randint(3, 5)}))", "k*factorial(k)", f"cos({m.number()}*k)"])
    low = 0 if "binomial" in f else m.r.choice([1, 1, 2])
    body = ask(server, "evaluate_expression", expression=f"sum({f}, (k, {low}, n))", timeout=3)
    if not body.get("ok") or NONE.search(body["expression"]) or "Piecewise" in body["expression"]:
        return
    for n in (2, 3, 7):
        wanted = sum(sympy.sympify(f, {"k": sympy.Integer(k), "n": sympy.Integer(n)}) for k in range(low, n + 1))
        got = sympy.sympify(body["expression"]).subs(sympy.Symbol("n"), n)
        assert abs(sympy.N(got - wanted, 30)) < 1e-15, f"sum({f}, (k, {low}, n)) -> {body['expression']}: at {n} {got}, not {wanted}"


def matrix(server, seed):
    """Beside FLINT's rational matrices; eigenvalues are roots of its characteristic polynomial."""
    r = random.Random(seed)
    n = r.randint(1, 6)
    rows = [[fmpq(r.randint(-9, 9), r.choice([1, 1, 1, 2, 3])) for _ in range(n)] for _ in range(n)]
    if n > 2 and r.random() < 0.4:
        rows[-1] = [rows[0][j] * 2 - rows[1][j] for j in range(n)]
    true, text = fmpq_mat(rows), [[str(e) for e in row] for row in rows]
    assert ask(server, "matrix", rows=text, op="det")["value"] == str(true.det())
    assert str(ask(server, "matrix", rows=text, op="rank")["value"]) == str(true.rank())
    inverse = ask(server, "matrix", rows=text, op="inverse")
    assert inverse.get("ok", False) == (true.det() != 0)
    if true.det() != 0:
        assert inverse["matrix"] == [[str(e) for e in row] for row in true.inv().tolist()]
    p = ask(server, "matrix", rows=text, op="charpoly")["value"].replace("lambda", "x")
    coefficients = sympy.Poly(sympy.sympify(p), sympy.Symbol("x")).all_coeffs()
    assert [str(c) for c in coefficients] == [str(c) for c in reversed(list(true.charpoly()))]
    J = ask(server, "matrix", rows=text, op="power", n=3)
    assert J["matrix"] == [[str(e) for e in row] for row in (true * true * true).tolist()]


def divergent(server, seed):
    """An integral over a pole of the integrand has no finite value, whatever the antiderivative is at the ends."""
    m = Maker(seed, functions=["exp", "sin", "cos", "atan", "sqrt", "log"])
    pole, k = m.r.choice(["1", "2", "(3/2)", "sqrt(2)", "log(4)", "pi/2", "E/2"]), m.r.choice([1, 1, 2, 2, 3, 4])
    g = m.expression(2)
    there = at(balls.read(g), ("x",), at(balls.read(pole), ("x",), fmpq(0)).v)
    if there is None or not balls.finite(there.v) or balls.contains_zero(there.v):
        return
    near = m.r.choice([f"(x - {pole})", f"(x**2 - {pole}**2)", f"sin(x - {pole})", f"(exp(x) - exp({pole}))", f"log(x/({pole}))", f"(sqrt(x) - sqrt({pole}))"])
    body = ask(server, "evaluate_expression", expression=f"integrate(({g})/{near}**{k}, (x, 1/2, 3))", timeout=3)
    if not body.get("ok") or NONE.search(body["expression"]):
        assert not re.match(r"\[", str(body.get("value", ""))), body  # no enclosure either
        return
    assert re.search(r"\b(oo|nan|zoo)\b", body["expression"]), f"integrate(({g})/{near}**{k}, (x, 1/2, 3)) -> {body['expression']}"


def holds(tree, x):
    """The truth of conditions on x at a point; None when it is not decided."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, (ast.BitAnd, ast.BitOr)):
        a, b = holds(tree.left, x), holds(tree.right, x)
        return None if a is None or b is None else (a and b) if isinstance(tree.op, ast.BitAnd) else (a or b)
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        a, b = at(tree.left, ("x",), x), at(tree.comparators[0], ("x",), x)
        if a is None or b is None:
            return None
        a, b = a.v.real, b.v.real
        return {ast.Lt: a < b, ast.LtE: a <= b, ast.Gt: a > b, ast.GtE: a >= b}[type(tree.ops[0])]
    if isinstance(tree, ast.Call):  # Eq, Ne: no random point is one of these
        return tree.func.id == "Ne"
    return None


def inequality(server, seed):
    """At points of the line the answer holds where the inequality does."""
    m = Maker(seed, functions=["sqrt", "abs", "exp", "log"] if seed % 2 else [], roots=seed % 4 == 1)
    f = m.r.choice([m.polynomial(3), f"{m.polynomial(2)}/{m.polynomial(2)}", f"{m.polynomial(1)}*{m.polynomial(2)}", m.expression(2)])
    relation = m.r.choice(["<", "<=", ">", ">="])
    body = ask(server, "symbolic", op="solve", expr=f"{f} {relation} 0", var="x", timeout=3)
    status, answer = body.get("status", ""), body.get("result")
    if not body.get("ok") or status.startswith("unknown") or not (answer or status):
        return
    tree = balls.read(answer) if answer else None
    F = balls.read(f)
    for k in range(-50, 51):
        x = fmpq(k, 9) + fmpq(1, 1009)
        v = at(F, ("x",), x)
        if v is None or (balls.finite(v.v) and not v.v.imag.is_zero()) or not balls.finite(v.v):
            continue  # where it is not real the inequality says nothing that everybody agrees on
        if balls.contains_zero(v.v):
            continue
        true = (v.v.real > 0) == (relation[0] == ">")
        said = holds(tree, x) if tree is not None else status.startswith("all")
        assert said is None or said == true, f"{f} {relation} 0 -> {answer or status}: at {x} it is {true}"


def system(server, seed):
    """A system that has a solution put into it: that one is found, and every one given solves it."""
    r = random.Random(seed)
    names = ["x", "y", "z"][:r.randint(2, 3)]
    planted = {v: r.choice([-3, -2, -1, 0, 1, 2, 3, fmpq(1, 2)]) for v in names}
    linear = r.random() < 0.4
    equations = []
    for _ in range(len(names) + (r.random() < 0.2) - (linear and r.random() < 0.3)):
        if not linear and r.random() < 0.3:  # a product, of which one factor is zero there
            v, w = r.choice(names), r.choice(names)
            equations.append(f"({v} - ({planted[v]}))*({r.choice([-2, 1, 3])}*{w} + {r.randint(-2, 2)}*{r.choice(names)}) = 0")
            continue
        terms = [(r.choice([-3, -2, -1, 1, 2, 5]), r.sample(names, 1) if linear or r.random() < 0.5 else [r.choice(names), r.choice(names)]) for _ in range(r.randint(1, 3))]
        value = sum((c * _product(planted[v] for v in vs) for c, vs in terms), fmpq(0))
        equations.append(" + ".join(f"({c})*{'*'.join(vs)}" for c, vs in terms) + f" = {value}")
    body = ask(server, "symbolic", op="solve_linear", system="; ".join(equations), variables=", ".join(names), timeout=3)
    status = body.get("status", "")
    if not body.get("ok") or status.startswith("unknown") or NONE.search(str(body.get("solutions"))):
        return
    text, met = f"{equations}, with {planted} -> {body}", False
    for s in body.get("solutions", []):
        given = dict(re.findall(r"(\w+): ([^,}]+)", s))
        ctx.prec = 200
        free = {v: balls.D(acb(planted[v])) for v in names if v not in given}
        try:
            values = free | {v: balls.evaluate(balls.read(e), free) for v, e in given.items()}
        except (balls.Cannot, ZeroDivisionError):
            continue
        if not all(balls.finite(v.v) for v in values.values()):
            continue
        for e in equations:
            left, right = e.split(" = ")
            assert balls.contains_zero(balls.evaluate(balls.read(f"{left} - ({right})"), values).v), text
        met = met or all(balls.contains_zero(values[v].v - acb(planted[v])) for v in names)
    assert met or status == "all" or body.get("conditions") or body.get("complete") in (False, "false"), text


def basis(server, seed):
    """The reduced Gröbner basis is the only one of its kind."""
    r = random.Random(seed)
    names = ["x", "y", "z"][:r.randint(2, 3)]
    polynomials = []
    for _ in range(r.randint(1, 3)):
        terms = [f"{r.choice(['-3', '-2', '-1', '1', '1', '2', '5', '1/2', '4/3'])}*" + "*".join(r.choice(names) for _ in range(r.randint(0, 3)) if r.random() < 0.8) for _ in range(r.randint(1, 3))]
        polynomials.append(" + ".join(t.rstrip("*") for t in terms))
    order = r.choice(["lex", "grevlex"])
    body = ask(server, "symbolic", op="groebner", system="; ".join(polynomials), variables=", ".join(names), order=order, timeout=5)
    true = sympy.groebner([sympy.sympify(p) for p in polynomials], *sympy.symbols(names), order=order).exprs
    gens = sympy.symbols(names)
    ours, theirs = ([sympy.Poly(p, *gens, domain="QQ") for p in of] for of in (body["basis"], true))
    monic = [{p.quo_ground(p.LC(order=order)) if not p.is_zero else p for p in of} for of in (ours, theirs)]
    assert monic[0] == monic[1], f"{polynomials} {order} -> {body['basis']}, not {true}"
    assert all(c.is_integer for p in ours for c in p.coeffs()), body["basis"]


def _product(values):
    p = fmpq(1)
    for v in values:
        p *= v
    return p


def assumed(server, seed):
    """Under an assumption another form has the same value where the assumption holds."""
    m = Maker(seed, functions=["sqrt", "log", "exp", "abs", "sign", "atan", "sin"], symbols=("x", "y"))
    f = m.expression(4)
    assume, points = m.r.choice([("x>0, y>0", [fmpq(1, 3), fmpq(7, 4), fmpq(29, 3)]), ("x<0, y>0", [fmpq(-1, 3), fmpq(-7, 4)]), ("x real, y real", balls.REAL[:6])])
    body = ask(server, "symbolic", op="simplify", expr=f, assume=assume)
    for field in ("original", "simplified", "factored", "expanded"):
        if body.get("ok") and body.get(field) and not re.search(r"\b(zoo|nan|oo)\b", body[field]):
            agree(f, body[field], m.symbols, points=points)


SPECIAL = ["gamma({})", "loggamma({})", "digamma({})", "zeta({})", "erf({})", "erfc({})", "erfi({})", "Ei({})", "li({})", "Si({})", "Ci({})", "Shi({})", "Chi({})",
           "fresnels({})", "fresnelc({})", "LambertW({})", "polylog(2, {})", "polylog(3, {})", "uppergamma({}, 2)", "lowergamma(2, {})", "expint(2, {})", "elliptic_k({})",
           "elliptic_e({})", "asec({})", "acsc({})", "acot({})", "acoth({})", "asech({})", "acsch({})", "csch({})", "coth({})", "sech({})"]
balls.F1.setdefault("zeta", lambda a: balls.D(a.v.zeta()))


def special(server, seed):
    """Values of the special functions, by another reading of the same library's balls: arguments, branches and known values are what is tried."""
    m = Maker(seed, functions=["sqrt", "exp", "log"])
    f = m.r.choice(SPECIAL).format(m.constants(1))
    if m.r.random() < 0.3:
        f = f"{f} {m.r.choice('+-*')} {m.r.choice(SPECIAL).format(m.number())}"
    body = ask(server, "evaluate_expression", expression=f, digits=30)
    if body.get("ok") and not re.search(r"\b(zoo|nan|oo)\b", body["expression"]) and "polygamma" not in body["expression"]:
        agree(f, body["expression"], points=[fmpq(1)])


def infinite(server, seed):
    """An infinite sum beside mpmath's."""
    m = Maker(seed, functions=[], symbols=("k",), roots=False)
    a, b, c = m.r.randint(1, 4), m.r.randint(1, 5), m.r.randint(2, 4)
    f = m.r.choice([f"1/(k**2+{a})", f"1/((k+{a})*(k+{b + a}))", f"1/({c}**k*k)", f"k**{a}/{c}**k", f"(-1)**k/(k+{a})", f"(-1)**k/({c}*k+{a})", f"1/k**{c}", f"({a}*k+{b})/(k*(k+1)*(k+{c}))",
                    f"({a}/{a + b})**k/factorial(k)", f"1/factorial(2*k+{a})", f"k**{a}/factorial(k)", f"1/(4*k**2-1)**{c - 1}", f"(-1)**k/(2*k+1)**{2 * a - 1}", f"1/(k**2-{a}/7)",
                    f"binomial(2*k, k)/{4 + a}**k", f"1/(k*({c}*k+1))", f"harmonic(k)/2**k", f"1/(k**4+{a})", f"cos(k)/{c}**k", f"1/binomial(2*k, k)", f"log(1+1/k**2)", f"1/((k+{a})*sqrt(k))"])
    low = m.r.choice([1, 1, 2])
    body = ask(server, "evaluate_expression", expression=f"sum({f}, (k, {low}, oo))", timeout=3)
    if not body.get("ok") or NONE.search(body["expression"]):
        return
    mpmath.mp.dps = 25
    g = sympy.lambdify(sympy.Symbol("k"), sympy.sympify(f), "mpmath")
    try:
        wanted = mpmath.nsum(lambda k: g(mpmath.mpf(int(k))), [low, mpmath.inf])
        again = mpmath.nsum(lambda k: g(mpmath.mpf(int(k))), [low + 3, mpmath.inf]) + sum(g(mpmath.mpf(k)) for k in range(low, low + 3))
    except (ValueError, ZeroDivisionError, TypeError, mpmath.libmp.NoConvergence):
        return
    if abs(wanted - again) > 1e-12:
        return
    assert body["expression"] not in ("oo", "-oo", "nan", "zoo"), f"sum({f}) -> {body['expression']}, not {wanted}"
    try:
        got = mpmath.mpmathify(sympy.N(sympy.sympify(body["expression"]), 25))
    except (TypeError, ValueError, sympy.SympifyError):
        return
    assert abs(got - wanted) < 1e-10, f"sum({f}, k={low}) -> {body['expression']} = {got}, not {wanted}"


def transform(server, seed):
    """Laplace's integral at a number, both ways."""
    r = random.Random(seed)
    n, a, w = r.randint(0, 3), r.choice(["1", "2", "(1/2)", "(-1)", "0"]), r.choice(["1", "2", "3", "(1/2)"])
    terms = [f"t**{n}*exp({a}*t)", f"sin({w}*t)*exp({a}*t)", f"t*cos({w}*t)", f"cosh({w}*t)*t**{n}", f"t**(1/2)*exp({a}*t)", f"Heaviside(t-{w})*(t-{w})**{n}", f"sin({w}*t)**2", f"{w}*t**{n}"]
    quotients = [f"1/((s-{a})*(s+{w}))", f"(s+{n})/(s**2+{w}**2)", f"1/(s**2+{w})**2", f"exp(-{w}*s)/(s**2+1)", f"s/((s-{a})**2+{w})", f"1/(s*(s+{w})**{n + 1})", f"(2*s+1)/(s**3+{w}*s)"]
    if r.random() < 0.5:
        f = f"{r.choice(terms)} - {r.choice(['2', '(1/3)'])}*{r.choice(terms)}"
        F = ask(server, "symbolic", op="laplace", expr=f, var="t").get("result")
    else:
        F = f"{r.choice(quotients)} + {r.choice(['2', '(-1/3)'])}*{r.choice(quotients)}"
        f = ask(server, "symbolic", op="inverse_laplace", expr=F, var="s").get("result")
    if not f or not F or re.search("Dirac|Laplace|LaplaceTransform", f + F):
        return
    mpmath.mp.dps = 20
    g = sympy.lambdify(sympy.Symbol("t"), sympy.sympify(f), [{"Heaviside": lambda x, *h: mpmath.mpf(x > 0)}, "mpmath"])
    s = mpmath.mpf(31) / 4  # to the right of every pole
    there = mpmath.quad(lambda t: g(t) * mpmath.exp(-s * t), [0, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 9, 14])
    v = at(balls.read(re.sub(r"\bs\b", "x", F)), ("x",), fmpq(31, 4))
    got = mpmath.mpf(float(v.v.real.mid()))
    assert abs(got - there) < 1e-9 * (1 + abs(there)), f"{f} and {F}: at 31/4 {got}, the integral is {there}"


def ordinary(server, seed):
    """A first-order equation: the derivative of what is given, at points and for values of its constant."""
    m = Maker(seed, functions=["exp", "sin", "cos", "log"], roots=False)
    p, q = m.expression(1), m.expression(2)
    right = m.r.choice([f"({p})*y + ({q})", f"({q})*y**2", f"({p})*exp(y)", f"({p})*(1+y**2)", f"({p})*y + ({p})*y**2", "(x+y)/x", f"y/x + {m.number()}*(y/x)**2", f"({p})/y"])
    body = ask(server, "symbolic", op="ode", expr=f"y' = {right}", timeout=3)
    for s in body.get("solutions", []) if body.get("ok") else []:
        left, _, value = s.partition(" = ")
        if left != "y(x)" or NONE.search(value) or "y(" in value:
            continue
        tree, wanted = balls.read(value), balls.read(right)
        for c in (fmpq(1, 3), fmpq(2), fmpq(-5, 7)):
            for x in balls.REAL[:6]:
                ctx.prec = 200
                env = {"x": balls.D(acb(arb(x)), acb(1)), "C1": balls.D(acb(arb(c)))}
                try:
                    y = balls.evaluate(tree, env)
                    v = balls.evaluate(wanted, env | {"y": balls.D(y.v)})
                except (balls.Cannot, ZeroDivisionError, ValueError):
                    continue
                assert not apart_from(y.d, v.v), f"y' = {right} -> {s}: at {x}, C1 = {c}: {y.d.str(10)}, not {v.v.str(10)}"


def latex(server, seed):
    """What SymPy writes in LaTeX, in the manners that it has, is read as the same."""
    r = random.Random(seed)
    m = Maker(r, functions=FUNCTIONS + ["csc", "coth", "gamma", "erf", "log", "exp", "sqrt"], symbols=r.choice([("x",), ("x", "y"), ("x", "alpha")]))
    e = sympy.sympify(m.expression(r.choice([2, 3, 4])).replace("abs", "Abs"))
    if e.has(sympy.zoo, sympy.nan, sympy.oo):
        return
    text = sympy.latex(e, fold_frac_powers=r.random() < 0.3, inv_trig_style=r.choice(["abbreviated", "full", "power"]), ln_notation=r.random() < 0.3, mul_symbol=r.choice([None, "dot", "times"]), root_notation=r.random() < 0.8, long_frac_ratio=r.choice([None, 2]))
    body = server.call("evaluate_expression", {"expression": text})
    assert body.get("ok") or body["code"] in ("resource_exhausted", "timeout") or not re.search(r"[\\{]", text), f"{text} ({e}): {body}"
    if body.get("ok") and not NONE.search(body["expression"]) and not re.search(r"\b(zoo|nan|oo)\b", body["expression"]):
        agree(str(e).replace("Abs(", "abs("), body["expression"].replace("Abs(", "abs("), m.symbols)


PROPERTIES = [latex, derivative, form, assumed, constant, special, definite, divergent, indefinite, root, inequality, system, basis, ordinary, transform, limit, equivalence, series, total, infinite, matrix]


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
@pytest.mark.parametrize("property", PROPERTIES, ids=lambda p: p.__name__)
def test_random_questions(shared_server, property, seed):
    property(shared_server, seed)
