"""Exact mathematics beside SymPy, which is what a user's program would call, in the same run. Both get a text and give a text; SymPy is imported
before and its cache emptied, so that only the computation is compared. A question that SymPy does not answer in LIMIT seconds counts as that long."""

import json
import pathlib
import random
import re
import signal
import time

import sympy
from sympy.core.cache import clear_cache
from sympy.ntheory.factor_ import factor_cache

from client import Server, median, rounds

LIMIT = 20
ENOUGH = 1  # second of SymPy on one question
FIRST, SECOND = 100, 30  # times faster: polynomials, matrices, series, numbers; calculus, equations, other forms
CASES = pathlib.Path(__file__).resolve().parents[1] / "cases"
TOOLS = ("evaluate_expression", "symbolic", "algebraic_equiv", "matrix")
random.seed(1)
SQUARE = [[random.randint(-99, 99) for _ in range(60)] for _ in range(60)]
SYMBOLS = [[f"{r}{c}" for c in "12345"] for r in "abcde"]
TWO_PRIMES = str(sympy.nextprime(10**19 + 10**9) * sympy.nextprime(3 * 10**19 + 10**11))  # 40 digits
PRODUCT = str(sympy.expand(sympy.sympify("(x**3*y + 3*x*z**2 - y*z + 7)*(x**2 + y**2*z - 5*x + 1)*(x*y*z + z**3 - 2)")))
CYCLIC = ["a+b+c+d", "a*b+b*c+c*d+d*a", "a*b*c+b*c*d+c*d*a+d*a*b", "a*b*c*d-1"]


def evaluate(text):
    return "evaluate_expression", {"expression": text}


def symbolic(op, expr, **more):
    return "symbolic", {"op": op, "expr": expr} | more


def one(function):
    """Of SymPy, on an expression."""
    return lambda text, *more: function(sympy.sympify(text), *more)


X = sympy.Symbol("x")
# (what, times faster, our call, SymPy's function, its arguments)
ROWS = [
    ("expand (x+y+z+1)^20", FIRST, symbolic("expand", "(x+y+z+1)**20"), one(sympy.expand), ["(x+y+z+1)**20"]),
    ("factor it into three, in x, y, z", FIRST, symbolic("factor", PRODUCT), one(sympy.factor), [PRODUCT]),
    ("det of 60 × 60 integers", FIRST, ("matrix", {"rows": SQUARE, "op": "det"}), lambda: sympy.Matrix(SQUARE).det(), []),
    ("det of 5 × 5 symbols", FIRST, ("matrix", {"rows": SYMBOLS, "op": "det"}), lambda: sympy.Matrix([[sympy.Symbol(e) for e in r] for r in SYMBOLS]).det(), []),
    ("factor a 40-digit integer", FIRST, evaluate(f"factorint({TWO_PRIMES})"), lambda: sympy.factorint(int(TWO_PRIMES)), []),
    ("count the primes up to 10^9", FIRST, evaluate("primepi(10**9)"), lambda: sympy.primepi(10**9), []),
    ("Gröbner basis of cyclic-4", FIRST, ("symbolic", {"op": "groebner", "system": "; ".join(CYCLIC), "variables": "a, b, c, d"}),
     lambda: sympy.groebner([sympy.sympify(e) for e in CYCLIC], *sympy.symbols("a b c d")).exprs, []),
    ("series of exp(sin x) to O(x^40)", FIRST, symbolic("series", "exp(sin(x))", var="x", n=40), one(lambda e: e.series(X, 0, 40)), ["exp(sin(x))"]),
    ("integrate x²eˣ sin x", SECOND, symbolic("integrate", "x**2*exp(x)*sin(x)", var="x"), one(lambda e: sympy.integrate(e, X)), ["x**2*exp(x)*sin(x)"]),
    ("integrate 1/(x⁶+1)", SECOND, symbolic("integrate", "1/(x**6+1)", var="x"), one(lambda e: sympy.integrate(e, X)), ["1/(x**6+1)"]),
    ("integrate log²x/x³", SECOND, symbolic("integrate", "log(x)**2/x**3", var="x"), one(lambda e: sympy.integrate(e, X)), ["log(x)**2/x**3"]),
    ("integrate exp(-x²) over the reals", SECOND, symbolic("integrate", "exp(-x**2)", var="x", lower="-oo", upper="oo"),
     one(lambda e: sympy.integrate(e, (X, -sympy.oo, sympy.oo))), ["exp(-x**2)"]),
    ("limit of (1+1/x)^(x²)/eˣ", SECOND, symbolic("limit", "(1+1/x)**(x**2)/exp(x)", var="x", point="oo"), one(lambda e: sympy.limit(e, X, sympy.oo)), ["(1+1/x)**(x**2)/exp(x)"]),
    ("limit of (sin x - x)/x³", SECOND, symbolic("limit", "(sin(x)-x)/x**3", var="x", point="0"), one(lambda e: sympy.limit(e, X, 0)), ["(sin(x)-x)/x**3"]),
    ("limit of two exponentials", SECOND, symbolic("limit", "exp(x)*(exp(1/x-exp(-x))-exp(1/x))", var="x", point="oo"), one(lambda e: sympy.limit(e, X, sympy.oo)),
     ["exp(x)*(exp(1/x-exp(-x))-exp(1/x))"]),
    ("solve a cubic", SECOND, symbolic("solve", "x**3-3*x+1", var="x"), one(lambda e: sympy.solve(e, X)), ["x**3-3*x+1"]),
    ("solve cyclic-4", SECOND, ("symbolic", {"op": "solve_linear", "system": "; ".join(CYCLIC), "variables": "a, b, c, d"}),
     lambda: sympy.solve([sympy.sympify(e) for e in CYCLIC], sympy.symbols("a b c d")), []),
    ("solve sin 2x = cos x", SECOND, symbolic("solve", "sin(2*x)-cos(x)", var="x"), one(lambda e: sympy.solve(e, X)), ["sin(2*x)-cos(x)"]),
    ("solve √(x+3) + √x = 5", SECOND, symbolic("solve", "sqrt(x+3)+sqrt(x)-5", var="x"), one(lambda e: sympy.solve(e, X)), ["sqrt(x+3)+sqrt(x)-5"]),
    ("simplify a quotient of sines", SECOND, symbolic("simplify", "(sin(x)**4-cos(x)**4)/(sin(x)**2-cos(x)**2)"), one(sympy.simplify), ["(sin(x)**4-cos(x)**4)/(sin(x)**2-cos(x)**2)"]),
    ("simplify nested fractions", SECOND, symbolic("simplify", "1/(1+1/(1+1/(1+1/(x+1))))"), one(sympy.simplify), ["1/(1+1/(1+1/(1+1/(x+1))))"]),
    ("simplify gamma(x+3)/gamma(x)", SECOND, symbolic("simplify", "gamma(x+3)/gamma(x)"), one(sympy.simplify), ["gamma(x+3)/gamma(x)"]),
]


