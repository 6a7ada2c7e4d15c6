package io.osmhub.core.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.problem.TenantMistake;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds options in files of a machine that a later kubelet or cloud-init does not know. The table is {@code removed-options.tsv}; the
 * text is read once, in linear time.
 */
final class RemovedOptions {
    private static final String FLAG = "kubelet-flag";
    private static final String VALUE = "kubelet-value";
    private static final String GATE = "kubelet-feature-gate";
    private static final String CLOUD_INIT = "cloud-init-option";
    private static final String CLOUD_CONFIG = "cloud-config-key";

    /** End a word, and the second ones also the command. */
    private static final String WORD_ENDS = " \t\r\"'`()";

    private static final String COMMAND_ENDS = ";|&";

    private static final Map<String, RemovedOption> TABLE = readTable();

    /** One option. {@code gone} is the first version without it, of Kubernetes or of cloud-init. */
    record RemovedOption(String kind, String gone, String name, String cure) {
        boolean isKubelets() {
            return !kind.equals(CLOUD_INIT) && !kind.equals(CLOUD_CONFIG);
        }

        /** @param version of Kubernetes, {@code 1.34} or {@code 1.34.2}, with or without a leading v */
        boolean isGoneIn(String version) {
            return !isKubelets() || number(version) >= number(gone);
        }

        /** An image's version of cloud-init is not known, unlike that of the kubelet. */
        LintSeverity severity() {
            return isKubelets() ? LintSeverity.ERROR : LintSeverity.WARNING;
        }

        String what() {
            return switch (kind) {
                case FLAG -> "the kubelet has no " + name + " since Kubernetes " + gone + " and does not start with it";
                case VALUE -> "the kubelet accepts only " + name + " since Kubernetes " + gone;
                case GATE ->
                    "the kubelet has no feature gate " + name + " since Kubernetes " + gone
                            + " and does not start with it";
                case CLOUD_INIT -> "cloud-init accepts no " + name + " before its subcommand since version " + gone;
                default -> "cloud-init has no key " + name + " since version " + gone;
            };
        }

        /** Compares as {@code major.minor}; a version that is none is older than all. */
        private static int number(String version) {
            String[] parts = (version.startsWith("v") ? version.substring(1) : version).split("[.+-]", 3);
            try {
                return parts.length < 2 ? 0 : Integer.parseInt(parts[0]) * 1000 + Integer.parseInt(parts[1]);
            } catch (NumberFormatException e) {
                return 0;
            }
        }
    }

    /** An option in a text; {@code line} counts from 1. */
    record Use(RemovedOption option, int line) {}

    private final List<Use> uses = new ArrayList<>();
    private final boolean kubeletFile;
    private boolean kubelet;
    private boolean awaitsSubcommand;
    private boolean afterSubcommand;
    private boolean alsoBehindSubcommand;
    private @Nullable RemovedOption awaitsValue;
    private boolean awaitsGates;

    private RemovedOptions(boolean kubeletFile) {
        this.kubeletFile = kubeletFile;
    }

