package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.RegistryCredentials.Credential;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.Proxy;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.core.status.MachineDeploymentReport;
import io.osmhub.core.status.RunResult;
import io.osmhub.core.status.RunResult.ConnectionHealth;
import io.osmhub.core.template.Sandbox.RenderLimits;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a restarted hub notices that it must render. */
class PublishedHashTest {
    private static final String MD = "kube-system/workers";

    private final World world = new World(1).machineDeployment("kube-system", "workers");

    /** A change of something that content is rendered from, or of the content. */
    private record Edit(String name, Consumer<World> change) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Edit secret(SecretRole role, String name, Consumer<World> change) {
        return new Edit(role + " " + name, change);
    }

    private static String name(World world, SecretRole role) {
        return role.name(ObjectNames.of(world.get(MD)));
    }

    static Stream<Edit> edits() {
        List<Edit> edits = new ArrayList<>(List.of(
                new Edit("profile", world -> world.profileText += "x"),
                new Edit("profile's version", world -> world.profileVersion = "v9.9.9"),
                new Edit("extension", world -> world.applied = ExtensionDecisionTest.applied("one")),
                new Edit("another extension", world -> world.applied = ExtensionDecisionTest.applied("two")),
                new Edit("endpoint", world -> world.endpoint = "https://other.example:6443"),
                new Edit("fetch token", world -> world.fetchToken = "fetch-2"),
                new Edit("class of the fetch token", world -> world.scoped().nodeFetch(NodeFetch.SCOPED_TOKEN)),
                new Edit("bootstrap tokens", world -> world.tokens.clear()),
                new Edit("ServiceAccount", world -> {
                    world.serviceAccountToken = "token";
                    world.bootstrap(new ServiceAccountName("kube-system", "joiner"), Duration.ofHours(2));
                }),
                new Edit("settings", world -> world.clusterDns("10.9.9.9")),
                new Edit("registry credentials", world -> world.registryCredentials = registryCredentials("password")),
                new Edit("hub", world -> {
                    world.formerHubs = Set.of(world.hubId);
                    world.hubId = "another";
                }),
                new Edit("provider spec", world -> world.machinesOf(MD, World.providerSpec("aws", "BBBB"))),
                new Edit("provider spec removed", world -> world.machinesOf(MD, "")),
                new Edit("provider spec not readable", world -> world.machinesOf(MD, "{\"cloudProvider\": [")),
                new Edit("revision", world -> world.annotate(MD, MachineDeployment.REVISION, "2")),
                new Edit(
                        "kubelet setting",
                        world ->
                                world.annotate(MD, "v1.kubelet-config.machine-controller.kubermatic.io/MaxPods", "77")),
                new Edit("finalizer", world -> world.put(withoutFinalizers(world.get(MD)))),
                new Edit("deletion", world -> world.delete(MD)),
                new Edit("profile's name", world -> world.annotate(MD, MachineDeployment.PROFILE, null)),
                new Edit("OperatingSystemConfig's spec", world -> config(world, "0000", Map.of(), status(world))),
                new Edit(
                        "OperatingSystemConfig's version",
                        world -> config(world, null, Map.of(SourceAnnotations.PROFILE_VERSION, "v0"), status(world))),
                new Edit(
                        "OperatingSystemConfig's owner",
                        world -> config(
                                world, null, Map.of(OwnershipAnnotations.OWNER, "kube-system/other"), status(world))),
                new Edit("OperatingSystemConfig", world -> world.configs.clear()),
                new Edit("status", world -> world.status(MD, null)),
                new Edit("sizes in the status", world -> world.status(MD, withOtherSizes(status(world))))));
        for (SecretRole role : List.of(SecretRole.BOOTSTRAP, SecretRole.PROVISIONING, SecretRole.KUBELET_BOOTSTRAP)) {
            edits.add(secret(role, "edited", world -> world.edit(name(world, role), "kubectl")));
            edits.add(secret(role, "edited by OSM", world -> world.edit(name(world, role), "osm-controller")));
            edits.add(secret(role, "deleted", world -> world.secrets.remove(name(world, role))));
            edits.add(secret(
                    role,
                    "of another owner",
                    world -> annotate(world, role, OwnershipAnnotations.OWNER, "kube-system/other")));
            edits.add(secret(role, "of another type", world -> store(world, role, "other", null)));
        }
        edits.add(secret(
                SecretRole.BOOTSTRAP,
                "revision",
                world -> annotate(world, SecretRole.BOOTSTRAP, SourceAnnotations.REVISION, "0")));
        edits.add(secret(
                SecretRole.PROVISIONING,
                "version",
                world -> annotate(world, SecretRole.PROVISIONING, SourceAnnotations.PROFILE_VERSION, "v0")));
        return edits.stream();
    }

