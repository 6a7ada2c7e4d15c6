package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.problem.Reason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a kubeconfig test, by check.
 *
 * @param address resolved from the server's name
 * @param clockSkewSeconds clock of the worker cluster minus that of the hub
 */
public record TestReport(
        boolean passed,
        @Nullable String endpoint,
        @Nullable String address,
        @Nullable String kubernetesVersion,
        @Nullable String user,
        @Nullable Instant expiresAt,
        @Nullable Double clockSkewSeconds,
        List<Check> checks,
        @Nullable List<Permission> permissions) {
    /** One check and its result. */
    public record Check(
            CheckName name,
            Outcome state,
            @Nullable Reason reason,
            @Nullable String message,
            @Nullable String cure,
            @Nullable Integer durationMilliseconds) {
        /** The checks, in order of execution. */
        public enum CheckName {
            @JsonProperty("Kubeconfig")
            KUBECONFIG,
            @JsonProperty("Address")
            ADDRESS,
            @JsonProperty("Connection")
            CONNECTION,
            @JsonProperty("Certificate")
            CERTIFICATE,
            @JsonProperty("HTTP2")
            HTTP2,
            @JsonProperty("Version")
            VERSION,
            @JsonProperty("Clock")
            CLOCK,
            @JsonProperty("Credential")
            CREDENTIAL,
            @JsonProperty("Permissions")
            PERMISSIONS,
            @JsonProperty("Prerequisites")
            PREREQUISITES,
            @JsonProperty("Registration")
            REGISTRATION
        }

        /** Result of a check. */
        public enum Outcome {
            @JsonProperty("Ok")
            OK,
            @JsonProperty("Failed")
            FAILED,
            @JsonProperty("Warning")
            WARNING,
            /** A check that it depends on failed. */
            @JsonProperty("Skipped")
            SKIPPED
        }
    }

    /**
     * A permission that the hub needs in the worker cluster.
     *
     * @param group empty for the core group
     * @param namespace absent means all
     * @param name absent means all
     * @param neededFor what does not work without it
     */
    public record Permission(
            String verb,
            @Nullable String group,
            String resource,
            @Nullable String namespace,
            @Nullable String name,
            boolean allowed,
            @Nullable String neededFor) {}
}
