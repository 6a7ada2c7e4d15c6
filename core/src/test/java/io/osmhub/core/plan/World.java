package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.osp.NodeFetchMethod;
import io.osmhub.core.plan.DesiredObject.DesiredConfig;
import io.osmhub.core.plan.DesiredObject.DesiredGrant;
import io.osmhub.core.plan.DesiredObject.DesiredSecret;
import io.osmhub.core.plan.Facts.FetchTokenFacts;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.Previewer.Preview;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.Bootstrap;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.core.template.Sandbox.RenderLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tenant with its worker cluster, as far as deciding needs it: keeps objects with the API server's rules, refuses a change whose
 * precondition no longer holds, and remembers what was done.
 */
public final class World {
    public static final Instant START = Instant.parse("2026-03-01T08:00:00Z");
    public static final String TENANT = "cluster-x7f";
    public static final String HUB = "5f0c-hub";

    private static final String CA = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

    public final Decider decider;
    public final SortedMap<String, MachineDeployment> machineDeployments = new TreeMap<>();
    public final SortedMap<String, StoredSecret> secrets = new TreeMap<>();
    public final SortedMap<String, StoredToken> tokens = new TreeMap<>();
    public final SortedMap<String, StoredConfig> configs = new TreeMap<>();
    /** Values of {@code secrets}, by name. */
    public final Map<String, Map<String, String>> values = new HashMap<>();

    public final List<PlannedChange> done = new ArrayList<>();

    public String profileVersion = "v1.0.0";
    public String profileText = "";
    public AppliedExtensions applied = AppliedExtensions.NONE;
    /** How many files of the same text each configuration has. */
    public int copies = 1;

    public String fetchToken = "fetch-1";
    /** By kind and name. */
    public final SortedMap<String, StoredGrant> grants = new TreeMap<>();
    /** Asked for and not published, by MachineDeployment. */
    public final Map<String, FetchToken> fresh = new HashMap<>();

    public boolean mayGrant;
    public List<NodeFetchMethod> supportedNodeFetch = List.of();
    /** What the API server grants. */
    public Duration fetchTokenLife = FetchToken.LIFE;

    public int tokenRequests;
    /** Renderings read the clock. */
    public int clockReads;

