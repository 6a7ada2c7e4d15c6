package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.ProfileCompatibility;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.tenancy.catalog.ProfileCache.ProfileContentInterner;
import io.osmhub.tenancy.catalog.StoredProfile.ProfileContent;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileLister;
import io.osmhub.workersync.port.ProfileCatalog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The profiles that one tenant may use: those in its namespace, in KKP mode those in its worker cluster, then those of the shared
 * namespace. Another namespace is read only if the MachineDeployment names it, the WorkerCluster grants it and the namespace
 * shares its profiles; messages reveal nothing about other namespaces.
 */
public final class TenantProfileCatalog implements ProfileCatalog {
    private static final String NAME_FIELD = "annotation " + MachineDeployment.PROFILE;
    /** In place of a namespace of the management cluster, and in messages; not a valid name of one. */
    static final String WORKER_CLUSTER = WorkerProfileCache.NAMESPACE + " of the worker cluster";

    private static final String NAMESPACE_FIELD = "annotation " + MachineDeployment.PROFILE_NAMESPACE;

    private final ProfileLister profileLister;
    private final CompiledProfileCache compiled;
    private final String sharedNamespace;
    private final Supplier<ProfileAccess> profileAccess;
    private final ExtensionAccess extensionAccess;

    /** @param profileAccess read at each lookup, because they change with the tenant's settings */
    public TenantProfileCatalog(
            ProfileLister profileLister,
            CompiledProfileCache compiled,
            String sharedNamespace,
            Supplier<ProfileAccess> profileAccess,
            ExtensionAccess extensionAccess) {
        this.profileLister = profileLister;
        this.extensionAccess = extensionAccess;
        this.compiled = compiled;
        this.sharedNamespace = sharedNamespace;
        this.profileAccess = profileAccess;
    }

    @Override
    public LookupResult<RenderInput.Profile> find(MachineDeployment machineDeployment) {
        ProfileAccess tenant = profileAccess.get();
        String named = machineDeployment.profileNamespace();
        boolean worker = profileLister.readsWorkerCluster();
        boolean ofWorker = worker && named.equals(WorkerProfileCache.NAMESPACE);
        if (!named.isEmpty() && !ofWorker) {
            Problem refusal = refusal(machineDeployment, named, tenant);
            if (refusal != null) {
                return LookupResult.missing(refusal);
            }
        }
        List<String> places;
        if (ofWorker) {
            places = List.of(WORKER_CLUSTER);
        } else if (!named.isEmpty()) {
            places = List.of(named);
        } else {
            places = worker
                    ? List.of(tenant.namespace(), WORKER_CLUSTER, sharedNamespace)
                    : List.of(tenant.namespace(), sharedNamespace);
        }
        String name = machineDeployment.profileName();
        for (String place : places) {
            StoredProfile profile = profileLister.in(place).get(name);
            if (profile != null && visible(profile, tenant)) {
                return found(profile, places, tenant, machineDeployment);
            }
            String denied = place.equals(WORKER_CLUSTER) ? profileLister.deniedByWorkerCluster() : "";
            if (!denied.isEmpty()) {
                // A shared profile of the same name could replace what is published.
                return LookupResult.missing(new Problem(
                        Reason.ProfileNotFound,
                        machineDeployment.describe(),
                        NAME_FIELD,
                        "profiles in " + WORKER_CLUSTER + " cannot be read (" + denied + ")",
                        "grant the user of the kubeconfig list and watch on operatingsystemprofiles there"));
            }
        }
        return LookupResult.missing(
                notFound(machineDeployment, places.stream().distinct().toList(), tenant));
    }

    /** Whether changes in a namespace may affect the tenant. */
    public boolean readsFrom(String namespace) {
        ProfileAccess tenant = profileAccess.get();
        return namespace.equals(tenant.namespace())
                || namespace.equals(sharedNamespace)
                || tenant.granted().contains(namespace);
    }

    private boolean visible(StoredProfile profile, ProfileAccess tenant) {
        return tenant.defaults() || !profile.isDefault() || profile.namespace().equals(tenant.namespace());
    }

    private LookupResult<RenderInput.Profile> found(
            StoredProfile profile, List<String> places, ProfileAccess tenant, MachineDeployment machineDeployment) {
        ProfileContent content = profile.content();
        if (content == null) {
            return LookupResult.missing(profile.notUsable());
        }
        RenderInput.Profile base = new RenderInput.Profile(
                profile.namespace(),
                profile.name(),
                content.compiled(compiled),
                AppliedExtensions.NONE,
                () -> alternatives(profile.name(), places, tenant));
        return extended(base, content.spec().osName(), tenant.namespace(), machineDeployment);
    }

    /** A profile that need not be stored, with the extensions that apply to a MachineDeployment. */
    public LookupResult<RenderInput.Profile> extend(StoredProfile profile, MachineDeployment machineDeployment) {
        return found(profile, List.of(), profileAccess.get(), machineDeployment);
    }

