package io.osmhub.api.preview;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.diagnosis.Shown;
import io.osmhub.api.schema.DocumentName;
import io.osmhub.api.schema.RenderResult.Document;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.plan.Preview;
import io.osmhub.core.plan.Previewer;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.UserData;
import io.osmhub.core.userdata.UserDataInput;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Documents with placeholders, as the API shows them. */
final class Documents {
    private Documents() {}

    static List<Document> of(Preview preview, Predicate<DocumentName> wanted) {
        return preview.documents().stream()
                .filter(document -> wanted.test(Shown.document(document.kind())))
                .map(document -> document(
                        Shown.document(document.kind()),
                        format(document.format()),
                        document.bytes(),
                        document.limitBytes() == null ? null : Long.valueOf(document.limitBytes()),
                        document.text()))
                .toList();
    }

    /**
     * Of a stored configuration, which holds no credential.
     *
     * @throws TenantMistake when no document can be made of it
     */
    static List<Document> of(
            OperatingSystemConfig config, String machineDeployment, boolean upgrade, Predicate<DocumentName> wanted) {
        List<Document> documents = new ArrayList<>();
        for (DocumentName name : List.of(DocumentName.BOOTSTRAP, DocumentName.PROVISIONING)) {
            if (wanted.test(name)) {
                OperatingSystemConfig.Spec spec = config.spec();
                boolean bootstrap = name == DocumentName.BOOTSTRAP;
                String text = UserData.document(new UserDataInput(
                        bootstrap ? spec.bootstrapConfig() : spec.provisioningConfig(),
                        spec.provisioningUtility(),
                        spec.osName(),
                        spec.cloudProvider(),
                        machineDeployment,
                        upgrade,
                        bootstrap));
                boolean ignition = spec.provisioningUtility().equals("ignition");
                documents.add(document(
                        name,
                        ignition ? Document.Format.IGNITION : Document.Format.CLOUD_CONFIG,
                        text.getBytes(UTF_8).length,
                        null,
                        text));
            }
        }
        if (wanted.test(DocumentName.OPERATING_SYSTEM_CONFIG)) {
            String text = Previewer.yaml(config);
            documents.add(document(
                    DocumentName.OPERATING_SYSTEM_CONFIG,
                    Document.Format.YAML,
                    text.getBytes(UTF_8).length,
                    null,
                    text));
        }
        return documents;
    }

    private static Document document(
            DocumentName name, Document.Format format, long bytes, @Nullable Long limit, String text) {
        return new Document(name, format, bytes, limit, Placeholders.in(text), hash(text), text);
    }

    private static Document.Format format(String word) {
        return switch (word) {
            case "ignition" -> Document.Format.IGNITION;
            case "yaml" -> Document.Format.YAML;
            case "shell" -> Document.Format.SHELL;
            case "cloud-config" -> Document.Format.CLOUD_CONFIG;
            default -> throw new IllegalArgumentException("no format " + word.toLowerCase(Locale.ROOT));
        };
    }

    private static String hash(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
