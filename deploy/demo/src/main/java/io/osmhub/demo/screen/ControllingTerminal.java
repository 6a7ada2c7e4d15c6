package io.osmhub.demo.screen;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The terminal of this process as {@code stty} and {@code test} see it; Java cannot ask for its size, nor read a key without Enter. Without these
 * programs there is no terminal, and the demo prints lines.
 */
public final class ControllingTerminal {
    private static final Screen.Size USUAL = new Screen.Size(80, 24);
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
    private static final long NANOS_BETWEEN_LOOKS = TimeUnit.SECONDS.toNanos(1);

    private final String saved;
    private Screen.Size size = USUAL;
    private long lookAgain = System.nanoTime();

    private ControllingTerminal(String saved) {
        this.saved = saved;
    }

    /** Whether what is printed is read by a person at a terminal that can move its cursor. */
    public static boolean showsOutput(Map<String, String> environment) {
        return !"dumb".equals(environment.getOrDefault("TERM", "dumb")) && isTerminal(1);
    }

    /** Whether somebody may type. */
    public static boolean readsKeys() {
        return isTerminal(0);
    }

    /** Whether the person wants colours: {@code NO_COLOR} with any value but the empty one turns them off. */
    public static boolean wantsColour(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    /** Hands on each key as it is pressed and does not show it. Ctrl-C still interrupts. {@link #restore} must follow. */
    public static ControllingTerminal keyByKey() {
        String saved = stty("-g").strip();
        if (!saved.isEmpty()) {
            stty("-icanon", "-echo", "min", "1");
        }
        return new ControllingTerminal(saved);
    }

    /** The terminal as it is, only to be measured. */
    public static ControllingTerminal asItIs() {
        return new ControllingTerminal("");
    }

    /** Undoes {@link #keyByKey}. May be called again. */
    public void restore() {
        if (!saved.isEmpty()) {
            stty(saved);
        }
    }

    /** Its size, at most a second old. */
    public synchronized Screen.Size size() {
        if (System.nanoTime() - lookAgain >= 0) {
            lookAgain = System.nanoTime() + NANOS_BETWEEN_LOOKS;
            size = sizeFrom(stty("size"));
        }
        return size;
    }

    static Screen.Size sizeFrom(String answer) {
        Matcher numbers = SIZE.matcher(answer);
        if (!numbers.matches()) {
            return USUAL;
        }
        int rows = Integer.parseInt(numbers.group(1));
        int columns = Integer.parseInt(numbers.group(2));
        // A serial line knows nothing of its size and says 0.
        return rows == 0 || columns == 0 ? USUAL : new Screen.Size(columns, rows);
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
