"""Random questions beside PARI/GP that have exact answers: integers, polynomials, matrices."""

import ast
import math
import re
from fractions import Fraction

import pytest
import sympy

import peers
from peers import decimal, to_pari
from questions import NONE, ask, balls, evaluate


def exact(server, expr):
    """A value of the exact calculator."""
    body = server.call("calc_exact", {"expr": expr})
    assert body.get("ok"), (expr, body)
    return body["value"]


# ---- integers ----


def integer(r):
    """Of all sizes and kinds: smooth, prime, product of two primes, power, near a power of two."""
    kind = r.randrange(7)
    if kind == 0:
        return r.randint(1, 1000)
    if kind == 1:
        return math.prod(r.choice([2, 2, 3, 3, 5, 7, 11, 13, 101, 65537]) for _ in range(r.randint(1, 20)))
    if kind == 2:
        return int(sympy.prevprime(r.randint(10, 10 ** r.randint(2, 40))))
    if kind == 3:
        return int(sympy.prevprime(r.randint(10, 10 ** r.randint(2, 15)))) * int(sympy.prevprime(r.randint(10, 10 ** r.randint(2, 15))))
    if kind == 4:
        return r.randint(2, 10 ** 4) ** r.randint(2, 7)
    if kind == 5:
        return 2 ** r.randint(3, 90) + r.choice([-1, 1, 3, -5, 15])
    return r.randint(1, 10 ** r.randint(4, 28))


# What the exact calculator and the algebra say of an integer, beside the same in GP.
OF_ONE = [
    ("totient({})", "eulerphi({})"), ("mobius({})", "moebius({})"), ("divisor_sigma({})", "sigma({})"), ("divisor_count({})", "numdiv({})"),
    ("nextprime({})", "nextprime({}+1)"), ("isqrt({})", "sqrtint({})"), ("divisor_sigma({},3)", "sigma({},3)"), ("prevprime({}+3)", "precprime({}+2)"),
    ("bit_count({})", "hammingweight({})"), ("bit_length({})", "#binary({})"),
]
OF_ONE_SMALL = [
    ("primepi({})", "primepi({})"), ("prime({})", "prime({})"), ("fibonacci({})", "fibonacci({})"), ("catalan({})", "binomial(2*{0},{0})/({0}+1)"), ("factorial({})", "({})!"),
    ("subfactorial({})", "if({0}==0,1,sum(k=0,{0},(-1)^k*{0}!/k!))"), ("lucas({})", "fibonacci({0}+1)+fibonacci({0}-1)"), ("factorial2({})", "prod(k=0,({0}-1)\\2,{0}-2*k)"),
]
ALGEBRA_SMALL = [
    ("bernoulli({})", "if({0}==1,1/2,bernfrac({0}))"), ("harmonic({})", "sum(k=1,{0},1/k)"), ("euler({})", "eulerfrac({})"), ("catalan({})", "binomial(2*{0},{0})/({0}+1)"),
    ("harmonic({},3)", "sum(k=1,{0},1/k^3)"), ("binomial(2*{0}+1,{0})", "binomial(2*{0}+1,{0})"), ("binomial(-{0},7)", "binomial(-{0},7)"), ("binomial({0}/2,5)", "binomial({0}/2,5)"),
    ("zeta(2*{0})/pi**(2*{0})", "if({0}==0,-1/2,abs(bernfrac(2*{0}))*2^(2*{0}-1)/(2*{0})!)"), ("zeta(-{0})", "if({0}==0,-1/2,-bernfrac({0}+1)/({0}+1))"),
    ("RisingFactorial({0}/3,4)", "prod(k=0,3,{0}/3+k)"),
    ("FallingFactorial({0},5)", "prod(k=0,4,{0}-k)"), ("gamma({0}+1/2)/sqrt(pi)", "prod(k=0,{0}-1,k+1/2)"), ("polygamma(0,{0}+1)+EulerGamma", "sum(k=1,{0},1/k)"),
]


