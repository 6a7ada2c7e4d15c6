package io.osmhub.core.emit.yaml;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A named node; known by its name before all of the node has been read. */
public final class YamlAnchor {
    private @Nullable YamlNode node;

    YamlAnchor() {}

    void resolve(YamlNode named) {
        node = named;
    }

    /** The node. Only to be asked when the document has been read. */
    public YamlNode node() {
        return Objects.requireNonNull(node, "the anchor's node has not been read yet");
    }
}
