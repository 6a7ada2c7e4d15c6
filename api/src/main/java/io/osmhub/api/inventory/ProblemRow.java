package io.osmhub.api.inventory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.paging.Row;
import io.osmhub.api.paging.SearchText;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A problem as lists see it.
 *
 * @param about the object that has it
 * @param counts MachineDeployments that are not current because of it, in the order of {@link NewNodes}
 * @param resolvedAt null while it is open
 */
record ProblemRow(
        About about,
        Reason reason,
        String message,
        Instant since,
        int[] counts,
        @Nullable Instant resolvedAt,
        String[] words)
        implements Row {
    /** Kinds of objects with problems. */
    enum Kind {
        WORKER_CLUSTER("WorkerCluster"),
        MACHINE_DEPLOYMENT("MachineDeployment"),
        PROFILE("OperatingSystemProfile"),
        /** The hub itself, or a part of the management cluster that it needs. */
        HUB("Hub");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * The object that has a problem.
     *
     * @param tenant namespace in the management cluster; empty for what concerns the hub as a whole
     * @param workerCluster empty when the problem is no tenant's
     * @param namespace of the object, in the cluster that it is in
     */
    record About(String tenant, String workerCluster, Kind kind, String namespace, String name) {}

    static ProblemRow open(About about, Reason reason, String message, Instant since, int[] counts) {
        return new ProblemRow(
                about,
                reason,
                message,
                since,
                counts,
                null,
                Words.of(about.tenant(), about.workerCluster(), about.namespace(), about.name(), reason.word()));
    }

    ProblemRow resolved(Instant at) {
        return new ProblemRow(about, reason, message, since, counts, at, words);
    }

    /** The same on every replica, and for as long as it is open. */
    String id() {
        return idOf(about, reason);
    }

    static String idOf(About about, Reason reason) {
        String key = String.join(
                "\n",
                about.tenant(),
                about.workerCluster(),
                about.kind().word(),
                about.namespace(),
                about.name(),
                reason.word());
        byte[] hash = sha256(key);
        return HexFormat.of().formatHex(hash, 0, 8);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    int affected() {
        return Arrays.stream(counts).sum() - counts[NewNodes.CURRENT.ordinal()];
    }

    @Override
    public String namespace() {
        return about.tenant();
    }

    @Override
    public long fingerprint() {
        return Row.fingerprintOf(about.tenant(), about.name()) * 31
                + Row.fingerprintOf(about.kind().word() + about.namespace(), reason.word());
    }

    @Override
    public Map<String, String> labels() {
        return Map.of();
    }

    @Override
    public boolean mentions(SearchText text) {
        return Words.mention(words, text);
    }

    boolean isSeenBy(Sight sight) {
        return switch (about.kind()) {
            case WORKER_CLUSTER -> sight.workerClusters().sees(about.tenant());
            case MACHINE_DEPLOYMENT -> sight.configurations().sees(about.tenant());
            case PROFILE -> sight.profiles().sees(about.tenant());
            case HUB -> sight.all();
        };
    }

    boolean saysTheSame(ProblemRow other) {
        return about.equals(other.about)
                && reason == other.reason
                && message.equals(other.message)
                && since.equals(other.since)
                && Arrays.equals(counts, other.counts)
                && Objects.equals(resolvedAt, other.resolvedAt);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return Objects.hash(about, reason);
    }
}