def about_integer(server, gp, r):
    which = r.randrange(3)
    ours, theirs = r.choice([OF_ONE, OF_ONE_SMALL, ALGEBRA_SMALL][which])
    n = integer(r) if which == 0 else r.randint(0 if "prime(" not in ours else 1, 60)
    wanted = gp.ask(theirs.format(n))
    if wanted is None:
        return
    text = ours.format(n)
    got = exact(server, text) if which < 2 else evaluate(server, text).get("expression")
    assert got == wanted, f"{text} is {got}, not {wanted}"
    if which == 0 and re.match(r"totient|mobius|nextprime|prevprime", ours) and len(str(n)) < 25:
        again = evaluate(server, text)
        assert not again.get("ok") or again["expression"] == wanted, f"{text} is {again}, not {wanted}"


def factors(server, gp, r):
    """Every prime of an integer, its divisors, and whether it is a prime, by both tools."""
    n = integer(r)
    answer = gp.ask(f"factor({n})~")
    if answer is None:
        return
    primes, powers = ([int(t) for t in row.split(",")] for row in answer.strip("[]").split(";")) if n > 1 else ([], [])
    wanted = list(zip(primes, powers))
    body = evaluate(server, f"factorint({n})")
    if body.get("ok"):
        assert body["expression"] == str(wanted), f"factorint({n}) is {body['expression']}, not {wanted}"
    value = server.call("calc_exact", {"expr": f"factor({n})"})
    if value.get("ok") and n > 1:
        assert value["value"] == " * ".join(f"{p}**{k}" if k > 1 else str(p) for p, k in wanted), f"factor({n}) is {value['value']}, not {wanted}"
    prime = len(wanted) == 1 and powers == [1]
    assert exact(server, f"isprime({n})") is prime and evaluate(server, f"isprime({n})")["expression"] == str(prime), f"isprime({n})"
    if math.prod(k + 1 for k in powers) < 500:
        divisors = gp.ask(f"divisors({n})")
        assert exact(server, f"divisors({n})") == divisors and evaluate(server, f"divisors({n})")["expression"] == divisors, f"divisors({n}) are {divisors}"


def several_integers(server, gp, r):
    a, b, m = integer(r), integer(r) * r.choice([1, -1]), integer(r)
    if r.random() < 0.5:
        a, b = a * m, b * m
    pairs = [(f"gcd({a},{b})", f"gcd({a},{b})"), (f"lcm({a},{b})", f"lcm({a},{b})"), (f"powmod({a},{m % 1000},{m})", f"lift(Mod({a},{m})^{m % 1000})"),
             (f"mod({b},{m})", f"lift(Mod({b},{m}))"), (f"{b}//{m}", f"floor({b}/{m})"), (f"comb({a % 300},{m % 50})", f"binomial({a % 300},{m % 50})"),
             (f"iroot({a},{m % 5 + 2})", f"sqrtnint({a},{m % 5 + 2})")]
    if math.gcd(a, m) == 1 and m > 1:
        pairs.append((f"mod_inverse({a},{m})", f"lift(1/Mod({a},{m}))"))
    for ours, theirs in pairs:
        wanted = gp.ask(theirs)
        assert wanted is None or exact(server, ours) == wanted, f"{ours} is {exact(server, ours)}, not {wanted}"
    for ours in (f"gcd({a},{b})", f"lcm({a},{b})", f"Mod({b},{m})"):
        wanted = gp.ask(f"lift(Mod({b},{m}))" if ours[0] == "M" else ours)
        got = evaluate(server, ours).get("expression")
        assert got == wanted, f"{ours} is {got}, not {wanted}"


# ---- polynomials ----


def polynomial(r, degree, symbols=("x",)):
    """With integer coefficients, as a sum of terms."""
    n = r.randint(1, 5)
    return "(" + " + ".join(f"{r.choice([1, 1, 2, 3, 5, -1, -1, -2, -7])}*" + "*".join(f"{v}**{r.randint(0, degree)}" for v in symbols) for _ in range(n)) + f" + {r.choice([1, 1, -1, 2, -3])})"


