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


def report_at_exit():
    import atexit

    names = {"base": os.getcwd() + "/", "owner": os.getpid(), "control": os.sysconf("SC_OPEN_MAX") - 1, "os": os, "sys": sys}
    try:
        names["pipe"] = os.fstat(names["control"])
        os.set_inheritable(names["control"], False)
    except (OSError, AttributeError):
        return  # nobody listens, or this is Python 2

    def report():
        try:
            if getattr(sys, "last_value", None) is not None:
                exec(compile(REPORT, "report", "exec"), names)  # exec of a text would forget that an interrupt ends the process
        except BaseException:
            pass  # the program has changed what this stands on

    atexit.register(report)


loaded = set(sys.modules)
prepare()
report_at_exit()
for name in set(sys.modules) - loaded:
    del sys.modules[name]
sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # the machine's own; that there is none is what the interpreter then sees
finally:
    wait()
