package io.osmhub.api.http;

import io.osmhub.api.access.Access;
import io.osmhub.api.access.Caller;
import io.osmhub.api.access.Sessions;
import io.osmhub.api.access.Visible;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.schema.Me;
import io.osmhub.api.schema.Me.Right;
import io.osmhub.api.schema.Me.Right.Action;
import io.osmhub.core.model.Sensitive;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Who am I, sign in and out. */
public final class CallerOperations {
    private static final int LISTED = 100;

    private final Access access;
    private final Sessions sessions;
    private final Supplier<? extends Collection<String>> tenants;
    private final String sharedProfiles;

    /**
     * Operations about callers.
     *
     * @param tenants namespaces of all tenants at each moment
     * @param sharedProfiles namespace of the profiles that all tenants may use
     */
    public CallerOperations(
            Access access, Sessions sessions, Supplier<? extends Collection<String>> tenants, String sharedProfiles) {
        this.access = access;
        this.sessions = sessions;
        this.tenants = tenants;
        this.sharedProfiles = sharedProfiles;
    }

    public List<Operation> operations() {
        return List.of(
                Operation.of("getMe", call -> Reply.ok(me(call.caller()))),
                Operation.of("signIn", this::signIn),
                Operation.of("signOut", this::signOut));
    }

    private Reply signIn(Call call) throws ApiProblem {
        Optional<Sessions.Begun> begun =
                sessions.begin(new Sensitive(call.body().path("token").asText()), call.address());
        Sessions.Begun session = begun.orElseThrow(ApiProblem::unauthenticated);
        return Reply.ok(me(session.caller())).with("Set-Cookie", session.cookie());
    }

    private Reply signOut(Call call) {
        call.session().ifPresent(sessions::end);
        return Reply.noContent().with("Set-Cookie", Sessions.endedCookie());
    }

    /** What a caller sees and may change; only what they may see is counted. */
    public Me me(Caller caller) throws ApiProblem {
        Visible clusters = access.visible(caller, Resource.WORKER_CLUSTERS);
        List<String> seen =
                tenants.get().stream().filter(clusters::sees).distinct().toList();
        List<Right> may = new ArrayList<>();
        if (clusters.all() || !seen.isEmpty()) {
            may.add(new Right(Action.VIEW_CLUSTERS, clusters.all() ? null : some(seen)));
        }
        where(caller, Verb.CREATE, Resource.WORKER_CLUSTERS, Action.REGISTER).ifPresent(may::add);
        where(caller, Verb.UPDATE, Resource.WORKER_CLUSTERS, Action.ROTATE).ifPresent(may::add);
        where(caller, Verb.DELETE, Resource.WORKER_CLUSTERS, Action.REMOVE).ifPresent(may::add);
        where(caller, Verb.UPDATE, Resource.OPERATING_SYSTEM_PROFILES, Action.EDIT_PROFILES)
                .ifPresent(may::add);
        if (access.may(caller, Verb.UPDATE, Resource.OPERATING_SYSTEM_PROFILES, sharedProfiles, "")) {
            may.add(new Right(Action.EDIT_SHARED_PROFILES, List.of(sharedProfiles)));
        }
        return new Me(caller.user(), caller.groups(), clusters.all(), seen.size(), may, caller.sessionEnds());
    }

    private Optional<Right> where(Caller caller, Verb verb, Resource resource, Action action) throws ApiProblem {
        Visible allowed = access.visible(caller, verb, resource);
        if (allowed.all()) {
            return Optional.of(new Right(action, null));
        }
        List<String> namespaces =
                tenants.get().stream().filter(allowed::sees).distinct().toList();
        return namespaces.isEmpty() ? Optional.empty() : Optional.of(new Right(action, some(namespaces)));
    }

    private static List<String> some(List<String> namespaces) {
        return namespaces.subList(0, Math.min(LISTED, namespaces.size()));
    }
}
