"""What test_driver.py runs in each language: PROGRAMS with and without its driver, and TOLD, what the driver tells of a program.

WITHOUT is an environment that takes the driver's variable for itself, so that a call has no driver.
"""

MESSAGE = "ünï \N{SNOWMAN}\U0001F600 \"\\"

NODE_PROGRAMS = {
    "what it is": "console.log(require.main === module, module.id, module.filename, module.paths, module.children, module.parent, __filename, this === module.exports, Object.keys(globalThis))",
    "modules": "console.log(Object.keys(require.cache), require('module')._pathCache, process.moduleLoadList, process.mainModule === module)",
    "arguments": "console.log(process.argv, process.execArgv, process.argv0, process.title, process.execPath, process.features)",
    "environment": "const e = {...process.env}; delete e.NODE_OPTIONS; console.log(e, process.cwd(), process.umask(), process.pid, process.ppid)",
    "environment of children": "console.log(require('child_process').execSync('env | grep -v ^NODE_OPTIONS | sort').toString())",
    "files": "console.log(require('fs').readdirSync('.'), require('fs').readdirSync('/tmp/.home'))",
    "hooks": "console.log(process.eventNames().filter(n => n !== 'uncaughtExceptionMonitor'), Error.prepareStackTrace, Error.stackTraceLimit, process.hasUncaughtExceptionCaptureCallback(), process.exitCode)",
    "resources that hold it": "console.log(process.getActiveResourcesInfo(), process._getActiveHandles().length)",
    "frames": "console.log(new Error('x').stack)",
    "standard input": "console.log(require('fs').readFileSync(0, 'utf8').length, process.stdin.isTTY, process.stdout.isTTY)",
    "standard input as a stream": "process.stdin.on('data', d => console.log(d.length)).on('end', () => console.log('end'))",
    "an error": "function f() { throw new TypeError('x') }\nf()",
    "an error with a cause": "throw new Error('x', {cause: new RangeError('y')})",
    "an error with more": "throw Object.assign(new Error('x'), {code: 7})",
    "a class": "class E extends Error {}\nthrow new E('x')",
    "a name": "const e = new Error('x')\ne.name = 'Mine'\ne.message = 'other'\nthrow e",
    "a value": "throw {a: 1}",
    "nothing": "throw undefined",
    "nothing at all": "",
    "null": "throw null",
    "a proxy": "throw new Proxy({}, {get() { console.log('asked') }, getPrototypeOf() { console.log('asked') }})",
    "text with effects": "class E extends Error { get message() { console.log('asked'); return 'text' } }\nprocess.on('exit', () => console.log('end'))\nthrow new E",
    "frames with effects": "Error.prepareStackTrace = (e, s) => { console.log('asked'); return 'mine' }\nprocess.on('exit', () => console.log('end'))\nthrow new Error('x')",
    "JSON with effects": "Object.prototype.toJSON = () => { console.log('asked') }\nRegExp.prototype.exec = () => { console.log('asked') }\nthrow new Error('x')",
    "a handler": "process.on('uncaughtException', (e, o) => { console.log('mine', o); process.exitCode = 4 })\nthrow new Error('x')",
    "a handler that fails": "process.on('uncaughtException', () => { throw new Error('y') })\nthrow new Error('x')",
    "a monitor": "process.on('uncaughtExceptionMonitor', (e, o) => console.log('seen', o))\nthrow new Error('x')",
    "a capture": "process.setUncaughtExceptionCaptureCallback(e => { console.log('mine'); process.exit(3) })\nthrow new Error('x')",
    "a promise": "Promise.reject(new Error('x'))",
    "a promise of a value": "Promise.reject(3)",
    "an async function": "async function f() { await 1; throw new RangeError('q') }\nf()",
    "a promise with a handler": "process.on('unhandledRejection', () => console.log('mine'))\nPromise.reject(3)",
    "a timer": "setTimeout(() => { throw new Error('late') }, 1)",
    "an exit handler": "process.on('exit', c => console.log('end', c))\nprocess.on('beforeExit', () => console.log('before'))\nsetTimeout(() => {}, 1)",
    "an exit handler that fails": "process.on('exit', () => { throw new Error('x') })",
    "exit": "process.exit(300)",
    "exit later": "process.exitCode = 9",
    "abort": "process.abort()",
    "ended by a signal": "process.kill(process.pid, 'SIGKILL')\nsetTimeout(() => {}, 1000)",
    "a syntax error": "let x = (\nlet y = 2",
    "a syntax error in a module": "import fs from 'fs'\nlet x = (\nlet y = 2",
    "a missing module": "require('./nothing')",
    "a missing export": "import {nothing} from 'fs'\n",
    "a module": "import fs from 'fs'\nconsole.log(import.meta.url, fs.readdirSync('.'))\nawait null\nthrow new Error('x')",
    "a file that fails": "require('./helper.js').f()",
    "recursion": "function f() { f() }\nf()",
    "code from a string": "eval('throw new Error(1)')",
    "a worker": "const {Worker} = require('worker_threads')\nnew Worker('console.log(Object.keys(require.cache), process.eventNames(), Object.keys(process.env).includes(\"X\"))', {eval: true})",
    "a worker that fails": "const {Worker} = require('worker_threads')\nnew Worker('throw new Error(1)', {eval: true})",
    "a child": "const p = require('child_process').fork('./child.js')\np.on('message', m => console.log(m)).on('exit', c => console.log(c))",
    "warnings": "process.emitWarning('w')\nnew Buffer(1)",
}

