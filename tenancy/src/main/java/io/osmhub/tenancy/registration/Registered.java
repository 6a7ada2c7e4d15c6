package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.connection.TestReport;

/**
 * What became of a registration.
 *
 * @param workerCluster as it is stored, or with a dry run would be
 * @param report of the kubeconfig that was given or is stored
 * @param created the WorkerCluster is new
 * @param stored false for a dry run
 * @param scoped a scoped credential was made
 */
public record Registered(JsonNode workerCluster, TestReport report, boolean created, boolean stored, boolean scoped) {}