    private LookupResult<RenderInput.Profile> extended(
            RenderInput.Profile base, String osName, String own, MachineDeployment machineDeployment) {
        Map<String, String> labels = extensionAccess.labels().get();
        List<CompiledExtension> candidates = new ArrayList<>();
        Map<String, Problem> unreadable = new HashMap<>();
        addUnreadableKind(unreadable, machineDeployment);
        for (String namespace : own.equals(sharedNamespace) ? List.of(own) : List.of(sharedNamespace, own)) {
            for (StoredExtension extension : extensionAccess.in(namespace)) {
                CompiledExtension content = extension.compiled();
                if (content == null) {
                    unreadable.put(extension.path(), extension.mistakes().getFirst());
                } else if (!namespace.equals(sharedNamespace)
                        || content.target().includesTenant(labels)) {
                    candidates.add(content);
                }
            }
        }
        // The kind may have become unreadable meanwhile.
        addUnreadableKind(unreadable, machineDeployment);
        try {
            return LookupResult.of(base.with(new AppliedExtensions.Candidates(sharedNamespace, candidates)
                    .select(base.name(), osName, machineDeployment)
                    .withUnreadable(unreadable)));
        } catch (TenantMistake e) {
            // What is not found may be among them.
            return LookupResult.missing(Stream.concat(unreadable.values().stream(), e.findings().stream())
                    .toList());
        }
    }

    private void addUnreadableKind(Map<String, Problem> unreadable, MachineDeployment machineDeployment) {
        extensionAccess
                .extensionLister()
                .unreadable()
                .ifPresent(problem -> unreadable.put("", problem.withObject(machineDeployment.describe())));
    }

    private SortedMap<String, OperatingSystemProfile.Spec> alternatives(
            String except, List<String> places, ProfileAccess tenant) {
        SortedMap<String, OperatingSystemProfile.Spec> others = new TreeMap<>();
        for (String namespace : places) {
            for (StoredProfile other : profileLister.in(namespace).values()) {
                ProfileContent content = other.content();
                // A profile of the tenant hides the shared one of its name.
                if (content != null && visible(other, tenant) && !other.name().equals(except)) {
                    others.putIfAbsent(other.name(), content.spec());
                }
            }
        }
        return others;
    }

    private @Nullable Problem refusal(MachineDeployment machineDeployment, String named, ProfileAccess tenant) {
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
        if (!profileLister.offersProfiles(named)) {
            return refused(machineDeployment, named, "offered to", "label that namespace, or remove the annotation")
                    .withCommand(Command.management("kubectl label namespace {} osmhub.io/share-profiles=true", named));
        }
        return null;
    }

    private static Problem refused(MachineDeployment machineDeployment, String named, String state, String cure) {
        return new Problem(
                Reason.ProfileNamespaceNotGranted,
                machineDeployment.describe(),
                NAMESPACE_FIELD,
                "namespace " + MessageFormatter.quote(named) + " is not " + state + " this tenant",
                cure);
    }

    private Problem notFound(MachineDeployment machineDeployment, List<String> places, ProfileAccess tenant) {
        String name = machineDeployment.profileName();
        // Only usable profiles: a suggestion must not reveal others.
        SortedMap<String, OperatingSystemProfile.Spec> known = alternatives(name, places, tenant);
        Problem problem = new Problem(
                Reason.ProfileNotFound,
                machineDeployment.describe(),
                NAME_FIELD,
                "no OperatingSystemProfile " + MessageFormatter.quote(name) + " in " + String.join(" or ", places),
                "");
        return SpellingSuggestion.findClosest(name, known.keySet())
                .map(near -> problem.withFix(
                        "did you mean \"" + near + "\"? Set it", machineDeployment.profileCommand(near)))
                .or(() -> ProfileCompatibility.findCompatible(known, machineDeployment)
                        .map(other -> problem.withFix(
                                "create it, or use " + other + ", which supports this MachineDeployment",
                                machineDeployment.profileCommand(other))))
                .orElseGet(() -> problem.withFix(
                        "set an existing profile",
                        Command.management("kubectl -n {} get operatingsystemprofiles", places.getLast())));
    }

    /**
     * The extensions of a tenant.
     *
     * @param labels of the WorkerCluster, read at each lookup
     * @param proposed for a preview: replace stored ones of the same namespace and name
     */
    public record ExtensionAccess(
            ExtensionLister extensionLister, Supplier<Map<String, String>> labels, List<StoredExtension> proposed) {
        /** Without any extension. */
        public static final ExtensionAccess NONE = new ExtensionAccess(ExtensionLister.NONE, Map::of, List.of());

        private Collection<StoredExtension> in(String namespace) {
            Map<String, StoredExtension> all = new HashMap<>(extensionLister.in(namespace));
            proposed.stream().filter(one -> one.namespace().equals(namespace)).forEach(one -> all.put(one.name(), one));
            return all.values();
        }
    }

