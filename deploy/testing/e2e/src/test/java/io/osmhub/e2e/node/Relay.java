package io.osmhub.e2e.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The way to a server of the loopback, which can be changed or cut: for a machine from a socket in the file system, for a process
 * from another port.
 */
public final class Relay implements AutoCloseable {
    private final @Nullable Path folder;
    private final ServerSocketChannel listener;
    private final AtomicInteger target;
    private final AtomicBoolean cut = new AtomicBoolean();

    private Relay(@Nullable Path folder, ServerSocketChannel listener, int target) {
        this.folder = folder;
        this.listener = listener;
        this.target = new AtomicInteger(target);
    }

    /** Listens; {@code port} is where it leads to at first. */
    public static Relay to(int port) {
        try {
            // A socket's path may have a hundred characters, so it does not lie below target.
            Path folder = Files.createTempDirectory("osm-hub-relay");
            ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listener.bind(UnixDomainSocketAddress.of(folder.resolve("api")));
            Relay relay = new Relay(folder, listener, port);
            Thread.ofVirtual().start(relay::accept);
            return relay;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Listens on a free port of the loopback. */
    public static Relay onLoopback(int port) {
        try {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Relay relay = new Relay(null, listener, port);
            Thread.ofVirtual().start(relay::accept);
            return relay;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Folder with the socket {@code api}. */
    Path folder() {
        return Objects.requireNonNull(folder, "to");
    }

    /** Port of the loopback that it listens on. */
    public int port() {
        return listener.socket().getLocalPort();
    }

    /** Nothing passes until {@link #restore}, as when packets are lost: connections stay open, and none is refused. */
    public void cut() {
        cut.set(true);
    }

    /** Everything passes again, but connections on which something was lost meanwhile are closed. */
    public void restore() {
        cut.set(false);
    }

    /** Leads new connections to another server. */
    public void connectTo(int port) {
        target.set(port);
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel inside = listener.accept();
                Thread.ofVirtual().start(() -> carry(inside));
            }
        } catch (ClosedChannelException closed) {
            // The test is over.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void carry(SocketChannel inside) {
        try (inside;
                SocketChannel outside =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.get()))) {
            Thread back = Thread.ofVirtual().start(() -> pump(outside, inside));
            pump(inside, outside);
            back.join();
        } catch (IOException e) {
            // The machine sees a connection that ends, as it does when a server is not there.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pump(SocketChannel source, SocketChannel sink) {
        ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
        try {
            while (source.read(buffer) >= 0) {
                buffer.flip();
                if (cut.get()) {
                    while (cut.get()) {
                        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
                    }
                    throw new IOException("lost");
                }
                write(buffer, sink);
                buffer.clear();
            }
            sink.shutdownOutput();
        } catch (IOException e) {
            // Either side may hang up.
            close(sink);
        }
    }

    private static void write(ByteBuffer buffer, ByteChannel sink) throws IOException {
        while (buffer.hasRemaining()) {
            sink.write(buffer);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            cut.set(false);
            listener.close();
            if (folder != null) {
                Files.deleteIfExists(folder.resolve("api"));
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
