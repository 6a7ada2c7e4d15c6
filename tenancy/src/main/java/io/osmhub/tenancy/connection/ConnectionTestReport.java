package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of testing a kubeconfig. Contains only its server and user.
 *
 * @param checks all, in order
 * @param permissions all that the hub needs; empty if not reviewed
 * @param endpoint URL of the API server; empty if the kubeconfig was rejected
 * @param address resolved address; empty if resolution failed or the address was rejected
 * @param version as {@code v1.34.2}; empty if unknown
 * @param user the credential's user name; empty if unknown
 * @param expiresAt expiration of the credential; null if unknown
 * @param clockAhead the server's clock minus the hub's; null if unknown
 * @param clusterId UID of {@code kube-system}; empty if unknown
 */
public record ConnectionTestReport(
        List<ConnectionCheck> checks,
        List<PermissionCheck> permissions,
        String endpoint,
        String address,
        String version,
        String user,
        @Nullable Instant expiresAt,
        @Nullable Duration clockAhead,
        String clusterId) {
    public ConnectionTestReport {
        checks = List.copyOf(checks);
        permissions = List.copyOf(permissions);
    }

    /** The checks, in order. */
    public enum CheckStep {
        KUBECONFIG("Kubeconfig"),
        ADDRESS("Address"),
        CONNECTION("Connection"),
        CERTIFICATE("Certificate"),
        HTTP2("HTTP2"),
        VERSION("Version"),
        CLOCK("Clock"),
        CREDENTIAL("Credential"),
        PERMISSIONS("Permissions"),
        PREREQUISITES("Prerequisites"),
        /** Whether another WorkerCluster has the cluster; only in a test with a management cluster. */
        REGISTRATION("Registration");

        private final String wireName;

        CheckStep(String word) {
            this.wireName = word;
        }

        public String wireName() {
            return wireName;
        }
    }

    public enum CheckOutcome {
        OK,
        /** The hub cannot work with it. */
        FAILED,
        /** Works with limitations. */
        WARNING,
        /** Skipped because a required check failed. */
        SKIPPED
    }

    /**
     * One check.
     *
     * @param reason null if there is no problem
     * @param cure empty if there is no problem, or the message contains it
     * @param took null if not measured
     */
    public record ConnectionCheck(
            CheckStep step,
            CheckOutcome outcome,
            @Nullable Reason reason,
            String message,
            String cure,
            @Nullable Duration took) {}

    public record PermissionCheck(Permission permission, boolean allowed) {}

    /** For a kubeconfig that failed validation: nothing was tried. */
    public static ConnectionTestReport refused(String tenant, KubeconfigValidation.Invalid refused) {
        return TestReportBuilder.refused(tenant, refused);
    }

    /** With this check in place of the one of the same step. */
    public ConnectionTestReport with(ConnectionCheck added) {
        return new ConnectionTestReport(
                checks.stream()
                        .map(check -> check.step() == added.step() ? added : check)
                        .toList(),
                permissions,
                endpoint,
                address,
                version,
                user,
                expiresAt,
                clockAhead,
                clusterId);
    }

    /** Whether this check failed. */
    public boolean failed(CheckStep step) {
        return checks.stream().anyMatch(check -> check.step() == step && check.outcome() == CheckOutcome.FAILED);
    }

    /** Whether no check failed. */
    public boolean passed() {
        return checks.stream().noneMatch(check -> check.outcome() == CheckOutcome.FAILED);
    }
}
