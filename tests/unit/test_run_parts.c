// The parts of src/run that run nothing: keeping output in bounds, finding runtimes, reading diagnostics.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/run.h"

static cc_arena arena;

static const cc_language *language(const char *name) {
    const cc_language *l = cc_language_find(cc_str_of(name));
    assert_non_null(l);
    return l;
}

static void assert_text(cc_str got, const char *expected) {
    if (!cc_str_eqz(got, expected)) fail_msg("'%.*s', not '%s'", (int)got.n, got.p, expected);
}

static bool contains(cc_str text, const char *part) { return text.n && memmem(text.p, text.n, part, strlen(part)); }

// ---- output in bounds ----

static cc_stream capture(const char *bytes, size_t n, size_t cap) {
    int p[2];
    assert_int_equal(pipe2(p, O_CLOEXEC), 0);
    cc_capture c;
    cc_capture_begin(&c, p[0], cap);
    for (size_t at = 0; at < n;) {
        size_t part = n - at < 1000 ? n - at : 1000; // read in pieces that fit no boundary
        assert_int_equal(write(p[1], bytes + at, part), part);
        at += part;
        cc_capture_read(&c);
    }
    close(p[1]);
    cc_capture_read(&c);
    assert_int_equal(c.fd, -1);
    cc_stream s = cc_capture_finish(&arena, &c);
    cc_capture_free(&c);
    assert_int_equal(s.bytes, n);
    assert_true(cc_utf8_valid(s.text));
    return s;
}

static void output_keeps_its_beginning_and_end(void **state) {
    (void)state;
    static char bytes[10000];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)('0' + i / 1000);
    cc_stream s = capture(bytes, 1024, 1024);
    assert_false(s.cut);
    assert_int_equal(s.text.n, 1024);
    s = capture(bytes, 1025, 1024);
    assert_true(s.cut);
    for (size_t n = 1025; n < sizeof bytes; n += 777) {
        s = capture(bytes, n, 1024);
        assert_memory_equal(s.text.p, bytes, 512);
        assert_memory_equal(s.text.p + s.text.n - 512, bytes + n - 512, 512);
        char mark[80];
        snprintf(mark, sizeof mark, "\n[... cut: the program wrote %zu bytes ...]\n", n);
        assert_int_equal(s.text.n, 1024 + strlen(mark));
        assert_memory_equal(s.text.p + 512, mark, strlen(mark));
    }
}

static void output_is_cut_between_characters(void **state) {
    (void)state;
    static char bytes[9000];
    for (size_t i = 0; i + 3 <= sizeof bytes; i += 3) memcpy(bytes + i, "\xe2\x98\x83", 3);
    for (size_t n = 2000; n < 2010; n++) {
        cc_stream s = capture(bytes, n / 3 * 3, 1024);
        assert_true(s.cut);
        assert_false(contains(s.text, "\\x"));
    }
    cc_stream s = capture("a\xff\x00z\xe2\x98", 6, 1024); // what the program itself cut is shown
    assert_int_equal(s.text.n, 15);
    assert_memory_equal(s.text.p, "a\\xff\0z\\xe2\\x98", 15);
    static char invalid[1000];
    memset(invalid, 0xff, sizeof invalid);
    s = capture(invalid, sizeof invalid, 1024); // four times as long when escaped
    assert_true(s.cut);
    assert_true(s.text.n < 1024 + 60);
}

// ---- finding runtimes ----

