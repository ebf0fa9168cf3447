# The driver of Ruby, which finds it as its library did_you_mean before it looks at the program, by a RUBYLIB that is gone when the program
# begins. Ruby itself then runs the program. At the end, after everything of the program's, it tells what was not caught, one JSON object
# in a line, on the control descriptor: the highest number below the limit. Ruby opens the program first. One that is started before
# there is a program, with a file "wait" beside this one, stops here, and is continued when the program's file is written and limits are set.
$LOAD_PATH.delete(ENV.delete("RUBYLIB"))
File.unlink(__FILE__)
waits = File.exist?(__dir__ + "/wait")
File.unlink(__dir__ + "/wait") if waits
Dir.unlink(__dir__)
require "did_you_mean" # the machine's own
if waits
  Process.kill(:STOP, $$)
  program = File.read("/proc/self/cmdline").split("\0")[1]
  ObjectSpace.each_object(File).find { |file| file.path == program }&.rewind # Ruby has read of what was in its place
end

# The list of what is loaded names this file as soon as it has ended: it is taken away again at the next line that Ruby runs.
here = __FILE__
TracePoint.new(:line) { |at| at.disable if $LOADED_FEATURES.delete(here) }.enable

number = Process.getrlimit(:NOFILE)[0] - 1
begin
  IO.for_fd(number, "w", autoclose: false).close_on_exec = true
rescue SystemCallError
  number = nil # nobody listens
end

report = <<'REPORT'
lambda do |e, number, base, prefix|
  rubys = lambda { |path| path.start_with?("<internal:", prefix) }
  untouched = lambda do |&work| # what work gives, or nil where it would come to a method of the program's
    met = false
    guard = TracePoint.new(:call) { |at| met = true and throw guard unless rubys.(at.path) }
    found = catch(guard) { guard.enable(&work) }
    met ? nil : found
  end
  quoted = lambda do |text|
    text = text.dup.force_encoding("UTF-8") unless text.encoding.ascii_compatible? && text.valid_encoding?
    text = text.encode("UTF-8", invalid: :replace, undef: :replace).scrub[0, 2000]
    '"' + text.gsub(/["\\\x00-\x1f\x7f]/) { |c| format('\u%04x', c.ord) } + '"'
  end
  own = lambda do |name| # a file of the program's, as it knows it
    path = File.expand_path(name, base)
    path.delete_prefix(base + "/") if path.start_with?(base + "/") && !name.start_with?("<", "(")
  end
  described = lambda do
    theirs = [:message, :to_s].any? do |name|
      location = Module.instance_method(:instance_method).bind_call(e.class, name).source_location
      location && !rubys.(location[0])
    end
    theirs ? nil : Exception.instance_method(:to_s).bind_call(e)
  end
  message = untouched.(&described)
  line = untouched.() do
    frames = (Exception.instance_method(:backtrace).bind_call(e) || []).reverse.map { |at| /\A(.*?):(\d+)(?::in [`'](.*)')?\z/m.match(at) }
    frames << /\A(.*?):(\d+):()/.match(message) if SyntaxError === e && message
    frames = frames.select { |found| found && own.(found[1]) }.last(16).map do |found|
      %({"file":#{quoted.(own.(found[1]))},"line":#{found[2].to_i},"function":#{quoted.(found[3].to_s)}})
    end
    type = quoted.(Module.instance_method(:name).bind_call(e.class) || "Exception")
    %({"event":"exception","type":#{type}#{message && ',"message":' + quoted.(message)},"frames":[#{frames.join(",")}]}\n)
  end
  IO.for_fd(number, "w", autoclose: false).syswrite(line) if line
end
REPORT

if number
  owner = $$
  base = Dir.pwd
  pipe = File.stat("/proc/self/fd/#{number}")
  evaluate = method(:eval)
  at_exit do
    error = $!
    now = error && $$ == owner && !(SystemExit === error) && File.stat("/proc/self/fd/#{number}")
    if now && [now.dev, now.ino] == [pipe.dev, pipe.ino]
      evaluate.(report, binding, "report").(error, number, base, RbConfig::CONFIG["prefix"])
    end
  rescue Exception
    # the program has changed what this stands on
  end
end
