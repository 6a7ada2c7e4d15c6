package io.osmhub.sim.http;

import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.ReviewHandler;
import io.osmhub.sim.auth.ServiceAccountTokens;
import io.osmhub.sim.count.RequestCounters;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.objects.ObjectOperations;
import java.time.Duration;

/** What one cluster consists of behind its HTTP face. {@code version} as in {@code v1.34.1}. */
public record ClusterComponents(
        ObjectOperations objects,
        Authenticator authenticator,
        Authorizer authorizer,
        ReviewHandler reviews,
        ServiceAccountTokens tokens,
        ClusterFaults faults,
        RequestCounters counters,
        Duration bookmarkInterval,
        String version) {}