def request(id, call):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": call[0], "arguments": call[1]}}).encode() + b"\n"


def timed(server, id, call):
    """(seconds, did it answer)"""
    data = request(id, call)
    began = time.perf_counter()
    server.send(data)
    line = server.line()
    return time.perf_counter() - began, b'"isError":true' not in line and not re.search(rb"no closed form|unknown:", line)


def too_long(*_):
    raise TimeoutError


def of_sympy(function, arguments):
    """The median of as many calls as go into ENOUGH, at least one."""
    spent = []
    signal.signal(signal.SIGALRM, too_long)
    while sum(spent) < ENOUGH:
        clear_cache()
        factor_cache.cache_clear()
        signal.alarm(LIMIT)
        began = time.perf_counter()
        try:
            str(function(*arguments))
        except TimeoutError:
            return LIMIT, "more than "
        finally:
            signal.alarm(0)
        spent.append(time.perf_counter() - began)
    return median(spent), ""


def measure(program, report):
    server, id = Server([program, "serve"]), 0
    server.hello()
    for what, target, call, function, arguments in ROWS:
        spent = []
        for _ in range(rounds(30)):
            id += 1
            seconds, answered = timed(server, id, call)
            spent.append(seconds)
        if not answered:
            report.add(what, f"no answer ({median(spent) * 1e3:.2f} ms)", f"≥ {target} × SymPy", False)
            continue
        us, (them, more) = median(spent), of_sympy(function, arguments)
        report.add(what, f"{us * 1e3:.2f} ms, {more}{them / us:,.0f} × faster than SymPy {sympy.__version__} ({more}{them * 1e3:.0f} ms)", f"≥ {target} ×", them / us >= target)
    spent = []
    for tool in TOOLS:
        for line in (CASES / f"{tool}.jsonl").read_text().splitlines():
            case = json.loads(line)
            id += 1
            spent.append(timed(server, id, (case["tool"], case["arguments"]))[0])
    server.end()
    report.add("median call of exact mathematics", f"{median(spent) * 1e3:.2f} ms over the {len(spent)} cases of {', '.join(TOOLS)}", "≤ 2 ms", median(spent) <= 2e-3)
