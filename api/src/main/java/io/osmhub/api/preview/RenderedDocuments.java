package io.osmhub.api.preview;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.diagnosis.DiagnosisMapper;
import io.osmhub.api.schema.DocumentName;
import io.osmhub.api.schema.RenderResult.Document;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.plan.Preview;
import io.osmhub.core.plan.Previewer;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.UserDataGenerator;
import io.osmhub.core.userdata.UserDataInput;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Redacted documents in the API's form. */
final class RenderedDocuments {
    private RenderedDocuments() {}

    static List<Document> of(Preview preview, Predicate<DocumentName> wanted) {
        return preview.documents().stream()
                .filter(document -> wanted.test(DiagnosisMapper.document(document.kind())))
                .map(document -> document(
                        DiagnosisMapper.document(document.kind()),
                        format(document.format()),
                        document.bytes(),
                        document.limitBytes() == null ? null : Long.valueOf(document.limitBytes()),
                        document.text()))
                .toList();
    }

    /**
     * Of a stored configuration, which contains no credential.
     *
     * @throws TenantMistake if a document cannot be generated from it
     */
    static List<Document> of(
            OperatingSystemConfig config, String machineDeployment, boolean upgrade, Predicate<DocumentName> wanted) {
        List<Document> documents = new ArrayList<>();
        for (DocumentName name : List.of(DocumentName.BOOTSTRAP, DocumentName.PROVISIONING)) {
            if (wanted.test(name)) {
                OperatingSystemConfig.Spec spec = config.spec();
                boolean bootstrap = name == DocumentName.BOOTSTRAP;
                String text = UserDataGenerator.generateDocument(new UserDataInput(
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
        return new Document(name, format, bytes, limit, PlaceholderCounter.count(text), hash(text), text);
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
