<?php
// The driver of PHP, which runs it before the program (auto_prepend_file), and a second time, as a file named by the process's number, when
// PHP shuts down, before everything else that is to be done then: what nobody caught is told as one JSON object in a line, in the file "told"
// beside this one, since PHP cannot keep a descriptor from further programs. In the first pass nothing may be left, not even the number of an
// object. A PHP that is started before there is a program, with a file "wait" beside this one, stops here (PHP has opened the program's file,
// and reads it afterwards), and is continued when the program is written to that very file and limits are set.
if (basename(__FILE__) === 'php.php') {
    if (file_exists(__DIR__ . '/wait')) {
        unlink(__DIR__ . '/wait');
        posix_kill(getmypid(), 19);
        $_SERVER['REQUEST_TIME_FLOAT'] = microtime(true);
        $_SERVER['REQUEST_TIME'] = (int) $_SERVER['REQUEST_TIME_FLOAT'];
    }
    rename(__FILE__, __DIR__ . '/' . getmypid() . '.php');
    // No closure, which would be an object, and no function, which would be one of the program's. It asks for the name in small letters.
    register_shutdown_function('spl_autoload', __DIR__ . '/' . getmypid(), '.php');
} else {
    (static function () {
        $e = error_get_last();
        if ($e === null || !($e['type'] & (E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR))) return;
        if (basename(__FILE__) !== getmypid() . '.php') return;
        $base = dirname(realpath($_SERVER['SCRIPT_FILENAME'])) . '/';
        $frames = [];
        $add = static function ($file, $line, $function) use (&$frames, $base) {
            if (strncmp($file, $base, strlen($base)) !== 0) return;
            $frame = ['file' => substr($file, strlen($base)), 'line' => (int) $line];
            array_unshift($frames, $function === '' ? $frame : $frame + ['function' => $function]);
        };
        $type = $e['type'] === E_PARSE ? 'ParseError' : ($e['type'] === E_USER_ERROR ? 'E_USER_ERROR' : 'Fatal error');
        $message = $e['message'];
        $calls = [];
        if (strncmp($message, 'Uncaught ', 9) === 0) {
            $text = substr($message, 9, -strlen("\n  thrown"));
            $last = strrpos($text, "\n\nNext ");
            if ($last !== false) $text = substr($text, $last + strlen("\n\nNext "));
            $type = 'Exception';
            $message = null;
            if (preg_match('/^([^\s:]+)(?:: (.*))? in \S.*?:\d+\nStack trace:\n((?:#\d+ .*\n?)+)$/sD', $text, $found)) {
                [, $type, $message, $trace] = $found;
                preg_match_all('/^#\d+ (?:(.*)\((\d+)\)|\[internal function\]): (.*?)\(/m', $trace, $calls, PREG_SET_ORDER);
            }
        }
        $inner = $calls[0] ?? ['', '', '', ''];
        $internal = $inner[1] === $e['file'] && function_exists($inner[3]) && (new ReflectionFunction($inner[3]))->isInternal(); // threw it
        if (!$internal) $add($e['file'], $e['line'], $inner[3]);
        foreach ($calls as $i => $call) $add($call[1], $call[2], $calls[$i + 1][3] ?? '');
        $said = ['event' => 'exception', 'type' => $type];
        if ($message !== null) $said['message'] = substr($message, 0, 8000);
        $said['frames'] = array_slice($frames, -16);
        set_error_handler(static function () { return true; }); // the program's shall not hear of this
        file_put_contents(__DIR__ . '/told', json_encode($said, JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
        restore_error_handler();
    })();
}
