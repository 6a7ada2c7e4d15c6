package io.osmhub.core.userdata;

import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.emit.yaml.YamlNode;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoString;
import org.jspecify.annotations.Nullable;

/** Parses a Container Linux Config just enough to decide whether OSM's reader accepts it. */
final class ContainerLinuxConfigReader {
    private final StringBuilder faults = new StringBuilder();

    private ContainerLinuxConfigReader() {}

    /** The reader's error message; null if it accepts the text. */
    static @Nullable String faultOf(String text) {
        YamlNode root;
        try {
            root = YamlDecoder.parse(GoString.bytes(text));
        } catch (GoCallException unreadable) {
            return withoutContent(GoString.text(unreadable.text()));
        }
        ContainerLinuxConfigReader reader = new ContainerLinuxConfigReader();
        if (root != null) {
            reader.structure(root);
        }
        return reader.faults.isEmpty() ? null : "yaml: unmarshal errors:" + reader.faults;
    }

    /** An anchor name is content of a broken file and may be part of a credential. */
    private static String withoutContent(String message) {
        return message.contains("unknown anchor '") ? "yaml: unknown anchor referenced" : message;
    }

    /** Visits the fields that require a string or a number; their names determine which. */
    private void structure(YamlNode node) {
        switch (node) {
            case YamlNode.Mapping mapping -> {
                for (YamlNode.Entry entry : mapping.entries()) {
                    field(entry.key() instanceof YamlNode.Scalar name ? name.text() : "", entry.value());
                }
            }
            case YamlNode.Sequence list -> list.items().forEach(this::structure);
            case YamlNode.Scalar scalar -> {}
            case YamlNode.Alias alias -> {}
        }
    }

    private void field(String name, YamlNode value) {
        switch (name) {
            case "name", "path", "inline" -> string(value);
            case "mode" -> number(value);
            case "ssh_authorized_keys" -> {
                if (value instanceof YamlNode.Sequence keys) {
                    keys.items().forEach(this::string);
                }
            }
            // For a file it is a mapping, for a unit always a text.
            default -> structure(value);
        }
    }

    private void string(YamlNode value) {
        if (value instanceof YamlNode.Mapping || value instanceof YamlNode.Sequence) {
            fault(value, value.tag(), "string");
        }
    }

    private void number(YamlNode value) {
        if (value instanceof YamlNode.Scalar scalar
                && !scalar.tag().equals("!!int")
                && !scalar.tag().equals("!!float")) {
            fault(value, scalar.tag() + " `" + GoString.text(scalar.text()) + "`", "int");
        }
    }

    private void fault(YamlNode node, String found, String wanted) {
        faults.append(faults.isEmpty() ? "" : ",")
                .append(" line ")
                .append(node.position().line());
        faults.append(": cannot unmarshal ").append(found).append(" into ").append(wanted);
    }
}
