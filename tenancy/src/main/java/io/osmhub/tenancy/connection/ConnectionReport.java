package io.osmhub.tenancy.connection;

import java.util.List;

/**
 * The reported state of a connection.
 *
 * @param credentialsValid for the condition of that name
 * @param connected for the condition of that name
 * @param concerns other problems: an old version, clock skew, OSM still running
 */
public record ConnectionReport(
        ConnectionState state,
        ReportedCondition credentialsValid,
        ReportedCondition connected,
        List<ReportedCondition> concerns) {
    public ConnectionReport {
        concerns = List.copyOf(concerns);
    }
}
