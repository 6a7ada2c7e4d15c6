package io.osmhub.api.http;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.SessionCookies;
import io.osmhub.api.access.VisibleTenants;
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

/** Identity of the caller, sign-in and sign-out. */
public final class CallerOperations {
    private static final int LISTED = 10_000;

    private final CallerAuthorizer authorizer;
    private final SessionCookies sessions;
    private final Supplier<? extends Collection<String>> tenants;
    private final String sharedProfiles;

    /**
     * The operations.
     *
     * @param tenants current namespaces of all tenants
     * @param sharedProfiles namespace of the profiles that all tenants may use
     */
    public CallerOperations(
            CallerAuthorizer authorizer,
            SessionCookies sessions,
            Supplier<? extends Collection<String>> tenants,
            String sharedProfiles) {
        this.authorizer = authorizer;
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
        Optional<SessionCookies.NewSession> begun =
                sessions.startSession(new Sensitive(call.body().path("token").asText()), call.address());
        SessionCookies.NewSession session = begun.orElseThrow(ApiProblem::unauthenticated);
        return Reply.ok(me(session.caller())).withHeader("Set-Cookie", session.cookie());
    }

    private Reply signOut(Call call) {
        call.session().ifPresent(sessions::endSession);
        return Reply.noContent().withHeader("Set-Cookie", SessionCookies.endedCookie());
    }

    /** What a caller may see and change; counts only visible objects. */
    public Me me(Caller caller) throws ApiProblem {
        VisibleTenants clusters = authorizer.findVisibleTenants(caller, Resource.WORKER_CLUSTERS);
        List<String> seen =
                tenants.get().stream().filter(clusters::includes).distinct().toList();
        List<Right> may = new ArrayList<>();
        if (clusters.includesAll() || !seen.isEmpty()) {
            may.add(new Right(Action.VIEW_CLUSTERS, clusters.includesAll() ? null : some(seen)));
        }
        where(caller, Verb.CREATE, Resource.WORKER_CLUSTERS, Action.REGISTER).ifPresent(may::add);
        where(caller, Verb.UPDATE, Resource.WORKER_CLUSTERS, Action.ROTATE).ifPresent(may::add);
        where(caller, Verb.DELETE, Resource.WORKER_CLUSTERS, Action.REMOVE).ifPresent(may::add);
        where(caller, Verb.UPDATE, Resource.OPERATING_SYSTEM_PROFILES, Action.EDIT_PROFILES)
                .ifPresent(may::add);
        inSharedProfiles(caller, Verb.LIST, Action.VIEW_SHARED_PROFILES).ifPresent(may::add);
        inSharedProfiles(caller, Verb.UPDATE, Action.EDIT_SHARED_PROFILES).ifPresent(may::add);
        return new Me(caller.user(), caller.groups(), clusters.includesAll(), seen.size(), may, caller.sessionEnds());
    }

    private Optional<Right> inSharedProfiles(Caller caller, Verb verb, Action action) throws ApiProblem {
        return authorizer.isAllowed(caller, verb, Resource.OPERATING_SYSTEM_PROFILES, sharedProfiles, "")
                ? Optional.of(new Right(action, List.of(sharedProfiles)))
                : Optional.empty();
    }

    private Optional<Right> where(Caller caller, Verb verb, Resource resource, Action action) throws ApiProblem {
        VisibleTenants allowed = authorizer.findVisibleTenants(caller, verb, resource);
        if (allowed.includesAll()) {
            return Optional.of(new Right(action, null));
        }
        List<String> namespaces =
                tenants.get().stream().filter(allowed::includes).distinct().toList();
        return namespaces.isEmpty() ? Optional.empty() : Optional.of(new Right(action, some(namespaces)));
    }

    private static List<String> some(List<String> namespaces) {
        return namespaces.subList(0, Math.min(LISTED, namespaces.size()));
    }
}
