package io.osmhub.tenancy.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.connection.Permission;
import io.osmhub.tenancy.connection.PermissionReview;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.management.ManagementStore.StoreListeners;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the hub may access Secrets of the management cluster: in all namespaces, or only where a RoleBinding grants it. In the
 * second case the RoleBindings are watched by their name, so that a created or deleted one takes effect at once, and the
 * permissions in a tenant's namespace are reviewed before anything in it is read. No request is sent that would be forbidden.
 * Thread-safe.
 */
public final class TenantAccess {
    /** Name of the ClusterRole with the hub's permissions in a tenant's namespace, and of each RoleBinding of it. */
    public static final String ROLE = "osm-hub-tenant";

    private static final Logger LOG = LoggerFactory.getLogger(TenantAccess.class);
    private static final Duration SCOPE_PERIOD = Duration.ofMinutes(5);
    private static final ExponentialBackoff SCOPE_RETRY =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    /** The authorizer may learn of a RoleBinding a moment later than its watch. */
    private static final ExponentialBackoff BOUND =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
    /** Without the RoleBinding a review only detects a grant by another name; many namespaces may wait. */
    private static final ExponentialBackoff UNBOUND =
            new ExponentialBackoff(Duration.ofMinutes(1), Duration.ofMinutes(1));
    /** Granted by another binding, which is not watched; or the authorizer has not yet learned that the RoleBinding was deleted. */
    private static final ExponentialBackoff OTHERWISE_GRANTED =
            new ExponentialBackoff(Duration.ofSeconds(2), Duration.ofMinutes(5));

    /** Prefix of the user names of ServiceAccounts. */
    public static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    private final RuntimeContext runtimeContext;
    private final PermissionReview review;
    private final KubeApi managementApi;
    private final Consumer<String> changed;
    private final Supplier<ListWatchListener> listener;
    /** Null until started. */
    private volatile @Nullable RenewalLoop scopeReviewLoop;

    private volatile boolean stopped;
    /** Whether all namespaces are accessible; null until reviewed. */
    private volatile @Nullable Boolean everywhere;

    /** The RoleBindings; null until only some namespaces are accessible. */
    private volatile @Nullable ManagementStore<String> bindingStore;

    private @Nullable ListWatchListener bindingListener;
    private volatile String user = "";
    private final Map<String, Verdict> verdicts = new ConcurrentHashMap<>();

    /** @param binding version of the RoleBinding at the time of the review; empty without one */
    private record Verdict(
            String binding,
            @Nullable Problem denied,
            int reviews,
            @Nullable Instant due) {}

    /**
     * Result of a review.
     *
     * @param denied what is missing; null if everything is granted
     * @param recheckAfter delay of the next review; null to wait for a change
     */
    public record ReviewedAccess(
            @Nullable Problem denied, @Nullable Duration recheckAfter) {
        public static final ReviewedAccess GRANTED = new ReviewedAccess(null, null);
    }

    /**
     * Starts nothing yet.
     *
     * @param managementApi rejects no writes: reviews are create requests
     * @param changed receives a namespace whose RoleBinding changed; must not block
     * @param listener creates the listener of the watch of RoleBindings
     */
    public TenantAccess(
            KubeApi managementApi,
            Consumer<String> changed,
            Supplier<ListWatchListener> listener,
            RuntimeContext runtimeContext) {
        this.managementApi = managementApi;
        this.review = new PermissionReview(managementApi);
        this.changed = changed;
        this.runtimeContext = runtimeContext;
        this.listener = listener;
    }

    private static String version(JsonNode binding) {
        return binding.at("/metadata/uid").asText() + "/"
                + binding.at("/metadata/resourceVersion").asText();
    }

    /** The permissions of the ClusterRole; {@code namespace} is empty for all namespaces. */
    public static List<Permission> permissions(String namespace) {
        List<Permission> all = new ArrayList<>();
        for (String verb : List.of("list", "watch", "get", "create", "patch", "delete")) {
            all.add(new Permission(verb, "", "secrets", namespace, ""));
        }
        for (String verb : List.of("list", "watch")) {
            all.add(new Permission(verb, "", "configmaps", namespace, ""));
        }
        return all;
    }

