package io.osmhub.api.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.schema.DocumentName;
import io.osmhub.api.schema.Finding;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.tenancy.catalog.StoredProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The files of a profile, without their templates. */
final class ProfileFiles {
    /** The only supported container runtime. */
    private static final String RUNTIME = "containerd";

    /** Lines of an excerpt before and after the error. */
    private static final int AROUND = 2;

    private static final int WIDTH = 100;

    private ProfileFiles() {}

    /** In rendering order; empty if the profile cannot be decoded. */
    static List<OspDetail.File> of(StoredProfile profile) {
        List<OspDetail.File> files = new ArrayList<>();
        if (profile.content() != null) {
            OperatingSystemProfile.Spec spec = profile.content().spec();
            add(DocumentName.BOOTSTRAP, "spec.bootstrapConfig", spec.bootstrapConfig(), files);
            add(DocumentName.PROVISIONING, "spec.provisioningConfig", spec.provisioningConfig(), files);
        }
        return files;
    }

    private static void add(
            DocumentName document, String path, OperatingSystemProfile.Config config, List<OspDetail.File> files) {
        for (OspFile one : numbered(path, config)) {
            OperatingSystemProfile.File file = one.file();
            Inline inline = file.inline();
            files.add(new OspDetail.File(
                    document,
                    one.field(),
                    file.path(),
                    file.permissions() == 0 ? null : String.format(Locale.ROOT, "%04d", file.permissions()),
                    inline == null ? null : Long.valueOf(inline.data().getBytes(UTF_8).length)));
        }
    }

    private record OspFile(String field, OperatingSystemProfile.File file) {}

    /** With their paths in the profile. */
    private static List<OspFile> numbered(String path, OperatingSystemProfile.Config config) {
        List<OspFile> files = new ArrayList<>();
        number(path, config.files(), files);
        for (int i = 0; i < config.supportedContainerRuntimes().size(); i++) {
            ContainerRuntime runtime = config.supportedContainerRuntimes().get(i);
            if (runtime.name().equals(RUNTIME)) {
                number(path + ".supportedContainerRuntimes[" + i + "]", runtime.files(), files);
                break;
            }
        }
        return files;
    }

    private static void number(String path, List<OperatingSystemProfile.File> from, List<OspFile> files) {
        for (int i = 0; i < from.size(); i++) {
            files.add(new OspFile(path + ".files[" + i + "]", from.get(i)));
        }
    }

    /**
     * The lines around an error of a template, with a caret below its column; empty if the profile has changed since.
     *
     * @param problem whose object is the profile
     */
    static String excerpt(StoredProfile profile, ProblemEntry problem) {
        OperatingSystemProfile.Spec spec =
                profile.content() == null ? null : profile.content().spec();
        int position = problem.place().line() == null ? 0 : problem.place().line();
        String field = Objects.requireNonNullElse(problem.place().path(), "");
        if (spec == null || position == 0) {
            return "";
        }
        List<String> lines = source(field, "spec.bootstrapConfig", spec.bootstrapConfig())
                .or(() -> source(field, "spec.provisioningConfig", spec.provisioningConfig()))
                .map(text -> text.lines().toList())
                .orElse(List.of());
        if (position > lines.size()) {
            return "";
        }
        StringBuilder excerpt = new StringBuilder();
        for (int number = Math.max(1, position - AROUND);
                number <= Math.min(lines.size(), position + AROUND);
                number++) {
            String head = String.format(Locale.ROOT, "%5d | ", number);
            String line = lines.get(number - 1);
            int column = number == position
                    ? Objects.requireNonNullElse(problem.place().column(), 0)
                    : 0;
            // The part of a long line that has the error; a tab would move the caret.
            int from = Math.max(0, column - WIDTH / 2);
            String shown = MessageFormatter.sanitize(
                    line.substring(Math.min(from, line.length()), Math.min(from + WIDTH, line.length())));
            excerpt.append(head).append(shown.stripTrailing()).append('\n');
            if (column > 0) {
                String before = line.substring(Math.min(from, line.length()), Math.min(column - 1, line.length()));
                excerpt.append(" "
                                .repeat(head.length()
                                        + MessageFormatter.visible(before).length()))
                        .append("^\n");
            }
        }
        return excerpt.toString().stripTrailing();
    }

    private static Optional<String> source(String field, String path, OperatingSystemProfile.Config config) {
        for (OspFile file : numbered(path, config)) {
            Inline inline = file.file().inline();
            if (inline != null && (field + " ").startsWith(file.field() + " ")) {
                return Optional.of(inline.data());
            }
        }
        return config.templates().entrySet().stream()
                .filter(template -> field.equals(path + ".templates[" + template.getKey() + "]"))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Findings of its validation. */
    static List<Finding> findings(StoredProfile profile) {
        OperatingSystemProfileStatus status = profile.status();
        return NullableCollections.stream(status == null ? null : status.findings())
                .map(finding -> new Finding(
                        finding.severity(),
                        finding.rule(),
                        profile.namespace() + "/" + profile.name(),
                        finding.field(),
                        null,
                        finding.line(),
                        finding.column(),
                        finding.message(),
                        null,
                        null,
                        null))
                .toList();
    }
}
