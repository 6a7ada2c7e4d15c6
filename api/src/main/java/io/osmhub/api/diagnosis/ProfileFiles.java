package io.osmhub.api.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.schema.DocumentName;
import io.osmhub.api.schema.Finding;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.tenancy.catalog.StoredProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The files of a profile, without their templates. */
final class ProfileFiles {
    /** The only supported container runtime. */
    private static final String RUNTIME = "containerd";

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
        add(document, path, config.files(), files);
        for (int i = 0; i < config.supportedContainerRuntimes().size(); i++) {
            ContainerRuntime runtime = config.supportedContainerRuntimes().get(i);
            if (runtime.name().equals(RUNTIME)) {
                add(document, path + ".supportedContainerRuntimes[" + i + "]", runtime.files(), files);
                return;
            }
        }
    }

    private static void add(
            DocumentName document, String path, List<OperatingSystemProfile.File> from, List<OspDetail.File> files) {
        for (int i = 0; i < from.size(); i++) {
            OperatingSystemProfile.File file = from.get(i);
            Inline inline = file.inline();
            files.add(new OspDetail.File(
                    document,
                    path + ".files[" + i + "]",
                    file.path(),
                    file.permissions() == 0 ? null : String.format(Locale.ROOT, "%04d", file.permissions()),
                    inline == null ? null : Long.valueOf(inline.data().getBytes(UTF_8).length)));
        }
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