    /**
     * @param onScopeChanged receives whether all namespaces are accessible, when that is known or changes
     * @param settled called after {@code onScopeChanged}, when all methods use the new state
     */
    public void start(Consumer<Boolean> onScopeChanged, Runnable settled) {
        RenewalLoop loop = new RenewalLoop(
                "Review of the permission to read Secrets",
                () -> SCOPE_RETRY,
                () -> reviewScope(onScopeChanged, settled),
                (cause, inARow) -> LOG.atDebug().addKeyValue("cause", cause).log("Could not review permissions"),
                runtimeContext);
        scopeReviewLoop = loop;
        if (stopped) {
            loop.stop();
        }
        loop.wake();
    }

    public void stop() {
        stopped = true;
        RenewalLoop loop = scopeReviewLoop;
        if (loop != null) {
            loop.stop();
        }
        stopBindings();
    }

    private synchronized void startBindings() {
        ListWatchListener reported = listener.get();
        ManagementStore<String> watch = new ManagementStore<>(
                Selection.where(Resource.ROLE_BINDINGS, "", "metadata.name=" + ROLE),
                ManagementStore.reducingMetadata(TenantAccess::version),
                StoreListeners.of((key, before, after, origin) -> changed.accept(key.namespace()), reported),
                runtimeContext);
        bindingStore = watch;
        bindingListener = reported;
        if (!stopped) {
            watch.start(managementApi);
        }
    }

    private synchronized void stopBindings() {
        if (bindingStore != null) {
            bindingStore.close();
            bindingStore = null;
        }
        if (bindingListener != null) {
            bindingListener.onRecovered();
            bindingListener = null;
        }
    }

    /** A request about all namespaces was forbidden. */
    void onForbiddenEverywhere() {
        RenewalLoop loop = scopeReviewLoop;
        if (loop != null) {
            loop.wake();
        }
    }

    /** While all namespaces are accessible, a forbidden watch requests the next review. */
    private @Nullable Duration reviewScope(Consumer<Boolean> onScopeChanged, Runnable settled) throws ApiFailure {
        boolean now = review.missing(permissions("")).isEmpty();
        if (!Boolean.valueOf(now).equals(everywhere)) {
            LOG.info(
                    now
                            ? "Secrets of all namespaces are accessible"
                            : "Secrets are accessible in namespaces with RoleBinding {} only",
                    ROLE);
            if (now) {
                stopBindings();
                onScopeChanged.accept(true);
                everywhere = true;
                verdicts.clear();
            } else {
                everywhere = false;
                onScopeChanged.accept(false);
                startBindings();
            }
            settled.run();
        }
        return now ? null : SCOPE_PERIOD;
    }

    /** Whether the namespaces with the RoleBinding are known; false while all are accessible. */
    boolean areBindingsSynced() {
        ManagementStore<String> watch = bindingStore;
        return watch != null && watch.isSynced();
    }

    /** Namespaces with the RoleBinding; empty while all are accessible. */
    public Set<String> boundNamespaces() {
        ManagementStore<String> watch = bindingStore;
        Set<String> bound = new HashSet<>();
        if (watch != null) {
            watch.keys().forEach(key -> bound.add(key.namespace()));
        }
        return bound;
    }

    public boolean isBound(String namespace) {
        return !binding(namespace).isEmpty();
    }

    /** Version of the RoleBinding; empty without one. */
    private String binding(String namespace) {
        ManagementStore<String> watch = bindingStore;
        String version = watch == null ? null : watch.find(namespace, ROLE);
        return version == null ? "" : version;
    }

    private boolean isEverywhere() {
        return Boolean.TRUE.equals(everywhere);
    }

