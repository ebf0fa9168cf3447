// Rows of the table of languages: interpreters that read a script. Read through languages.c.
#include <signal.h>

#include "run/rows.h"

extern const char cc_harness_python3[], cc_harness_python3_end[];
static const cc_helper python3_driver = {"sitecustomize.py", cc_harness_python3, cc_harness_python3_end};

const cc_language cc_row_python3 = {
    .name = "python3",
    .aliases = WORDS("python", "py"),
    .extension = "py",
    .file = "main.py",
    .variants = {{
        .tools = {"python3|python"},
        .run = WORDS("{0}", "{file}"),
        .env = WORDS("PYTHONDONTWRITEBYTECODE=1", FEW_ARENAS),
        .driver = &python3_driver,
        .driver_env = "PYTHONPATH={lib}",
        .sees_driver = WORDS("audithook", "sys.monitoring"),
        .waits = CC_WAITS_WITHOUT_FILE,
        .version = WORDS("{0}", "--version"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
        .soft_signal = SIGINT, // KeyboardInterrupt: buffered output is written, and the traceback tells where it was
    }},
    .diagnostics = "python",
    .out_of_memory = WORDS("^MemoryError"),
    .hello = "import sys\nprint('hello', sys.stdin.read())\n",
    .install = "apt install python3",
};

extern const char cc_harness_ruby[], cc_harness_ruby_end[];
static const cc_helper ruby_driver = {"did_you_mean.rb", cc_harness_ruby, cc_harness_ruby_end};

const cc_language cc_row_ruby = {
    .name = "ruby",
    .aliases = WORDS("rb"),
    .extension = "rb",
    .file = "main.rb",
    .variants = {{
        .tools = {"ruby"},
        .run = WORDS("{0}", "{file}"),
        .env = WORDS(FEW_ARENAS),
        .driver = &ruby_driver,
        .driver_env = "RUBYLIB={lib}",
        .waits = CC_WAITS_WITH_FILE,
        .version = WORDS("{0}", "--version"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
        .soft_signal = SIGINT, // Interrupt, with its backtrace
    }},
    .diagnostics = "ruby",
    .out_of_memory = WORDS("failed to allocate memory (NoMemoryError)"),
    .hello = "puts \"hello #{$stdin.read}\"\n",
    .install = "apt install ruby",
};

extern const char cc_harness_php[], cc_harness_php_end[];
static const cc_helper php_driver = {"php.php", cc_harness_php, cc_harness_php_end};

const cc_language cc_row_php = {
    .name = "php",
    .extension = "php",
    .file = "main.php",
    .variants = {{
        .tools = {"php|php-cli"},
        // Errors on stderr, where a program's output does not drown them; all of them, and assertions, whatever this machine serves pages
        // with.
        .run = WORDS("{0}", "-d", "display_errors=stderr", "-d", "error_reporting=-1", "-d", "zend.assertions=1", "-d", "html_errors=0",
                     "-d", "log_errors=0", "-d", "memory_limit={mb}M", "-d", "auto_prepend_file={lib}/php.php", "{file}"),
        .driver = &php_driver,
        .driver_file = true,
        .waits = CC_WAITS_WITH_FILE,
        .reads = WORDS("/etc/php/*/cli", "/etc/php/*/mods-available", "/etc/php.ini", "/etc/php.d"), // which extensions to load
        .version = WORDS("{0}", "-r", "echo PHP_VERSION;"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "php",
    .out_of_memory = WORDS("Allowed memory size of", "Out of memory (allocated"),
    .hello = "<?php\necho 'hello ', stream_get_contents(STDIN), \"\\n\";\n",
    .notes = "extensions that /etc/php switches on",
    .install = "apt install php-cli",
};

extern const char cc_harness_perl[], cc_harness_perl_end[];
static const cc_helper perl_driver = {"perl.pm", cc_harness_perl, cc_harness_perl_end};

const cc_language cc_row_perl = {
    .name = "perl",
    .aliases = WORDS("pl"),
    .extension = "pl",
    .file = "main.pl",
    .variants = {{
        .tools = {"perl"},
        .run = WORDS("{0}", "{file}"),
        .driver = &perl_driver,
        .driver_env = "PERL5OPT=-I{lib} -mperl",
        .version = WORDS("{0}", "-e", "print substr($^V, 1)"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "perl",
    .out_of_memory = WORDS("^Out of memory!", "^Out of memory in perl"),
    .hello = "print 'hello ', <STDIN>, \"\\n\";\n",
    .install = "apt install perl",
};

const cc_language cc_row_lua = {
    .name = "lua",
    .extension = "lua",
    .file = "main.lua",
    .variants = {{
        .tools = {"lua5.4|lua|luajit|lua5.3|lua5.2|lua5.1"},
        .run = WORDS("{0}", "{file}"),
        .version = WORDS("{0}", "-v"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
        .soft_signal = SIGINT, // "interrupted!", with its traceback
    }},
    .diagnostics = "lua",
    // Behind the interpreter's own name, which no error of a program follows.
    .out_of_memory = WORDS("lua5.4: not enough memory", "lua: not enough memory", "luajit: not enough memory", "lua5.3: not enough memory",
                           "lua5.2: not enough memory", "lua5.1: not enough memory"),
    .hello = "print('hello ' .. (io.read('*a')))\n",
    .install = "apt install lua5.4",
};

const cc_language cc_row_tcl = {
    .name = "tcl",
    .aliases = WORDS("tclsh"),
    .extension = "tcl",
    .file = "main.tcl",
    .variants = {{
        .tools = {"tclsh|tclsh9.0|tclsh8.6"},
        .run = WORDS("{0}", "{file}"),
        .version = WORDS("/bin/sh", "-c", "echo 'puts [info patchlevel]' | \"$0\"", "{0}"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "tcl",
    .out_of_memory = WORDS("^unable to alloc ", "^unable to realloc "),
    .hello = "puts \"hello [read stdin]\"\n",
    .install = "apt install tcl",
};

extern const char cc_harness_r[], cc_harness_r_end[];
static const cc_helper r_driver = {"r.R", cc_harness_r, cc_harness_r_end};

const cc_language cc_row_r = {
    .name = "r",
    .aliases = WORDS("rscript"),
    .extension = "R",
    .file = "main.R",
    .variants = {{
        .tools = {"Rscript"},
        .run = WORDS("{0}", "{lib}/r.R"),
        .driver = &r_driver,
        .driver_env = "R_MAIN_FILE={file}",
        .driver_file = true,
        .waits = CC_WAITS_WITHOUT_FILE,
        .sees_waiting = WORDS("proc.time"),
        .reads = WORDS("/etc/R"),
        .version = WORDS("{0}", "-e", "cat(as.character(getRversion()))"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
        .soft_signal = SIGINT,
    }},
    .diagnostics = "r",
    .out_of_memory = WORDS("cannot allocate vector of size", "cannot allocate memory block"),
    .hello = "cat('hello', readLines('stdin'), '\\n')\n",
    .install = "apt install r-base-core",
};

const cc_language cc_row_bash = {
    .name = "bash",
    .aliases = WORDS("sh", "shell"),
    .extension = "sh",
    .file = "main.sh",
    .variants = {{
        .tools = {"bash"},
        .run = WORDS("{0}", "{file}"),
        .version = WORDS("{0}", "--version"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "bash",
    .out_of_memory = WORDS("alloc: cannot allocate ", "Cannot allocate memory"),
    .hello = "echo hello \"$(cat)\"\n",
    .install = "apt install bash",
};

const cc_language cc_row_zsh = {
    .name = "zsh",
    .extension = "zsh",
    .file = "main.zsh",
    .variants = {{
        .tools = {"zsh"},
        .run = WORDS("{0}", "-f", "{file}"),
        .version = WORDS("{0}", "--version"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "zsh",
    .out_of_memory = WORDS("fatal error: out of memory", "fatal error: out of heap memory"),
    .hello = "echo hello \"$(cat)\"\n",
    .install = "apt install zsh",
};

const cc_language cc_row_sqlite = {
    .name = "sqlite",
    .aliases = WORDS("sqlite3", "sql"),
    .extension = "sql",
    .file = "main.sql",
    .variants = {{
        .tools = {"sqlite3"},
        .run = WORDS("{0}", "-batch", "-bail", ":memory:", ".read {file}"),
        .version = WORDS("{0}", "--version"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "sqlite",
    .out_of_memory = WORDS(": out of memory (7)", "Error: out of memory"),
    .hello = "create table input(line);\n.import /dev/stdin input\nselect 'hello ' || line from input;\n",
    .notes = "one database in memory; stdin is read with .import /dev/stdin TABLE",
    .install = "apt install sqlite3",
};

const cc_language cc_row_jq = {
    .name = "jq",
    .extension = "jq",
    .file = "main.jq",
    .variants = {{
        .tools = {"jq|jaq|gojq"},
        // Unbuffered, what it has printed is not lost at the time limit.
        .run = WORDS("{0}", "--unbuffered", "-f", "{file}"),
        .run_no_input = WORDS("{0}", "--unbuffered", "-n", "-f", "{file}"), // else a filter without input computes nothing
        .not_input = WORDS("--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile"),
        .version = WORDS("{0}", "--version"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "jq",
    .out_of_memory = WORDS("error: cannot allocate memory"),
    .hello = "\"hello \" + .\n",
    .json = true,
    .notes = "stdin is JSON; without stdin the filter runs once, on null",
    .install = "apt install jq",
};

const cc_language cc_row_awk = {
    .name = "awk",
    .extension = "awk",
    .file = "main.awk",
    .variants = {{
        .tools = {"gawk|mawk|original-awk|awk"},
        .run = WORDS("{0}", "-f", "{file}"),
        .version = WORDS("/bin/sh", "-c", "\"$0\" --version 2>&1 || \"$0\" -W version 2>&1", "{0}"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "awk",
    .out_of_memory = WORDS("fatal: memory exhausted", "awk: out of memory", "Cannot allocate memory"),
    .hello = "{ print \"hello \" $0 }\n",
    .install = "apt install gawk",
};
