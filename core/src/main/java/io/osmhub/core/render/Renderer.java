package io.osmhub.core.render;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ExtensionSource;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.ContainerdConfig.ContainerdHosts;
import io.osmhub.core.render.ExtensionComposer.Composition;
import io.osmhub.core.render.TemplateData.TemplateInput;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.core.userdata.UserDataSize;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Renders a profile for one MachineDeployment. Every file is rendered with the credentials, for the secrets; those that read one
 * are rendered again with placeholders, for the stored OperatingSystemConfig. Thread-safe.
 */
public final class Renderer {
    private final Supplier<? extends ExecutionEnvironment> environments;

    /** @param environments provides each rendering's clock, randomness and budget */
    public Renderer(Supplier<? extends ExecutionEnvironment> environments) {
        this.environments = environments;
    }

    /**
     * Renders.
     *
     * @throws TenantMistake with every mistake of the MachineDeployment at once, or the first of the profile's templates
     */
    public RenderedConfig render(RenderInput input) {
        try {
            return renderCompatible(input);
        } catch (TenantMistake e) {
            throw new TenantMistake(
                    ProfileCompatibility.completeFixes(e.findings(), input.profile(), input.machineDeployment()));
        }
    }

    private RenderedConfig renderCompatible(RenderInput input) {
        MachineDeployment machineDeployment = input.machineDeployment();
        OperatingSystemProfile.Spec profile = input.profile().compiled().spec();
        String profileObject = input.profile().describe().toString();
        ProviderConfig config = ProfileCompatibility.requireSupported(
                profile, input.profile().name(), profileObject, machineDeployment);
        List<Problem> findings = new ArrayList<>();
        KubeletSettings kubelet = KubeletSettings.read(machineDeployment, findings);
        KubeletVersion version = KubeletVersion.read(machineDeployment, findings);
        if (version != null) {
            ProfileCompatibility.findVersionMismatch(profile, profileObject, version, machineDeployment)
                    .ifPresent(findings::add);
            version.findMissingCloudConfig(
                            machineDeployment, config, input.settings().externalCloudProvider())
                    .ifPresent(findings::add);
        }
        if (config.network() != null
                && config.network().isStatic()
                && !config.operatingSystem().equals("flatcar")) {
            findings.add(new Problem(
                    Reason.StaticNetworkNotSupported,
                    machineDeployment.describe(),
                    "providerSpec.value.network",
                    "static IP config is not supported with " + config.operatingSystem(),
                    "use flatcar, or remove cidr, gateway and dns"));
        }
        OperatingSystemSpec operatingSystem = null;
        try {
            operatingSystem = config.operatingSystemSpec(machineDeployment, ProfileCompatibility.isOwn(profile));
        } catch (TenantMistake e) {
            findings.addAll(e.findings());
        }
        if (version == null || operatingSystem == null || !findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
        List<Problem> mistakes = new ArrayList<>();
        input.profile()
                .compiled()
                .mistakes()
                .forEach(mistake ->
                        mistakes.add(mistake.withObject(input.profile().describe())));
        input.profile().applied().extensions().forEach(extension -> mistakes.addAll(extension.mistakes()));
        if (!mistakes.isEmpty()) {
            throw new TenantMistake(mistakes);
        }
        return render(new TemplateInput(input, config, operatingSystem, kubelet, version));
    }

    private RenderedConfig render(TemplateInput revealed) {
        RenderInput input = revealed.input();
        CompiledProfile profile = input.profile().compiled();
        TemplateInput redacted = revealed.redacted();
        TemplateLanguage language = profile.spec().templateEngine();
        ExecutionEnvironment environment = environments.get();
        PartRenderer files = new PartRenderer(
                input.profile().describe(),
                new TemplateData(revealed, language),
                new TemplateData(redacted, language),
                environment);
        PartRenderer.FileVariants bootstrap = files.render(profile.bootstrap());
        PartRenderer.FileVariants provisioning = files.render(profile.provisioning());
        AppliedExtensions applied = input.profile().applied();
        Composition composed = null;
        if (!applied.extensions().isEmpty()) {
            composed = compose(revealed, redacted, files, List.of(bootstrap, provisioning));
            bootstrap = composed.variants(true);
            provisioning = composed.variants(false);
        }
        ObjectNames names = revealed.names();
        SourceAnnotations stamps =
                SourceAnnotations.of(input.machineDeployment(), input.profile().version());
        return new RenderedConfig(
                names,
                stamps,
                revealed.provider(),
                new OperatingSystemConfig(
                        input.tenantNamespace(),
                        names.operatingSystemConfig(),
                        stamps.annotations(),
                        spec(redacted, bootstrap.redacted(), provisioning.redacted())),
                spec(revealed, bootstrap.revealed(), provisioning.revealed()),
                revealed.bootstrapKubeconfig(),
                composed);
    }

    private static Composition compose(
            TemplateInput revealed,
            TemplateInput redacted,
            PartRenderer profile,
            List<PartRenderer.FileVariants> base) {
        RenderInput input = revealed.input();
        Map<TemplateLanguage, PartRenderer> byLanguage = new EnumMap<>(TemplateLanguage.class);
        byLanguage.put(input.profile().compiled().spec().templateEngine(), profile);
        List<PartRenderer.FileVariants> contents = new ArrayList<>();
        for (CompiledExtension extension : input.profile().applied().extensions()) {
            contents.add(byLanguage
                    .computeIfAbsent(
                            extension.language(),
                            language -> new PartRenderer(
                                    profile.object(),
                                    new TemplateData(revealed, language),
                                    new TemplateData(redacted, language),
                                    profile.environment()))
                    .of(extension.extension().describe())
                    .render(extension.contents()));
        }
        Set<String> reserved = ContainerdHosts.files(revealed.settings().registries()).stream()
                .map(OperatingSystemConfig.File::path)
                .collect(Collectors.toSet());
        reserved.add(ExtensionComposer.MACHINE_NAME);
        return new ExtensionComposer(input.profile(), reserved, true)
                .compose(base.getFirst(), base.getLast(), contents);
    }

    private static OperatingSystemConfig.Spec spec(
            TemplateInput data,
            List<OperatingSystemConfig.File> bootstrap,
            List<OperatingSystemConfig.File> provisioning) {
        OperatingSystemProfile.Spec profile = data.input().profile().compiled().spec();
        String utility = profile.provisioningUtility();
        List<OperatingSystemConfig.File> all = new ArrayList<>(provisioning);
        all.addAll(ContainerdHosts.files(data.settings().registries()));
        return new OperatingSystemConfig.Spec(
                profile.osName(),
                profile.osVersion(),
                data.provider().cloudProvider(),
                data.provider().cloudProviderSpec(),
                utility.isEmpty() ? "cloud-init" : utility,
                config(data, profile.bootstrapConfig(), bootstrap),
                config(data, profile.provisioningConfig(), all));
    }

    private static OperatingSystemConfig.Config config(
            TemplateInput data, OperatingSystemProfile.Config profile, List<OperatingSystemConfig.File> files) {
        CloudInitModules modules = profile.modules();
        if (data.operatingSystem() instanceof OperatingSystemSpec.Rhel rhel) {
            modules = Objects.requireNonNullElse(modules, CloudInitModules.NONE).withRhSubscription(subscription(rhel));
        }
        return new OperatingSystemConfig.Config(
                profile.units(), files, data.provider().sshPublicKeys(), modules);
    }

    /** Overrides the profile's subscription, even without credentials, as in OSM. */
    private static Map<String, String> subscription(OperatingSystemSpec.Rhel rhel) {
        return rhel.useSatelliteServer()
                ? Map.of(
                        "org", rhel.organizationName(),
                        "activation-key", rhel.activationKey().reveal(),
                        "server-hostname", rhel.satelliteServer(),
                        "rhsm-baseurl", "https://" + rhel.satelliteServer() + "/pulp/repos")
                : Map.of(
                        "username", rhel.subscriptionManagerUser(),
                        "password", rhel.subscriptionManagerPassword().reveal(),
                        "auto-attach", String.valueOf(rhel.attachSubscription()));
    }

    /** Renders the files of one configuration with credentials, and a file that reads one again with placeholders. */
    record PartRenderer(
            ProblemObject object, TemplateData revealed, TemplateData redacted, ExecutionEnvironment environment) {
        private static final int DEFAULT_MODE = 644;

        /** The same files for the secrets and for the stored object. */
        record FileVariants(List<OperatingSystemConfig.File> revealed, List<OperatingSystemConfig.File> redacted) {}

        /** The same for another object's files. */
        PartRenderer of(ProblemObject other) {
            return new PartRenderer(other, revealed, redacted, environment);
        }

        FileVariants render(CompiledProfile.Part part) {
            CompiledTemplates templates = Objects.requireNonNull(part.templates(), "mistakes were raised before");
            boolean credentials = false;
            try {
                CompiledTemplates.TemplateExecution run = templates.startExecution(revealed.dot(), environment);
                // Any file may contain what a snippet read.
                boolean inSnippets = revealed.getAndClearCredentialRead();
                credentials = inSnippets;
                CompiledTemplates.TemplateExecution again = inSnippets
                        ? templates.startExecution(redacted.dot(), environment)
                        : run.withData(redacted.dot());
                List<OperatingSystemConfig.File> files = new ArrayList<>(templates.size());
                List<OperatingSystemConfig.File> stored = new ArrayList<>(templates.size());
                for (int i = 0; i < templates.size(); i++) {
                    CompiledProfile.SourceFile source = part.files().get(i);
                    OperatingSystemConfig.File file = file(source, run.renderFile(i));
                    boolean read = revealed.getAndClearCredentialRead() || inSnippets;
                    credentials |= read;
                    files.add(file);
                    stored.add(read ? file(source, again.renderFile(i)) : file);
                }
                return new FileVariants(files, stored);
            } catch (TemplateException e) {
                // The message of an exceeded limit contains only the limit and the template position.
                credentials |= revealed.getAndClearCredentialRead();
                TemplateException told = credentials && !e.stage().isLimit() ? withoutCredentials(templates, e) : e;
                throw new TenantMistake(CompiledProfile.finding(part, told).withObject(object));
            }
        }

        /**
         * A failure's message may quote values of the template, so one that read a credential is reported from a rendering with
         * placeholders.
         */
        private TemplateException withoutCredentials(CompiledTemplates templates, TemplateException failure) {
            try {
                templates.render(redacted.dot(), environment);
            } catch (TemplateException e) {
                if (!e.stage().isLimit()) {
                    return e;
                }
            }
            String what = "fails with credentials, but not with placeholders; the error message is "
                    + "withheld because it may contain one";
            return new TemplateException(
                    failure.stage(), what, failure.template(), failure.line(), failure.column(), what, null);
        }

        private static OperatingSystemConfig.File file(CompiledProfile.SourceFile source, String text) {
            OperatingSystemProfile.File file = source.file();
            int permissions = file.permissions() == 0 ? DEFAULT_MODE : file.permissions();
            String encoding = Objects.requireNonNull(file.inline()).encoding();
            return new OperatingSystemConfig.File(file.path(), permissions, text, encoding);
        }
    }

    /**
     * The rendering of one MachineDeployment.
     *
     * @param stored the OperatingSystemConfig, with placeholders for credentials
     * @param revealed its spec with the credentials, for the secrets only
     * @param provider the decoded provider config
     * @param kubeletKubeconfig text of the kubelet bootstrap secret
     * @param composition what extensions made of the profile's files; null without any
     */
    public record RenderedConfig(
            ObjectNames names,
            SourceAnnotations stamps,
            ProviderConfig provider,
            OperatingSystemConfig stored,
            OperatingSystemConfig.Spec revealed,
            Sensitive kubeletKubeconfig,
            @Nullable Composition composition) {
        /** Where the file of an index comes from: a field of the profile, or an extension with its field; empty if the hub adds it. */
        public String fileSource(RenderInput.Profile profile, boolean bootstrap, int index) {
            return origin(profile, bootstrap, index).text(profile);
        }

        /** The same as values. */
        public FileOrigin origin(RenderInput.Profile profile, boolean bootstrap, int index) {
            if (composition == null) {
                CompiledProfile compiled = profile.compiled();
                List<CompiledProfile.SourceFile> sources =
                        (bootstrap ? compiled.bootstrap() : compiled.provisioning()).files();
                return new FileOrigin(
                        profile.describe(),
                        index < sources.size() ? sources.get(index).field() : "");
            }
            List<FileOrigin> origins = composition.origins(bootstrap);
            return index < origins.size() ? origins.get(index) : new FileOrigin(profile.describe(), "");
        }

        /** Where a file comes from: {@code field} of a profile or an extension; empty if the hub adds it. */
        public record FileOrigin(ProblemObject object, String field) {
            /** For findings about the profile: its field alone, or an extension with its field. */
            String text(RenderInput.Profile profile) {
                return field.isEmpty() || object.equals(profile.describe()) ? field : object + ", " + field;
            }
        }

        /** What to tell about extensions, although it can be published. */
        public List<Problem> warnings(RenderInput.Profile profile) {
            return composition == null
                    ? profile.applied().warnings()
                    : Stream.concat(profile.applied().warnings().stream(), composition.warnings().stream())
                            .toList();
        }

        /** The {@link ProfileExtension#path}s of extensions that changed a file of the profile. */
        public List<String> changers(String path) {
            return composition == null
                    ? List.of()
                    : composition.changed().entrySet().stream()
                            .filter(paths -> paths.getValue().contains(path))
                            .map(Map.Entry::getKey)
                            .sorted()
                            .toList();
        }

        /** Optional changes of what the profile does not have. */
        public List<Problem> skipped() {
            return composition == null ? List.of() : composition.skipped();
        }

        /** The extensions of the files, for the status. */
        public List<ExtensionSource> extensions(RenderInput.Profile profile) {
            return composition == null
                    ? List.of()
                    : composition.sources(profile.applied().extensions());
        }

        @Override
        public String toString() {
            return "Rendering[" + stored.name() + "]";
        }

        /** The two user-data documents, and the size of the first as its cloud provider receives it. */
        public record Documents(String bootstrap, String provisioning, UserDataSize bootstrapSize) {
            @Override
            public String toString() {
                return "Documents[" + bootstrap.length() + ", " + provisioning.length() + "]";
            }
        }
    }

    /**
     * The complete input of a rendering.
     *
     * @param tenantNamespace namespace of the OperatingSystemConfig
     */
    public record RenderInput(
            String tenantNamespace,
            MachineDeployment machineDeployment,
            Profile profile,
            Provisioning settings,
            BootstrapAccess access,
            References resolved) {
        /**
         * A profile under the name in the MachineDeployment.
         *
         * @param applied the extensions with which it is rendered
         * @param alternatives the other profiles that it could name, by name; read only to suggest one
         */
        public record Profile(
                String namespace,
                String name,
                CompiledProfile compiled,
                AppliedExtensions applied,
                Supplier<SortedMap<String, OperatingSystemProfile.Spec>> alternatives) {
            public Profile(String namespace, String name, CompiledProfile compiled) {
                this(namespace, name, compiled, AppliedExtensions.NONE, TreeMap::new);
            }

            /** The version that is shown and stored, which tells extensions apart. */
            public String version() {
                return applied.version(compiled.spec().version(), compiled.contentHash());
            }

            /** Of the profile and the extensions. */
            public String contentHash() {
                return applied.contentHash(compiled.contentHash());
            }

            @Override
            public boolean equals(@Nullable Object other) {
                return other instanceof Profile profile
                        && namespace.equals(profile.namespace)
                        && name.equals(profile.name)
                        && compiled.equals(profile.compiled)
                        && applied.equals(profile.applied);
            }

            @Override
            public int hashCode() {
                return Objects.hash(namespace, name, contentHash());
            }

            /** The same with other extensions. */
            public Profile with(AppliedExtensions other) {
                return new Profile(namespace, name, compiled, other, alternatives);
            }

            /** Conflicts of its extensions that can be found without rendering. */
            public List<Problem> findConflicts() {
                return ExtensionComposer.findConflicts(this);
            }

            /** Itself, for findings. */
            public ProblemObject describe() {
                return new ProblemObject(ProblemObject.Cluster.MANAGEMENT, "OperatingSystemProfile", namespace, name);
            }

            /** Opens it; {@link Command#NONE} if it is a file. */
            public Command editCommand() {
                return Command.management("kubectl -n {} edit operatingsystemprofile {}", namespace, name);
            }
        }

        /**
         * How machines join.
         *
         * @param bootstrapToken with which kubelets join
         * @param fetchToken with which machines fetch their provisioning secret
         */
        public record BootstrapAccess(ApiServerEndpoint apiServer, Sensitive bootstrapToken, Sensitive fetchToken) {}

        /**
         * Resolved references of the settings.
         *
         * @param kubernetesCa PEM text of the cluster's CA for nodes
         * @param hostCa PEM text, may be empty
         * @param secretHttpProxy URL from a Secret that replaces the setting; null if the setting names none
         */
        public record References(
                String kubernetesCa,
                String hostCa,
                RegistryCredentials registryCredentials,
                @Nullable Sensitive secretHttpProxy) {
            /** The same with another CA of the cluster. */
            public References withKubernetesCa(String pem) {
                return new References(pem, hostCa, registryCredentials, secretHttpProxy);
            }
        }
    }
}
