package io.osmhub.tenancy.connection;

import java.util.List;

/**
 * What people are told of a connection.
 *
 * @param credentialsValid for the condition of that name
 * @param connected for the condition of that name
 * @param concerns problems that belong to neither: an old version, a wrong clock, the peer still running
 */
public record ConnectionReport(
        ConnectionState state, Verdict credentialsValid, Verdict connected, List<Verdict> concerns) {
    public ConnectionReport {
        concerns = List.copyOf(concerns);
    }
}
