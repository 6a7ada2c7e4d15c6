package io.osmhub.api.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.admission.AdmissionReviewJson.AdmissionRequest;
import io.osmhub.tenancy.admission.AdmissionPath;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.admission.AdmissionView.AdmittedTenant;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Admission rules by path. The management cluster uses OSM's paths and {@code /workercluster}; each worker cluster uses a secret path
 * for its own tenant only.
 */
public final class AdmissionRoutes {
    static final String PROFILES = "/operatingsystemprofile";
    static final String EXTENSIONS = "/operatingsystemprofileextension";
    static final String CONFIGS = "/operatingsystemconfig";
    static final String WORKER_CLUSTERS = "/workercluster";

    private static final String MACHINE_DEPLOYMENTS_WORD = "machinedeployments";
    private static final int TENANT_SEGMENTS = 5;

    private final @Nullable AdmissionView admissionView;
    private final Map<String, AdmissionRoute> fixed;

    /**
     * The rule of a path.
     *
     * @param word of the webhook in metrics
     */
    record AdmissionRoute(String word, AdmissionRule rule) {}

    private AdmissionRoutes(@Nullable AdmissionView admissionView, Map<String, AdmissionRoute> fixed) {
        this.admissionView = admissionView;
        this.fixed = fixed;
    }

    /**
     * The hub's routes.
     *
     * @param access permissions of users, uncached: a permission granted a moment ago counts
     */
    public static AdmissionRoutes of(AdmissionView admissionView, ProfileRenderCheck trials, CallerAuthorizer access) {
        return new AdmissionRoutes(
                admissionView,
                Map.of(
                        AdmissionPath.MACHINE_DEPLOYMENTS,
                        new AdmissionRoute(MACHINE_DEPLOYMENTS_WORD, review -> new MachineDeploymentRule(
                                        admissionView.local().orElse(null))
                                .review(review)),
                        PROFILES,
                        new AdmissionRoute(
                                "operatingsystemprofiles", new OperatingSystemProfileRule(trials, true, admissionView)),
                        EXTENSIONS,
                        new AdmissionRoute("operatingsystemprofileextensions", new ProfileExtensionRule(admissionView)),
                        CONFIGS,
                        new AdmissionRoute("operatingsystemconfigs", new OperatingSystemConfigRule()),
                        WORKER_CLUSTERS,
                        new AdmissionRoute("workerclusters", new WorkerClusterAdmissionRule(admissionView, access))));
    }

    /** OSM's routes, which perform no lookups: they accept what OSM accepts, with warnings about what will not work. */
    public static AdmissionRoutes ofOsm(ProfileRenderCheck trials) {
        return new AdmissionRoutes(
                null,
                Map.of(
                        AdmissionPath.MACHINE_DEPLOYMENTS,
                        new AdmissionRoute(MACHINE_DEPLOYMENTS_WORD, new MachineDeploymentRule(null)),
                        PROFILES,
                        new AdmissionRoute(
                                "operatingsystemprofiles", new OperatingSystemProfileRule(trials, false, null)),
                        CONFIGS,
                        new AdmissionRoute("operatingsystemconfigs", new OperatingSystemConfigRule())));
    }

    /** Empty for unknown paths; does not reveal whether a tenant exists. */
    Optional<AdmissionRoute> find(String path) {
        AdmissionRoute known = fixed.get(path);
        return known != null ? Optional.of(known) : tenant(path);
    }

    private Optional<AdmissionRoute> tenant(String path) {
        String[] segments = path.split("/", TENANT_SEGMENTS + 1);
        if (admissionView == null
                || segments.length != TENANT_SEGMENTS
                || !("/" + segments[TENANT_SEGMENTS - 1]).equals(AdmissionPath.MACHINE_DEPLOYMENTS)) {
            return Optional.empty();
        }
        Optional<AdmittedTenant> tenant = admissionView.tenant(segments[1], segments[2]);
        return tenant.filter(found -> isKey(segments[3], AdmissionPath.segment(found.uid())))
                .map(found -> new AdmissionRoute(MACHINE_DEPLOYMENTS_WORD, new MachineDeploymentRule(found)));
    }

    /** Constant-time comparison. */
    private static boolean isKey(String given, String wanted) {
        return MessageDigest.isEqual(given.getBytes(UTF_8), wanted.getBytes(UTF_8));
    }

    /** Decides admission requests for one kind. Runs on a virtual thread and may block. Thread-safe. */
    @FunctionalInterface
    interface AdmissionRule {
        AdmissionResponse review(AdmissionRequest review);
    }
}