static void shims_are_seen_through(void **state) {
    (void)state;
    char top[] = "/tmp/codecalc-test-XXXXXX";
    assert_non_null(mkdtemp(top));
    char command[1024];
    snprintf(command, sizeof command,
             "cd %s && mkdir -p pyenv/shims pyenv/versions/3.9.1/bin pyenv/versions/3.9.1/lib venv/lib work/bin pyenv/versions/3.10.2/bin "
             "asdf/shims asdf/installs/nodejs/9.1.0/bin "
             "asdf/installs/nodejs/18.2.0/bin "
             "venv/bin && for f in pyenv/shims/python3 pyenv/versions/3.9.1/bin/python3 pyenv/versions/3.10.2/bin/python3 asdf/shims/node "
             "asdf/installs/nodejs/9.1.0/bin/node asdf/installs/nodejs/18.2.0/bin/node; do printf '#!/bin/sh\\n' >$f; chmod +x $f; done; "
             "echo 3.9.1 >pyenv/version; "
             "ln -s ../../pyenv/versions/3.9.1/bin/python3 venv/bin/python3; touch venv/pyvenv.cfg",
             top);
    assert_int_equal(system(command), 0);
    char path[256], expected[256];
    cc_settings *settings = (cc_settings *)(uintptr_t)cc_settings_get();
    char *kept = settings->runtime_path;
    settings->runtime_path = path;
    cc_resolution found;
    cc_error err;

    snprintf(path, sizeof path, "relative:%s/pyenv/shims:%s/asdf/shims", top, top);
    assert_int_equal(cc_language_resolve(&arena, language("python3"), &found, &err), 0);
    snprintf(expected, sizeof expected, "%s/pyenv/versions/3.9.1/bin/python3", top);
    assert_string_equal(found.tools[0].path, expected);
    snprintf(expected, sizeof expected, "%s/pyenv/versions/3.9.1", top);
    assert_string_equal(found.tools[0].prefix, expected);

    assert_int_equal(cc_language_resolve(&arena, language("node"), &found, &err), 0);
    snprintf(expected, sizeof expected, "%s/asdf/installs/nodejs/18.2.0/bin/node", top);
    assert_string_equal(found.tools[0].path, expected);

    snprintf(path, sizeof path, "%s/venv/bin", top); // the environment's own name, both installations visible
    assert_int_equal(cc_language_resolve(&arena, language("python3"), &found, &err), 0);
    snprintf(expected, sizeof expected, "%s/venv/bin/python3", top);
    assert_string_equal(found.tools[0].path, expected);
    snprintf(expected, sizeof expected, "%s/venv", top);
    assert_string_equal(found.tools[0].prefix, expected);
    snprintf(expected, sizeof expected, "%s/pyenv/versions/3.9.1", top);
    assert_string_equal(found.tools[0].prefix2, expected);

    if (access("/usr/bin/g++", X_OK) == 0) { // a link that ends at another name
        snprintf(path, sizeof path, "/usr/bin");
        assert_int_equal(cc_language_resolve(&arena, language("cpp"), &found, &err), 0);
        assert_string_equal(found.tools[0].path, "/usr/bin/g++");
        assert_null(found.tools[0].prefix);
    }

    // Where somebody works is not shown for the sake of a program in its bin.
    snprintf(command, sizeof command, "cp %s/asdf/shims/node %s/work/bin/nodejs && mkdir %s/work/lib %s/work/.git", top, top, top, top);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/work/bin", top);
    cc_tool_path tool = {0};
    const cc_language odd = {.name = "odd", .variants = {{.tools = {"nodejs"}, .run = (const char *const[]){"{0}", NULL}}}, .install = ""};
    assert_int_equal(cc_language_resolve(&arena, &odd, &found, &err), 0);
    tool = found.tools[0];
    assert_string_equal(tool.prefix, tool.path);

    settings->runtime_path = kept;
    snprintf(command, sizeof command, "rm -rf %s", top);
    assert_int_equal(system(command), 0);
}

static void a_missing_runtime_says_what_to_install(void **state) {
    (void)state;
    const cc_language none = {.name = "none",
                              .variants = {{.tools = {"no-such-a|no-such-b"}, .run = (const char *const[]){"{0}", NULL}}},
                              .install = "apt install none"};
    cc_resolution found;
    cc_error err;
    assert_int_equal(cc_language_resolve(&arena, &none, &found, &err), -1);
    assert_int_equal(err.code, CC_RUNTIME_UNAVAILABLE);
    assert_non_null(strstr(err.msg, "no-such-a|no-such-b"));
    assert_non_null(strstr(err.remedy, "apt install none"));
}

// ---- names in Java and Kotlin sources ----

