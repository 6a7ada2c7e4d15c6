package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Effect of an unapplied change: one page of its MachineDeployments and counts over all.
 *
 * @param total MachineDeployments affected by the change
 * @param alreadyRefused of the refused ones, those that are rejected today too
 * @param notConnected namespaces of tenants that are not compared, because their worker cluster is not connected; absent if there are none
 * @param unanswered names of replicas whose tenants are not compared, because they did not answer; absent if there are none
 * @param items rejected ones first
 * @param next cursor of the next page; absent on the last
 */
public record DiffReport(
        int total,
        @Nullable Integer workerClusters,
        int changed,
        int repaired,
        int same,
        int refused,
        @Nullable Integer alreadyRefused,
        @Nullable List<String> notConnected,
        @Nullable List<String> unanswered,
        List<Item> items,
        @JsonProperty("continue") @Nullable String next) {
    /** MachineDeployments that the change makes worse: rejected then, but not today. */
    public int newlyRefused() {
        return refused - (alreadyRefused == null ? 0 : alreadyRefused);
    }

    /**
     * Effect of a change on one MachineDeployment.
     *
     * @param alreadyRefused whether it is rejected today too; absent if it would not be rejected
     * @param documents absent if none can be rendered with the change
     */
    public record Item(
            String tenant,
            ObjectRef machineDeployment,
            Result result,
            @Nullable Boolean alreadyRefused,
            @Nullable ProblemEntry problem,
            @Nullable List<DocumentChange> documents) {
        /** Effect on the secrets of a MachineDeployment. */
        public enum Result {
            /** Secrets would be rewritten. */
            @JsonProperty("Changed")
            CHANGED,
            /** Rejected today, would be published. */
            @JsonProperty("Repaired")
            REPAIRED,
            /** No byte would be written. */
            @JsonProperty("Same")
            SAME,
            /** Would not be published. */
            @JsonProperty("Refused")
            REFUSED
        }

        /**
         * A document that would differ. The size of a missing document is absent.
         *
         * @param patch unified diff of the redacted texts, only if requested
         */
        public record DocumentChange(
                DocumentName document,
                @Nullable Long bytesBefore,
                @Nullable Long bytesAfter,
                @Nullable String patch) {}
    }
}
