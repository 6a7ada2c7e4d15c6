package io.osmhub.e2e.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.CommandResult;
import io.osmhub.e2e.cluster.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A Debian machine under QEMU, which emulates its processor. Its disk stays from one boot to the next. Its network holds the
 * addresses of {@link Route routes} and nothing else. Not thread-safe.
 */
public final class VirtualMachine implements AutoCloseable {
    private static final Path SOURCES = Path.of(System.getProperty("osmhub.root", "../../.."))
            .toAbsolutePath()
            .resolve("deploy/testing/e2e/node");

    /** A boot takes a minute of emulation on two idle processors. */
    private static final Duration BOOT = Duration.ofMinutes(30);

    private static final Duration COMMAND = Duration.ofMinutes(10);

    private final Path folder;
    private final Path sockets;
    private final Path images;
    private final String name;
    private final List<String> drives;
    private final List<Route> routes;
    private @Nullable ServerProcess process;
    private @Nullable SocketChannel shell;

    private VirtualMachine(Path folder, String name, List<String> drives, List<Route> routes) throws IOException {
        this.folder = folder;
        // A socket's path may have a hundred characters, so it does not lie below target.
        this.sockets = Files.createTempDirectory("osm-hub-vm");
        this.images = folder("vm-image");
        this.name = name;
        this.drives = drives;
        this.routes = routes;
    }

    /** An address in the machine's network, and the port of this host's loopback that answers there. */
    public record Route(String address, int port, int target) {}

    /** Why there can be no machine here; empty when there can. */
    public static String unavailableReason() {
        if (!System.getProperty("os.arch").equals("amd64")) {
            return "the machine's image is for x86_64 only";
        }
        if (!System.getProperty("user.name").equals("root")) {
            return "root makes and mounts the machine's disk";
        }
        for (String program : List.of("qemu-system-x86_64", "qemu-img", "genisoimage", "socat")) {
            if (!Files.isExecutable(Path.of("/usr/bin", program))) {
                return program + " is not installed";
            }
        }
        return "";
    }

    /** The folder that a script of the node's folder prints, after it made what is missing there. */
    public static Path folder(String script) {
        return Path.of(run(List.of(SOURCES.resolve(script).toString()))
                .lines()
                .toList()
                .getLast());
    }

