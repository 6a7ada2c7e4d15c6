package io.osmhub.deploy.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.lint.ScriptChecker;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Has the machine's bash read scripts without running them ({@code bash -n}). It gets no environment, because bash would run the
 * file that {@code BASH_ENV} names even then.
 */
public final class BashSyntax implements ScriptChecker {
    private final String bash;

    private BashSyntax(String bash) {
        this.bash = bash;
    }

    /** The checker; empty on a machine without bash. */
    public static Optional<BashSyntax> find() {
        return find("bash");
    }

    static Optional<BashSyntax> find(String program) {
        BashSyntax syntax = new BashSyntax(program);
        try {
            boolean works = syntax.errors(Dialect.BASH, "if").contains("syntax error");
            return works ? Optional.of(syntax) : Optional.empty();
        } catch (IOException noSuchProgram) {
            return Optional.empty();
        }
    }

    @Override
    public List<Fault> check(Dialect dialect, String script) {
        try {
            return ScriptChecker.faultsIn(errors(dialect, script));
        } catch (IOException e) {
            return List.of(new Fault(1, "could not be checked: bash does not start any more"));
        }
    }

    private String errors(Dialect dialect, String script) throws IOException {
        List<String> command = new ArrayList<>(List.of(bash, "--norc", "--noprofile"));
        if (dialect == Dialect.POSIX) {
            command.add("--posix");
        }
        if (script.contains("extglob")) {
            // A script that turns it on is read as if it had been: nothing of it runs.
            command.addAll(List.of("-O", "extglob"));
        }
        command.addAll(List.of("-n", "/dev/stdin"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        Process process = builder.start();
        try {
            send(script, process);
            return new String(process.getErrorStream().readAllBytes(), UTF_8);
        } finally {
            process.destroy();
        }
    }

    private static void send(String script, Process process) throws IOException {
        try (OutputStream input = process.getOutputStream()) {
            input.write(script.getBytes(UTF_8));
        } catch (IOException closed) {
            // It ends at the first mistake and reads no further; what it says of that is read next.
            process.getOutputStream().close();
        }
    }
}