    /** Changes that rendering ignores. */
    private static final List<Edit> HARMLESS = List.of(
            new Edit("annotation", world -> world.annotate(MD, "example.com/note", "x" + world.clockReads)),
            new Edit("resource version", world -> world.put(world.get(MD))),
            new Edit("annotation of a Secret", world -> annotate(world, SecretRole.BOOTSTRAP, "example.com/note", "x")),
            new Edit("time", world -> world.now = world.now.plusSeconds(20)));

    private static MachineDeployment withoutFinalizers(MachineDeployment old) {
        return new MachineDeployment(
                old.namespace(),
                old.name(),
                old.uid(),
                "",
                old.creationTimestamp(),
                null,
                List.of(),
                old.annotations(),
                old.kubeletVersion(),
                old.providerSpec(),
                old.templateAnnotations());
    }

    private static OperatingSystemConfigStatus status(World world) {
        return Objects.requireNonNull(Objects.requireNonNull(world.config(MD)).status());
    }

    private static void config(
            World world, @Nullable String hash, Map<String, String> annotations, OperatingSystemConfigStatus status) {
        StoredConfig old = Objects.requireNonNull(world.config(MD));
        SortedMap<String, String> changed = new TreeMap<>(old.annotations());
        changed.putAll(annotations);
        world.configs.put(
                old.name(),
                new StoredConfig(
                        old.namespace(),
                        old.name(),
                        old.uid(),
                        old.resourceVersion(),
                        old.generation(),
                        changed,
                        hash == null ? old.contentHash() : hash,
                        status,
                        "kubectl"));
    }

    private static OperatingSystemConfigStatus withOtherSizes(OperatingSystemConfigStatus old) {
        return new OperatingSystemConfigStatus(
                old.observedGeneration(),
                old.conditions(),
                old.newNodes(),
                old.source(),
                old.wanted(),
                old.publishedHash(),
                Objects.requireNonNull(old.secrets()).stream()
                        .map(secret -> new PublishedSecret(
                                secret.role(),
                                secret.namespace(),
                                secret.name(),
                                secret.state(),
                                secret.revision(),
                                secret.bytes() == null ? null : secret.bytes() + 1,
                                secret.limitBytes(),
                                secret.publishedTime()))
                        .toList(),
                old.history(),
                old.problems());
    }

    private static void annotate(World world, SecretRole role, String key, String value) {
        store(world, role, null, Map.of(key, value));
    }

    private static void store(
            World world, SecretRole role, @Nullable String type, @Nullable Map<String, String> annotations) {
        StoredSecret old = Objects.requireNonNull(world.secrets.get(name(world, role)));
        SortedMap<String, String> changed = new TreeMap<>(old.annotations());
        changed.putAll(Objects.requireNonNullElse(annotations, Map.of()));
        world.secrets.put(
                old.name(),
                new StoredSecret(
                        old.namespace(),
                        old.name(),
                        old.uid(),
                        old.resourceVersion(),
                        type == null ? old.type() : type,
                        old.immutable(),
                        changed,
                        old.labels(),
                        old.digests(),
                        old.bytes(),
                        "kubectl"));
    }