static void java_names_are_found(void **state) {
    (void)state;
    static const struct {
        const char *code, *package, *public_type, *main_type;
    } of[] = {
        {"public class A { public static void main(String[] a) {} }", "", "A", "A"},
        {"class B { void main2() {} }\nfinal class C { static void main(String[] a) {} }", "", "", "C"},
        {"/* public class X { main( */ // class Y {\npublic final class Z { String s = \"class W { main(\"; }", "", "Z", ""},
        {"public record P(int x) {}\nclass Q { static int n; static void main(String... a) { if (n > 0) { main(a); } } }", "", "P", "Q"},
        {"String s = \"\"\"\nclass T {\"\"\"; void main() {}", "", "", ""},
        {"class R { static int n; void main() {} }\npublic class S { static { n = 1; } final static public void main(String[] a) {} }", "",
         "S", "S"},
        {"/*\npackage wrong;\n*/\n@Deprecated package a.b.c; class U { static int main(int x) { return x; } static int y = main(1); }\n"
         "public enum E { F; public static void main(String[] a) { U.main(2); } }",
         "a.b.c", "E", "E"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(of); i++) {
        cc_jvm_names names;
        cc_java_names_read(cc_str_of(of[i].code), &names);
        assert_text(names.package, of[i].package);
        assert_text(names.public_type, of[i].public_type);
        assert_text(names.main_type, of[i].main_type);
    }
}

static void kotlin_names_are_found(void **state) {
    (void)state;
    static const struct {
        const char *code, *package, *main_type;
    } of[] = {
        {"fun main() = println(1)\n", "", ""},
        {"/* fun main() {}\npackage wrong\n*/\n// package nope\npackage com.ex.app\n\nimport kotlin.math.sqrt\n\nfun main() {}\n",
         "com.ex.app", ""},
        {"object App {\n    @JvmStatic fun main(args: Array<String>) {}\n}\n", "", "App"},
        {"package p\nclass App(val x: Int) : B() {\n    fun f() { fun main() {} }\n    companion object { @JvmStatic fun main(args: "
         "Array<String>) {} }\n}\n",
         "p", "App"},
        {"data class P(val x: Int)\nobject Q { fun main() {} }\nsuspend fun main() {}\n", "", ""},
        {"@file:JvmName(\"Tool\")\npackage q\nfun main() {}\n", "q", "Tool"},
        {"class P(val s: String = \"object Q { fun main\")\nfun f() { val main = 1 }\nfun main() {}\n", "", ""},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(of); i++) {
        cc_jvm_names names;
        cc_kotlin_names_read(cc_str_of(of[i].code), &names);
        assert_text(names.package, of[i].package);
        assert_text(names.main_type, of[i].main_type);
    }
}

// ---- diagnostics ----

static void expect_diagnostic(const char *format, const char *file, const char *text, int line, int column, const char *message) {
    const cc_diagnostic *d;
    size_t n = cc_diagnostics_read(&arena, format, cc_str_of(text), "/box", &(cc_source){.file = cc_str_of(file)}, 1, &d);
    assert_int_equal(n, 1);
    assert_int_equal(d[0].line, line);
    assert_int_equal(d[0].column, column);
    assert_text(d[0].message, message);
}

static void errors_become_data(void **state) {
    (void)state;
    expect_diagnostic(
        "gcc", "main.c",
        "main.c: In function 'main':\nmain.c:1:19: error: 'x' undeclared\n    1 | int main(){return x;}\nmain.c:1:19: note: each\n", 1, 19,
        "'x' undeclared");
    expect_diagnostic("gcc", "main.c",
                      "/usr/bin/ld: /tmp/ccA.o: in function `main':\nmain.c:(.text+0x5): undefined reference to `f'\ncollect2: error: ld "
                      "returned 1 exit status\n",
                      0, 0, "undefined reference to `f'");
    expect_diagnostic("python", "main.py", "  File \"/box/main.py\", line 2\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n", 2, 5,
                      "SyntaxError: invalid syntax");
    expect_diagnostic("python", "main.py",
                      "Traceback (most recent call last):\n  File \"/box/main.py\", line 9, in <module>\n    f()\n  File "
                      "\"/box/main.py\", line 3, in f\n    json.loads('')\n  File "
                      "\"/usr/lib/python3.11/json/__init__.py\", line 346, in loads\n    return x\nValueError: no\n",
                      3, 0, "ValueError: no");
    expect_diagnostic("javascript", "main.js",
                      "/box/main.js:3\n  null.x\n       ^\n\nTypeError: Cannot read\n    at f (/box/main.js:3:8)\n    at "
                      "Object.<anonymous> (/box/main.js:5:1)\n\nNode.js v20\n",
                      3, 8, "TypeError: Cannot read");
    expect_diagnostic("bash", "main.sh", "main.sh: line 3: nosuch: command not found\n", 3, 0, "nosuch: command not found");
}

static int set_up(void **state) {
    (void)state;
    cc_error err;
    return cc_settings_load(&err);
}

static int tear_down(void **state) {
    (void)state;
    cc_arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_keeps_its_beginning_and_end),
        cmocka_unit_test(output_is_cut_between_characters),
        cmocka_unit_test(shims_are_seen_through),
        cmocka_unit_test(a_missing_runtime_says_what_to_install),
        cmocka_unit_test(java_names_are_found),
        cmocka_unit_test(kotlin_names_are_found),
        cmocka_unit_test(errors_become_data),
    };
    return cmocka_run_group_tests_name("run parts", tests, set_up, tear_down);
}
