#!/usr/bin/env escript
%% Runs an Erlang program: escript erlang.escript SOURCE ARGUMENT…
%% It may be a module or a bare script; main/1 gets the arguments as strings, else main/0 or start/0 is called. escript itself skips the
%% first line, numbers the others as if it were not there, and says no line for what goes wrong while it interprets. What goes wrong is
%% told as one JSON object in a line as well, in the file "told" beside this one.
%%! +B

main([Source | Arguments]) ->
    ok = io:setopts([{encoding, unicode}]),
    [module_of(File) || File <- filelib:wildcard("**/*.erl"), File =/= Source], % what the call brought with it
    run(module_of(Source), Arguments).

module_of(Source) ->
    {ok, Bytes} = file:read_file(Source),
    case unicode:characters_to_list(Bytes) of
        Text when is_list(Text) -> compiled(Source, without_hash_bang(Text));
        _ -> fail(Source ++ ":1: is not UTF-8\n")
    end.

without_hash_bang("#!" ++ Rest) -> "%%" ++ Rest;
without_hash_bang(Text) -> Text.

compiled(Source, Text) ->
    Place = filename:join(os:getenv("TMPDIR", "/tmp"), ".erlang-source"),
    ok = file:write_file(Place, unicode:characters_to_binary(Text)),
    {ok, Epp} = epp:open([{name, Place}, {source_name, Source}, {includes, ["."]}, {default_encoding, utf8}, {location, {1, 1}}]),
    Forms = epp:parse_file(Epp),
    epp:close(Epp),
    file:delete(Place),
    Whole = with_module([F || F <- Forms, element(1, F) =/= eof], filename:basename(Source, ".erl")),
    case compile:forms(Whole, [return, export_all, nowarn_export_all, debug_info, {source, Source}]) of
        {ok, Module, Beam, Warnings} ->
            report("Warning: ", Warnings),
            {module, Module} = code:load_binary(Module, Source, Beam),
            Module;
        {error, Errors, Warnings} ->
            report("", Errors),
            report("Warning: ", Warnings),
            fail("")
    end.

with_module(Forms, Name) ->
    case [M || {attribute, _, module, M} <- Forms] of
        [_ | _] -> Forms;
        [] -> [{attribute, 1, file, {Name ++ ".erl", 1}}, {attribute, 1, module, list_to_atom(Name)} | Forms]
    end.

report(Kind, Files) ->
    [say([File, place(Where), ": ", Kind, Teller:format_error(What), "\n"])
     || {File, List} <- Files, {Where, Teller, What} <- located(List)].

located(List) -> [case E of {Teller, What} -> {none, Teller, What}; _ -> E end || E <- List].

place({Line, Column}) -> io_lib:format(":~b:~b", [Line, Column]);
place(Line) when is_integer(Line) -> io_lib:format(":~b", [Line]);
place(_) -> "".

run(Module, Arguments) ->
    Calls = [{main, [Arguments]}, {main, []}, {start, []}],
    case [Call || {Name, List} = Call <- Calls, erlang:function_exported(Module, Name, length(List))] of
        [] -> fail("there is no main/1, main/0 or start/0 to call\n");
        [{Name, List} | _] -> call(Module, Name, List)
    end.

call(Module, Name, List) ->
    try apply(Module, Name, List) of
        _ -> halt(0)
    catch
        Class:Reason:Stack ->
            Ours = fun(M, _, _) -> M =/= Module andalso lists:keymember(erl_eval, 1, Stack) andalso M =:= erl_eval end,
            tell(Class, Reason, Stack),
            Options = #{stack_trim_fun => fun(M, F, A) -> Ours(M, F, A) orelse M =:= escript orelse M =:= init end},
            fail([erl_error:format_exception(Class, Reason, Stack, Options), "\n"])
    end.

%% The message is the reason, which may be any term.
tell(Class, Reason, Stack) ->
    Type = case Reason of
        Name when is_atom(Name), Class =:= error -> atom_to_list(Name);
        _ when Class =:= error, is_tuple(Reason), is_atom(element(1, Reason)) -> atom_to_list(element(1, Reason));
        _ -> atom_to_list(Class)
    end,
    Frames = [["{\"file\":", quoted(File), io_lib:format(",\"line\":~b,\"function\":", [Line]), quoted(atom_to_list(F)), "}"]
              || {_, F, _, At} <- lists:reverse(Stack), {file, File} <- At, {line, Line} <- At, filelib:is_regular(File)],
    Last = lists:nthtail(max(0, length(Frames) - 16), Frames),
    Text = ["{\"event\":\"exception\",\"type\":", quoted(Type), ",\"message\":", quoted(lists:flatten(io_lib:format("~0tp", [Reason], [{chars_limit, 2000}]))),
            ",\"frames\":[", lists:join(",", Last), "]}\n"],
    file:write_file(filename:join(filename:dirname(escript:script_name()), "told"), Text).

quoted(Text) -> [$", [escaped(C) || C <- lists:sublist(Text, 2000)], $"].

escaped(C) when C >= $\s, C < 127, C =/= $", C =/= $\\ -> C;
escaped(C) when C > 16#FFFF -> io_lib:format("\\u~4.16.0b\\u~4.16.0b", [16#D7C0 + (C bsr 10), 16#DC00 bor (C band 16#3FF)]);
escaped(C) -> io_lib:format("\\u~4.16.0b", [C]).

say(Text) -> io:put_chars(standard_error, Text).

fail(Text) ->
    say(Text),
    halt(1).
