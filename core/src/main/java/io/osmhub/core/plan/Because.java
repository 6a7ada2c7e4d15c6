package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.Stamps;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.MachineDeploymentSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ProfileSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says why published content changes, as far as the stored object tells what it was made from. */
final class Because {
    private static final String CONTENT = "the rendered content changed";

    private Because() {}

    /** One difference; {@code before} is null when it is not known. */
    private record Part(@Nullable String before, String now, String sentence) {}

    /**
     * The first difference, which is what users are told.
     *
     * @param sameConfig whether the OperatingSystemConfig, which holds no credentials, stays as it is
     */
    static String content(Facts facts, Decision.Rendered rendered, boolean sameConfig) {
        StoredConfig config = facts.found().config();
        if (config == null) {
            return CONTENT;
        }
        Source source = source(config);
        ProfileSource was = source.profile();
        String name = rendered.profile().describe();
        String version = rendered.stamps().profileVersion();
        Map<String, String> stamps = config.annotations();
        List<Part> parts = new ArrayList<>();
        if (was != null) {
            parts.add(new Part(
                    was.name(),
                    rendered.profile().name(),
                    "the MachineDeployment names " + name + " (was " + was.name() + ")"));
        }
        String oldVersion = stamps.get(Stamps.PROFILE_VERSION);
        parts.add(new Part(oldVersion, version, name + " has version " + version + " (was " + oldVersion + ")"));
        if (was != null) {
            parts.add(new Part(
                    was.contentHash(),
                    rendered.profile().compiled().contentHash(),
                    name + " was changed, its version " + version + " was not"));
        }
        parts.add(new Part(
                source.settingsHash(),
                rendered.settingsHash(),
                "settings of WorkerCluster " + facts.tenant().workerCluster() + " changed"));
        parts.add(new Part(stamps.get(Stamps.REVISION), rendered.stamps().revision(), revision(rendered, stamps)));
        parts.add(new Part(
                stamps.get(Stamps.ANNOTATIONS_HASH),
                rendered.stamps().annotationsHash(),
                "annotations of the MachineDeployment changed"));
        return parts.stream()
                .filter(part -> part.before() != null && !part.before().equals(part.now()))
                .map(Part::sentence)
                .findFirst()
                .orElse(sameConfig ? "a credential that it holds changed" : CONTENT);
    }

    static String revision(Decision.Rendered rendered, Map<String, String> stamps) {
        String before = stamps.getOrDefault(Stamps.REVISION, "");
        return "the MachineDeployment has revision " + rendered.stamps().revision()
                + (before.isEmpty() ? "" : " (was " + before + ")");
    }

    /** Whether the status says that the same was rendered before, or nothing says anything. */
    static boolean nothingChanged(StoredConfig config, Decision.Rendered rendered) {
        String before = source(config).contentHash();
        return before == null || before.equals(rendered.contentHash());
    }

    private static Source source(StoredConfig config) {
        OperatingSystemConfigStatus status = config.status();
        Source source = status == null ? null : status.source();
        return Objects.requireNonNullElse(
                source, new Source(new MachineDeploymentSource(null, null, null, null), null, null, null, null, null));
    }
}
