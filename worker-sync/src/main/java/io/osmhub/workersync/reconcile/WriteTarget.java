package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.DesiredGrant;
import io.osmhub.core.plan.DesiredGrant.GrantKind;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.workersync.apiserver.Verb;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The object of a change, as named in messages.
 *
 * @param resource as in permissions
 * @param verb the last request of the change
 * @param lastWriter field manager of the existing object; null if there is none or it is unknown
 */
record WriteTarget(
        String kind,
        String resource,
        String namespace,
        String name,
        Verb verb,
        @Nullable String lastWriter) {
    static WriteTarget of(PlannedChange change) {
        return switch (change) {
            case PlannedChange.FinalizerChange finalizer -> {
                MachineDeployment found = finalizer.found();
                yield new WriteTarget(
                        "MachineDeployment", "machinedeployments", found.namespace(), found.name(), Verb.PATCH, null);
            }
            case PlannedChange.CreateToken create ->
                secret(create.object().namespace(), create.object().name(), Verb.CREATE, null);
            case PlannedChange.ExtendToken extend -> token(extend.found(), Verb.PATCH);
            case PlannedChange.DeleteToken delete -> token(delete.found(), Verb.DELETE);
            case PlannedChange.CreateSecret create ->
                secret(create.object().namespace(), create.object().name(), Verb.CREATE, null);
            case PlannedChange.UpdateSecret update -> secret(update.found(), Verb.PATCH);
            case PlannedChange.AnnotateSecret stamp -> secret(stamp.found(), Verb.PATCH);
            case PlannedChange.ReplaceSecret replace -> secret(replace.found(), Verb.CREATE);
            case PlannedChange.DeleteSecret delete -> secret(delete.found(), Verb.DELETE);
            case PlannedChange.ReplaceFetchToken swap -> secret(swap.found(), Verb.PATCH);
            case PlannedChange.CreateGrant create -> grant(create.object(), Verb.CREATE, null);
            case PlannedChange.UpdateGrant update ->
                grant(update.object(), Verb.PATCH, update.found().lastWriter());
            case PlannedChange.ReplaceGrant replace ->
                grant(replace.object(), Verb.CREATE, replace.found().lastWriter());
            case PlannedChange.DeleteGrant delete -> grant(delete.found(), Verb.DELETE);
            case PlannedChange.RequestFetchToken request ->
                new WriteTarget(
                        GrantKind.ACCOUNT.kind(),
                        GrantKind.ACCOUNT.plural() + "/token",
                        ObjectNames.SETTINGS_NAMESPACE,
                        request.account(),
                        Verb.CREATE,
                        null);
            case PlannedChange.CreateConfig create ->
                config(create.config().namespace(), create.config().name(), Verb.CREATE, null);
            case PlannedChange.AnnotateConfig stamp -> config(stamp.found(), Verb.PATCH);
            case PlannedChange.ReplaceConfig replace -> config(replace.found(), Verb.CREATE);
            case PlannedChange.DeleteConfig delete -> config(delete.found(), Verb.DELETE);
        };
    }

    private static WriteTarget grant(DesiredGrant object, Verb verb, @Nullable String lastWriter) {
        return new WriteTarget(
                object.kind().kind(),
                object.kind().plural(),
                ObjectNames.SETTINGS_NAMESPACE,
                object.name(),
                verb,
                lastWriter);
    }

    private static WriteTarget grant(StoredGrant found, Verb verb) {
        return new WriteTarget(
                found.kind().kind(),
                found.kind().plural(),
                ObjectNames.SETTINGS_NAMESPACE,
                found.name(),
                verb,
                found.lastWriter());
    }

    /** Whether the write belongs to a MachineDeployment's own fetch token, which requires additional permissions. */
    boolean isGrant() {
        return Stream.of(GrantKind.values()).anyMatch(grant -> grant.kind().equals(kind));
    }

    boolean inWorker() {
        return !resource.equals("operatingsystemconfigs");
    }

    /** As in metrics. */
    String shortKind() {
        return inWorker() ? namespace.equals(ObjectNames.TOKEN_NAMESPACE) || isGrant() ? "token" : "secret" : "osc";
    }

    private static WriteTarget token(StoredToken found, Verb verb) {
        return secret(ObjectNames.TOKEN_NAMESPACE, found.name(), verb, found.lastWriter());
    }

    private static WriteTarget secret(StoredSecret found, Verb verb) {
        return secret(found.namespace(), found.name(), verb, found.lastWriter());
    }

    private static WriteTarget secret(String namespace, String name, Verb verb, @Nullable String lastWriter) {
        return new WriteTarget("Secret", "secrets", namespace, name, verb, lastWriter);
    }

    private static WriteTarget config(StoredConfig found, Verb verb) {
        return config(found.namespace(), found.name(), verb, found.lastWriter());
    }

    private static WriteTarget config(String namespace, String name, Verb verb, @Nullable String lastWriter) {
        return new WriteTarget("OperatingSystemConfig", "operatingsystemconfigs", namespace, name, verb, lastWriter);
    }

    /** {@code namespace/name}. */
    String fullName() {
        return namespace + "/" + name;
    }

    @Override
    public String toString() {
        return kind + " " + fullName();
    }
}
