package io.osmhub.api.certificate;

import io.vertx.core.net.KeyCertOptions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is shown at the moment, and who hears of another: the part that all sources of certificates share. */
final class ShownCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(ShownCertificate.class);

    private final LeafKeyManager keys = new LeafKeyManager();
    private final KeyCertOptions options = KeyCertOptions.wrap(keys);
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Supplier<Instant> now;
    private volatile @Nullable String authorities;
    private volatile @Nullable Instant authorityEnds;

    ShownCertificate(Supplier<Instant> now) {
        this.now = now;
    }

    KeyCertOptions options() {
        return options;
    }

    void onChange(Runnable task) {
        listeners.add(task);
    }

    @Nullable String authorities() {
        return authorities;
    }

    @Nullable KeyedCertificate leaf() {
        return keys.shown();
    }

    boolean isLoaded() {
        KeyedCertificate leaf = keys.shown();
        return leaf != null && now.get().isBefore(leaf.ends());
    }

    Map<String, Instant> ends() {
        Map<String, Instant> ends = new HashMap<>();
        KeyedCertificate leaf = keys.shown();
        if (leaf != null) {
            ends.put("leaf", leaf.ends());
        }
        Instant authority = authorityEnds;
        if (authority != null) {
            ends.put("ca", authority);
        }
        return ends;
    }

    /**
     * Shows a certificate from the next connection on.
     *
     * @param trusted PEM; empty when callers know it already
     * @param trustEnds of the authority that has signed; null when it is not known
     */
    void show(KeyedCertificate leaf, String trusted, @Nullable Instant trustEnds) {
        KeyedCertificate before = keys.shown();
        boolean another = before == null || !before.certificate().equals(leaf.certificate());
        boolean otherTrust = !trusted.equals(authorities);
        authorities = trusted;
        authorityEnds = trustEnds;
        if (another) {
            keys.show(leaf);
            LOG.atInfo().addKeyValue("ends", leaf.ends()).log("Serving certificate loaded");
        }
        if (another || otherTrust) {
            listeners.forEach(Runnable::run);
        }
    }
}
