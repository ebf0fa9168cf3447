"""Random questions, and the values of expressions at points, for the tests against independent programs (test_oracles*.py).

Expressions are in the program's own notation. Their values are python-flint's balls (tests/suites/balls.py), so that nothing is compared as text.
"""

import random
import re
import sys

from flint import acb, arb, ctx, fmpq

from harness import ROOT

sys.path.insert(0, str(ROOT / "tests" / "suites"))
import balls  # noqa: E402  (values with derivatives, which the suites use as well)

NONE = re.compile(r"\b(Integral|Sum|Limit|Derivative|Subs|Product|CRootOf|O)\(")  # what nobody evaluated


def _abs(a):
    v = acb(abs(a.v))
    return balls.D(v, a.d * a.v / v if a.v.imag.is_zero() else acb("nan"))


balls.F1["abs"] = _abs
balls.F1["sign"] = lambda a: balls.D(a.v / acb(abs(a.v)), acb(0))

# ---- random questions ----

FUNCTIONS = ["sqrt", "exp", "log", "sin", "cos", "tan", "atan", "asin", "sinh", "tanh", "abs", "acos", "acosh", "asinh", "atanh", "cot", "sec"]


class Maker:
    def __init__(self, seed, functions=FUNCTIONS, symbols=("x",), roots=True):
        self.r = random.Random(seed) if isinstance(seed, int) else seed
        self.functions, self.symbols, self.roots = functions, symbols, roots

    def number(self):
        p = self.r.choice([1, 1, 2, 2, 3, 4, 5, 7])
        return self.r.choice([str(p), str(p), f"(-{p})", f"({p}/{self.r.choice([2, 3, 4, 6])})", f"(-{p}/{self.r.choice([2, 3])})"])

    def constant(self):
        return self.r.choice([self.number()] * 5 + ["pi", "E", "sqrt(2)", "sqrt(3)", "I", "(pi/3)", "(pi/4)", "(1+I)"])

    def polynomial(self, degree=3):
        v = self.r.choice(self.symbols)
        return "(" + " + ".join(f"{self.number()}*{v}**{k}" for k in self.r.sample(range(degree + 1), self.r.randint(1, min(3, degree + 1)))) + ")"

    def expression(self, depth):
        r = self.r
        if depth <= 0:
            return r.choice([r.choice(self.symbols)] * 3 + [self.number()])
        kind = r.randrange(10)
        if kind < 3:
            return f"({self.expression(depth - 1)} {r.choice('+-')} {self.expression(depth - 1)})"
        if kind < 5:
            return f"({self.expression(depth - 1)}*{self.expression(depth - 2)})"
        if kind == 5:
            return f"({self.expression(depth - 1)}/{self.expression(depth - 1)})"
        if kind == 6:
            exponents = ["2", "3", "(-1)", "(-2)"] + (["(1/2)", "(1/3)", "(-1/2)", "(3/2)", "(2/3)"] if self.roots else [])
            return f"({self.expression(depth - 1)})**{r.choice(exponents)}"
        if kind == 7:
            return self.polynomial()
        return f"{r.choice(self.functions)}({self.expression(depth - 1)})" if self.functions else self.polynomial(2)

    def constants(self, depth):
        """An expression of numbers alone."""
        r = self.r
        if depth <= 0:
            return self.constant()
        kind = r.randrange(8)
        if kind < 3:
            return f"({self.constants(depth - 1)} {r.choice('+-*/')} {self.constants(depth - 1)})"
        if kind == 3:
            return f"({self.constants(depth - 1)})**{r.choice(['2', '3', '(-1)', '(1/2)', '(1/3)', '(-1/2)', '(3/2)'])}"
        return f"{r.choice(self.functions)}({self.constants(depth - 1)})"


POINTS = balls.REAL[:7] + balls.COMPLEX[:6]


def at(tree, symbols, p, prec=256):
    """The pair (value, derivative in the first symbol) there, or None."""
    ctx.prec = prec
    env = {s: balls.D(acb(balls.PARAMETERS[i])) for i, s in enumerate(symbols)}
    z = p if isinstance(p, acb) else acb(arb(p[0]), arb(p[1])) if isinstance(p, tuple) else acb(arb(p))
    env[symbols[0]] = balls.D(z, acb(1))
    try:
        return balls.evaluate(tree, env)
    except (balls.Cannot, ValueError, ZeroDivisionError, OverflowError, NotImplementedError, RecursionError):
        return None


def apart_from(a, b):
    """Two enclosures that are narrow enough have no number in common."""
    return balls.finite(a) and balls.finite(b) and not balls.contains_zero(a - b)


def agree(f, g, symbols=("x",), derivative=False, points=POINTS):
    """Where both can be enclosed they overlap; says where they do not."""
    F, G = balls.read(f), balls.read(g)
    for p in points:
        a, b = at(F, symbols, p), at(G, symbols, p)
        if a is None or b is None or not balls.finite(a.v):
            continue
        wanted = a.d if derivative else a.v
        assert not apart_from(wanted, b.v), f"{f}  ->  {g}: at {p} {wanted.str(15)}, not {b.v.str(15)}"


def ask(server, tool, **arguments):
    body = server.call(tool, arguments)
    assert body.get("ok") or body["code"] in ("resource_exhausted", "timeout", "validation"), (arguments, body)
    assert body.get("code") != "validation" or "column" not in body["error"], (arguments, body)  # it is the program's own notation
    return body


def evaluate(server, expression, **more):
    return ask(server, "evaluate_expression", expression=expression, timeout=3, **more)


def judged(server, f, g):
    """What algebraic_equiv says of two expressions is what their values say."""
    body = ask(server, "algebraic_equiv", a=f, b=g, timeout=3)
    said = body.get("identical")
    if said is None:
        return
    F, G, same, differ = balls.read(f), balls.read(g), 0, 0
    for p in POINTS:
        a, b = at(F, ("x",), p), at(G, ("x",), p)
        if a is None or b is None or not balls.finite(a.v) or not balls.finite(b.v):
            continue
        differ += apart_from(a.v, b.v)
        same += balls.contains_zero(a.v - b.v) and balls.magnitude(a.v - b.v) < 1e-30
    assert not (said and differ), f"{f} and {g}: said to be identical, differ at {differ} points: {body}"
    if not said and not differ and same > 9:
        witness = body.get("witness")
        assert witness, f"{f} and {g}: said to differ, agree at {same} points, and no witness: {body}"
        w = balls.D(acb(1))
        env = {k: balls.evaluate(balls.read(v), {}) for k, v in witness.get("at", {}).items()}
        try:
            a, b = balls.evaluate(F, env), balls.evaluate(G, env)
        except (balls.Cannot, ZeroDivisionError, ValueError):
            return
        assert apart_from(a.v, b.v) or not balls.finite(a.v) or not balls.finite(b.v), f"{f} and {g}: the witness does not tell them apart: {body} {w}"
