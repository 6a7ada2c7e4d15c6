package io.osmhub.core.userdata;

import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.emit.yaml.YamlNode;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;
import org.jspecify.annotations.Nullable;

/** Reads a Container Linux Config as far as it takes to know whether the peer's reader gets a config out of it. */
final class ConfigReader {
    private final StringBuilder faults = new StringBuilder();

    private ConfigReader() {}

    /** What stops the reader, in its words; null when nothing does. */
    static @Nullable String faultOf(String text) {
        YamlNode root;
        try {
            root = YamlDecoder.parse(Str.bytes(text));
        } catch (CallFailure unreadable) {
            return withoutContent(Str.text(unreadable.text()));
        }
        ConfigReader reader = new ConfigReader();
        if (root != null) {
            reader.structure(root);
        }
        return reader.faults.isEmpty() ? null : "yaml: unmarshal errors:" + reader.faults;
    }

    /** The name of an anchor is text of a file that is broken, and may be part of a credential. */
    private static String withoutContent(String message) {
        return message.contains("unknown anchor '") ? "yaml: unknown anchor referenced" : message;
    }

    /** Walks down to the fields that want a string or a number; their names say which. */
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
            // Of a file it is a mapping, of a unit a text that always is one.
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
            fault(value, scalar.tag() + " `" + Str.text(scalar.text()) + "`", "int");
        }
    }

    private void fault(YamlNode node, String found, String wanted) {
        faults.append(faults.isEmpty() ? "" : ",")
                .append(" line ")
                .append(node.position().line());
        faults.append(": cannot unmarshal ").append(found).append(" into ").append(wanted);
    }
}