def pari_factors(text):
    """[(factor, exponent)] of a product in the program's notation."""
    tree, found = balls.read(text), []

    def walk(n):
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult):
            walk(n.left), walk(n.right)
        elif isinstance(n, ast.UnaryOp):
            walk(n.operand)
        elif isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div):
            walk(n.left)
        elif isinstance(n, ast.BinOp) and isinstance(n.op, ast.Pow):
            found.append((n.left, n.right.value))
        elif not isinstance(n, ast.Constant):
            found.append((n, 1))

    walk(tree)
    return [(peers.render(b, peers.PARI, peers.PARI_NAMES), k) for b, k in found]


def factored(server, gp, r):
    """The product has the polynomial's value, and no factor can be factored further."""
    symbols = ("x",) if r.random() < 0.7 else ("x", "y")
    f = "*".join(polynomial(r, r.choice([1, 2, 3, 4]), symbols) + r.choice(["", "", "**2"]) for _ in range(r.randint(1, 4)))
    if r.random() < 0.3:
        f = f"x**{r.randint(2, 30)} {r.choice('+-')} {r.choice([1, 4, 64, 81])}"
    body = ask(server, "symbolic", op="factor", expr=f)
    if not body.get("ok"):
        return
    wrong = gp.ask(f"({to_pari(f)})-({to_pari(body['result'])})")
    assert wrong in ("0", None), f"factor({f}) -> {body['result']}: off by {wrong}"
    if len(symbols) == 1:
        ours = sorted(k for _, k in pari_factors(body["result"]))
        count = gp.ask(f"(F->vecsort(F[,2]~))(factor({to_pari(f)}))")
        if count and count not in ("0", "[]"):
            theirs = [int(k) for k in count.strip("[]").split(",")]
            constant = gp.ask(f"poldegree({to_pari(f)})<=0") == "1"
            assert constant or ours == theirs, f"factor({f}) -> {body['result']}: exponents {theirs}"
    for op in ("expand",):
        other = ask(server, "symbolic", op=op, expr=f)
        if other.get("ok"):
            assert gp.ask(f"({to_pari(f)})-({to_pari(other['result'])})") in ("0", None), f"{op}({f}) -> {other['result']}"


def common(server, gp, r):
    """gcd, lcm of polynomials; apart, together, cancel of quotients."""
    symbols = ("x",) if r.random() < 0.7 else ("x", "y")
    a, b, c = (polynomial(r, r.choice([1, 2, 3]), symbols) for _ in range(3))
    body = evaluate(server, f"gcd(expand({a}*{c}), expand({b}*{c}))")
    if body.get("ok"):
        ratio = gp.ask(f"({to_pari(body['expression'])})/gcd({to_pari(a)}*{to_pari(c)},{to_pari(b)}*{to_pari(c)})")
        assert ratio is None or not re.search("[xy]", ratio), f"gcd({a}*{c}, {b}*{c}) -> {body['expression']}: {ratio} times GP's"
    f = f"({a})/({b}*{c}**{r.randint(1, 2)}) + {polynomial(r, 2, symbols)}/({b})"
    for op in ("apart", "together", "cancel", "simplify"):
        body = ask(server, "symbolic", op=op, expr=f, **({"var": "x"} if op == "apart" else {}))
        got = body.get("result") or body.get("simplified")
        if body.get("ok") and got and not re.search("zoo|nan|RootSum", got):
            wrong = gp.ask(f"({to_pari(f)})-({to_pari(got)})")
            assert wrong in ("0", None), f"{op}({f}) -> {got}: off by {wrong}"


