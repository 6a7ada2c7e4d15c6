package io.osmhub.deploy.profiles.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Where the validators are, and how they are run. The project's script finds or builds them, so a person and a test get the same ones. */
record ValidatorPrograms(Path folder) {
    /**
     * What a program said.
     *
     * @param output standard output and standard error in the order in which they came
     */
    record ProgramOutput(int code, String output) {
        List<String> lines() {
            return output.lines().filter(line -> !line.isBlank()).toList();
        }
    }

    /** @throws IllegalStateException when they cannot be had, with what the script says about it */
    static ValidatorPrograms locate() {
        Path script = Path.of(System.getProperty("osmhub.root", "../../.."))
                .resolve("deploy/packaging/profiles/validators/programs");
        try {
            Path complaint = Files.createTempFile("programs", ".err");
            Process process = new ProcessBuilder(script.toString())
                    .redirectError(complaint.toFile())
                    .start();
            String folder = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            int code = process.waitFor();
            String said = Files.readString(complaint);
            Files.delete(complaint);
            if (code != 0) {
                throw new IllegalStateException(said.strip());
            }
            return new ValidatorPrograms(Path.of(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Runs one of them. */
    ProgramOutput run(String name, List<String> arguments, String input) {
        List<String> command =
                new ArrayList<>(List.of(folder.resolve("bin").resolve(name).toString()));
        command.addAll(arguments);
        return run(command, input);
    }

    /** Runs a program of this machine. */
    static ProgramOutput run(List<String> command, String input) {
        try {
            Path stdin = Files.writeString(Files.createTempFile("validator", ".in"), input);
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectInput(stdin.toFile());
            // Messages in English without colours.
            builder.environment().putAll(Map.of("LC_ALL", "C.UTF-8", "SYSTEMD_COLORS", "0", "TERM", "dumb"));
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            int code = process.waitFor();
            Files.delete(stdin);
            return new ProgramOutput(code, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Runs a program of this machine that must succeed. */
    static void runSuccessfully(List<String> command) {
        ProgramOutput output = run(command, "");
        if (output.code() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + output.output());
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while a validator ran", e);
    }
}
