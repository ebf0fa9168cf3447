"""What users of other systems reported as wrong or hanging, asked of the program.

    tests/suites/complaints.py [--bin=build/codecalc] [--show=unknown|right|all]

The reports (math-complaints.jsonl) are prose: each has a hand-written call and check here, named by the report's id. A check evaluates the
answer by balls.py, or puts it into the question; it never compares with what the program said before. Reports about solvers of logic whose
question is one of numbers are asked of the calculator; the others belong to a tool that is not there yet: they are counted apart. Exit
status 1 when an answer is wrong.
"""
import ast
import json
import re
import sys

import balls
from asking import BESIDE, Server, close, program, record, same_set, tally, value

RIGHT, UNKNOWN, WRONG, NOT_YET = "right", "unknown", "wrong", "not applicable"


class Ask:
    def __init__(self, server):
        self.server, self.body, self.spent = server, {}, 0.0

    def __call__(self, tool, **arguments):
        self.body = self.server.call(tool, arguments)
        self.spent += self.server.spent
        return self.body


def verdict(holds):
    return RIGHT if holds else WRONG


def number(wanted, expression):
    """evaluate_expression gives this number, or an enclosure that holds it and fixes ten digits."""
    def check(ask):
        body = ask("evaluate_expression", expression=expression)
        text = body.get("expression", "")
        if not body.get("ok"):
            return UNKNOWN
        if wanted == "oo" or text in ("oo", "-oo", "zoo", "nan"):
            return verdict(text == wanted)
        if not re.search(r"\b(Integral|Sum|Limit)\(", text):
            return verdict(close(text, wanted))
        enclosed = re.fullmatch(r"\[(\S+) \+/- (\S+)\]", str(body.get("value", "")))
        return verdict(close(enclosed[1], wanted, 10)) if enclosed else UNKNOWN
    return check


def limit(wanted, expr, var="x", point="oo", at=None, **more):
    def check(ask):
        body = ask("symbolic", op="limit", expr=expr, var=var, point=point, **more)
        got = body.get("limit")
        if got is None:
            return UNKNOWN
        if "oo" in (got, wanted) or got in ("-oo", "zoo", "nan"):
            return verdict(got == wanted)
        return verdict(close(value(got, **(at or {})), value(wanted, **(at or {}))))
    return check


def solved(body):
    """The solutions of an answer that gives them all; None when it is honest about not knowing."""
    status = body.get("status", "")
    if not body.get("ok") or status.startswith("unknown") or body.get("complete") is False:
        return None
    return body.get("solutions", []) if status in ("", "family") else []


def roots(wanted, expr, at=None, status=None, **more):
    """symbolic(solve): these roots, all of them."""
    def check(ask):
        body = ask("symbolic", op="solve", expr=expr, var="x", **more)
        got = solved(body)
        if got is None:
            return UNKNOWN
        if status:
            return verdict(body.get("status", "").startswith(status) and not got)
        if not got and wanted:
            return WRONG
        points = [value(g, **(at or {})) for g in got]
        return verdict(same_set(points, [value(w, **(at or {})) for w in wanted]))
    return check


def members(families, low=-12, high=12, **at):
    """The values of families in integers, made from every integer in a range."""
    return [value(f, **dict.fromkeys(re.findall(r"\b[a-z]+_\b", f), n), **at) for f in families for n in range(low, high + 1)]


def family(equation, expected, never=(), at=None, expr=None, **more):
    """symbolic(solve): every member solves the equation (given as an expression that vanishes), and each expected root is a member."""
    at = at or {}

    def check(ask):
        body = ask("symbolic", op="solve", expr=expr or equation + " = 0", var="x", **more)
        got = solved(body)
        if got is None:
            return UNKNOWN
        found = members(got, **at)
        if not found or any(not close(value(equation, x=p, **at), 0, 20) for p in found):
            return WRONG
        within = lambda w: any(close(p, value(w, **at), 20) for p in found)
        return verdict(all(map(within, expected)) and not any(map(within, never)))
    return check