def roots(server, gp, r):
    """All the roots of a polynomial, with multiplicity, as decimals; in exact form they are zeros of it."""
    f = polynomial(r, r.choice([2, 3, 4, 5, 7]))
    if r.random() < 0.4:
        f = f"{f}*{polynomial(r, 2)}{r.choice(['', '**2'])}"
    degree = gp.ask(f"poldegree({to_pari(f)})")
    if degree is None or degree in ("-oo", "0"):
        return
    body = ask(server, "symbolic", op="solve", expr=f, var="x")
    if not body.get("ok") or body.get("status", "").startswith("unknown"):
        return
    theirs = re.findall(r"\[([^][,]+), ([^][]+)\]", gp.ask(f"apply(z->[real(z),imag(z)],polroots(({to_pari(f)})/gcd({to_pari(f)},({to_pari(f)})')))"))
    theirs = [(Fraction(a), Fraction(b)) for a, b in theirs]
    times = [int(m) for m in body.get("multiplicities", ["1"] * len(body["solutions"]))]
    assert sum(times) == int(degree) and len(body["solutions"]) == len(theirs), f"solve({f}) -> {body}: {len(theirs)} roots, {degree} with multiplicity"
    left = list(theirs)
    for s in body["solutions"]:
        value = evaluate(server, s, digits=30)
        parts = decimal(value.get("value", value.get("expression", "")))
        if not parts:
            return
        (re_, ru), (im, iu) = parts
        near = [t for t in left if abs(t[0] - re_) <= ru + Fraction(1, 10**28) and abs(t[1] - im) <= iu + Fraction(1, 10**28)]
        assert near, f"solve({f}) -> {s}: {value.get('value')} is no root"
        left.remove(near[0])
    assert not left, f"solve({f}) -> {body['solutions']}: {left} are missing"
    shown = body.get("approx")
    if isinstance(shown, list) and len(shown) == len(theirs):
        left = list(theirs)
        for s in shown:
            parts = decimal(s)
            if parts:
                near = [t for t in left if abs(t[0] - parts[0][0]) <= parts[0][1] + Fraction(1, 10**40) and abs(t[1] - parts[1][0]) <= parts[1][1] + Fraction(1, 10**40)]
                assert near, f"solve({f}): {s} is no root"
                left.remove(near[0])


# ---- matrices ----


def rows_of(r, n, m, kind="rational"):
    def entry():
        p = r.randint(-9, 9) if r.random() < 0.9 else r.randint(-10**12, 10**12)
        return str(p) if kind == "integer" or r.random() < 0.7 else f"{p}/{r.choice([2, 3, 5, 7])}"

    rows = [[entry() if r.random() < 0.85 else "0" for _ in range(m)] for _ in range(n)]
    if n > 1 and r.random() < 0.4:
        rows[r.randrange(n)] = list(rows[r.randrange(n)])
    return rows


def to_matrix(rows):
    """A matrix in GP, also one of a single row."""
    return f"matrix({len(rows)},{len(rows[0])},i,j,[{','.join('[' + ','.join(to_pari(e) for e in row) + ']' for row in rows)}][i][j])"


def same_matrix(gp, what, rows, wanted):
    got = gp.ask(f"({to_matrix(rows)})==({wanted})")
    assert got in ("1", None), f"{what} -> {rows}, not {gp.ask(wanted)}"


