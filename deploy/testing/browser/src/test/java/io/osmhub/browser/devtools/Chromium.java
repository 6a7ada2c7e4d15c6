package io.osmhub.browser.devtools;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A headless Chromium with a temporary profile, deleted on close. */
public final class Chromium implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final long START_SECONDS = 60;
    private static final long END_SECONDS = 10;

    private final Process process;
    private final Path profile;
    private final DevTools tools;

    private Chromium(Process process, Path profile, DevTools tools) {
        this.process = process;
        this.profile = profile;
        this.tools = tools;
    }

    /** The installed program: from {@code OSMHUB_CHROMIUM}, else on the path. */
    public static Optional<Path> find() {
        String named = System.getenv("OSMHUB_CHROMIUM");
        if (named != null && !named.isEmpty()) {
            return Optional.of(Path.of(named));
        }
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return NAMES.stream()
                .flatMap(name -> Stream.of(path.split(":", -1)).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts the browser; returns when it accepts commands. */
    public static Chromium start(Path program) throws Exception {
        Path profile = Files.createTempDirectory("osm-hub-browser");
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless=new",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                // The hub's certificate is self-issued.
                "--ignore-certificate-errors",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--force-color-profile=srgb",
                "--hide-scrollbars",
                "about:blank"));
        if ("root".equals(System.getProperty("user.name"))) {
            // The sandbox does not work as root; only our own pages are opened.
            command.add(1, "--no-sandbox");
        }
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        CompletableFuture<String> address = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> listen(process, address));
        try {
            DevTools tools = DevTools.connect(URI.create(address.get(START_SECONDS, TimeUnit.SECONDS)));
            return new Chromium(process, profile, tools);
        } catch (Exception failed) {
            process.destroyForcibly();
            throw new IOException("Chromium could not be started: " + failed.getMessage(), failed);
        }
    }

    /** Drains its output, so that it never blocks on a full pipe. */
    private static void listen(Process process, CompletableFuture<String> address) {
        StringBuilder said = new StringBuilder();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher listening = LISTENING.matcher(line);
                if (listening.find()) {
                    address.complete(listening.group(1));
                } else if (!address.isDone()) {
                    said.append(line).append('\n');
                }
            }
        } catch (IOException ended) {
            said.append(ended.getMessage());
        }
        address.completeExceptionally(new IOException("it ended: " + said));
    }

    /** Opens an empty tab. */
    public BrowserTab open() {
        return BrowserTab.open(tools);
    }

    @Override
    public void close() throws IOException {
        tools.close();
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        // Wait for its last writes, which would recreate deleted files.
        all.forEach(one -> one.onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join());
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
