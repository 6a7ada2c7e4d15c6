package io.osmhub.deploy.fleet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Security;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;

/** TLS settings of all servers and clients of the process. Java reads them once, when TLS is first used. Thread-safe. */
public final class TlsSettings {
    private static final String DISABLED = "jdk.tls.disabledAlgorithms";
    private static final FutureTask<Void> RESTRICTION = new FutureTask<>(TlsSettings::restrict, null);

    private TlsSettings() {}

    /** Returns when the settings are applied. Call before the first use of TLS. */
    public static void apply() {
        RESTRICTION.run();
        try {
            RESTRICTION.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Applies the settings and loads TLS on another thread, while the command line is parsed. Failures appear at the first use. */
    public static void applyInBackground() {
        Thread.ofPlatform().daemon().start(new FutureTask<>(() -> {
            apply();
            load();
            return null;
        }));
    }

    private static void restrict() {
        // All other enabled cipher suites have authenticated encryption (AEAD).
        Security.setProperty(DISABLED, Security.getProperty(DISABLED) + ", TLS_*_CBC_*");
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    /** Creates the first message of a handshake. */
    private static void load() throws GeneralSecurityException, IOException, ClassNotFoundException {
        SSLContext context = SSLContext.getInstance("TLS");
        // The default trust managers would read Java's certificate authorities.
        context.init(null, new TrustManager[0], null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        engine.beginHandshake();
        engine.wrap(
                ByteBuffer.allocate(0), ByteBuffer.allocate(engine.getSession().getPacketBufferSize()));
        // Java's own certificate authorities, which the check of a server's name also compares. Has no public
        // equivalent.
        Class.forName("sun.security.util.AnchorCertificates");
    }
}
