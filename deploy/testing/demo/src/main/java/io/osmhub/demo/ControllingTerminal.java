package io.osmhub.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process's terminal, accessed with {@code stty} and {@code test}: Java can neither read its size nor single keys. Without these
 * programs there is no terminal, and the demo prints lines.
 */
public final class ControllingTerminal {
    private static final DemoScreen.ScreenSize USUAL = new DemoScreen.ScreenSize(80, 24);
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
    private static final long NANOS_BETWEEN_LOOKS = TimeUnit.SECONDS.toNanos(1);

    private final String saved;
    private DemoScreen.ScreenSize size = USUAL;
    private long lookAgain = System.nanoTime();

    private ControllingTerminal(String saved) {
        this.saved = saved;
    }

    /** Whether the output is a terminal with cursor movement. */
    public static boolean showsOutput(Map<String, String> environment) {
        return !"dumb".equals(environment.getOrDefault("TERM", "dumb")) && isTerminal(1);
    }

    /** Whether input is a terminal. */
    public static boolean readsKeys() {
        return isTerminal(0);
    }

    /** Whether to use colours: a non-empty {@code NO_COLOR} disables them. */
    public static boolean wantsColour(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    /** Delivers each key immediately without echo. Ctrl-C still interrupts. {@link #restore} must follow. */
    public static ControllingTerminal openCharacterMode() {
        String saved = stty("-g").strip();
        if (!saved.isEmpty()) {
            stty("-icanon", "-echo", "min", "1");
        }
        return new ControllingTerminal(saved);
    }

    /** Opens the terminal only to read its size. */
    public static ControllingTerminal openUnchanged() {
        return new ControllingTerminal("");
    }

    /** Undoes {@link #openCharacterMode}. Idempotent. */
    public void restore() {
        if (!saved.isEmpty()) {
            stty(saved);
        }
    }

    /** The size, cached for a second. */
    public synchronized DemoScreen.ScreenSize size() {
        if (System.nanoTime() - lookAgain >= 0) {
            lookAgain = System.nanoTime() + NANOS_BETWEEN_LOOKS;
            size = parseSize(stty("size"));
        }
        return size;
    }

    static DemoScreen.ScreenSize parseSize(String answer) {
        Matcher numbers = SIZE.matcher(answer);
        if (!numbers.matches()) {
            return USUAL;
        }
        int rows = Integer.parseInt(numbers.group(1));
        int columns = Integer.parseInt(numbers.group(2));
        // A serial line reports size 0.
        return rows == 0 || columns == 0 ? USUAL : new DemoScreen.ScreenSize(columns, rows);
    }

    private static boolean isTerminal(int descriptor) {
        try {
            return new ProcessBuilder("test", "-t", Integer.toString(descriptor))
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchProgram) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String stty(String... arguments) {
        List<String> command = new java.util.ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(new java.io.File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return process.waitFor() == 0 ? answer : "";
        } catch (IOException noTerminal) {
            return "";
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
