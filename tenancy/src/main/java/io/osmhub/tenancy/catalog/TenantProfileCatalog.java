package io.osmhub.tenancy.catalog;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SpellingSuggestion;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.workersync.port.ProfileCatalog;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The profiles that one tenant may use: those in its namespace, then those of the shared one. Another namespace is read only
 * if the MachineDeployment names it, the WorkerCluster grants it and the namespace shares its profiles; messages reveal nothing
 * about other namespaces.
 */
public final class TenantProfileCatalog implements ProfileCatalog {
    private static final String NAME_FIELD = "annotation " + MachineDeployment.PROFILE;
    private static final String NAMESPACE_FIELD = "annotation " + MachineDeployment.PROFILE_NAMESPACE;

    private final ProfileLister shelf;
    private final CompiledProfileCache compiled;
    private final String sharedNamespace;
    private final Supplier<ProfileAccess> rights;

    /** @param rights read at each lookup, because they change with the tenant's settings */
    public TenantProfileCatalog(
            ProfileLister shelf,
            CompiledProfileCache compiled,
            String sharedNamespace,
            Supplier<ProfileAccess> rights) {
        this.shelf = shelf;
        this.compiled = compiled;
        this.sharedNamespace = sharedNamespace;
        this.rights = rights;
    }

    @Override
    public ProfileLookupResult find(MachineDeployment machineDeployment) {
        ProfileAccess tenant = rights.get();
        String named = machineDeployment.profileNamespace();
        if (!named.isEmpty()) {
            ProblemFinding refusal = refusal(machineDeployment, named, tenant);
            if (refusal != null) {
                return new ProfileLookupResult.NotUsable(refusal);
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
        return new ProfileLookupResult.NotUsable(
                notFound(machineDeployment, places.stream().distinct().toList(), tenant));
    }

    /** Whether changes in a namespace may affect the tenant. */
    public boolean readsFrom(String namespace) {
        ProfileAccess tenant = rights.get();
        return namespace.equals(tenant.namespace())
                || namespace.equals(sharedNamespace)
                || tenant.granted().contains(namespace);
    }

    private boolean visible(StoredProfile profile, ProfileAccess tenant) {
        return tenant.defaults() || !profile.isDefault() || profile.namespace().equals(tenant.namespace());
    }

    private ProfileLookupResult found(StoredProfile profile) {
        ProfileContent content = profile.content();
        if (content == null) {
            return new ProfileLookupResult.NotUsable(profile.notUsable());
        }
        return new ProfileLookupResult.Found(
                new RenderInput.Profile(profile.namespace(), profile.name(), content.compiled(compiled)));
    }

    private @Nullable ProblemFinding refusal(MachineDeployment machineDeployment, String named, ProfileAccess tenant) {
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
        if (!shelf.offersProfiles(named)) {
            return refused(
                    machineDeployment,
                    named,
                    "offered to",
                    "label that namespace osmhub.io/share-profiles=true, or remove the annotation");
        }
        return null;
    }

    private static ProblemFinding refused(
            MachineDeployment machineDeployment, String named, String state, String cure) {
        return new ProblemFinding(
                Reason.ProfileNamespaceNotGranted.wireName(),
                machineDeployment.describe(),
                NAMESPACE_FIELD,
                MessageFormatter.sanitize(named) + " is not " + state + " this tenant",
                cure);
    }

    private ProblemFinding notFound(MachineDeployment machineDeployment, List<String> places, ProfileAccess tenant) {
        String name = machineDeployment.profileName();
        // Only usable profiles: a suggestion must not reveal others.
        Set<String> known = new TreeSet<>();
        for (String namespace : places) {
            shelf.in(namespace).values().stream()
                    .filter(profile -> visible(profile, tenant))
                    .forEach(profile -> known.add(profile.name()));
        }
        return new ProblemFinding(
                Reason.ProfileNotFound.wireName(),
                machineDeployment.describe(),
                NAME_FIELD,
                "no OperatingSystemProfile " + MessageFormatter.sanitize(name) + " in " + String.join(" or ", places),
                SpellingSuggestion.findClosest(name, known)
                        .map(near -> "did you mean \"" + near + "\"?")
                        .orElse(""));
    }
}
