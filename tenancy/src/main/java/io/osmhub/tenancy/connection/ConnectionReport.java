package io.osmhub.tenancy.connection;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reported state of a connection.
 *
 * @param credentialsValid for the condition of that name
 * @param connected for the condition of that name
 * @param concerns other problems: an old version, clock skew, OSM still running
 * @param noAnswerSince time of the last answer while the API server does not answer; null while it does
 */
public record ConnectionReport(
        ConnectionState state,
        ReportedCondition credentialsValid,
        ReportedCondition connected,
        List<ReportedCondition> concerns,
        @Nullable Instant noAnswerSince) {
    public ConnectionReport {
        concerns = List.copyOf(concerns);
    }
}
