package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ExtensionSource;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.userdata.UserDataSize;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes for one MachineDeployment.
 *
 * @param changes in the order of their stages
 * @param withheld the changes if the hub were allowed to write; then {@code changes} is empty
 * @param problems worst first
 * @param token with which new nodes join after the changes; null if none, or if it is a ServiceAccount's
 * @param fetch with which new machines fetch their configuration after the changes; null for the shared token
 * @param requeueAt when to decide again even if no input changes; null for never
 */
public record Decision(
        Outcome outcome,
        List<PlannedChange> changes,
        List<PlannedChange> withheld,
        List<Problem> problems,
        @Nullable TokenInUse token,
        @Nullable FetchTokenInUse fetch,
        @Nullable Instant requeueAt) {
    public Decision {
        changes = List.copyOf(changes);
        withheld = List.copyOf(withheld);
        problems = List.copyOf(problems);
    }

    /** The token in use: Secret {@code kube-system/name}. */
    public record TokenInUse(String name, Instant expiration) {}

    /** The scoped fetch token in use, of a ServiceAccount in {@code cloud-init-settings}. */
    public record FetchTokenInUse(String account, Instant expiration) {}

    /** How far publication got. */
    public sealed interface Outcome {
        /** What was rendered, published or not; null if nothing was. */
        default @Nullable RenderSummary rendered() {
            return null;
        }

        /** Whether objects under its names are its own to publish. */
        default boolean ownsObjects() {
            return !(this instanceof NotManaged || this instanceof Terminating || this instanceof Blocked);
        }

        /** It names no profile and never did. */
        record NotManaged() implements Outcome {}

        /** It is being deleted; its objects are removed. */
        record Terminating() implements Outcome {}

        /** It may not be published under its name; nothing is written. */
        record Blocked() implements Outcome {}

        /** Rendering failed; published content stays and its token is kept valid. */
        record NotRendered() implements Outcome {}

        /** The hub itself failed to render it; otherwise as {@link NotRendered}. */
        record Failed(RuntimeException cause) implements Outcome {}

        /** Only a fetch token is missing; published content stays. */
        record AwaitingFetchToken() implements Outcome {}

        /** Rendered, but too large, or another writer owns an object under its name; published content stays. */
        record NotPublished(RenderSummary rendered) implements Outcome {}

        /**
         * Published, or will be after the changes.
         *
         * @param publishedHash by which a restarted hub finds it unchanged; null if it must be rendered to know
         */
        record Published(RenderSummary rendered, @Nullable String publishedHash) implements Outcome {}
    }

    /**
     * What was rendered, without its content.
     *
     * @param extensions that were applied
     * @param contentHash of the OperatingSystemConfig's spec, as {@link StoredConfig#contentHash()}
     * @param settingsHash of the effective settings without credentials
     * @param bytes of each Secret's value; of bootstrap user-data, as passed to the cloud provider
     * @param limit of bootstrap user-data; null if unlimited
     */
    public record RenderSummary(
            RenderInput.Profile profile,
            SourceAnnotations stamps,
            List<ExtensionSource> extensions,
            String contentHash,
            String settingsHash,
            Map<SecretRole, Integer> bytes,
            UserDataSize.@Nullable Limit limit) {
        public RenderSummary {
            extensions = List.copyOf(extensions);
            bytes = Collections.unmodifiableMap(new TreeMap<>(bytes));
        }
    }
}
