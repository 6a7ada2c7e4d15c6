package io.osmhub.sim.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.WireFaults;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/** Makes Vert.x serve with a TLS context that many clusters share and that can be exchanged, and puts the faults of the wire below it. */
final class FaultyTls extends JdkSSLEngineOptions {
    private final Supplier<SslContext> current;
    private final ClusterFaults faults;

    /** {@code current} is asked for each new connection. */
    FaultyTls(Supplier<SslContext> current, ClusterFaults faults) {
        this.current = current;
        this.faults = faults;
    }

    @Override
    public JdkSSLEngineOptions copy() {
        return this;
    }

    @Override
    public SslContextFactory sslContextFactory() {
        return () -> new SwitchedContext(current, faults);
    }

    private static final class SwitchedContext extends DelegatingSslContext {
        private final Supplier<SslContext> current;
        private final ClusterFaults faults;

        SwitchedContext(Supplier<SslContext> current, ClusterFaults faults) {
            super(current.get());
            this.current = current;
            this.faults = faults;
        }

        @Override
        protected SslHandler newHandler(ByteBufAllocator allocator, boolean startTls, Executor executor) {
            return new FaultyHandler(current.get().newEngine(allocator), startTls, executor, faults);
        }

        @Override
        protected SslHandler newHandler(
                ByteBufAllocator allocator, String peerHost, int peerPort, boolean startTls, Executor executor) {
            return new FaultyHandler(
                    current.get().newEngine(allocator, peerHost, peerPort), startTls, executor, faults);
        }

        @Override
        protected void initEngine(SSLEngine engine) {
            // The shared context has set everything.
        }
    }

    private static final class FaultyHandler extends SslHandler {
        private final ClusterFaults faults;

        FaultyHandler(SSLEngine engine, boolean startTls, Executor executor, ClusterFaults faults) {
            super(engine, startTls, executor);
            this.faults = faults;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) throws Exception {
            context.pipeline().addBefore(context.name(), "wire-faults", new WireFaults(faults));
            super.handlerAdded(context);
        }
    }
}