NODE_TOLD = [
    ("function f(x) {\n  return x.y\n}\nf(null)", {"type": "TypeError", "message": "Cannot read properties of null (reading 'y')", "frames": [{"file": "main.js", "line": 4}, {"file": "main.js", "line": 2, "function": "f"}]}),
    ("class Mine extends Error {}\nconst o = {m() { throw new Mine(`ünï \u2603\U0001F600 \"\\\\`) }}\n;[1].forEach(function () {\n  o.m() })", {"type": "Mine", "message": MESSAGE, "frames": [{"file": "main.js", "line": 3}, {"file": "main.js", "line": 4}, {"file": "main.js", "line": 2, "function": "Object.m"}]}),
    ("require('./helper.js').f()", {"type": "RangeError", "message": "of the file", "frames": [{"file": "main.js", "line": 1}, {"file": "helper.js", "line": 2, "function": "exports.f"}]}),
    ("import fs from 'fs'\nasync function f() {\n  await null\n  throw new Error('x')\n}\nawait f()", {"type": "Error", "message": "x", "frames": [{"file": "main.mjs", "line": 6}, {"file": "main.mjs", "line": 4, "function": "f"}]}),
    ("let x = 1\nlet x = 2", {"type": "SyntaxError", "message": "Identifier 'x' has already been declared", "frames": [{"file": "main.js", "line": 2}]}),
    ("throw 'text'", {"type": "string", "message": "text"}),
    ("throw new Error('x'.repeat(100000))", {"type": "Error", "message": "x" * 2000, "frames": [{"file": "main.js", "line": 1}]}),
    ("process.exit(3)", None),
    ("process.on('uncaughtException', () => process.exit(2))\nthrow new Error('x')", None),
    ("try { null.x } catch { process.exitCode = 1 }", None),
    ("require('child_process').spawnSync(process.execPath, ['-e', 'throw 1'])\nprocess.exit(1)", None),
]

LANGUAGES = {
    "node": {
        "without": {"NODE_OPTIONS": ""},
        "files": {"helper.js": "exports.f = () => {\n  throw new RangeError('of the file')\n}\n", "child.js": "process.send([process.execArgv, process.argv.slice(1), Object.keys(require.cache)])\nprocess.disconnect()\n"},
        "programs": NODE_PROGRAMS,
        "told": NODE_TOLD,
        "descriptors": "console.log(require('child_process').execSync('ls /proc/self/fd').toString())",
    },
}
