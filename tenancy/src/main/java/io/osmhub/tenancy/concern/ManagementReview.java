package io.osmhub.tenancy.concern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.connection.GrantedRules;
import io.osmhub.tenancy.connection.Permission;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Surroundings;
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
 * Asks the management cluster, now and then, whether the hub may do all that it has to. Two questions while nothing is missing:
 * what the rules say in the hub's own namespace, and everywhere; what they seem not to grant is asked for by itself, because
 * not every authorizer can list its rules.
 */
public final class ManagementReview {
    static final Duration PERIOD = Duration.ofMinutes(5);
    /** While something is missing, so that it is soon seen that it was granted. */
    static final Duration SOON = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(ManagementReview.class);

    private final KubeApi api;
    private final List<Permission> needed;
    private final Surroundings around;
    private volatile @Nullable String problem;
    private volatile Timers.@Nullable Timer next;
    private volatile boolean stopped;

    /** A review that has not asked yet. */
    public ManagementReview(KubeApi api, List<Permission> needed, Surroundings around) {
        this.api = api;
        this.needed = List.copyOf(needed);
        this.around = around;
    }

    /** Begins to ask. */
    public void start() {
        around.waiting().execute(this::ask);
    }

    /** Asks no more. */
    public void stop() {
        stopped = true;
        Timers.Timer alarm = next;
        if (alarm != null) {
            alarm.cancel();
        }
    }

    /** What people are to know; empty while nothing is missing, or nothing is known. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private void ask() {
        Duration wait = SOON;
        try {
            List<Permission> missing = missing();
            problem = missing.isEmpty() ? null : message(missing);
            wait = missing.isEmpty() ? PERIOD : SOON;
        } catch (ApiFailure e) {
            // Who cannot ask knows nothing new; that the API server does not answer is told elsewhere.
            LOG.atDebug().addKeyValue("cause", e.text()).log("Permissions were not reviewed");
        } catch (IOException e) {
            LOG.atDebug().log("Unexpected response to a review of permissions: not a review");
        }
        if (!stopped) {
            next = around.timers().after(wait, this::start);
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
            if (!rules.allow(permission) && !allowed(permission)) {
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
        return Message.of(
                Reason.ManagementPermissionsMissing,
                Map.of(
                        "user", user(),
                        "first", missing.getFirst().toString(),
                        "more", more == 0 ? "" : " (and " + more + " more)"));
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
            LOG.debug("API servers before 1.28 do not say who asks", e);
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