def matrices(server, gp, r):
    n = r.randint(1, 7)
    m = n if r.random() < 0.6 else r.randint(1, 7)
    kind = r.choice(["integer", "rational"])
    rows = rows_of(r, n, m, kind)
    A = to_matrix(rows)

    def do(op, **more):
        return ask(server, "matrix", rows=rows, op=op, **more)

    assert str(do("rank")["value"]) == gp.ask(f"matrank({A})"), f"rank {rows}"
    kernel = do("nullspace").get("vectors", [])
    assert len(kernel) == m - int(gp.ask(f"matrank({A})")), f"nullspace {rows} -> {kernel}"
    for v in kernel:
        assert gp.ask(f"({A})*{to_matrix([[e] for e in v])}==0") == "1", f"nullspace {rows} -> {v}"
    if kernel:
        assert int(gp.ask(f"matrank({to_matrix(kernel)})")) == len(kernel)
    R = do("rref")
    if R.get("ok"):
        same = gp.ask(f"matrank(matconcat([{A};{to_matrix(R['matrix'])}]))==matrank({A})")
        assert same == "1", f"rref {rows} -> {R}"
        for i, p in enumerate(R.get("pivots", [])):
            assert [row[p] for row in R["matrix"]] == ["1" if k == i else "0" for k in range(n)], f"rref {rows} -> {R}"
    rhs = rows_of(r, n, 1, kind)
    if r.random() < 0.4:
        rhs = [[e] for e in gp.ask(f"(({A})*vectorv({m},i,i-2))~").strip("[]").split(", ")]
    S, consistent = do("solve", rhs=rhs), gp.ask(f"matrank(matconcat([{A},{to_matrix(rhs)}]))==matrank({A})") == "1"
    assert (S["solutions"] != "none") == consistent, f"solve {rows} {rhs} -> {S}"
    if consistent:
        assert (S["solutions"] == "unique") == (not kernel), f"solve {rows} {rhs} -> {S}"
        assert gp.ask(f"({A})*({to_matrix(S['matrix'])})==({to_matrix(rhs)})") == "1", f"solve {rows} {rhs} -> {S}"
    if kind == "integer":
        smith = do("smith")
        d = gp.ask(f"matsnf({A})") if n == m else None
        if smith.get("ok") and d:
            wanted = sorted((abs(int(t)) for t in d.strip("[]").split(",")), key=lambda t: (t == 0, t))
            assert [abs(int(smith["matrix"][i][i])) for i in range(n)] == wanted, f"smith {rows} -> {smith['matrix']}, not {wanted}"
        hermite = do("hermite")
        if hermite.get("ok"):
            H = hermite["matrix"]
            assert gp.ask(f"mathnf(({A})~)==mathnf(({to_matrix(H)})~)") == "1", f"hermite {rows} -> {H}: rows of another lattice"
            last = -1
            for i, row in enumerate(H):
                first = next((j for j, e in enumerate(row) if e != "0"), m)
                assert first > last or first == m, f"hermite {rows} -> {H}: no echelon form"
                if first < m:
                    assert int(row[first]) > 0 and all(0 <= int(H[k][first]) < int(row[first]) for k in range(i)), f"hermite {rows} -> {H}: not reduced"
                last = first if first < m else last
    if n != m:
        return
    assert do("det")["value"] == gp.ask(f"matdet({A})"), f"det {rows}"
    assert do("trace")["value"] == gp.ask(f"trace({A})"), f"trace {rows}"
    for op, theirs in (("charpoly", f"charpoly({A})"), ("minpoly", f"minpoly({A})")):
        body = do(op)
        assert gp.ask(f"({to_pari(body['value'].replace('lambda', 'x'))})-{theirs}") == "0", f"{op} {rows} -> {body['value']}, not {gp.ask(theirs)}"
    inverse = do("inverse")
    assert inverse.get("ok", False) == (gp.ask(f"matdet({A})") != "0"), f"inverse {rows} -> {inverse}"
    if inverse.get("ok"):
        same_matrix(gp, f"inverse {rows}", inverse["matrix"], f"1/({A})")
    k = r.randint(0, 9)
    power = do("power", n=k)
    if power.get("ok"):
        same_matrix(gp, f"{rows}**{k}", power["matrix"], f"({A})^{k}")
    lu = do("lu")
    if lu.get("ok"):
        P = to_matrix(lu["P"]) if "P" in lu else f"matid({n})"
        assert gp.ask(f"{P}*{to_matrix(lu['L'])}*{to_matrix(lu['U'])}==({A})") == "1", f"lu {rows} -> {lu}"
    other = rows_of(r, m, r.randint(1, 4))
    same_matrix(gp, f"{rows} times {other}", do("multiply", rhs=other)["matrix"], f"({A})*{to_matrix(other)}")