def rank_complex(ask):
    a = [["1-I", "1", "1", "0"], ["-2", "-1-I", "0", "-1"], ["0", "0", "-1-I", "-1"], ["0", "0", "2", "1-I"]]
    cube = ask("matrix", rows=a, op="power", n=3)
    if not cube.get("ok"):
        return UNKNOWN
    body = ask("matrix", rows=cube["matrix"], op="rank")
    return verdict(str(body.get("value")) == "2") if body.get("ok") else UNKNOWN


def exact_integer(ask):
    body = ask("calc_exact", expr="2**53 + 1")
    return verdict(body.get("value") == "9007199254740993")  # a string: a client rounds numbers


def tower(ask):
    digits = ask("calc_exact", expr="floor(9**9*log10(9)) + 1").get("value")
    last = ask("calc_exact", expr="powmod(9, 9**9, 10**10)").get("value")
    written = ask("calc_exact", expr="9**9**9 % 10**10")  # as the user wrote it: that answer, or an error at once
    if written.get("ok") and written.get("value") != "2627177289":
        return WRONG
    return verdict((digits, last) == ("369693100", "2627177289")) if digits and last else UNKNOWN


def fraction_of_pi(ask):
    text = "(pi-3)"
    for a in (7, 15, 1, 292, 1, 1, 1, 2, 1, 3, 1, 14, 2, 1, 1):
        text = f"(1/{text}-{a})"
    assert not balls.contains_zero(value(text))
    body = ask("algebraic_equiv", a=text, b="0")
    return verdict(body["identical"] is False) if body.get("identical") is not None else UNKNOWN


def small_arc(ask):
    question = "acos(7823207/7823209)"
    a, b = ask("calc_exact", expr=question), ask("symbolic", op="simplify", expr=question)
    if not (a.get("ok") and b.get("ok")):
        return UNKNOWN
    return verdict(close(a["approx"], "0.000715051856492049967157564239751", 25) and close(b["simplified"], question))


def unchanged(ask):
    body = ask("symbolic", op="simplify", expr="f(x) = x^n")
    if not body.get("ok"):
        body = ask("symbolic", op="simplify", expr="f = x^n")  # functions without a definition are none of ours
    return verdict(re.fullmatch(r"Eq\(f(\(x\))?, x\*\*n\)", body.get("simplified", "")) is not None) if body.get("ok") else UNKNOWN


def inequality(ask):
    """sin x + sin 2x + sin 3x = sin 2x (1 + 2 cos x) < 0 on (pi/2, 2pi/3), (pi, 4pi/3), (3pi/2, 2pi): asked at points between."""
    body = ask("symbolic", op="solve", expr="sin(x)+sin(2x)+sin(3x) < 0", var="x", lower="0", upper="2*pi")
    answer = body.get("result")
    if not answer:
        return UNKNOWN
    tree, twelfths = balls.read(answer), {k for k in range(24) if 6 <= k < 8 or 12 <= k < 16 or 18 <= k < 24}
    return verdict(all(holds(tree, value(f"({2 * k + 1})*pi/24")) == (k in twelfths) for k in range(24)))


def holds(tree, x):
    """A condition made of comparisons, & and |, at a point."""
    if isinstance(tree, ast.BinOp):
        a, b = holds(tree.left, x), holds(tree.right, x)
        return (a and b) if isinstance(tree.op, ast.BitAnd) else (a or b)
    a, b = (balls.evaluate(side, {"x": balls.D(x)}).v.real for side in (tree.left, tree.comparators[0]))
    return a < b if isinstance(tree.ops[0], (ast.Lt, ast.LtE)) else a > b


def lagrange(ask):
    body = ask("symbolic", op="solve_linear", system="2*x*y^2*z^2=2/9*x; 2*x^2*y*z^2=2/9*y; 2*x^2*y^2*z=2/9*z; x^2+y^2+z^2=1", variables="x, y, z",
               assume="x real, y real, z real")
    found = [[value(v) for v in re.findall(r": ([^,}]+)", s)] for s in body.get("solutions", [])]
    if not found:
        return UNKNOWN
    # with one of x, y, z zero the three equations make all zero but one or two: those solve the system too, and are real; the report's
    # eight are those without a zero
    third = value("sqrt(3)/3")
    full = [p for p in found if not any(balls.contains_zero(v) for v in p)]
    signs = {tuple(v.real > 0 for v in p) for p in full}
    return verdict(len(full) == len(signs) == 8 and all(close(v if v.real > 0 else -v, third) for p in full for v in p))


