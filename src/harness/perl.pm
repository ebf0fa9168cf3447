# The driver of Perl, which loads it before the program by a PERL5OPT that is gone when the program begins. Perl itself then runs the
# program. What it dies of is kept nowhere, so the driver listens as $SIG{__DIE__} to what no eval catches, and tells it as one JSON object
# in a line on the control descriptor: the highest number below the limit. Nothing is told of a program that sets $SIG{__DIE__} itself.
{
    local $!;
    my $here = delete $INC{'perl.pm'};
    my $lib = substr $here, 0, rindex $here, '/';
    delete $ENV{PERL5OPT};
    @INC = grep { $_ ne $lib } @INC;
    unlink $here;
    rmdir $lib;
    my $limits = do { local $/; open my $in, '<', '/proc/self/limits'; <$in> };
    my $number = $limits =~ /^Max open files +(\d+)/m ? $1 - 1 : -1;
    if (open my $control, '>&=', $number) { # being above $^F it is closed to further programs
        my ($owner, $base, @pipe) = ($$, readlink('/proc/self/cwd') . '/', (stat $control)[0, 1]);
        my $quoted = sub {
            my $text = substr shift, 0, 8000;
            utf8::decode($text) unless utf8::is_utf8($text);
            $text = substr $text, 0, 2000;
            $text =~ s/([^ !#-\[\]-~])/my $n = ord $1; $n > 0xffff ? sprintf '\u%04x\u%04x', 0xd7c0 + ($n >> 10), 0xdc00 | $n & 0x3ff
                : sprintf '\u%04x', $n >= 0xd800 && $n < 0xe000 ? 0xfffd : $n/ge;
            qq("$text");
        };
        my $frame = sub { # of a file of the program's, as it knows it
            my ($file, $line, $function) = @_;
            return () if $file =~ /^\(eval|^-/ or $file !~ s/^\Q$base\E// && $file =~ m(^/);
            $file =~ s(^(?:\./+)+)();
            $function =~ s/^main:://;
            $function = '' if $function eq '(eval)';
            sprintf '{"file":%s,"line":%d,"function":%s}', $quoted->($file), $line, $quoted->($function);
        };
        $SIG{__DIE__} = sub {
            return if $^S || $$ != $owner;
            my @now = (stat $control)[0, 1];
            return unless @now && $now[0] == $pipe[0] && $now[1] == $pipe[1];
            local ($@, $!, $?, $_);
            my ($error, @frames) = @_;
            for (my $i = 0; my @call = caller $i; $i++) {
                # Caught after all, where Perl cannot tell because it is compiling.
                return if $call[3] eq '(eval)' && !$call[7] && $i && (caller $i - 1)[3] !~ /::BEGIN$/;
                unshift @frames, $frame->(@call[1, 2], (caller $i + 1)[3] // '');
            }
            # It could not be compiled: then only the text says where.
            @frames = $frame->($1, $2, '') if !(@frames && defined $^S || ref $error) && $error =~ /\bat (.+?) line (\d+)/;
            splice @frames, 0, @frames - 16 if @frames > 16;
            my $message = '';
            unless (ref $error) { # else only code of the program's could say it
                $error =~ s/ at \S+ line \d+(?:, <\S+> (?:line|chunk) \d+)?\.\n\z//;
                chomp $error;
                $message = ',"message":' . $quoted->($error);
            }
            syswrite $control, sprintf qq({"event":"exception","type":%s%s,"frames":[%s]}\n), $quoted->(ref $error || 'die'), $message, join ',', @frames;
        };
    }
}
1;