def eigen(server, gp, r):
    """Jordan's form, eigenvectors and eigenvalues: the equations that define them, exactly where rational, else to many digits."""
    n = r.randint(2, 4)
    if r.random() < 0.6:  # rational eigenvalues, with blocks
        values = [r.choice([-2, -1, 0, 1, 2, 3]) for _ in range(n)]
        J = [[str(values[i]) if i == j else "1" if j == i + 1 and values[i] == values[j] and r.random() < 0.6 else "0" for j in range(n)] for i in range(n)]
        P = [[str(r.randint(-2, 2)) for _ in range(n)] for _ in range(n)]
        if gp.ask(f"matdet({to_matrix(P)})") == "0":
            return
        answer = gp.ask(f"{to_matrix(P)}*{to_matrix(J)}/{to_matrix(P)}")
        rows = [[e.strip() for e in row.split(",")] for row in answer.strip("[]").split(";")]
    else:
        rows = [[str(r.randint(-3, 3)) for _ in range(n)] for _ in range(n)]
    A = to_matrix(rows)
    body = ask(server, "matrix", rows=rows, op="eigenvalues")
    theirs = None
    if body.get("ok") and "root(" not in str(body):
        assert sum(body["eigenvalues"].values()) == n, f"eigenvalues {rows} -> {body}"
        product = "*".join(f"(x-({to_pari(e)}))^{k}" for e, k in body["eigenvalues"].items())
        theirs = gp.ask(f"vecmax(abs(Vec({product}-charpoly({A}))))<1e-60")
        assert theirs in ("1", None), f"eigenvalues {rows} -> {body['eigenvalues']}"
    jordan = ask(server, "matrix", rows=rows, op="jordan")
    if jordan.get("ok") and not NONE.search(str(jordan)) and "root(" not in str(jordan):
        P, J = to_matrix(jordan["P"]), to_matrix(jordan["J"])
        error = gp.ask(f"(M->vecmax(abs(M))<1e-50)({A}*{P}-{P}*{J}+0.)")
        assert error in ("1", None), f"jordan {rows} -> {jordan}"
        assert gp.ask(f"abs(matdet({P}+0.))>1e-40") in ("1", None), f"jordan {rows} -> {jordan}: P has no inverse"
    vectors = ask(server, "matrix", rows=rows, op="eigenvectors")
    for e in vectors.get("eigenvectors", []) if vectors.get("ok") else []:
        if "roots_of" in e or "root(" in str(e):
            continue
        V = to_matrix(list(map(list, zip(*e["vectors"]))))
        assert gp.ask(f"(M->vecmax(abs(M))<1e-50)({A}*{V}-({to_pari(e['value'])})*{V}+0.)") in ("1", None), f"eigenvectors {rows} -> {e}"
    exponential = ask(server, "matrix", rows=rows, op="exp")
    if exponential.get("ok") and "root(" not in str(exponential):
        E = to_matrix(exponential["matrix"])
        series = f"(M->my(S=matid({n}),T=matid({n}));for(k=1,400,T=T*M/k;S+=T);S)({A}+0.)"
        assert gp.ask(f"(D->vecmax(abs(D))<1e-40)({E}+0.-{series})") in ("1", None), f"exp {rows} -> {exponential['matrix']}"