    /** Reviews the permissions in a namespace unless the last result is still valid. Blocks. */
    public ReviewedAccess review(String namespace) throws ApiFailure {
        if (isEverywhere()) {
            return ReviewedAccess.GRANTED;
        }
        String binding = binding(namespace);
        Instant now = runtimeContext.scheduler().now();
        Verdict verdict = verdicts.get(namespace);
        boolean sameBinding = verdict != null && verdict.binding().equals(binding);
        if (verdict == null || !sameBinding || verdict.due() != null && !now.isBefore(verdict.due())) {
            Verdict before = verdict;
            int reviews = verdict == null || !sameBinding ? 0 : verdict.reviews();
            Problem denied = reviewNow(namespace).orElse(null);
            verdict = new Verdict(
                    binding, denied, reviews + 1, due(denied != null, !binding.isEmpty(), reviews + 1, now));
            verdicts.put(namespace, verdict);
            report(namespace, before, verdict);
        }
        Instant due = verdict.due();
        return new ReviewedAccess(verdict.denied(), due == null ? null : Duration.between(now, due));
    }

    private @Nullable Instant due(boolean denied, boolean bound, int reviews, Instant now) {
        if (bound && !denied) {
            return null;
        }
        ExponentialBackoff backoff = !denied ? OTHERWISE_GRANTED : bound ? BOUND : UNBOUND;
        return now.plus(backoff.delayAfter(reviews, runtimeContext.random()));
    }

    /** What a new review finds missing in a namespace; empty if everything is granted. Blocks. */
    public Optional<Problem> reviewNow(String namespace) throws ApiFailure {
        List<Permission> missing = isEverywhere() ? List.of() : review.missing(permissions(namespace));
        return missing.isEmpty() ? Optional.empty() : Optional.of(denied(namespace, missing, isBound(namespace)));
    }

    private static void report(String namespace, @Nullable Verdict before, Verdict now) {
        Problem denied = now.denied();
        if (denied != null && (before == null || before.denied() == null)) {
            LOG.atWarn()
                    .addKeyValue("tenant", namespace)
                    .addKeyValue("reason", denied.reason().wireName())
                    .log("{}", denied.message());
        } else if (denied == null && before != null && before.denied() != null) {
            LOG.atInfo().addKeyValue("tenant", namespace).log("Permissions in the tenant's namespace granted");
        }
    }

    /** A request in the namespace was forbidden: reviews it again. */
    void onForbidden(String namespace) {
        verdicts.remove(namespace);
        changed.accept(namespace);
    }

    /** The namespace contains no tenant of this replica. */
    public void forget(String namespace) {
        verdicts.remove(namespace);
    }

    /** The problem of the tenants' namespaces that are not accessible, by namespace. */
    public Map<String, Problem> denied() {
        Map<String, Problem> denied = new TreeMap<>();
        verdicts.forEach((namespace, verdict) -> {
            if (verdict.denied() != null) {
                denied.put(namespace, verdict.denied());
            }
        });
        return denied;
    }

    private Problem denied(String namespace, List<Permission> missing, boolean bound) {
        if (user.isEmpty()) {
            user = review.user();
        }
        int more = missing.size() - 1;
        return Reason.TenantPermissionsMissing.with(
                        "tenant",
                        namespace,
                        "user",
                        user.isEmpty() ? "the hub's account" : user,
                        "first",
                        missing.getFirst().toString(),
                        "more",
                        more == 0 ? "" : " (and " + more + " more)",
                        "cause",
                        bound ? "RoleBinding " + ROLE + " does not grant it" : "RoleBinding " + ROLE + " is missing")
                .withCommand(Command.checked(
                        ProblemObject.Cluster.MANAGEMENT,
                        (bound ? "kubectl delete rolebinding " + ROLE + " -n " + namespace + " && " : "")
                                + bindingCommand(namespace, user)));
    }

    /**
     * The command that grants the hub access to a namespace.
     *
     * @param user of the hub; empty if unknown
     */
    public static String bindingCommand(String namespace, String user) {
        String account = user.startsWith(SERVICE_ACCOUNT) ? user.substring(SERVICE_ACCOUNT.length()) : "";
        String subject = user.isEmpty()
                ? "--serviceaccount=osm-hub:osm-hub"
                : account.isEmpty() ? "--user=" + user : "--serviceaccount=" + account;
        return "kubectl create rolebinding " + ROLE + " -n " + namespace + " --clusterrole=" + ROLE + " " + subject;
    }
}
