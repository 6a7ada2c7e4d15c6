package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.GrantKind;
import io.osmhub.core.plan.GrantObject;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.workersync.apiserver.Verb;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The object that a change is about, in the words of messages.
 *
 * @param resource as in permissions
 * @param verb the request that a change is, or ends with
 * @param lastWriter field manager of what was found; null when nothing was, or it is not known
 */
record Target(
        String kind,
        String resource,
        String namespace,
        String name,
        Verb verb,
        @Nullable String lastWriter) {
    static Target of(Change change) {
        return switch (change) {
            case Change.OfFinalizer finalizer -> {
                MachineDeployment found = finalizer.found();
                yield new Target(
                        "MachineDeployment", "machinedeployments", found.namespace(), found.name(), Verb.PATCH, null);
            }
            case Change.CreateToken create ->
                secret(create.object().namespace(), create.object().name(), Verb.CREATE, null);
            case Change.ExtendToken extend -> token(extend.found(), Verb.PATCH);
            case Change.DeleteToken delete -> token(delete.found(), Verb.DELETE);
            case Change.CreateSecret create ->
                secret(create.object().namespace(), create.object().name(), Verb.CREATE, null);
            case Change.UpdateSecret update -> secret(update.found(), Verb.PATCH);
            case Change.StampSecret stamp -> secret(stamp.found(), Verb.PATCH);
            case Change.ReplaceSecret replace -> secret(replace.found(), Verb.CREATE);
            case Change.DeleteSecret delete -> secret(delete.found(), Verb.DELETE);
            case Change.SwapToken swap -> secret(swap.found(), Verb.PATCH);
            case Change.CreateGrant create -> grant(create.object(), Verb.CREATE, null);
            case Change.UpdateGrant update ->
                grant(update.object(), Verb.PATCH, update.found().lastWriter());
            case Change.ReplaceGrant replace ->
                grant(replace.object(), Verb.CREATE, replace.found().lastWriter());
            case Change.DeleteGrant delete -> grant(delete.found(), Verb.DELETE);
            case Change.RequestToken request ->
                new Target(
                        GrantKind.ACCOUNT.kind(),
                        GrantKind.ACCOUNT.plural() + "/token",
                        ObjectNames.SETTINGS_NAMESPACE,
                        request.account(),
                        Verb.CREATE,
                        null);
            case Change.CreateConfig create ->
                config(create.config().namespace(), create.config().name(), Verb.CREATE, null);
            case Change.ReplaceConfig replace -> config(replace.found(), Verb.CREATE);
            case Change.DeleteConfig delete -> config(delete.found(), Verb.DELETE);
        };
    }

    private static Target grant(GrantObject object, Verb verb, @Nullable String lastWriter) {
        return new Target(
                object.kind().kind(),
                object.kind().plural(),
                ObjectNames.SETTINGS_NAMESPACE,
                object.name(),
                verb,
                lastWriter);
    }

    private static Target grant(StoredGrant found, Verb verb) {
        return new Target(
                found.kind().kind(),
                found.kind().plural(),
                ObjectNames.SETTINGS_NAMESPACE,
                found.name(),
                verb,
                found.lastWriter());
    }

    /** Whether it is for a token of a single MachineDeployment, which needs rights of its own. */
    boolean isGrant() {
        return Stream.of(GrantKind.values()).anyMatch(grant -> grant.kind().equals(kind));
    }

    /** Whether it lies in the worker cluster. */
    boolean inWorker() {
        return !resource.equals("operatingsystemconfigs");
    }

    /** As in metrics. */
    String shortKind() {
        return inWorker() ? namespace.equals(ObjectNames.TOKEN_NAMESPACE) || isGrant() ? "token" : "secret" : "osc";
    }

    private static Target token(StoredToken found, Verb verb) {
        return secret(ObjectNames.TOKEN_NAMESPACE, found.name(), verb, found.lastWriter());
    }

    private static Target secret(StoredSecret found, Verb verb) {
        return secret(found.namespace(), found.name(), verb, found.lastWriter());
    }

    private static Target secret(String namespace, String name, Verb verb, @Nullable String lastWriter) {
        return new Target("Secret", "secrets", namespace, name, verb, lastWriter);
    }

    private static Target config(StoredConfig found, Verb verb) {
        return config(found.namespace(), found.name(), verb, found.lastWriter());
    }

    private static Target config(String namespace, String name, Verb verb, @Nullable String lastWriter) {
        return new Target("OperatingSystemConfig", "operatingsystemconfigs", namespace, name, verb, lastWriter);
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
