package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.Stamps;
import io.osmhub.core.render.RenderInput;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to do about one MachineDeployment.
 *
 * @param changes in the order of their stages
 * @param withheld what would be done if the hub were allowed to write; then {@code changes} is empty
 * @param problems worst first; empty when all is well
 * @param token with which new nodes join once the changes are made; null when there is none, or it is a ServiceAccount's
 * @param fetch with which new machines fetch what they start from once the changes are made; null while that is the shared token
 * @param again when to decide again even if no input changes; null for never
 */
public record Decision(
        Outcome outcome,
        List<Change> changes,
        List<Change> withheld,
        List<Diagnosis> problems,
        @Nullable Token token,
        @Nullable Fetch fetch,
        @Nullable Instant again) {
    public Decision {
        changes = List.copyOf(changes);
        withheld = List.copyOf(withheld);
        problems = List.copyOf(problems);
    }

    /** The token in use: Secret {@code kube-system/name}. */
    public record Token(String name, Instant expiration) {}

    /** The token in use that machines fetch with: of a ServiceAccount of their own in {@code cloud-init-settings}. */
    public record Fetch(String account, Instant expiration) {}

    /** How far it came. */
    public sealed interface Outcome {
        /** It names no profile and never did: none of ours. */
        record NotOurs() implements Outcome {}

        /** It is being deleted, its objects go. */
        record Leaving() implements Outcome {}

        /** It may not be published under its name; nothing of it is written. */
        record Blocked() implements Outcome {}

        /** Nothing can be rendered; what was published stays, its token is kept valid. */
        record NotRendered() implements Outcome {}

        /** The hub itself failed at rendering it; as {@link NotRendered}. */
        record Failed(RuntimeException cause) implements Outcome {}

        /** All is there for rendering it but a token with which its machines fetch; what was published stays. */
        record AwaitsToken() implements Outcome {}

        /** It was rendered, but is too large, or an object under its name is somebody else's; what was published stays. */
        record Held(Rendered rendered) implements Outcome {}

        /** It is published, or will be once the changes are made. */
        record Wanted(Rendered rendered) implements Outcome {}
    }

    /**
     * What was rendered, without its content.
     *
     * @param contentHash of the OperatingSystemConfig's spec, as {@link StoredConfig#contentHash()}
     * @param settingsHash of the effective settings without credentials
     * @param bytes of each Secret's value
     * @param limitBytes that the provider takes as bootstrap user-data; null without a limit
     */
    public record Rendered(
            RenderInput.Profile profile,
            Stamps stamps,
            String contentHash,
            String settingsHash,
            Map<SecretRole, Integer> bytes,
            @Nullable Integer limitBytes) {
        public Rendered {
            Map<SecretRole, Integer> copy = new EnumMap<>(SecretRole.class);
            copy.putAll(bytes);
            bytes = Collections.unmodifiableMap(copy);
        }
    }
}
