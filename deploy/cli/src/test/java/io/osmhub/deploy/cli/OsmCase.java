package io.osmhub.deploy.cli;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A pipeline case of the fixtures, said in options of {@code hub render}. */
record OsmCase(Path directory, SourceDocument config) {
    static OsmCase read(Path directory) throws IOException {
        String text = Files.readString(directory.resolve("case.yaml"));
        return new OsmCase(
                directory,
                SourceDocument.readAll("case.yaml", text, Reason.SettingsInvalid)
                        .getFirst());
    }

    String name() {
        return String.valueOf(directory.getFileName());
    }

    boolean refused() {
        return Files.exists(directory.resolve("error.txt"));
    }

    /** The options; files that the case holds within its own one are written to {@code scratch}. */
    List<String> options(Path scratch) throws IOException {
        List<String> options = new ArrayList<>(List.of("render"));
        String shared = config.text("osp");
        Path profile =
                shared.isEmpty() ? directory.resolve("osp.yaml") : directory.resolveSibling("osps/" + shared + ".yaml");
        add(options, "--osp", profile.toString());
        add(
                options,
                "--machine-deployment",
                directory.resolve("machinedeployment.yaml").toString());
        add(options, "--namespace", config.text("namespace"));
        Path ca = Files.writeString(scratch.resolve("ca.pem"), config.text("kubernetesCACert"));
        add(options, "--kubernetes-ca", ca.toString());
        addFile(options, scratch, "--cluster-info", config.text("clusterInfoKubeconfig"));
        addFile(options, scratch, "--fetch-token-file", config.text("apiServerToken"));
        if (config.find("bootstrapToken") != null) {
            String token = config.text("bootstrapToken.id") + "." + config.text("bootstrapToken.secret") + "\n";
            addFile(options, scratch, "--bootstrap-token-file", token);
        }
        addBundle(options, scratch, "kubernetes-ca-bundle", "kubernetesCABundle");
        addBundle(options, scratch, "host-ca-bundle", "hostCABundle");
        if (config.find("objects") instanceof DocumentNode.Items objects) {
            String list = "{\"kind\":\"List\",\"items\":" + SourceDocument.jsonText(objects) + "}";
            addFile(options, scratch, "--objects", list);
        }
        addAll(options, "--peer-flag", "flags");
        return options;
    }

    private void addBundle(List<String> options, Path scratch, String flag, String field) throws IOException {
        if (config.find(field) != null) {
            Path file = Files.writeString(scratch.resolve(flag), config.text(field));
            add(options, "--peer-flag", flag + "=" + file);
        }
    }

    private void addAll(List<String> options, String option, String field) {
        if (config.find(field) instanceof DocumentNode.Fields fields) {
            for (DocumentNode.Field entry : fields.fields()) {
                List<DocumentNode> values =
                        entry.value() instanceof DocumentNode.Items items ? items.nodes() : List.of(entry.value());
                for (DocumentNode value : values) {
                    add(
                            options,
                            option,
                            entry.name() + "=" + (value instanceof DocumentNode.Scalar scalar ? scalar.text() : ""));
                }
            }
        }
    }

    private static void addFile(List<String> options, Path scratch, String option, String text) throws IOException {
        if (!text.isEmpty()) {
            add(
                    options,
                    option,
                    Files.writeString(scratch.resolve(option), text).toString());
        }
    }

    private static void add(List<String> options, String option, String value) {
        if (!value.isEmpty()) {
            options.addAll(List.of(option, value));
        }
    }
}