    /** A run with its status, as a hub makes it. */
    static void publish(World world) {
        world.run(MD);
        Facts facts = world.facts(MD);
        Decision decision = world.decide(MD);
        OperatingSystemConfigStatus status = MachineDeploymentReport.of(new RunResult(
                        "r1",
                        facts,
                        decision,
                        decision.changes(),
                        null,
                        null,
                        Duration.ZERO,
                        world.config(MD),
                        ConnectionHealth.NORMAL))
                .status();
        world.status(MD, status);
    }

    private static @Nullable Decision unchanged(World world) {
        return world.decider.decideUnchanged(world.facts(MD));
    }

    @Test
    void decidesAsARenderingDoesWhileNothingChanged() {
        publish(world);

        int clockReads = world.clockReads;
        Decision unchanged = unchanged(world);

        assertThat(world.clockReads).as("renderings").isEqualTo(clockReads);
        assertThat(unchanged).isEqualTo(world.decide(MD));
    }

    @Test
    void decidesAsARenderingDoesWithAScopedToken() {
        world.scoped();
        publish(world);

        assertThat(unchanged(world)).isNotNull().isEqualTo(world.decide(MD));
    }

    @Test
    void extendsTokensWithoutRendering() {
        publish(world);

        world.now = world.now.plus(Duration.ofMinutes(100));

        Decision unchanged = Objects.requireNonNull(unchanged(world));
        assertThat(unchanged.changes())
                .hasOnlyElementsOfType(PlannedChange.ExtendToken.class)
                .isNotEmpty();
        assertThat(unchanged.changes()).isEqualTo(world.decide(MD).changes());
    }

    @Test
    void keepsObjectsOfOsmWithTheSameContent() {
        publish(world);
        world.asPeer();

        assertThat(unchanged(world)).as("no status").isNull();
        publish(world);

        assertThat(unchanged(world)).isNotNull().isEqualTo(world.decide(MD));
    }

    @Test
    void hasNoHashWithoutAKey() {
        world.fetchToken = "";

        publish(world);

        assertThat(status(world).publishedHash()).isNull();
        assertThat(unchanged(world)).isNull();
    }

    /** Otherwise, who can fetch the content could test guesses of them. */
    @Test
    void credentialsThatTheContentDoesNotContainHaveNoEffect() {
        world.machinesOf(MD, providerSpec("ubuntu", "password-1"));
        registryPassword("password-1");
        publish(world);
        String before = status(world).publishedHash();

        world.machinesOf(MD, providerSpec("ubuntu", "password-2"));
        registryPassword("password-2");

        assertThat(unchanged(world)).isNotNull().isEqualTo(world.decide(MD));
        publish(world);
        assertThat(before).isNotNull().isEqualTo(status(world).publishedHash());
    }

    @Test
    void credentialsThatTheContentContainsCount() {
        world.profileText = "{{ .ContainerRuntimeConfig }} {{ .CloudConfig }}";
        world.machinesOf(MD, providerSpec("ubuntu", "password-1"));
        registryPassword("password-1");
        publish(world);
        World other = world.copy(2);
        assertThat(unchanged(world)).isNotNull();

        world.machinesOf(MD, providerSpec("ubuntu", "password-2"));
        other.registryCredentials = registryCredentials("password-2");

        assertThat(unchanged(world)).isNull();
        assertThat(unchanged(other)).isNull();
    }

    @Test
    void hasNoHashIfTheUrlOfAnUnusedProxyMayHaveAPassword() {
        RecordComponent proxy = Stream.of(Provisioning.class.getRecordComponents())
                .filter(component -> component.getName().equals("proxy"))
                .findFirst()
                .orElseThrow();
        Proxy withPassword = new Proxy("http://user:password@proxy.example:3128", null, "");
        world.settings = (Provisioning) copy(Provisioning.class, world.settings, proxy, withPassword);
        publish(world);

        assertThat(status(world).publishedHash()).isNull();

        world.profileText = "{{ .HTTPProxy }}";
        publish(world);

        assertThat(status(world).publishedHash()).isNotNull();
    }

