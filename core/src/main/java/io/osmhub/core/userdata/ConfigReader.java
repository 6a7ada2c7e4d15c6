package io.osmhub.core.userdata;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ScannerException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads a Container Linux Config for what stops the peer's reader (yaml.v3, libyaml's rules), in that reader's words. The
 * parser at hand follows YAML 1.2 and differs in characters and tabs; those are looked at first.
 */
final class ConfigReader {
    private ConfigReader() {}

    /** Why and where (an offset in the text) reading ended. */
    record Fault(String what, int offset) {}

    /** Characters that stop the reader wherever they stand. */
    static @Nullable String characterFault(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!YamlText.isPrintable(c) && !LiteralBlock.endsLine(value, i) && c != '\r') {
                return "control characters are not allowed";
            }
        }
        return null;
    }

    /** What stops the reader; null when it gets a config with a string wherever one is wanted. */
    static @Nullable Fault read(CharSequence config) {
        String text = config.toString()
                .replace('\u0085', '\n')
                .replace('\u2028', '\n')
                .replace('\u2029', '\n');
        try {
            Optional<Node> root = new Compose(LoadSettings.builder().build()).composeString(text);
            return root.isPresent() ? nonString(root.get(), text) : null;
        } catch (MarkedYamlEngineException unreadable) {
            Mark problem = unreadable.getProblemMark().orElseThrow();
            int line = unreadable
                            .getContextMark()
                            .filter(mark -> mark.getLine() > 0)
                            .orElse(problem)
                            .getLine()
                    + (unreadable instanceof ScannerException ? 1 : 0);
            return new Fault("line " + line + ": " + words(unreadable), offset(text, problem));
        } catch (YamlEngineException unreadable) {
            return new Fault(String.valueOf(unreadable.getMessage()), 0);
        }
    }

    private static int offset(String text, Mark mark) {
        return text.offsetByCodePoints(0, Math.min(mark.getIndex(), text.codePointCount(0, text.length())));
    }

    private static String words(MarkedYamlEngineException unreadable) {
        String problem = unreadable.getProblem();
        if (problem.startsWith("mapping values are not allowed")) {
            return "mapping values are not allowed in this context";
        }
        if (problem.startsWith("expected <block end>")) {
            boolean inMapping = String.valueOf(unreadable.getContext()).contains("mapping");
            return inMapping ? "did not find expected key" : "did not find expected '-' indicator";
        }
        if (problem.startsWith("found character") && problem.contains("cannot start any token")) {
            return "found character that cannot start any token";
        }
        if (problem.startsWith("unexpected character found")) {
            return "did not find expected alphabetic or numeric character";
        }
        return problem.startsWith("expected the node content") ? "did not find expected node content" : problem;
    }

    /** The first list or mapping where the config wants a string: below keys and names, whose keys these are. */
    private static @Nullable Fault nonString(Node node, String text) {
        return switch (node) {
            case SequenceNode list -> firstNonString(list, false, text);
            case MappingNode mapping -> {
                for (NodeTuple entry : mapping.getValue()) {
                    String key = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
                    Fault fault =
                            switch (key) {
                                case "name", "path", "inline" -> scalarOnly(entry.getValueNode(), text);
                                case "contents" ->
                                    entry.getValueNode() instanceof SequenceNode list
                                            ? notString(list, text)
                                            : nonString(entry.getValueNode(), text);
                                case "ssh_authorized_keys" ->
                                    entry.getValueNode() instanceof SequenceNode list
                                            ? firstNonString(list, true, text)
                                            : null;
                                default -> nonString(entry.getValueNode(), text);
                            };
                    if (fault != null) {
                        yield fault;
                    }
                }
                yield null;
            }
            default -> null;
        };
    }

    private static @Nullable Fault firstNonString(SequenceNode list, boolean strings, String text) {
        for (Node item : list.getValue()) {
            Fault fault = strings ? scalarOnly(item, text) : nonString(item, text);
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    private static @Nullable Fault scalarOnly(Node node, String text) {
        return node instanceof ScalarNode ? null : notString(node, text);
    }

    private static Fault notString(Node node, String text) {
        Mark start = node.getStartMark().orElseThrow();
        String kind = node instanceof MappingNode ? "!!map" : "!!seq";
        return new Fault(
                "unmarshal errors: line " + (start.getLine() + 1) + ": cannot unmarshal " + kind + " into string",
                offset(text, start));
    }
}
