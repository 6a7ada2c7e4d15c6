package io.osmhub.api.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.access.Access;
import io.osmhub.tenancy.admission.AdmissionPath;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.admission.AdmittedTenant;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who is asked at which path. The management cluster's paths are the peer's, and {@code /workercluster}; each worker cluster has a path
 * of its own, by which it asks about its own tenant and nobody else.
 */
public final class AdmissionRoutes {
    static final String PROFILES = "/operatingsystemprofile";
    static final String CONFIGS = "/operatingsystemconfig";
    static final String WORKER_CLUSTERS = "/workercluster";

    private static final String MACHINE_DEPLOYMENTS_WORD = "machinedeployments";
    private static final int TENANT_SEGMENTS = 5;

    private final @Nullable AdmissionView hub;
    private final Map<String, Route> fixed;

    /**
     * What answers.
     *
     * @param word of the webhook in metrics
     */
    record Route(String word, AdmissionRule rule) {}

    private AdmissionRoutes(@Nullable AdmissionView hub, Map<String, Route> fixed) {
        this.hub = hub;
        this.fixed = fixed;
    }

    /**
     * Those of the hub.
     *
     * @param access what users may do, without a memory: a permission that was given a moment ago counts
     */
    public static AdmissionRoutes of(AdmissionView hub, AdmissionTrials trials, Access access) {
        return new AdmissionRoutes(
                hub,
                Map.of(
                        AdmissionPath.MACHINE_DEPLOYMENTS,
                        new Route(
                                MACHINE_DEPLOYMENTS_WORD,
                                review -> new MachineDeploymentRule(hub.local().orElse(null)).answer(review)),
                        PROFILES,
                        new Route("operatingsystemprofiles", new OperatingSystemProfileRule(trials, true)),
                        CONFIGS,
                        new Route("operatingsystemconfigs", new OperatingSystemConfigRule()),
                        WORKER_CLUSTERS,
                        new Route("workerclusters", new WorkerClusterRule(hub, access))));
    }

    /** Those of the peer, which looks nothing up: what it accepts is accepted, with a warning where it will not work. */
    public static AdmissionRoutes ofPeer(AdmissionTrials trials) {
        return new AdmissionRoutes(
                null,
                Map.of(
                        AdmissionPath.MACHINE_DEPLOYMENTS,
                        new Route(MACHINE_DEPLOYMENTS_WORD, new MachineDeploymentRule(null)),
                        PROFILES,
                        new Route("operatingsystemprofiles", new OperatingSystemProfileRule(trials, false)),
                        CONFIGS,
                        new Route("operatingsystemconfigs", new OperatingSystemConfigRule())));
    }

    /** Empty when nobody asks there; whether a tenant exists cannot be told from that. */
    Optional<Route> find(String path) {
        Route known = fixed.get(path);
        return known != null ? Optional.of(known) : tenant(path);
    }

    private Optional<Route> tenant(String path) {
        String[] segments = path.split("/", TENANT_SEGMENTS + 1);
        if (hub == null
                || segments.length != TENANT_SEGMENTS
                || !("/" + segments[TENANT_SEGMENTS - 1]).equals(AdmissionPath.MACHINE_DEPLOYMENTS)) {
            return Optional.empty();
        }
        Optional<AdmittedTenant> tenant = hub.tenant(segments[1], segments[2]);
        return tenant.filter(found -> isKey(segments[3], AdmissionPath.segment(found.uid())))
                .map(found -> new Route(MACHINE_DEPLOYMENTS_WORD, new MachineDeploymentRule(found)));
    }

    /** In a time that tells nothing of how much of it is right. */
    private static boolean isKey(String given, String wanted) {
        return MessageDigest.isEqual(given.getBytes(UTF_8), wanted.getBytes(UTF_8));
    }
}
