package io.osmhub.tenancy.concern;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.certificate.HubIssuedCertificate;
import io.osmhub.tenancy.certificate.SessionKeys;
import io.osmhub.tenancy.connection.Permission;
import io.osmhub.tenancy.connection.PermissionReview;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.tenancy.registry.HubIdentityStore;
import io.osmhub.tenancy.registry.TenantAccess;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodically checks that the hub has all permissions that it needs in the management cluster outside the tenants' namespaces.
 * While none is missing it sends two rules reviews, for the hub's own namespace and cluster-wide.
 */
public final class ManagementPermissionMonitor {
    static final Duration PERIOD = Duration.ofMinutes(5);
    /** Interval while a permission is missing, to detect soon that it was granted. */
    static final Duration SOON = Duration.ofSeconds(30);

    private static final ExponentialBackoff RETRY = new ExponentialBackoff(SOON, SOON);

    private static final Logger LOG = LoggerFactory.getLogger(ManagementPermissionMonitor.class);

    private final PermissionReview review;
    private final List<Permission> needed;
    private volatile @Nullable Problem problem;
    private final RenewalLoop renewalLoop;

    public ManagementPermissionMonitor(KubeApi api, List<Permission> needed, RuntimeContext runtimeContext) {
        this.review = new PermissionReview(api);
        this.needed = List.copyOf(needed);
        this.renewalLoop = new RenewalLoop(
                "Review of the hub's permissions",
                () -> RETRY,
                this::reviewPermissions,
                // Keeps the last result; an unreachable API server is reported elsewhere.
                (cause, inARow) -> LOG.atDebug().addKeyValue("cause", cause).log("Could not review permissions"),
                runtimeContext);
    }

    public void start() {
        renewalLoop.wake();
    }

    public void stop() {
        renewalLoop.stop();
    }

    /** Problem to report; empty if no permission is missing, or none is known to be. */
    public Optional<Problem> problem() {
        return Optional.ofNullable(problem);
    }

    private Duration reviewPermissions() throws ApiFailure {
        List<Permission> missing = review.missing(needed);
        problem = missing.isEmpty() ? null : describe(missing);
        return missing.isEmpty() ? PERIOD : SOON;
    }

    private Problem describe(List<Permission> missing) {
        int more = missing.size() - 1;
        String user = review.user();
        return Reason.ManagementPermissionsMissing.with(
                "user", user.isEmpty() ? "the hub's account" : user,
                "first", missing.getFirst().toString(),
                "more", more == 0 ? "" : " (and " + more + " more)");
    }

    /**
     * The permissions that the hub needs in the management cluster: those of deploy/packaging/manifests/rbac-management.yaml, enforced by a
     * test, except those in tenants' namespaces ({@link TenantAccess#permissions}). Disabled features need none.
     *
     * @param sharded replicas share the tenants by Leases
     * @param installsDefinitions the hub installs its CustomResourceDefinitions
     * @param answersCallers the API is enabled
     * @param ownAuthority the hub issues its certificates
     * @param patchesWebhooks the webhooks are enabled, so that their CA must be configured
     */
    public record ManagementPermissions(
            boolean sharded,
            boolean installsDefinitions,
            boolean answersCallers,
            boolean ownAuthority,
            boolean patchesWebhooks) {
        private static final String PROFILES = "operatingsystemmanager.k8c.io";
        private static final String ADMISSION = "admissionregistration.k8s.io";
        private static final String DEFINITIONS = "apiextensions.k8s.io";
        private static final String[] DEFINITION_NAMES = {
            "operatingsystemconfigs.operatingsystemmanager.k8c.io",
            "operatingsystemprofileextensions.osmhub.io",
            "operatingsystemprofiles.operatingsystemmanager.k8c.io",
            "workerclusters.osmhub.io"
        };

        /** Most important first, as displayed. {@code namespace}: the hub's own. */
        public List<Permission> list(String namespace) {
            List<Permission> all = new ArrayList<>();
            add(all, "osmhub.io", "workerclusters", "", "", "get", "list", "watch", "create", "patch", "delete");
            add(all, "", "namespaces", "", "", "list", "watch");
            add(all, "rbac.authorization.k8s.io", "rolebindings", "", TenantAccess.ROLE, "list", "watch");
            add(all, PROFILES, "operatingsystemprofiles", "", "", "get", "list", "watch", "create", "patch");
            add(all, "osmhub.io", "operatingsystemprofileextensions", "", "", "list", "watch");
            add(all, PROFILES, "operatingsystemconfigs", "", "", "get", "list", "watch", "create", "patch", "delete");
            if (sharded) {
                add(all, "coordination.k8s.io", "leases", namespace, "", "get", "list", "watch", "create", "update");
            }
            add(all, "osmhub.io", "workerclusters/status", "", "", "patch");
            add(all, PROFILES, "operatingsystemprofiles/status", "", "", "patch");
            add(all, "osmhub.io", "operatingsystemprofileextensions/status", "", "", "patch");
            add(all, PROFILES, "operatingsystemconfigs/status", "", "", "patch");
            add(all, "events.k8s.io", "events", "", "", "create", "patch");
            if (answersCallers) {
                add(all, "authentication.k8s.io", "tokenreviews", "", "", "create");
                add(all, "authorization.k8s.io", "subjectaccessreviews", "", "", "create");
            }
            add(all, "", "secrets", namespace, "", "create");
            add(all, "", "secrets", namespace, HubIdentityStore.SECRET, "get", "update");
            if (answersCallers) {
                add(all, "", "secrets", namespace, SessionKeys.SECRET, "list", "watch", "update");
            }
            if (ownAuthority) {
                add(all, "", "secrets", namespace, HubIssuedCertificate.SECRET, "list", "watch", "update");
            }
            if (patchesWebhooks) {
                for (String configurations :
                        List.of("validatingwebhookconfigurations", "mutatingwebhookconfigurations")) {
                    add(all, ADMISSION, configurations, "", "osm-hub", "list", "watch", "patch");
                }
            }
            if (installsDefinitions) {
                add(all, DEFINITIONS, "customresourcedefinitions", "", "", "create");
            }
            for (String name : DEFINITION_NAMES) {
                add(all, DEFINITIONS, "customresourcedefinitions", "", name, "get", "list", "watch");
                if (installsDefinitions) {
                    add(all, DEFINITIONS, "customresourcedefinitions", "", name, "patch");
                }
            }
            return List.copyOf(all);
        }

        private static void add(
                List<Permission> all, String group, String resource, String namespace, String name, String... verbs) {
            for (String verb : verbs) {
                all.add(new Permission(verb, group, resource, namespace, name));
            }
        }
    }
}