def irrational_matrix(server, gp, r):
    """Entries in roots and pi, real and complex: what is exact has GP's decimals."""
    n = r.randint(2, 4)
    entries = ["0", "1", "-1", "2", "sqrt(2)", "-sqrt(2)", "sqrt(3)", "1/3", "1+sqrt(2)"] + r.choice([[], ["I", "1-I"], ["pi", "E"], ["cbrt(2)", "sqrt(2)*sqrt(3)"], ["(1+sqrt(5))/2"]])
    rows = [[r.choice(entries) for _ in range(n)] for _ in range(n)]
    if r.random() < 0.3:
        rows[-1] = [f"({e})*({r.choice(['sqrt(2)', '2', '(1+sqrt(3))'])})" for e in rows[0]]
    A = to_matrix(rows)
    singular = gp.ask(f"abs(matdet({A}+0.))<1e-50")
    for op, theirs in (("det", f"matdet({A}+0.)"), ("trace", f"trace({A}+0.)")):
        body = ask(server, "matrix", rows=rows, op=op)
        if body.get("ok"):
            assert gp.ask(f"abs(({to_pari(body['value'])})-{theirs})<1e-45") in ("1", None), f"{op} {rows} -> {body['value']}"
            if op == "det":
                assert (body["value"] == "0") == (singular == "1"), f"det {rows} -> {body['value']}"
    inverse = ask(server, "matrix", rows=rows, op="inverse")
    if inverse.get("ok"):
        assert gp.ask(f"(M->vecmax(abs(M))<1e-40)({A}*{to_matrix(inverse['matrix'])}-matid({n})+0.)") in ("1", None), f"inverse {rows} -> {inverse['matrix']}"
    rank = ask(server, "matrix", rows=rows, op="rank")
    if rank.get("ok") and singular == "0":
        assert str(rank["value"]) == str(n), f"rank {rows} -> {rank}"
    body = ask(server, "matrix", rows=rows, op="charpoly")
    if body.get("ok"):
        assert gp.ask(f"(p->vecmax(abs(Vec(p)))<1e-40)(({to_pari(body['value'].replace('lambda', 'x'))})-charpoly({A}+0.)+0.*x)") in ("1", None), f"charpoly {rows} -> {body['value']}"
    body = ask(server, "matrix", rows=rows, op="eigenvalues")
    if body.get("ok") and "root(" not in str(body):
        product = "*".join(f"(x-({to_pari(e)}))^{k}" for e, k in body["eigenvalues"].items())
        assert gp.ask(f"(p->vecmax(abs(Vec(p)))<1e-40)({product}-charpoly({A}+0.)+0.*x)") in ("1", None), f"eigenvalues {rows} -> {body['eigenvalues']}"
    for v in ask(server, "matrix", rows=rows, op="nullspace").get("vectors", []):
        assert singular == "1" and gp.ask(f"(M->vecmax(abs(M))<1e-40)({A}*{to_matrix([[e] for e in v])}+0.)") in ("1", None), f"nullspace {rows} -> {v}"


def test_pari_answers(gp):
    """It has what the properties ask of it, and comes back after an error and a calculation without end."""
    for question, answer in [("factor(12)~", "[2, 3; 2, 1]"), ("1/0", None), ("1+)", None), ("while(1,1)", None), ("matsnf([2,0;0,3])", "[6, 1]"), ("charpoly([1,2;3,4])", "x^2 - 5*x - 2"),
                             ("minpoly([1,0;0,1])", "x - 1")]:
        assert gp.ask(question, 20 if answer else 1) == answer, question
    for question in ("gamma(1/2)^2-Pi", "airy(0)[1]*3^(2/3)*gamma(2/3)-1", "lambertw(1,-2)*exp(lambertw(1,-2))-1", "zetahurwitz(2,1)-Pi^2/6", "intnum(x=0,[oo,1],exp(-x))-1",
                     "sumalt(k=1,-(-1)^k/k)-log(2)", "sumnum(k=1,1/k^2)-Pi^2/6", "derivnum(x=1,x^2)-2",
                     "intnumgauss(x=0,1,x)-1/2", "hypergeom([1,1],[2],1/2)-2*log(2)", "ellK(0)-Pi/2", "incgam(2,0)-1", "polylog(2,1)-Pi^2/6", "sumnummonien(k=1,1/k^2)-Pi^2/6",
                     "besselk(1/2,1)-sqrt(Pi/2)*exp(-1)"):
        assert max(map(abs, gp.number(question, 20))) < Fraction(1, 10**30), question


PROPERTIES = [about_integer, factors, several_integers, factored, common, roots, matrices, irrational_matrix, eigen]



@pytest.mark.timeout(peers.TIMEOUT)
@pytest.mark.parametrize("kind", peers.KINDS)
@pytest.mark.parametrize("property", PROPERTIES, ids=lambda p: p.__name__)
def test_beside_pari(shared_server, gp, property, kind):
    peers.examine(property, kind, shared_server, gp)
