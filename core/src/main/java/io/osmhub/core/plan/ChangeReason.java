package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.MachineDeploymentSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ProfileSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reason of a change.
 *
 * @param explanation one clause for users, for example {@code the profile has version 1.3.0 (was 1.2.0)}
 */
public record ChangeReason(Cause cause, String explanation) {
    /** Decides which Event reports the change. */
    public enum Cause {
        /** First publication. */
        FIRST,
        /** The desired content changed. */
        CONTENT,
        /** Only the revision changed, the bytes did not. */
        REVISION,
        /** Another writer deleted or edited it. */
        DRIFT,
        /** The token is kept valid. */
        RENEWAL,
        /** The token was missing, unreadable or too old. */
        NEW_TOKEN,
        /** No longer needed. */
        REMOVAL
    }

    /** Explains why published content changes, as far as the stored object records its sources. */
    static final class ChangeExplainer {
        private static final String CONTENT = "the rendered content changed";

        /** One difference; {@code before} is null when unknown. */
        private record Part(@Nullable String before, String now, String sentence) {}

        /**
         * The first difference, which users read.
         *
         * @param sameConfig whether the OperatingSystemConfig, which holds no credentials, stays the same
         */
        static String explainContent(Facts facts, Decision.RenderSummary rendered, boolean sameConfig) {
            StoredConfig config = facts.found().config();
            if (config == null) {
                return CONTENT;
            }
            RenderSource source = source(config);
            ProfileSource was = source.profile();
            String name = rendered.profile().describe();
            Map<String, String> stamps = config.annotations();
            List<Part> parts = new ArrayList<>();
            if (was != null) {
                parts.add(new Part(
                        was.name(),
                        rendered.profile().name(),
                        "the MachineDeployment names " + name + " (was " + was.name() + ")"));
            }
            String oldVersion = stamps.get(SourceAnnotations.PROFILE_VERSION);
            String version = rendered.stamps().profileVersion();
            parts.add(new Part(oldVersion, version, explainVersion(rendered, stamps)));
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
            parts.add(new Part(
                    stamps.get(SourceAnnotations.REVISION),
                    rendered.stamps().revision(),
                    explainRevision(rendered, stamps)));
            parts.add(new Part(
                    stamps.get(SourceAnnotations.ANNOTATIONS_HASH),
                    rendered.stamps().annotationsHash(),
                    "annotations of the MachineDeployment changed"));
            return parts.stream()
                    .filter(part -> part.before() != null && !part.before().equals(part.now()))
                    .map(Part::sentence)
                    .findFirst()
                    .orElse(sameConfig ? "a credential in it changed" : CONTENT);
        }

        static String explainVersion(Decision.RenderSummary rendered, Map<String, String> stamps) {
            String before = stamps.getOrDefault(SourceAnnotations.PROFILE_VERSION, "");
            return rendered.profile().describe() + " has version "
                    + rendered.stamps().profileVersion() + (before.isEmpty() ? "" : " (was " + before + ")");
        }

        static String explainRevision(Decision.RenderSummary rendered, Map<String, String> stamps) {
            String before = stamps.getOrDefault(SourceAnnotations.REVISION, "");
            return "the MachineDeployment has revision " + rendered.stamps().revision()
                    + (before.isEmpty() ? "" : " (was " + before + ")");
        }

        /** Whether the status records the same sources, or records none. */
        static boolean isUnchanged(StoredConfig config, Decision.RenderSummary rendered) {
            String before = source(config).contentHash();
            return before == null || before.equals(rendered.contentHash());
        }

        private static RenderSource source(StoredConfig config) {
            OperatingSystemConfigStatus status = config.status();
            RenderSource source = status == null ? null : status.source();
            return Objects.requireNonNullElse(
                    source,
                    new RenderSource(
                            new MachineDeploymentSource(null, null, null, null), null, null, null, null, null));
        }
    }
}
