package io.osmhub.deploy.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.lint.ScriptChecker;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks script syntax with {@code bash -n}, which does not run the script. Clears the environment, because bash would run the
 * file of {@code BASH_ENV} even then.
 */
public final class BashSyntaxChecker implements ScriptChecker {
    private final String bash;

    private BashSyntaxChecker(String bash) {
        this.bash = bash;
    }

    /** Returns the checker; empty without bash. */
    public static Optional<BashSyntaxChecker> find() {
        return find("bash");
    }

    static Optional<BashSyntaxChecker> find(String program) {
        BashSyntaxChecker syntax = new BashSyntaxChecker(program);
        try {
            boolean works = syntax.errors(Dialect.BASH, "if").contains("syntax error");
            return works ? Optional.of(syntax) : Optional.empty();
        } catch (IOException noSuchProgram) {
            return Optional.empty();
        }
    }

    @Override
    public String check(Dialect dialect, String script) {
        try {
            return String.join("; ", errors(dialect, script).lines().toList());
        } catch (IOException e) {
            return "could not be checked: bash failed to start";
        }
    }

    private String errors(Dialect dialect, String script) throws IOException {
        List<String> command = new ArrayList<>(List.of(bash, "--norc", "--noprofile"));
        if (dialect == Dialect.POSIX) {
            command.add("--posix");
        }
        if (script.contains("extglob")) {
            // Scripts may enable it, but nothing runs, so enable it here.
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
            // bash exits at the first error without reading the rest; its error is read next.
            process.getOutputStream().close();
        }
    }
}
