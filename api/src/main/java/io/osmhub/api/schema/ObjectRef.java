package io.osmhub.api.schema;

import io.osmhub.core.problem.ProblemObject.Cluster;
import org.jspecify.annotations.Nullable;

/**
 * Refers to one object of a cluster.
 *
 * @param cluster that contains the object
 * @param namespace absent for cluster-scoped objects
 */
public record ObjectRef(
        @Nullable Cluster cluster, String kind, @Nullable String namespace, String name) {}
