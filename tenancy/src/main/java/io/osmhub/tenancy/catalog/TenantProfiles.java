package io.osmhub.tenancy.catalog;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.RenderInput;
import io.osmhub.workersync.port.ProfileCatalog;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The profiles as one tenant sees them: those of its own namespace, then those of the shared one. Another namespace is looked
 * into only when the MachineDeployment names it, the WorkerCluster grants it and the namespace offers itself; what is said about
 * any other tells nothing of what is in it.
 */
public final class TenantProfiles implements ProfileCatalog {
    private static final String NAME_FIELD = "annotation " + MachineDeployment.PROFILE;
    private static final String NAMESPACE_FIELD = "annotation " + MachineDeployment.PROFILE_NAMESPACE;

    private final ProfileShelf shelf;
    private final CompiledProfiles compiled;
    private final String sharedNamespace;
    private final Supplier<ProfileRights> rights;

    /** @param rights asked at each look-up: they change with the tenant's settings */
    public TenantProfiles(
            ProfileShelf shelf, CompiledProfiles compiled, String sharedNamespace, Supplier<ProfileRights> rights) {
        this.shelf = shelf;
        this.compiled = compiled;
        this.sharedNamespace = sharedNamespace;
        this.rights = rights;
    }

    @Override
    public Lookup find(MachineDeployment machineDeployment) {
        ProfileRights tenant = rights.get();
        String named = machineDeployment.profileNamespace();
        if (!named.isEmpty()) {
            Finding refusal = refusal(machineDeployment, named, tenant);
            if (refusal != null) {
                return new Lookup.NotUsable(refusal);
            }
        }
        List<String> places = named.isEmpty() ? List.of(tenant.namespace(), sharedNamespace) : List.of(named);
        String name = machineDeployment.profileName();
        for (String namespace : places) {
            StoredProfile profile = shelf.in(namespace).get(name);
            if (profile != null && visible(profile, tenant)) {
                return found(profile);
            }
        }
        return new Lookup.NotUsable(
                notFound(machineDeployment, places.stream().distinct().toList(), tenant));
    }

    /** Whether the tenant may look into a namespace at all: a change there may concern it. */
    public boolean looksInto(String namespace) {
        ProfileRights tenant = rights.get();
        return namespace.equals(tenant.namespace())
                || namespace.equals(sharedNamespace)
                || tenant.granted().contains(namespace);
    }

    private boolean visible(StoredProfile profile, ProfileRights tenant) {
        return tenant.defaults() || !profile.isDefault() || profile.namespace().equals(tenant.namespace());
    }

    private Lookup found(StoredProfile profile) {
        ProfileContent content = profile.content();
        if (content == null) {
            return new Lookup.NotUsable(profile.notUsable());
        }
        return new Lookup.Found(
                new RenderInput.Profile(profile.namespace(), profile.name(), content.compiled(compiled)));
    }

    private @Nullable Finding refusal(MachineDeployment machineDeployment, String named, ProfileRights tenant) {
        if (named.equals(tenant.namespace()) || named.equals(sharedNamespace)) {
            return null;
        }
        if (!tenant.granted().contains(named)) {
            return refused(
                    machineDeployment,
                    named,
                    "granted to",
                    "add it to spec.profiles.namespaces of the WorkerCluster, or remove the annotation");
        }
        if (!shelf.offers(named)) {
            return refused(
                    machineDeployment,
                    named,
                    "offered to",
                    "label that namespace osmhub.io/share-profiles=true, or remove the annotation");
        }
        return null;
    }

    private static Finding refused(MachineDeployment machineDeployment, String named, String state, String cure) {
        return new Finding(
                Reason.ProfileNamespaceNotGranted.word(),
                machineDeployment.describe(),
                NAMESPACE_FIELD,
                Message.clean(named) + " is not " + state + " this tenant",
                cure);
    }

    private Finding notFound(MachineDeployment machineDeployment, List<String> places, ProfileRights tenant) {
        String name = machineDeployment.profileName();
        // Only from what the tenant may use: a suggestion must not tell it of others' profiles.
        Set<String> known = new TreeSet<>();
        for (String namespace : places) {
            shelf.in(namespace).values().stream()
                    .filter(profile -> visible(profile, tenant))
                    .forEach(profile -> known.add(profile.name()));
        }
        return new Finding(
                Reason.ProfileNotFound.word(),
                machineDeployment.describe(),
                NAME_FIELD,
                "no OperatingSystemProfile " + Message.clean(name) + " in " + String.join(" or ", places),
                Suggestion.closest(name, known)
                        .map(near -> "did you mean \"" + near + "\"?")
                        .orElse(""));
    }
}
