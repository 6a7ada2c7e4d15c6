package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.Copies;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far a change that is not applied yet would reach: one page of its MachineDeployments and the counts over all
 * of them.
 *
 * @param total MachineDeployments that use what changes
 * @param notCompared namespaces of tenants that the counts say nothing of; absent when all were looked at
 * @param items refused ones first
 * @param next cursor of the next page; absent on the last
 */
public record DiffReport(
        int total,
        @Nullable Integer workerClusters,
        int changed,
        int repaired,
        int same,
        int refused,
        @Nullable List<String> notCompared,
        List<Item> items,
        @JsonProperty("continue") @Nullable String next) {
    public DiffReport {
        notCompared = Copies.of(notCompared);
        items = List.copyOf(items);
    }

    /** What a change does to one MachineDeployment. */
    public record Item(
            String tenant,
            ObjectRef machineDeployment,
            Result result,
            @Nullable ProblemEntry problem,
            @Nullable List<DocumentChange> documents) {
        public Item {
            Objects.requireNonNull(tenant, "tenant");
            Objects.requireNonNull(machineDeployment, "machineDeployment");
            Objects.requireNonNull(result, "result");
            documents = Copies.of(documents);
        }

        /** What becomes of the secrets of a MachineDeployment. */
        public enum Result {
            /** Secrets would be written anew. */
            @JsonProperty("Changed")
            CHANGED,
            /** It is refused today and would be published. */
            @JsonProperty("Repaired")
            REPAIRED,
            /** Not a byte would be written. */
            @JsonProperty("Same")
            SAME,
            /** It would not be published. */
            @JsonProperty("Refused")
            REFUSED
        }

        /**
         * One document that would differ. A size is absent where there is no such document on that side.
         *
         * @param patch unified diff of the redacted texts, only if it was asked for
         */
        public record DocumentChange(
                DocumentName document,
                @Nullable Long bytesBefore,
                @Nullable Long bytesAfter,
                @Nullable String patch) {
            public DocumentChange {
                Objects.requireNonNull(document, "document");
            }
        }
    }
}