    /** Extensions by namespace, for {@link TenantProfileCatalog}. Thread-safe. */
    public interface ExtensionLister {
        /** Without any extension. */
        ExtensionLister NONE = namespace -> Map.of();

        /** Extensions of one namespace by name. */
        Map<String, StoredExtension> in(String namespace);

        /** Why no extension can be read; empty if they can. */
        default Optional<Problem> unreadable() {
            return Optional.empty();
        }
    }

    /** Profiles by namespace, for {@link TenantProfileCatalog}. */
    public interface ProfileLister {
        /** Profiles of one namespace by name. */
        Map<String, StoredProfile> in(String namespace);

        /** Whether a namespace shares its profiles. */
        boolean offersProfiles(String namespace);

        /** Whether the profiles of the worker cluster are used; they are in {@link #WORKER_CLUSTER}. */
        default boolean readsWorkerCluster() {
            return false;
        }

        /** Why the profiles of the worker cluster cannot be read; empty if they can. */
        default String deniedByWorkerCluster() {
            return "";
        }
    }

    /** The stored profiles with proposed ones applied. */
    public static final class ProposedProfileLister implements ProfileLister {
        private final ProfileLister storedProfiles;
        private final List<StoredProfile> proposed;
        private final String sharedNamespace;

        /** @param proposed one without a namespace is for all tenants, as KKP's CustomOperatingSystemProfile */
        public ProposedProfileLister(
                ProfileLister storedProfiles, List<StoredProfile> proposed, String sharedNamespace) {
            this.storedProfiles = storedProfiles;
            this.proposed = List.copyOf(proposed);
            this.sharedNamespace = sharedNamespace;
        }

        /** Reads an unstored profile as the API server would keep it. An unreadable one has mistakes. */
        public static StoredProfile read(JsonNode object) {
            return StoredProfile.of(object, new ProfileContentInterner());
        }

        @Override
        public Map<String, StoredProfile> in(String namespace) {
            if (proposed.isEmpty()) {
                return storedProfiles.in(namespace);
            }
            Map<String, StoredProfile> all = new HashMap<>(storedProfiles.in(namespace));
            // KKP copies such a profile to each worker cluster.
            String ofAll = readsWorkerCluster() ? WORKER_CLUSTER : sharedNamespace;
            for (StoredProfile profile : proposed) {
                if (namespace.equals(profile.namespace().isEmpty() ? ofAll : profile.namespace())) {
                    all.put(profile.name(), profile);
                }
            }
            return all;
        }

        @Override
        public boolean offersProfiles(String namespace) {
            return storedProfiles.offersProfiles(namespace);
        }

        @Override
        public boolean readsWorkerCluster() {
            return storedProfiles.readsWorkerCluster();
        }

        @Override
        public String deniedByWorkerCluster() {
            return storedProfiles.deniedByWorkerCluster();
        }
    }

    /**
     * The profiles that one tenant may use.
     *
     * @param namespace the tenant's own
     * @param granted other namespaces that a MachineDeployment may name
     * @param defaults whether it may use the default profiles of the shared namespace
     */
    public record ProfileAccess(String namespace, Set<String> granted, boolean defaults) {
        public ProfileAccess {
            granted = Set.copyOf(granted);
        }

        public static ProfileAccess of(String namespace, TenantSettings.Profiles settings) {
            return new ProfileAccess(
                    namespace, Set.copyOf(settings.namespaces()), settings.installDefaults() != InstallDefaults.NONE);
        }

        /** @param settings as stored; null if the namespace holds no tenant */
        public static ProfileAccess of(String namespace, @Nullable ObjectNode settings) {
            return settings == null
                    ? own(namespace)
                    : new ProfileAccess(
                            namespace,
                            settings.path("namespaces")
                                    .valueStream()
                                    .map(JsonNode::asText)
                                    .collect(Collectors.toSet()),
                            !settings.path("installDefaults").asText().equals("None"));
        }

        /**
         * Whether the tenant may use a profile: its own, a shared one, or one of a granted namespace that offers its profiles.
         *
         * @param offered whether a namespace shares its profiles
         */
        public boolean includes(StoredProfile profile, String sharedNamespace, Predicate<String> offered) {
            String from = profile.namespace();
            boolean reached = from.equals(sharedNamespace) || granted.contains(from) && offered.test(from);
            return from.equals(namespace) || reached && (defaults || !profile.isDefault());
        }

        /** Used until the settings are known: its own profiles and the shared ones. */
        public static ProfileAccess own(String namespace) {
            return new ProfileAccess(namespace, Set.of(), true);
        }
    }
}