def antiderivative(ask):
    """F' at x = -3, a = 2, by the program and by our own derivative of its F."""
    body = ask("evaluate_expression", expression="integrate(x^2/sqrt(a^2-x^2), x)")
    F = body.get("expression", "Integral(")
    if "Integral(" in F:
        return UNKNOWN
    d = balls.evaluate(balls.read(F), {"x": balls.D(value("-3"), balls.ONE), "a": balls.D(value("2"))}).d
    there = ask("evaluate_expression", expression="subs(subs(diff(integrate(x^2/sqrt(a^2-x^2), x), x), x, -3), a, 2)")
    return verdict(close(d, "9/sqrt(-5)") and close(there.get("expression", "0"), "9/sqrt(-5)"))


def holds_exactly(comparison):
    """calc_exact proves a comparison of numbers."""
    def check(ask):
        body = ask("calc_exact", expr=comparison)
        return verdict(body["value"] is True) if body.get("ok") else UNKNOWN
    return check


def undefined(ask):
    """Neither equal nor unequal: every tool refuses, and says why."""
    asked = [ask("calc_exact", expr="0**(-2) == 0"), ask("algebraic_equiv", a="0**(-2)", b="0")]
    return verdict(all(not body.get("ok") and "division by zero" in body["error"] for body in asked))


def not_yet(ask):
    return NOT_YET