    public String endpoint = "https://api.example:6443";
    public String hubId = HUB;
    public Set<String> formerHubs = Set.of();
    public Provisioning settings = new LayeredSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY)
            .toTenantSettings()
            .provisioning();

    public @Nullable String serviceAccountToken;

    public RegistryCredentials registryCredentials = RegistryCredentials.NONE;

    public @Nullable Problem brokenSettings;

    public @Nullable Problem noProfile;

    public boolean paused;
    public boolean keepsOsm;
    public Instant now = START;
    private int counter;

    public World(long seed) {
        decider = new Decider(RenderLimits.DEFAULT, this::readClock, new Random(seed));
    }

    /** It stands still, so that no test exceeds the limit of time on a busy machine. */
    private long readClock() {
        clockReads++;
        return 0;
    }

    /** The same world, to go another way from here. */
    World copy(long seed) {
        World copy = new World(seed);
        copy.machineDeployments.putAll(machineDeployments);
        copy.secrets.putAll(secrets);
        copy.tokens.putAll(tokens);
        copy.configs.putAll(configs);
        copy.values.putAll(values);
        copy.profileVersion = profileVersion;
        copy.profileText = profileText;
        copy.applied = applied;
        copy.fetchToken = fetchToken;
        copy.grants.putAll(grants);
        copy.fresh.putAll(fresh);
        copy.mayGrant = mayGrant;
        copy.supportedNodeFetch = supportedNodeFetch;
        copy.fetchTokenLife = fetchTokenLife;
        copy.endpoint = endpoint;
        copy.hubId = hubId;
        copy.formerHubs = formerHubs;
        copy.settings = settings;
        copy.serviceAccountToken = serviceAccountToken;
        copy.registryCredentials = registryCredentials;
        copy.brokenSettings = brokenSettings;
        copy.noProfile = noProfile;
        copy.paused = paused;
        copy.keepsOsm = keepsOsm;
        copy.now = now;
        copy.counter = counter;
        return copy;
    }

    public static String providerSpec(String provider, String key) {
        return """
                {"cloudProvider":"%s","cloudProviderSpec":{"b":1,"a":"x"},"operatingSystem":"ubuntu",
                "operatingSystemSpec":{},"sshPublicKeys":["ssh-ed25519 %s"]}""".formatted(provider, key);
    }

    /** Made just now, with a revision, as machine-controller does. */
    public World machineDeployment(String namespace, String name) {
        SortedMap<String, String> annotations = new TreeMap<>();
        annotations.put(MachineDeployment.PROFILE, "osp-ubuntu");
        annotations.put(MachineDeployment.REVISION, "1");
        return put(new MachineDeployment(
                namespace,
                name,
                "uid-" + ++counter,
                "0",
                now,
                null,
                List.of(),
                annotations,
                "1.34.1",
                providerSpec("aws", "AAAA"),
                new TreeMap<>()));
    }

    public World put(MachineDeployment machineDeployment) {
        MachineDeployment stored = new MachineDeployment(
                machineDeployment.namespace(),
                machineDeployment.name(),
                machineDeployment.uid(),
                String.valueOf(++counter),
                machineDeployment.creationTimestamp(),
                machineDeployment.deletionTimestamp(),
                machineDeployment.finalizers(),
                machineDeployment.annotations(),
                machineDeployment.kubeletVersion(),
                machineDeployment.providerSpec(),
                new TreeMap<>());
        boolean gone = stored.deletionTimestamp() != null && stored.finalizers().isEmpty();
        if (gone) {
            machineDeployments.remove(OwnershipAnnotations.owner(stored));
        } else {
            machineDeployments.put(OwnershipAnnotations.owner(stored), stored);
        }
        return this;
    }

    public MachineDeployment get(String owner) {
        return Objects.requireNonNull(machineDeployments.get(owner));
    }

    public World annotate(String owner, String key, @Nullable String value) {
        MachineDeployment old = get(owner);
        SortedMap<String, String> annotations = new TreeMap<>(old.annotations());
        if (value == null) {
            annotations.remove(key);
        } else {
            annotations.put(key, value);
        }
        return put(new MachineDeployment(
                old.namespace(),
                old.name(),
                old.uid(),
                "",
                old.creationTimestamp(),
                old.deletionTimestamp(),
                old.finalizers(),
                annotations,
                old.kubeletVersion(),
                old.providerSpec(),
                new TreeMap<>()));
    }

    public World machinesOf(String owner, String providerSpec) {
        MachineDeployment old = get(owner);
        return put(new MachineDeployment(
                old.namespace(),
                old.name(),
                old.uid(),
                "",
                old.creationTimestamp(),
                old.deletionTimestamp(),
                old.finalizers(),
                old.annotations(),
                old.kubeletVersion(),
                providerSpec,
                new TreeMap<>()));
    }

    public World delete(String owner) {
        MachineDeployment old = get(owner);
        return put(new MachineDeployment(
                old.namespace(),
                old.name(),
                old.uid(),
                "",
                old.creationTimestamp(),
                now,
                old.finalizers(),
                old.annotations(),
                old.kubeletVersion(),
                old.providerSpec(),
                new TreeMap<>()));
    }

    public World bootstrap(@Nullable ServiceAccountName account, Duration life) {
        Bootstrap old = settings.bootstrap();
        settings = new Provisioning(
                settings.clusterDns(),
                settings.externalCloudProvider(),
                settings.kubelet(),
                settings.containerRuntime(),
                settings.registries(),
                settings.proxy(),
                settings.kubernetesCa(),
                settings.hostCa(),
                new Bootstrap(old.apiServerUrl(), account, life, old.nodeFetch()),
                settings.cloudCredentialsSecret(),
                settings.downloads(),
                settings.airGapped(),
                settings.userDataLimitBytes());
        return this;
    }

    /** The worker cluster grants what tokens of single MachineDeployments need, and the profile can be fetched with both kinds. */
    public World scoped() {
        mayGrant = true;
        supportedNodeFetch = List.of(NodeFetchMethod.SHARED_TOKEN, NodeFetchMethod.SCOPED_TOKEN);
        return this;
    }

    public World nodeFetch(NodeFetch way) {
        Bootstrap old = settings.bootstrap();
        settings = new Provisioning(
                settings.clusterDns(),
                settings.externalCloudProvider(),
                settings.kubelet(),
                settings.containerRuntime(),
                settings.registries(),
                settings.proxy(),
                settings.kubernetesCa(),
                settings.hostCa(),
                new Bootstrap(old.apiServerUrl(), old.serviceAccount(), old.tokenTtl(), way),
                settings.cloudCredentialsSecret(),
                settings.downloads(),
                settings.airGapped(),
                settings.userDataLimitBytes());
        return this;
    }

    public World clusterDns(String address) {
        settings = new Provisioning(
                List.of(address),
                settings.externalCloudProvider(),
                settings.kubelet(),
                settings.containerRuntime(),
                settings.registries(),
                settings.proxy(),
                settings.kubernetesCa(),
                settings.hostCa(),
                settings.bootstrap(),
                settings.cloudCredentialsSecret(),
                settings.downloads(),
                settings.airGapped(),
                settings.userDataLimitBytes());
        return this;
    }

    private LookupResult<RenderInput.Profile> profile() {
        if (noProfile != null) {
            return LookupResult.missing(noProfile);
        }
        return LookupResult.of(WorldProfile.of(profileText, profileVersion, supportedNodeFetch, copies)
                .with(applied));
    }

    public Facts facts(String owner) {
        MachineDeployment machineDeployment = get(owner);
        ObjectNames names = ObjectNames.of(machineDeployment);
        List<Facts.NameClaimant> rivals = new ArrayList<>();
        for (MachineDeployment other : machineDeployments.values()) {
            TreeSet<String> shared = new TreeSet<>(names.claimedNames());
            shared.retainAll(ObjectNames.of(other).claimedNames());
            if (other != machineDeployment && !shared.isEmpty()) {
                rivals.add(new Facts.NameClaimant(other, profile(), labelled(ObjectNames.of(other))));
            }
        }
        Map<SecretRole, StoredSecret> found = new EnumMap<>(SecretRole.class);
        for (SecretRole role : SecretRole.values()) {
            StoredSecret secret = secrets.get(role.name(names));
            if (secret != null) {
                found.put(role, secret);
            }
        }
        String caData = Base64.getEncoder().encodeToString(new byte[] {1, 2, 3});
        return new Facts(
                machineDeployment,
                rivals,
                profile(),
                new Facts.Tenant(
                        TENANT,
                        "x7f",
                        new HubIdentity(hubId, formerHubs),
                        settings,
                        brokenSettings != null
                                ? LookupResult.missing(brokenSettings)
                                : LookupResult.of(new RenderInput.References(CA, "", registryCredentials, null))),
                LookupResult.of(new ApiServerEndpoint(
                        endpoint, new TreeMap<>(Map.of("certificate-authority-data", '"' + caData + '"')))),
                fetch(owner, names),
                serviceAccountToken == null
                        ? LookupResult.missing(new Problem(
                                Reason.ServiceAccountTokenMissing,
                                ProblemObject.NONE,
                                "provisioning.bootstrap.serviceAccountRef",
                                "none",
                                ""))
                        : LookupResult.of(new Sensitive(serviceAccountToken)),
                new FoundObjects(found, labelled(names), configs.get(names.operatingSystemConfig())),
                now,
                !paused,
                !keepsOsm);
    }

    private FetchTokenFacts fetch(String owner, ObjectNames names) {
        Map<GrantKind, StoredGrant> found = new EnumMap<>(GrantKind.class);
        for (GrantKind kind : mayGrant ? GrantKind.values() : new GrantKind[0]) {
            StoredGrant grant = grants.get(kind + " " + names.fetchAccount());
            if (grant != null) {
                found.put(kind, grant);
            }
        }
        return new FetchTokenFacts(
                LookupResult.of(new Sensitive(fetchToken)),
                mayGrant,
                found,
                publishedFetchToken(owner),
                fresh.get(owner));
    }

    /** The one beside the user-data; null without one. */
    public @Nullable FetchToken publishedFetchToken(String owner) {
        String name = ObjectNames.of(get(owner)).bootstrapSecret();
        String text =
                secrets.containsKey(name) ? values.getOrDefault(name, Map.of()).get(FetchToken.SECRET_KEY) : null;
        return text == null ? null : FetchToken.read(new Sensitive(text));
    }

    /** Whether machines that start now are let in with what is published: the shared token, or a good one of their own. */
    public boolean fetches(String owner) {
        ObjectNames names = ObjectNames.of(get(owner));
        Map<String, String> bootstrap = values.getOrDefault(names.bootstrapSecret(), Map.of());
        if (!bootstrap.containsKey(FetchToken.SECRET_KEY)) {
            return true;
        }
        FetchToken token = publishedFetchToken(owner);
        StoredGrant account = grants.get(GrantKind.ACCOUNT + " " + names.fetchAccount());
        StoredGrant role = grants.get(GrantKind.ROLE + " " + names.fetchAccount());
        return token != null
                && account != null
                && role != null
                && grants.containsKey(GrantKind.BINDING + " " + names.fetchAccount())
                && account.uid().equals(token.accountUid())
                && role.fields().toString().contains('"' + names.provisioningSecret() + '"')
                && token.expiration().isAfter(now);
    }

    /** Unsigned. */
    public FetchToken tokenOf(StoredGrant account) {
        counter++;
        return UnsignedToken.of(account, now, now.plus(fetchTokenLife), counter);
    }

    private List<StoredToken> labelled(ObjectNames names) {
        return tokens.values().stream()
                .filter(token -> token.label().equals(names.key()))
                .toList();
    }

    public Decision decide(String owner) {
        return decider.decide(facts(owner));
    }

    public Preview preview(String owner) {
        return decider.createPreviewer().preview(facts(owner));
    }

    public List<PlannedChange> leftovers() {
        return OrphanCleanupPlanner.of(
                new Facts.Tenant(
                        TENANT,
                        "x7f",
                        new HubIdentity(hubId, formerHubs),
                        settings,
                        LookupResult.missing(new Problem(Reason.SettingsInvalid, ProblemObject.NONE, "", "", ""))),
                machineDeployments.keySet(),
                Stream.of(
                                secrets.values(),
                                tokens.values(),
                                mayGrant ? grants.values() : List.<StoredObject>of(),
                                configs.values())
                        .flatMap(Collection::stream));
    }

    /** Keeps a status, as the API server does. */
    public void status(String owner, @Nullable OperatingSystemConfigStatus status) {
        String name = ObjectNames.of(get(owner)).operatingSystemConfig();
        StoredConfig old = Objects.requireNonNull(configs.get(name));
        configs.put(
                name,
                new StoredConfig(
                        old.namespace(),
                        name,
                        old.uid(),
                        old.resourceVersion(),
                        old.generation(),
                        old.annotations(),
                        old.contentHash(),
                        status,
                        old.lastWriter()));
    }

    /** Null when there is none. */
    public @Nullable StoredConfig config(String owner) {
        return configs.get(ObjectNames.of(get(owner)).operatingSystemConfig());
    }

    /** Decides and applies everything, and again if a token was requested, as a run does. */
    public Decision run(String owner) {
        Decision decision = decide(owner);
        decision.changes().forEach(this::apply);
        if (decision.changes().stream().anyMatch(PlannedChange.RequestFetchToken.class::isInstance)) {
            decision = decide(owner);
            decision.changes().forEach(this::apply);
        }
        return decision;
    }

    public void apply(PlannedChange change) {
        done.add(change);
        switch (change) {
            case PlannedChange.SetFinalizer finalizer -> finalizers(finalizer);
            case PlannedChange.Create create -> create(create.object());
            case PlannedChange.UpdateSecret update -> {
                StoredSecret old = current(update.found());
                assertThat(old.immutable()).isFalse();
                assertThat(update.object().type()).isEqualTo(old.type());
                store(merged(update.object(), old), old.uid());
            }
            case PlannedChange.UpdateGrant update -> {
                assertThat(grants).containsValue(update.found());
                assertThat(update.object().patch(update.found()))
                        .contains("\"resourceVersion\":\"" + update.found().resourceVersion() + '"');
                store(update.object(), update.found().uid());
            }
            case PlannedChange.Annotate annotate -> annotate(annotate);
            case PlannedChange.ExtendToken extend -> extend(extend);
            case PlannedChange.Replace replace -> {
                assertThat(replace.found()).isEqualTo(remove(replace.found()));
                create(replace.object());
            }
            case PlannedChange.Delete delete -> {
                StoredObject removed = remove(delete.found());
                if (delete.found() instanceof StoredSecret) {
                    assertThat(removed).isNotNull();
                }
            }
            case PlannedChange.RequestFetchToken request -> {
                tokenRequests++;
                fresh.put(
                        request.owner(),
                        tokenOf(Objects.requireNonNull(grants.get(GrantKind.ACCOUNT + " " + request.account()))));
            }
            case PlannedChange.ReplaceFetchToken swap -> swap(swap);
        }
    }

    private void create(DesiredObject object) {
        switch (object) {
            case DesiredSecret secret when secret.role() == null -> createToken(secret);
            case DesiredSecret secret -> {
                assertThat(secrets).doesNotContainKey(secret.name());
                store(secret, "uid-" + ++counter);
            }
            case DesiredGrant grant -> {
                assertThat(grants).doesNotContainKey(key(grant));
                store(grant, "uid-" + ++counter);
            }
            case DesiredConfig config -> {
                assertThat(configs).doesNotContainKey(config.config().name());
                store(config.config(), config.ownAnnotations());
            }
        }
    }

    private @Nullable StoredObject remove(StoredObject found) {
        return switch (found) {
            case StoredSecret secret -> secrets.remove(secret.name());
            case StoredToken token -> tokens.remove(token.name());
            case StoredGrant grant -> grants.remove(grant.kind() + " " + grant.name());
            case StoredConfig config -> configs.remove(config.name());
        };
    }

    private void annotate(PlannedChange.Annotate change) {
        SortedMap<String, String> annotations = new TreeMap<>(change.found().annotations());
        annotations.putAll(change.annotations());
        if (change.found() instanceof StoredSecret found) {
            StoredSecret old = current(found);
            secrets.put(old.name(), with(old, annotations, old.digests(), "osm-hub"));
            return;
        }
        StoredConfig old = (StoredConfig) change.found();
        assertThat(configs).containsValue(old);
        configs.put(
                old.name(),
                new StoredConfig(
                        old.namespace(),
                        old.name(),
                        old.uid(),
                        old.resourceVersion(),
                        old.generation(),
                        annotations,
                        old.contentHash(),
                        old.status(),
                        "osm-hub"));
    }

    private static String key(DesiredGrant object) {
        return object.kind() + " " + object.name();
    }

    private void store(DesiredGrant object, String uid) {
        grants.put(
                key(object),
                new StoredGrant(
                        object.kind(),
                        object.name(),
                        uid,
                        String.valueOf(++counter),
                        object.annotations(),
                        object.fields(),
                        "osm-hub"));
    }

    private void swap(PlannedChange.ReplaceFetchToken change) {
        StoredSecret old = current(change.found());
        Map<String, String> plain = Objects.requireNonNull(values.get(old.name()));
        if (change.patch(plain) != null) {
            plain.replaceAll((key, value) -> change.next().replaceEarlierToken(value));
            SortedMap<String, String> digests = new TreeMap<>();
            plain.forEach((key, value) -> digests.put(key, Sha256.hex(value)));
            secrets.put(old.name(), with(old, old.annotations(), digests, "osm-hub"));
        }
    }

    private void finalizers(PlannedChange.SetFinalizer change) {
        MachineDeployment old = get(OwnershipAnnotations.owner(change.machineDeployment()));
        assertThat(old.resourceVersion()).isEqualTo(change.machineDeployment().resourceVersion());
        put(new MachineDeployment(
                old.namespace(),
                old.name(),
                old.uid(),
                "",
                old.creationTimestamp(),
                old.deletionTimestamp(),
                change.finalizers(),
                old.annotations(),
                old.kubeletVersion(),
                old.providerSpec(),
                new TreeMap<>()));
    }

    private static DesiredSecret merged(DesiredSecret object, StoredSecret old) {
        SortedMap<String, String> annotations = new TreeMap<>(old.annotations());
        annotations.putAll(object.annotations());
        SortedMap<String, String> labels = new TreeMap<>(old.labels());
        labels.putAll(object.labels());
        return new DesiredSecret(object.role(), object.name(), annotations, labels, object.data());
    }

    private StoredSecret current(StoredSecret found) {
        StoredSecret secret = secrets.get(found.name());
        assertThat(secret).isEqualTo(found);
        return found;
    }

    private void store(DesiredSecret object, String uid) {
        SortedMap<String, String> digests = new TreeMap<>();
        Map<String, String> plain = new HashMap<>();
        object.data().forEach((key, value) -> {
            digests.put(key, Sha256.hex(value.reveal()));
            plain.put(key, value.reveal());
        });
        values.put(object.name(), plain);
        secrets.put(
                object.name(),
                new StoredSecret(
                        object.describe().namespace(),
                        object.name(),
                        uid,
                        String.valueOf(++counter),
                        object.type(),
                        false,
                        object.annotations(),
                        object.labels(),
                        digests,
                        1,
                        "osm-hub"));
    }

    private StoredSecret with(
            StoredSecret old,
            SortedMap<String, String> annotations,
            SortedMap<String, String> digests,
            @Nullable String writer) {
        return new StoredSecret(
                old.namespace(),
                old.name(),
                old.uid(),
                String.valueOf(++counter),
                old.type(),
                old.immutable(),
                annotations,
                old.labels(),
                digests,
                old.bytes(),
                writer);
    }

    /** Another writer edits a secret. */
    public void edit(String name, @Nullable String writer) {
        StoredSecret old = Objects.requireNonNull(secrets.get(name));
        SortedMap<String, String> digests = new TreeMap<>(old.digests());
        digests.replaceAll((key, value) -> Sha256.hex("edited " + ++counter));
        values.put(name, new HashMap<>(values.get(name)));
        values.get(name).computeIfPresent(FetchToken.SECRET_KEY, (key, value) -> "edited");
        secrets.put(name, with(old, old.annotations(), digests, writer));
    }

    /** As OSM leaves them: immutable, with its stamps alone. */
    public void asPeer() {
        secrets.replaceAll((name, old) -> {
            SortedMap<String, String> annotations = new TreeMap<>(old.annotations());
            annotations.keySet().removeIf(key -> key.startsWith("osmhub.io/"));
            SortedMap<String, String> digests = new TreeMap<>(old.digests());
            digests.remove(FetchToken.SECRET_KEY);
            values.put(name, new HashMap<>(values.get(name)));
            values.get(name).remove(FetchToken.SECRET_KEY);
            return new StoredSecret(
                    old.namespace(),
                    name,
                    old.uid(),
                    old.resourceVersion(),
                    old.type(),
                    name.endsWith("-bootstrap-config") && !name.endsWith("-kubelet-bootstrap-config")
                            || name.endsWith("-provisioning-config"),
                    annotations,
                    new TreeMap<>(),
                    digests,
                    old.bytes(),
                    "osm-controller");
        });
        tokens.replaceAll((name, old) -> new StoredToken(
                name,
                old.uid(),
                old.resourceVersion(),
                old.id(),
                old.secret(),
                old.expiration(),
                true,
                old.label(),
                old.creationTimestamp(),
                new TreeMap<>(),
                "osm-controller"));
        configs.replaceAll((name, old) -> {
            SortedMap<String, String> annotations = new TreeMap<>(old.annotations());
            annotations.keySet().removeIf(key -> key.startsWith("osmhub.io/"));
            return new StoredConfig(
                    old.namespace(),
                    name,
                    old.uid(),
                    old.resourceVersion(),
                    1,
                    annotations,
                    old.contentHash(),
                    null,
                    "osm-controller");
        });
    }

    private void createToken(DesiredSecret object) {
        assertThat(tokens).doesNotContainKey(object.name());
        Map<String, String> data = new HashMap<>();
        object.data().forEach((key, value) -> data.put(key, value.reveal()));
        tokens.put(
                object.name(),
                StoredToken.of(
                        new StoredSecret(
                                ObjectNames.TOKEN_NAMESPACE,
                                object.name(),
                                "uid-" + ++counter,
                                String.valueOf(++counter),
                                object.type(),
                                false,
                                object.annotations(),
                                object.labels(),
                                new TreeMap<>(),
                                0,
                                "osm-hub"),
                        now,
                        data));
    }

    private void extend(PlannedChange.ExtendToken change) {
        StoredToken old = Objects.requireNonNull(tokens.get(change.found().name()));
        assertThat(old.resourceVersion()).isEqualTo(change.found().resourceVersion());
        token(old, change.expiration(), change.annotations());
    }

    /** Changes a token's end. */
    public void token(StoredToken old, @Nullable Instant expiration, SortedMap<String, String> moreAnnotations) {
        SortedMap<String, String> annotations = new TreeMap<>(old.annotations());
        annotations.putAll(moreAnnotations);
        tokens.put(
                old.name(),
                new StoredToken(
                        old.name(),
                        old.uid(),
                        String.valueOf(++counter),
                        old.id(),
                        old.secret(),
                        expiration,
                        old.canJoin(),
                        old.label(),
                        old.creationTimestamp(),
                        annotations,
                        "osm-hub"));
    }

    private void store(OperatingSystemConfig config, Map<String, String> own) {
        SortedMap<String, String> annotations = new TreeMap<>(config.annotations());
        annotations.putAll(own);
        configs.put(
                config.name(),
                new StoredConfig(
                        config.namespace(),
                        config.name(),
                        "uid-" + ++counter,
                        String.valueOf(++counter),
                        1,
                        annotations,
                        SpecHash.of(OperatingSystemConfigWriter.spec(config.spec())),
                        null,
                        "osm-hub"));
    }

    /** The token that the kubelet bootstrap kubeconfig of a MachineDeployment holds. */
    public String embeddedToken(String owner) {
        String name = SecretRole.KUBELET_BOOTSTRAP.name(ObjectNames.of(get(owner)));
        String kubeconfig = Objects.requireNonNull(values.get(name)).get("kubeconfig");
        return Objects.requireNonNull(kubeconfig).replaceAll("(?s).*token: (\\S+)\n.*", "$1");
    }

    public @Nullable StoredToken tokenOf(String text) {
        return tokens.values().stream()
                .filter(token -> token.text().reveal().equals(text))
                .findFirst()
                .orElse(null);
    }

    public Collection<String> kinds() {
        return done.stream().map(World::kind).toList();
    }

    /** The action and, where it has several, the kind of its object. */
    public static String kind(PlannedChange change) {
        String object =
                switch (change.target().kind()) {
                    case "Secret" ->
                        change.target().namespace().equals(ObjectNames.TOKEN_NAMESPACE) ? "Token" : "Secret";
                    case "OperatingSystemConfig" -> "Config";
                    default -> "Grant";
                };
        return switch (change) {
            case PlannedChange.Create _ -> "Create" + object;
            case PlannedChange.Annotate _ -> "Annotate" + object;
            case PlannedChange.Replace _ -> "Replace" + object;
            case PlannedChange.Delete _ -> "Delete" + object;
            case PlannedChange.SetFinalizer finalizer -> (finalizer.wanted() ? "Add" : "Remove") + "Finalizer";
            default -> change.getClass().getSimpleName();
        };
    }
}
