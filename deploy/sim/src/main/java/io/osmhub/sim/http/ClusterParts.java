package io.osmhub.sim.http;

import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.Reviews;
import io.osmhub.sim.auth.ServiceAccountTokens;
import io.osmhub.sim.count.RequestCounters;
import io.osmhub.sim.faults.Faults;
import io.osmhub.sim.objects.Objects;
import java.time.Duration;

/** What one cluster consists of behind its HTTP face. {@code version} as in {@code v1.34.1}. */
public record ClusterParts(
        Objects objects,
        Authenticator authenticator,
        Authorizer authorizer,
        Reviews reviews,
        ServiceAccountTokens tokens,
        Faults faults,
        RequestCounters counters,
        Duration bookmarkInterval,
        String version) {}