    private static Map<String, RemovedOption> readTable() {
        Map<String, RemovedOption> table = new HashMap<>();
        try (InputStream resource = RemovedOptions.class.getResourceAsStream("removed-options.tsv")) {
            if (resource == null) {
                throw new IllegalStateException("removed-options.tsv is missing");
            }
            for (String row : new String(resource.readAllBytes(), UTF_8).lines().toList()) {
                String[] cells = row.split("\t", -1);
                if (row.startsWith("#") || cells.length != 4) {
                    continue;
                }
                for (String name : cells[2].split(" ")) {
                    String key = cells[0].equals(VALUE) ? name.substring(0, name.indexOf('=')) : name;
                    table.put(cells[0] + key, new RemovedOption(cells[0], cells[1], name, cells[3]));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.copyOf(table);
    }

    /** All rows, for documentation and tests. */
    static List<RemovedOption> all() {
        return List.copyOf(TABLE.values());
    }

    /** The key's row; null if cloud-init knows it. */
    static @Nullable RemovedOption findCloudConfigKey(String key) {
        return TABLE.get(CLOUD_CONFIG + key);
    }

    /**
     * The options in a file, unit or command.
     *
     * @param path of the file; empty for a command
     */
    static List<Use> find(String path, String text) {
        if (!text.contains("--") && !text.contains("cloud-init") && !text.contains("KubeletConfiguration")) {
            return List.of();
        }
        RemovedOptions reader = new RemovedOptions(path.contains("kubelet") && !text.startsWith("#!"));
        if (text.contains("kubelet.config.k8s.io/") && text.contains("KubeletConfiguration")) {
            reader.configuration(text);
        }
        boolean continued = false;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String stripped = line.strip();
            if (stripped.startsWith("#") || stripped.startsWith(";")) {
                continue;
            }
            boolean continues = stripped.endsWith("\\");
            if (!continued) {
                reader.beginCommand();
            }
            if (continued || continues || stripped.contains("--") || stripped.contains("cloud-init")) {
                reader.words(stripped, number);
            }
            continued = continues;
        }
        // A script that tries both orders, or looks at the version, works with every version.
        return reader.alsoBehindSubcommand
                ? reader.uses.stream()
                        .filter(use -> !use.option().kind().equals(CLOUD_INIT))
                        .toList()
                : reader.uses;
    }

    private void beginCommand() {
        kubelet = kubeletFile;
        awaitsSubcommand = false;
        afterSubcommand = false;
        awaitsValue = null;
        awaitsGates = false;
    }

    private void words(String line, int number) {
        int start = 0;
        for (int i = 0; i <= line.length(); i++) {
            boolean ends = i < line.length() && COMMAND_ENDS.indexOf(line.charAt(i)) >= 0;
            if (i == line.length() || ends || WORD_ENDS.indexOf(line.charAt(i)) >= 0) {
                if (i > start) {
                    word(line.substring(start, i), number);
                }
                start = i + 1;
            }
            if (ends) {
                beginCommand();
            }
        }
    }

    private void word(String word, int number) {
        if (word.equals("\\")) {
            return;
        }
        if (awaitsValue != null) {
            value(awaitsValue, word, number);
            awaitsValue = null;
        } else if (awaitsGates) {
            gates(word, number);
            awaitsGates = false;
        }
        int dashes = word.startsWith("--") ? 0 : word.indexOf("=--") + 1;
        boolean flag = dashes > 0 || word.startsWith("--");
        String before = flag ? word.substring(0, dashes) : word;
        if (kubelet && flag) {
            kubeletFlag(word.substring(dashes), number);
        } else if (before.toLowerCase(Locale.ROOT).contains("kubelet")) {
            kubelet = true;
            if (flag) {
                kubeletFlag(word.substring(dashes), number);
            }
        }
        cloudInit(word, number);
    }

    private void kubeletFlag(String flag, int number) {
        int equals = flag.indexOf('=');
        // The kubelet reads underscores as dashes.
        String name = (equals < 0 ? flag : flag.substring(0, equals)).replace('_', '-');
        String value = equals < 0 ? null : flag.substring(equals + 1);
        RemovedOption removed = TABLE.get(FLAG + name);
        if (removed != null) {
            uses.add(new Use(removed, number));
        }
        RemovedOption restricted = TABLE.get(VALUE + name);
        if (restricted != null) {
            if (value == null) {
                awaitsValue = restricted;
            } else {
                value(restricted, value, number);
            }
        }
        if (name.equals("--feature-gates")) {
            if (value == null) {
                awaitsGates = true;
            } else {
                gates(value, number);
            }
        }
    }

    /** An empty value, and one that the machine inserts, may be right. */
    private void value(RemovedOption restricted, String value, int number) {
        String allowed = restricted.name().substring(restricted.name().indexOf('=') + 1);
        if (!value.isEmpty() && !value.equals(allowed) && value.indexOf('$') < 0 && !value.startsWith("-")) {
            uses.add(new Use(restricted, number));
        }
    }

    private void gates(String value, int number) {
        for (String gate : value.split(",")) {
            int equals = gate.indexOf('=');
            gate(equals < 0 ? gate : gate.substring(0, equals), number);
        }
    }

    private void gate(String name, int number) {
        RemovedOption removed = TABLE.get(GATE + name);
        if (removed != null) {
            uses.add(new Use(removed, number));
        }
    }

    private void configuration(String text) {
        try {
            for (SourceDocument document : YamlDocumentReader.read("", text, "")) {
                if (document.find("featureGates") instanceof DocumentNode.Fields gates) {
                    gates.fields()
                            .forEach(
                                    field -> gate(field.name(), field.position().line()));
                }
            }
        } catch (TenantMistake e) {
            // Reported as invalid YAML.
            return;
        }
    }

    private void cloudInit(String word, int number) {
        int equals = word.indexOf('=');
        RemovedOption option = TABLE.get(CLOUD_INIT + (equals < 0 ? word : word.substring(0, equals)));
        if (word.equals("cloud-init") || word.endsWith("/cloud-init")) {
            awaitsSubcommand = true;
            afterSubcommand = false;
        } else if (option != null) {
            if (awaitsSubcommand) {
                uses.add(new Use(option, number));
            }
            alsoBehindSubcommand |= afterSubcommand;
        } else if (awaitsSubcommand && !word.startsWith("-")) {
            afterSubcommand = true;
            awaitsSubcommand = false;
        }
    }
}
