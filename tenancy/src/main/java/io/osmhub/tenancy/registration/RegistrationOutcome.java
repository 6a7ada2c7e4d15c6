package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.connection.ConnectionTestReport;

/**
 * @param workerCluster as stored, or as it would be after a dry run
 * @param report of the provided or stored kubeconfig
 * @param created whether the WorkerCluster is new
 * @param stored false for a dry run
 * @param scoped whether a scoped credential was created
 */
public record RegistrationOutcome(
        JsonNode workerCluster, ConnectionTestReport report, boolean created, boolean stored, boolean scoped) {}
