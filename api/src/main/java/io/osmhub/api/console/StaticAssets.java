package io.osmhub.api.console;

import io.osmhub.core.model.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The style sheet, the script and the logo: read once, versioned by a hash so that browsers cache them until they change. */
final class StaticAssets {
    private static final Map<String, String> TYPES = Map.of(
            "console.css", "text/css; charset=utf-8",
            "console.js", "text/javascript; charset=utf-8",
            "mark.svg", "image/svg+xml");

    record Asset(String mediaType, byte[] bytes) {}

    private final Map<String, Asset> assets = new TreeMap<>();
    private final String version;

    StaticAssets() {
        MessageDigest digest = Sha256.newDigest();
        for (String name : new TreeSet<>(TYPES.keySet())) {
            byte[] bytes = read(name);
            digest.update(bytes);
            assets.put(name, new Asset(TYPES.getOrDefault(name, ""), bytes));
        }
        version = HexFormat.of().formatHex(digest.digest(), 0, 6);
    }

    /** Differs if any asset differs. */
    String version() {
        return version;
    }

    Map<String, Asset> all() {
        return Map.copyOf(assets);
    }

    private static byte[] read(String name) {
        try (InputStream in = StaticAssets.class.getResourceAsStream("assets/" + name)) {
            if (in == null) {
                throw new IllegalStateException("missing console asset " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the console's " + name + " cannot be read", e);
        }
    }
}
