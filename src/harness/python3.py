# The driver of python3, which finds it as its module sitecustomize before it looks at the program, by a PYTHONPATH that is gone when the
# program begins. CPython itself then runs the program, so that nothing of the driver is in its way: no frame, module, path or variable.
# At the end it tells what was not caught, one JSON object in a line, on the control descriptor: the highest number below the limit. How it
# tells it is compiled only then, because this file is read anew in every run.
# An interpreter that is started before there is a program stops here, and is continued when the program's files and limits are there.
import os
import sys


def prepare():
    import posix

    here = os.environ.pop("PYTHONPATH")
    getattr(posix, "environ", {}).pop(b"PYTHONPATH", None)
    sys.path.remove(here)
    sys.path_importer_cache.pop(here, None)
    os.unlink(here + "/sitecustomize.py")
    os.rmdir(here)


def wait():
    if not os.path.lexists(getattr(sys, "orig_argv", "./")[1]):
        os.kill(os.getpid(), 19)  # SIGSTOP; the module signal is not loaded for it


REPORT = r'''
def quoted(s):
    out = []
    for c in s[:2000]:
        n = ord(c)
        if c in '"\\':
            out.append("\\" + c)
        elif 32 <= n < 127:
            out.append(c)
        elif n > 0xFFFF:
            out.append("\\u%04x\\u%04x" % (0xD7C0 + (n >> 10), 0xDC00 | n & 0x3FF))
        else:
            out.append("\\u%04x" % (0xFFFD if 0xD800 <= n < 0xE000 else n))
    return '"' + "".join(out) + '"'

# A file of the program's, as it knows it; None for any other.
def own(name):
    path = os.path.normpath(os.path.join(base, name))
    return path[len(base):] if path.startswith(base) and name[:1] != "<" else None

def message_of(e):
    plain = type(type(e).__str__) is type(BaseException.__str__) and all(type(x) in (str, int, float) for x in e.args)
    return e.msg if isinstance(e, SyntaxError) else str(e) if plain else None  # never code of the program's

def frames_of(e, tb):
    frames = []
    while tb:
        frames.append((tb.tb_frame.f_code.co_filename, tb.tb_lineno, tb.tb_frame.f_code.co_name))
        tb = tb.tb_next
    if isinstance(e, SyntaxError) and e.filename:
        frames.append((e.filename, e.lineno or 0, ""))
    frames = [(own(f), line, name) for f, line, name in frames if own(f)][-16:]
    return ['{"file":%s,"line":%d,"function":%s}' % (quoted(f), line, quoted(name)) for f, line, name in frames]

now, e = os.fstat(control), sys.last_value
if owner == os.getpid() and (now.st_dev, now.st_ino) == (pipe.st_dev, pipe.st_ino):
    message = message_of(e)
    line = '{"event":"exception","type":%s%s,"frames":[%s]}\n' % (
        quoted(type(e).__name__), "" if message is None else ',"message":' + quoted(message), ",".join(frames_of(e, sys.last_traceback)))
    os.write(control, line.encode("ascii"))
'''


def report(names):
    try:
        if getattr(sys, "last_value", None) is not None:
            exec(compile(REPORT, "report", "exec"), names)  # exec of a text would forget that an interrupt ends the process
    except BaseException:
        pass  # the program has changed what this stands on


# Taking apart what its start has made costs an interpreter more than most programs cost. So everything is left to the end of the process
# where none of what the program has made can do anything when it goes: then nobody can tell. What was there at the start is told apart by
# the collector's generations: it is in the last one, to which only a collection of the one before adds. Nothing in here runs code of the
# program's: types are asked by the means of type itself.
def short_end():
    import _thread
    import _weakref
    import gc

    if not (3, 10) <= sys.version_info < (3, 14) or "t" in sys.abiflags:
        return int  # does nothing
    function, builtin, module, text = type(short_end), type(len), type(sys), type(sys.stdout)
    mro, names, flags = (vars(type)[name].__get__ for name in ("__mro__", "__dict__", "__flags__"))
    ref, callback = _weakref.ref, vars(_weakref.ref)["__callback__"].__get__
    standard, before = sys.stdlib_module_names, set(sys.modules)
    closes = {"_ctypes", "_dbm", "_gdbm", "_sqlite3"}  # what they have open, their own end closes
    gc.freeze()
    gc.unfreeze()
    collections = [g["collections"] for g in gc.get_stats()[1:]]
    make, fill, spec = sys.modules["_imp"].create_builtin, sys.modules["_imp"].exec_builtin, gc.__spec__

    def is_known(name):
        m = sys.modules[name]
        path = m.__dict__.get("__file__") if type(m) is module else None
        return type(path) is not str or path[-3:] != ".so" or name in standard and name not in closes

    # What it calls takes an entry out of a collection of the library's own.
    def is_bookkeeping(call):
        if type(call) is function:
            return any(call.__globals__ is vars(sys.modules[name]) for name in ("weakref", "_weakrefset") if name in sys.modules)
        return call is None or type(call) is builtin and call.__name__ in ("_destroy", "clear_locals")

    def is_inert(objects):
        types = {id(t): t for t in map(type, objects)}
        if any("__del__" in names(base) for t in types.values() for base in mro(t)):
            return False
        classes = {i for i, t in types.items() if any(base is type for base in mro(t))}
        refs = {i for i, t in types.items() if any(base is ref for base in mro(t))}
        # The collector does not know the objects of a class without that flag.
        return all(is_bookkeeping(callback(o)) for o in objects if id(type(o)) in refs) and not any(
            "__del__" in names(o) and not flags(o) & 1 << 14 for o in objects if id(type(o)) in classes
        )

    def end():
        try:
            gc = make(spec)  # the module anew: it must not be there meanwhile
            fill(gc)
            objects = gc.get_objects(0) + gc.get_objects(1)
            if (
                [g["collections"] for g in gc.get_stats()[1:]] == collections
                and not (gc.callbacks or gc.garbage or gc.get_debug() or gc.get_freeze_count() or _thread._count())
                and type(sys.stdout) is type(sys.stderr) is text
                and all(map(is_known, set(sys.modules) - before))
                and is_inert(objects)
            ):
                gc.freeze()
        except BaseException:
            pass

    return end


def act_at_exit():
    import atexit

    names = {"base": os.getcwd() + "/", "owner": os.getpid(), "control": os.sysconf("SC_OPEN_MAX") - 1, "os": os, "sys": sys}
    try:
        names["pipe"] = os.fstat(names["control"])
        os.set_inheritable(names["control"], False)
    except (OSError, AttributeError):
        return  # nobody listens, or this is Python 2
    # What is registered last is called first: trace and profile functions of the program's are put aside, without a step of Python's that
    # they could see, and then back.
    hooks = [(sys.settrace, sys.gettrace, {0: None}), (sys.setprofile, sys.getprofile, {0: None})]
    for put, get, was in hooks:
        atexit.register([].extend, map(put, filter(callable, was.values())))
    atexit.register(short_end())
    atexit.register(report, names)
    for put, get, was in hooks:
        atexit.register(put, None)
        atexit.register(was.update, zip([0], iter(get, was)))


loaded = set(sys.modules)
if sys.version_info < (3, 10):
    loaded.add("atexit")  # it holds what is registered, and ends with it
prepare()
act_at_exit()
for name in set(sys.modules) - loaded:
    vars(sys.modules.pop(name)).clear()  # else the collector would still know it
sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # the machine's own; that there is none is what the interpreter then sees
finally:
    wait()