    private static String providerSpec(String operatingSystem, String password) {
        return """
                {"cloudProvider": "openstack", "operatingSystem": "%s", "operatingSystemSpec": {},
                "cloudProviderSpec": {"password": "%s"}, "overwriteCloudConfig": "password = %s"}
                """.formatted(operatingSystem, password, password);
    }

    private void registryPassword(String password) {
        world.registryCredentials = registryCredentials(password);
    }

    private static RegistryCredentials registryCredentials(String password) {
        return new RegistryCredentials(new TreeMap<>(Map.of("r.example", new Credential("user", password, "", ""))));
    }

    @Test
    void rendersIfAnotherClaimsOneOfItsNames() {
        publish(world);
        Facts facts = world.facts(MD);
        Facts contested = with(facts, List.of(facts.self()));

        assertThat(world.decider.decideUnchanged(facts)).isNotNull();
        assertThat(world.decider.decideUnchanged(contested)).isNull();
    }

    @ParameterizedTest
    @MethodSource("edits")
    void rendersAfter(Edit edit) {
        publish(world);
        assertThat(unchanged(world)).isNotNull();

        edit.change().accept(world);

        assertThat(unchanged(world)).isNull();
    }

    @Test
    void rendersAfterAChangeOfTheProgram() {
        publish(world);
        Facts facts = world.facts(MD);

        Stream<Decider> others = Stream.of(
                new Decider("2", RenderLimits.DEFAULT, () -> 0, new Random(1)),
                new Decider(
                        "", new RenderLimits(1 << 20, 5_000_000, 200, Duration.ofSeconds(2)), () -> 0, new Random(1)));

        assertThat(others).allMatch(other -> other.decideUnchanged(facts) == null);
    }

    /** Every single setting, also one that is added later. */
    @Test
    void rendersAfterAChangeOfAnySetting() {
        publish(world);
        Facts facts = world.facts(MD);
        Facts.Tenant tenant = facts.tenant();
        List<Facts> changed = new ArrayList<>();
        variants(Provisioning.class, tenant.settings())
                .filter(settings -> !settings.equals(tenant.settings()))
                .forEach(settings -> changed.add(with(
                        facts,
                        (Provisioning) settings,
                        Objects.requireNonNull(tenant.references().value()))));
        variants(RenderInput.References.class, tenant.references().value())
                .forEach(
                        references -> changed.add(with(facts, tenant.settings(), (RenderInput.References) references)));

        assertThat(changed).hasSizeGreaterThan(20).allSatisfy(other -> assertThat(world.decider.decideUnchanged(other))
                .as("%s %s", other.tenant().settings(), other.tenant().references())
                .isNull());
        assertThat(world.decider.decideUnchanged(with(
                        facts,
                        tenant.settings(),
                        Objects.requireNonNull(tenant.references().value()))))
                .isNotNull();
    }

    private static Facts with(Facts facts, List<Facts.NameClaimant> otherClaimants) {
        return new Facts(
                facts.machineDeployment(),
                otherClaimants,
                facts.profile(),
                facts.tenant(),
                facts.apiServer(),
                facts.fetch(),
                facts.serviceAccountToken(),
                facts.found(),
                facts.now(),
                facts.canWrite(),
                facts.canReplaceOsm());
    }

    private static Facts with(Facts facts, Provisioning settings, RenderInput.References references) {
        Facts.Tenant tenant = facts.tenant();
        return new Facts(
                facts.machineDeployment(),
                facts.otherClaimants(),
                facts.profile(),
                new Facts.Tenant(
                        tenant.namespace(),
                        tenant.workerCluster(),
                        tenant.hub(),
                        settings,
                        LookupResult.of(references)),
                facts.apiServer(),
                facts.fetch(),
                facts.serviceAccountToken(),
                facts.found(),
                facts.now(),
                facts.canWrite(),
                facts.canReplaceOsm());
    }

