package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.kubeconfig.Vetting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a kubeconfig can and cannot do. Holds nothing of the kubeconfig but its server and who it is.
 *
 * @param checks every one, in the order in which they are made
 * @param permissions every one that the hub needs; empty when they were not looked at
 * @param endpoint URL of the API server; empty when the kubeconfig was refused
 * @param address that its name resolved to; empty when it did not, or was refused
 * @param version as {@code v1.34.2}; empty when it is not known
 * @param user as whom the credential signs in; empty when it is not known
 * @param expiresAt when the credential ends; null when it does not say
 * @param clockAhead how far the server's clock is ahead; null when it is not known
 * @param clusterId UID of {@code kube-system}; empty when it is not known
 */
public record TestReport(
        List<Check> checks,
        List<Grant> permissions,
        String endpoint,
        String address,
        String version,
        String user,
        @Nullable Instant expiresAt,
        @Nullable Duration clockAhead,
        String clusterId) {
    public TestReport {
        checks = List.copyOf(checks);
        permissions = List.copyOf(permissions);
    }

    /** What is checked, in this order. */
    public enum Step {
        KUBECONFIG("Kubeconfig"),
        ADDRESS("Address"),
        CONNECTION("Connection"),
        CERTIFICATE("Certificate"),
        HTTP2("HTTP2"),
        VERSION("Version"),
        CLOCK("Clock"),
        CREDENTIAL("Credential"),
        PERMISSIONS("Permissions"),
        PREREQUISITES("Prerequisites");

        private final String word;

        Step(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /** What came of it. */
    public enum Outcome {
        OK("Ok"),
        /** The hub cannot work so. */
        FAILED("Failed"),
        /** It works, but not well. */
        WARNING("Warning"),
        /** Not made, because one failed that it needs. */
        SKIPPED("Skipped");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /**
     * One check.
     *
     * @param reason null when nothing is wrong
     * @param cure empty when nothing is wrong, or the message says it
     * @param took null when it took no time of its own
     */
    public record Check(
            Step step,
            Outcome outcome,
            @Nullable Reason reason,
            String message,
            String cure,
            @Nullable Duration took) {}

    /** A permission, and whether the credential has it. */
    public record Grant(Permission permission, boolean allowed) {}

    /** Of a kubeconfig that the firewall refused: nothing was tried. */
    public static TestReport refused(String tenant, Vetting.Refused refused) {
        return TestNotes.refused(tenant, refused);
    }

    /** No check failed. */
    public boolean passed() {
        return checks.stream().noneMatch(check -> check.outcome() == Outcome.FAILED);
    }
}