    /**
     * A new machine that starts with this user-data, as the NoCloud source of cloud-init.
     *
     * @param folder for its disk and logs
     */
    public static VirtualMachine create(Path folder, String name, String userData, List<Route> routes) {
        try {
            Path place = Files.createDirectories(folder.resolve(name));
            Path seed = Files.createDirectories(place.resolve("seed"));
            Files.writeString(seed.resolve("user-data"), userData);
            Files.writeString(
                    seed.resolve("meta-data"),
                    "instance-id: " + UUID.randomUUID() + "\nlocal-hostname: " + name + "\n");
            run(List.of(
                    "genisoimage",
                    "-quiet",
                    "-output",
                    place.resolve("seed.iso").toString(),
                    "-volid",
                    "cidata",
                    "-joliet",
                    "-rock",
                    seed.resolve("user-data").toString(),
                    seed.resolve("meta-data").toString()));
            run(List.of(
                    "qemu-img",
                    "create",
                    "-q",
                    "-f",
                    "qcow2",
                    "-F",
                    "raw",
                    "-b",
                    folder("vm-image").resolve("disk").toString(),
                    place.resolve("disk").toString()));
            return new VirtualMachine(
                    place,
                    name,
                    List.of(
                            "file=" + place.resolve("disk") + ",if=virtio,cache=unsafe",
                            "file=" + place.resolve("seed.iso") + ",if=virtio,format=raw,readonly=on"),
                    routes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new machine that starts from a disk on which Ignition has written. */
    public static VirtualMachine create(Path folder, String name, FlatcarDisk disk, List<Route> routes) {
        try {
            return new VirtualMachine(
                    Files.createDirectories(folder.resolve(name)),
                    name,
                    List.of("file=" + disk.file() + ",if=virtio,format=raw,cache=unsafe"),
                    routes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its host name. */
    public String name() {
        return name;
    }

    /** Processor time of this host that the machine has used since it was started. */
    public Duration processorTime() {
        ServerProcess running = process;
        return running == null ? Duration.ZERO : running.processorTime();
    }

    /** Starts the machine and returns when commands can be run on it; cloud-init is not done then. */
    public VirtualMachine boot() {
        powerOn();
        Path socket = shellSocket();
        Await.until(name + " has its sockets", () -> Files.exists(socket));
        shell = connect(socket);
        Await.until(name + " boots", BOOT, () -> {
            requireRunning();
            return answers();
        });
        return this;
    }

    private Path shellSocket() {
        return sockets.resolve("shell");
    }

    /** Starts the machine and returns at once; no command can be run on it. */
    public void powerOn() {
        List<String> network =
                new ArrayList<>(List.of("user", "id=net", "net=192.0.2.0/24", "host=192.0.2.2", "restrict=on"));
        for (Route route : routes) {
            // Its messages would reach the machine, as if a server had sent them.
            network.add("guestfwd=tcp:%s:%d-cmd:socat -lf /dev/null STDIO TCP4:127.0.0.1:%d"
                    .formatted(route.address(), route.port(), route.target()));
        }
        List<String> command = new ArrayList<>(List.of(
                "/usr/bin/qemu-system-x86_64",
                // One processor of a simple model: what others can do in addition is emulated slowly, and programs
                // would use it.
                "-accel",
                "tcg,thread=single",
                "-cpu",
                "qemu64",
                "-smp",
                "1",
                "-m",
                "1536",
                "-nodefaults",
                "-display",
                "none",
                "-no-reboot",
                "-kernel",
                images.resolve("vmlinuz").toString(),
                "-initrd",
                images.resolve("initrd").toString(),
                "-append",
                "console=ttyS0 root=/dev/vda rw quiet systemd.show_status=1 net.ifnames=0 mitigations=off norandmaps audit=0 tsc=reliable",
                "-device",
                "virtio-rng-pci",
                "-netdev",
                String.join(",", network),
                "-device",
                "virtio-net-pci,netdev=net",
                "-serial",
                "file:" + folder.resolve("console"),
                "-serial",
                "unix:" + shellSocket() + ",server=on,wait=off"));
        drives.forEach(drive -> command.addAll(List.of("-drive", drive)));
        process = ServerProcess.start(
                "machine " + name, command, Map.of("PATH", "/usr/bin:/bin"), folder.resolve("qemu.log"));
    }

    private static SocketChannel connect(Path socket) {
        try {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.configureBlocking(false);
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the shell echoes; what was written before it ran is lost. */
    private boolean answers() {
        String mark = UUID.randomUUID().toString();
        send("stty -echo -onlcr; printf '%s %s\\n' '" + mark + "' answers\n");
        StringBuilder said = new StringBuilder();
        try {
            Await.until("an answer", Duration.ofSeconds(5), () -> {
                said.append(received());
                return said.indexOf(mark + " answers") >= 0;
            });
            return true;
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            return false;
        }
    }

    /** Runs a command with bash and returns what it printed. */
    public CommandResult run(String command) {
        String mark = UUID.randomUUID().toString();
        // The mark is put together by the shell, so that an echo of the command is not taken for its end.
        send("{ " + command + "\n} 2>&1 </dev/null; printf '\\n%s-%s %d\\n' '" + mark + "' end $?\n");
        StringBuilder said = new StringBuilder();
        String end = "\n" + mark + "-end ";
        Await.until(command, COMMAND, () -> {
            requireRunning();
            said.append(received());
            int at = said.indexOf(end);
            return at >= 0 && said.indexOf("\n", at + end.length()) > 0;
        });
        int at = said.indexOf(end);
        return new CommandResult(
                Integer.parseInt(said.substring(at + end.length(), said.indexOf("\n", at + end.length()))
                        .strip()),
                said.substring(0, at).strip());
    }

    /** What a command that must succeed printed. */
    public String output(String command) {
        return run(command).requireSuccess(command);
    }

    /** All that was printed on the console since the last boot. */
    public String console() {
        try {
            Path file = folder.resolve("console");
            return Files.exists(file) ? new String(Files.readAllBytes(file), UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until a text is on the console. */
    public void awaitConsole(String text, Duration limit) {
        Await.until(name + " prints: " + text, limit, () -> {
            requireRunning();
            return console().contains(text);
        });
    }

    /** Shuts the machine down; {@link #boot} starts it again. */
    public void powerOff() {
        send("systemctl poweroff\n");
        awaitOff(COMMAND);
    }

    /** Waits until the machine shuts down or reboots by itself, which only {@link #boot} does here. */
    public void awaitOff(Duration limit) {
        ServerProcess running = process;
        if (running != null) {
            running.awaitExit((int) limit.toSeconds());
        }
        closeShell();
    }

    private void requireRunning() {
        ServerProcess running = process;
        if (running == null || !running.running()) {
            throw new AssertionError(running == null ? name + " was not started" : running.tail());
        }
    }

    private void send(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
            SocketChannel channel = shell;
            while (channel != null && bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String received() {
        try {
            ByteBuffer bytes = ByteBuffer.allocate(65536);
            SocketChannel channel = shell;
            if (channel == null || channel.read(bytes) <= 0) {
                return "";
            }
            return new String(bytes.array(), 0, bytes.position(), UTF_8).replace("\r", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void closeShell() {
        SocketChannel channel = shell;
        shell = null;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        closeShell();
        if (process != null) {
            process.kill();
        }
    }

    private static String run(List<String> command) {
        return CommandResult.of(command).requireSuccess(String.join(" ", command));
    }
}
