package io.osmhub.tenancy.concern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.connection.GrantedRules;
import io.osmhub.tenancy.connection.Permission;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodically checks that the hub has all permissions that it needs in the management cluster. While none is missing it sends
 * two rules reviews, for the hub's own namespace and cluster-wide; a permission that they do not list is reviewed individually,
 * because not every authorizer can list its rules.
 */
public final class ManagementPermissionMonitor {
    static final Duration PERIOD = Duration.ofMinutes(5);
    /** Interval while a permission is missing, to detect soon that it was granted. */
    static final Duration SOON = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(ManagementPermissionMonitor.class);

    private final KubeApi api;
    private final List<Permission> needed;
    private final RuntimeContext around;
    private volatile @Nullable String problem;
    private volatile Scheduler.@Nullable ScheduledTask next;
    private volatile boolean stopped;

    public ManagementPermissionMonitor(KubeApi api, List<Permission> needed, RuntimeContext around) {
        this.api = api;
        this.needed = List.copyOf(needed);
        this.around = around;
    }

    public void start() {
        around.blockingExecutor().execute(this::reviewPermissions);
    }

    public void stop() {
        stopped = true;
        Scheduler.ScheduledTask alarm = next;
        if (alarm != null) {
            alarm.cancel();
        }
    }

    /** Problem to report; empty if no permission is missing, or none is known to be. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private void reviewPermissions() {
        Duration wait = SOON;
        try {
            List<Permission> missing = missing();
            problem = missing.isEmpty() ? null : message(missing);
            wait = missing.isEmpty() ? PERIOD : SOON;
        } catch (ApiFailure e) {
            // Keeps the last result; an unreachable API server is reported elsewhere.
            LOG.atDebug().addKeyValue("cause", e.text()).log("Could not review permissions");
        } catch (IOException e) {
            LOG.atDebug().log("Could not review permissions: unexpected response");
        }
        if (!stopped) {
            next = around.scheduler().schedule(wait, this::start);
        }
    }

    private List<Permission> missing() throws ApiFailure, IOException {
        Map<String, GrantedRules> reviewed = new HashMap<>();
        List<Permission> missing = new ArrayList<>();
        for (Permission permission : needed) {
            String in = permission.reviewedIn();
            GrantedRules rules = reviewed.get(in);
            if (rules == null) {
                rules = rules(in);
                reviewed.put(in, rules);
            }
            if (!rules.allows(permission) && !allowed(permission)) {
                missing.add(permission);
            }
        }
        return missing;
    }

    private GrantedRules rules(String in) throws ApiFailure, IOException {
        ObjectNode review = review(Resource.SELF_SUBJECT_RULES_REVIEWS, "SelfSubjectRulesReview");
        review.putObject("spec").put("namespace", in);
        return new GrantedRules(
                post(Resource.SELF_SUBJECT_RULES_REVIEWS, review).path("status"));
    }

    private boolean allowed(Permission permission) throws ApiFailure, IOException {
        ObjectNode review = review(Resource.SELF_SUBJECT_ACCESS_REVIEWS, "SelfSubjectAccessReview");
        int slash = permission.resource().indexOf('/');
        ObjectNode attributes = review.putObject("spec")
                .putObject("resourceAttributes")
                .put("verb", permission.verb())
                .put("group", permission.group())
                .put(
                        "resource",
                        slash < 0
                                ? permission.resource()
                                : permission.resource().substring(0, slash))
                .put("namespace", permission.namespace())
                .put("name", permission.name());
        if (slash >= 0) {
            attributes.put("subresource", permission.resource().substring(slash + 1));
        }
        return post(Resource.SELF_SUBJECT_ACCESS_REVIEWS, review)
                .path("status")
                .path("allowed")
                .asBoolean(false);
    }

    private String message(List<Permission> missing) {
        int more = missing.size() - 1;
        return Reason.ManagementPermissionsMissing.with(
                        "user", user(),
                        "first", missing.getFirst().toString(),
                        "more", more == 0 ? "" : " (and " + more + " more)")
                .message();
    }

    private String user() {
        try {
            String name = post(
                            Resource.SELF_SUBJECT_REVIEWS, review(Resource.SELF_SUBJECT_REVIEWS, "SelfSubjectReview"))
                    .path("status")
                    .path("userInfo")
                    .path("username")
                    .asText("");
            if (!name.isEmpty()) {
                return name;
            }
        } catch (ApiFailure | IOException e) {
            LOG.debug("API servers before 1.28 do not support SelfSubjectReview", e);
        }
        return "the hub's account";
    }

    private static ObjectNode review(Resource resource, String kind) {
        return WireJson.object().put("apiVersion", resource.apiVersion()).put("kind", kind);
    }

    private JsonNode post(Resource resource, JsonNode review) throws ApiFailure, IOException {
        return WireJson.read(api.send(ApiRequest.create(resource, "", WireJson.text(review))));
    }
}