    /** A value of another type would end publishing. */
    @Test
    void everyInputCanBeHashed() {
        Set<Type> seen = new HashSet<>();
        Stream.of(Provisioning.class, RenderInput.References.class, RenderLimits.class)
                .forEach(type -> requireHashable(type, type.getName(), seen));

        assertThat(seen).hasSizeGreaterThan(15);
    }

    private static void requireHashable(Type type, String path, Set<Type> seen) {
        if (!seen.add(type)) {
            return;
        }
        if (type instanceof ParameterizedType generic) {
            assertThat(generic.getRawType()).as(path).isIn(List.class, SortedMap.class, SortedSet.class);
            Stream.of(generic.getActualTypeArguments()).forEach(part -> requireHashable(part, path, seen));
        } else if (type instanceof Class<?> record && record.isRecord()) {
            Stream.of(record.getRecordComponents())
                    .forEach(part -> requireHashable(part.getGenericType(), path + "." + part.getName(), seen));
        } else if (!(type instanceof Class<?> constant && constant.isEnum())) {
            assertThat(type)
                    .as(path)
                    .isIn(
                            String.class,
                            boolean.class,
                            Boolean.class,
                            int.class,
                            Integer.class,
                            long.class,
                            Long.class,
                            Duration.class);
        }
    }

    /** The value with one part changed, for each of its parts. */
    private static Stream<Object> variants(Class<?> type, @Nullable Object value) {
        if (type == String.class) {
            return Stream.of(value == null ? "x" : value + "x");
        }
        if (type == boolean.class) {
            return Stream.of(!(Boolean) Objects.requireNonNull(value));
        }
        if (type == Integer.class) {
            return Stream.of(value == null ? 1 : (Integer) value + 1);
        }
        if (type == Duration.class) {
            return Stream.of(((Duration) Objects.requireNonNull(value)).plusMinutes(1));
        }
        if (type == Sensitive.class) {
            return Stream.of(new Sensitive(value + "x"));
        }
        if (type.isEnum()) {
            return Stream.<Object>of(type.getEnumConstants()).filter(constant -> constant != value);
        }
        if (type.isRecord() && value != null) {
            return Arrays.stream(type.getRecordComponents())
                    .flatMap(component -> variants(component.getType(), read(component, value))
                            .map(other -> copy(type, value, component, other)));
        }
        // Of lists and maps the content is not known here: PublishedHashTest.edits and KeyedHashTest have examples.
        return Stream.empty();
    }

    private static @Nullable Object read(RecordComponent component, Object value) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static Object copy(Class<?> type, Object value, RecordComponent changed, Object other) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            return type.getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(Arrays.stream(components)
                            .map(component ->
                                    component.getName().equals(changed.getName()) ? other : read(component, value))
                            .toArray());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** After any edits, what seems unchanged is what rendering gives; and after any run, all seems unchanged. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void neverSeemsUnchangedWhenRenderingWouldChangeIt(long seed) {
        Random random = new Random(seed);
        List<Edit> edits =
                edits().filter(edit -> !edit.name().equals("deletion")).toList();
        publish(world);
        World other = world.copy(seed);
        for (int round = 0; round < 12; round++) {
            boolean changed = false;
            for (int i = random.nextInt(3); i > 0; i--) {
                Edit edit = edits.get(random.nextInt(edits.size()));
                changed = tryEdit(other, edit) || changed;
            }
            tryEdit(other, HARMLESS.get(random.nextInt(HARMLESS.size())));

            Decision unchanged = unchanged(other);

            if (!changed) {
                assertThat(unchanged).isNotNull();
            }
            if (unchanged != null) {
                assertThat(unchanged).isEqualTo(other.decide(MD));
            } else {
                other = world.copy(seed + round);
            }
        }
    }

    /** An object that an edit concerns may be gone after another one. */
    private static boolean tryEdit(World world, Edit edit) {
        try {
            edit.change().accept(world);
            return true;
        } catch (NullPointerException gone) {
            return false;
        }
    }
}