N51 = "sin(51/128) - sum(sin(w/64)*binomial(51,w)*binomial(77,64-w)/binomial(128,64), (w, 0, 64)) + 1/256"
PHONON = "diff(sqrt(C*((M+m)-sqrt((M+m)^2-M*m*(2-2*cos(k*a))))/(M*m)), k)"  # the report's N, which is a function with us, is m here
CHECKS = {
    "int-gauss-float": number("sqrt(pi/3.2)*(erf(3*sqrt(0.8))-erf(0.2*sqrt(0.8)))", "integrate(exp(-0.8*x^2), (x, -3, -0.2))"),
    "lim-exp-half": limit("exp(-1/2)", "(1+1/x)^(x^2)/exp(x)"),
    "int-ratint-pi": number("5/2", "integrate(400*pi^2*x^2/(1600*pi^4*x^4-796*pi^2*x^2+100), (x, 0, oo))"),
    "mcp-int53": exact_integer,
    "rank-complex": rank_complex,
    "solveset-sin4-sin3": family("sin(4*x)+sin(3*x)", ["pi", "3*pi", "-pi", "0", "2*pi/7", "-4*pi/7"], assume="x real"),
    "roots-deg9-poly": roots([f"tan({k}*pi/9)" for k in range(-4, 5)],
                             "x^9-36*x^7+126*x^5-84*x^3+9*x"),  # tan(9t) = 0: its numerator in tan t
    "solve-sinax-cosx": family("sin(a*x)-cos(x)", ["pi/2*(4*2+1)/(a+1)", "pi/2/(a+1)", "pi/2/(a-1)", "-3*pi/2/(a-1)"], never=["pi"], at={"a": "17/5"},
                               expr="sin(a*x)=cos(x)"),
    "lim-airybi": limit("1/sqrt(pi)", "airybi(x)*x^(1/4)*exp(-2*x^(3/2)/3)"),
    "solve-list-loses0": roots(["0", "1/2"], "sqrt(x/2)=x"),
    "int-abs-sincos": number("2", "integrate(abs(sin(x)*cos(x)), (x, 0, 2*pi))"),
    "simplify-hang-radical": roots([], "sqrt(x-2)-sqrt(x+10) = 2*sqrt(x+7)", status="none", assume="x>=2"),
    "int-sqrtcos2": number("(sqrt(2)-1)*pi", "integrate(sqrt(cos(x)^2)*cos(x)/(sin(x)^2+1), (x, -pi/2, pi/2))"),
    "solve-big-int": roots(["sqrt(110)/11000000000", "-sqrt(110)/11000000000"], "11000000000/a - 1/(100000000*a*x^2) = 0"),
    "zero-cf-pi": fraction_of_pi,
    "mcp-powtower2": tower,
    "sum-3-4log2": number("3-4*log(2)", "sum(1/(n*(n+1)*(2n+1)), (n, 1, oo))"),
    "evalf-acos": small_arc,
    "solve-xlogx": roots(["1"], "x*log(x)=0"),
    "sum-51-terms": number("0.004272191354621559829929380950001749114244", N51),
    "solveset-trig-nondet": roots([], "sin(x)*cos(x/2) = 1", status="none", assume="x real"),
    "simplify-hang-pow": unchanged,
    "sum-fact-ratio": number("log(2)/4-pi/24-1/24", "sum((4n)!/(4n+4)!, (n, 1, oo))"),
    "sum-14k2": number("pi^2/8", "sum(1/(1-4*k^2)^2, (k, -oo, oo))"),
    "lim-phonon": limit("a*sqrt(C/(2*(M+m)))", PHONON, "k", "0", {"a": "7/5", "C": "11/3", "M": "5/7", "m": "9/4"}, dir="+",
                        assume="C>0, M>0, m>0, a>0"),
    "sum-div-evalf": number("oo", "sum(n^(-0.5), (n, 1, oo))"),
    "solve-0eq0": roots([], "x - x = 0", status="all"),
    "ineq-trig": inequality,
    "lim-log-ratio": limit("3", "log(exp(3*x)+x)/log(exp(x)+x^100)"),
    "solve-lagrange": lagrange,
    "lim-powdiff": limit("E/2", "((1+x)^(1/x)-(1+2*x)^(1/(2*x)))/asin(x)", point="0"),
    "lim-Ei": limit("0", "Ei(-x)*exp(x)"),
    "sum-log4": number("2*log(2)-7/6", "sum((n+1)/(n*(2n-1)*(2n+1)), (n, 2, oo))"),
    "antider-a2": antiderivative,
    "z3-zero-neg-pow": undefined,
    "z3-pow65": holds_exactly("2**65 <= 2**127"),
    "z3-exp-model": holds_exactly("2**4 % ((64*2**4)/(4*32)) == 0"),  # nothing is left to choose in it
    "z3-sqrt-frac": roots(["3", "-3"], "(x^2+b^2)^(1/2) = 5", at={"b": "4"}),  # a exists: it is found for every b
}


def main():
    cases = [json.loads(line) for line in (BESIDE / "math-complaints.jsonl").read_text().splitlines()] if BESIDE.exists() else []
    if not cases:
        print("complaints: no cases beside the repository")
        return 0
    shown = next((a.split("=")[1] for a in sys.argv if a.startswith("--show=")), "unknown")
    server, rows = Server(program()), []
    for case in cases:
        ask = Ask(server)
        check = CHECKS.get(case["id"], not_yet if case["area"] == "z3" else None)
        try:
            outcome = check(ask)
        except (balls.Cannot, SyntaxError, KeyError) as e:
            outcome, ask.body = WRONG, f"not read: {e!r} {ask.body}"
        rows.append((case["id"], outcome, ask.spent, f"{case['input']}: {case['right_answer']}  ->  {json.dumps(ask.body)[:400]}"))
    server.end()
    count = tally("complaints", rows, shown)
    theirs = sum(c["status"] in ("fixed", "ok") for c in cases)
    record("math-complaints", f"{count.get(RIGHT, 0)} of {len(cases)} right, {count.get(UNKNOWN, 0)} unknown, {count.get(WRONG, 0)} wrong, {count.get(NOT_YET, 0)} of a later tool"
           f" | ≥ 35 right, 0 wrong | {theirs} right")
    return 1 if count.get(WRONG) else 0


if __name__ == "__main__":
    sys.exit(main())
