package io.osmhub.core.render;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.bootstrap.BootstrapKubeconfig;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.ContainerdConfig.ContainerdHosts;
import io.osmhub.core.render.CredentialRemover.CredentialPlaceholder;
import io.osmhub.core.render.CredentialRemover.ProviderSpecRedactor;
import io.osmhub.core.render.KubeletCloudConfig.KubeletVersion;
import io.osmhub.core.render.TemplateData.TemplateInput;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.core.userdata.UserDataSize;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
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
        boolean ownProfile = profile.templateEngine() == TemplateLanguage.HANDLEBARS;
        String profileObject = input.profile().describe();

        ProviderConfig.Decoded decoded = ProviderConfig.decode(machineDeployment);
        ProfileCompatibility.requireCompatible(profile, input.profile().name(), machineDeployment, decoded.lenient());
        ProviderConfig config = decoded.strict();
        String utility = ProfileCompatibility.utility(config, machineDeployment, ownProfile);
        ProfileCompatibility.requireUtility(profile, profileObject, utility, machineDeployment);

        List<ProblemFinding> findings = new ArrayList<>();
        KubeletSettings kubelet = KubeletSettings.read(machineDeployment, findings);
        KubeletVersion version = KubeletVersion.read(machineDeployment, findings);
        if (version != null) {
            addUnlessNull(
                    findings,
                    ProfileCompatibility.kubernetesVersion(profile, profileObject, version, machineDeployment));
        }
        addUnlessNull(findings, staticNetwork(config, machineDeployment));
        OperatingSystemSpec operatingSystem = operatingSystem(config, machineDeployment, ownProfile, findings);
        if (version == null || operatingSystem == null || !findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
        String cloudConfig = KubeletCloudConfig.text(
                machineDeployment,
                config,
                version,
                input.settings().externalCloudProvider(),
                input.references(),
                input.resolved().cloudEnvironment());
        requireCompiled(input.profile());
        return new OneRendering(input, config, operatingSystem, kubelet, version, cloudConfig).render();
    }

    private static void addUnlessNull(List<ProblemFinding> findings, @Nullable ProblemFinding finding) {
        if (finding != null) {
            findings.add(finding);
        }
    }

    private static @Nullable ProblemFinding staticNetwork(ProviderConfig config, MachineDeployment machineDeployment) {
        if (config.network() == null
                || !config.network().isStatic()
                || config.operatingSystem().equals("flatcar")) {
            return null;
        }
        return new ProblemFinding(
                "StaticNetworkNotSupported",
                machineDeployment.describe(),
                "providerSpec.value.network",
                "static IP config is not supported with " + config.operatingSystem(),
                "use flatcar, or remove cidr, gateway and dns");
    }

    private static @Nullable OperatingSystemSpec operatingSystem(
            ProviderConfig config,
            MachineDeployment machineDeployment,
            boolean ownProfile,
            List<ProblemFinding> findings) {
        try {
            return config.operatingSystemSpec(machineDeployment, ownProfile);
        } catch (TenantMistake e) {
            findings.addAll(e.findings());
            return null;
        }
    }

    private static void requireCompiled(RenderInput.Profile profile) {
        List<ProblemFinding> mistakes = profile.compiled().mistakes();
        if (!mistakes.isEmpty()) {
            throw new TenantMistake(mistakes.stream()
                    .map(finding -> withObject(profile.describe(), finding))
                    .toList());
        }
    }

    static ProblemFinding withObject(String object, ProblemFinding finding) {
        return new ProblemFinding(
                finding.reason(),
                object,
                finding.field(),
                finding.line(),
                finding.column(),
                finding.what(),
                finding.cure());
    }

    /** One run of {@link #render} after all checks. */
    private final class OneRendering {
        private final RenderInput input;
        private final ProviderConfig config;
        private final OperatingSystemSpec operatingSystem;
        private final KubeletSettings kubelet;
        private final KubeletVersion version;
        private final String cloudConfig;
        private final ObjectNames names;

        OneRendering(
                RenderInput input,
                ProviderConfig config,
                OperatingSystemSpec operatingSystem,
                KubeletSettings kubelet,
                KubeletVersion version,
                String cloudConfig) {
            this.input = input;
            this.config = config;
            this.operatingSystem = operatingSystem;
            this.kubelet = kubelet;
            this.version = version;
            this.cloudConfig = cloudConfig;
            this.names = ObjectNames.of(input.machineDeployment());
        }

        RenderedConfig render() {
            OperatingSystemProfile.Spec profile = input.profile().compiled().spec();
            Set<String> credentials = credentialFields();
            TemplateInput revealed = context(false, credentials);
            TemplateInput redacted = context(true, Set.of());
            PartRenderer files = new PartRenderer(
                    input.profile().describe(), profile.templateEngine(), revealed, redacted, environments.get());
            PartRenderer.FileVariants bootstrap =
                    files.render(input.profile().compiled().bootstrap());
            PartRenderer.FileVariants provisioning =
                    files.render(input.profile().compiled().provisioning());
            List<OperatingSystemConfig.File> hosts =
                    ContainerdHosts.files(input.settings().registries());
            SourceAnnotations stamps = SourceAnnotations.of(input.machineDeployment(), profile.version());
            OperatingSystemConfig.Spec stored = spec(
                    true,
                    config(profile.bootstrapConfig(), bootstrap.redacted(), List.of(), true),
                    config(profile.provisioningConfig(), provisioning.redacted(), hosts, true));
            return new RenderedConfig(
                    names,
                    stamps,
                    config,
                    new OperatingSystemConfig(
                            input.tenantNamespace(), names.operatingSystemConfig(), stamps.annotations(), stored),
                    spec(
                            false,
                            config(profile.bootstrapConfig(), bootstrap.revealed(), List.of(), false),
                            config(profile.provisioningConfig(), provisioning.revealed(), hosts, false)),
                    new Sensitive(revealed.bootstrapKubeconfig().get()));
        }

        private OperatingSystemConfig.Spec spec(
                boolean redacted, OperatingSystemConfig.Config bootstrap, OperatingSystemConfig.Config provisioning) {
            OperatingSystemProfile.Spec profile = input.profile().compiled().spec();
            String utility = profile.provisioningUtility();
            return new OperatingSystemConfig.Spec(
                    profile.osName(),
                    profile.osVersion(),
                    config.cloudProvider(),
                    redacted ? ProviderSpecRedactor.redact(config.cloudProviderSpec()) : config.cloudProviderSpec(),
                    utility.isEmpty() ? "cloud-init" : utility,
                    bootstrap,
                    provisioning);
        }

        private OperatingSystemConfig.Config config(
                OperatingSystemProfile.Config profile,
                List<OperatingSystemConfig.File> rendered,
                List<OperatingSystemConfig.File> hosts,
                boolean redacted) {
            List<OperatingSystemConfig.File> files = new ArrayList<>(rendered);
            files.addAll(hosts);
            return new OperatingSystemConfig.Config(
                    profile.units(), files, config.sshPublicKeys(), modules(profile.modules(), redacted));
        }

        private @Nullable CloudInitModules modules(@Nullable CloudInitModules modules, boolean redacted) {
            if (!(operatingSystem instanceof OperatingSystemSpec.Rhel rhel)) {
                return modules;
            }
            CloudInitModules base = modules == null ? CloudInitModules.NONE : modules;
            return base.withRhSubscription(subscription(rhel, redacted));
        }

        /** Overrides the profile's subscription, even without credentials, as in OSM. */
        private static SortedMap<String, String> subscription(OperatingSystemSpec.Rhel rhel, boolean redacted) {
            SortedMap<String, String> subscription = new TreeMap<>();
            if (rhel.useSatelliteServer()) {
                subscription.put("org", rhel.organizationName());
                subscription.put("activation-key", credential(rhel.activationKey(), redacted));
                subscription.put("server-hostname", rhel.satelliteServer());
                subscription.put("rhsm-baseurl", "https://" + rhel.satelliteServer() + "/pulp/repos");
            } else {
                subscription.put("username", rhel.subscriptionManagerUser());
                subscription.put("password", credential(rhel.subscriptionManagerPassword(), redacted));
                subscription.put("auto-attach", String.valueOf(rhel.attachSubscription()));
            }
            return subscription;
        }

        private static String credential(Sensitive credential, boolean redacted) {
            return redacted ? CredentialPlaceholder.RHEL_SUBSCRIPTION.redact(credential.reveal()) : credential.reveal();
        }

        private Set<String> credentialFields() {
            Set<String> fields = new HashSet<>(List.of("Token", "BootstrapKubeconfig"));
            if (!cloudConfig.isEmpty() && KubeletCloudConfig.holdsCredential(config)) {
                fields.add("CloudConfig");
            }
            if (!input.resolved().registryCredentials().byRegistry().isEmpty()) {
                fields.add("ContainerRuntimeConfig");
            }
            if (input.resolved().secretHttpProxy() != null) {
                fields.add("HTTPProxy");
            }
            return fields;
        }

        private TemplateInput context(boolean redacted, Set<String> credentials) {
            Provisioning settings = input.settings();
            RenderInput.BootstrapAccess access = input.access();
            RenderInput.References resolved = input.resolved();
            Sensitive bootstrapToken =
                    redacted ? new Sensitive(CredentialPlaceholder.BOOTSTRAP_TOKEN.text()) : access.bootstrapToken();
            RegistryCredentials registries =
                    redacted ? resolved.registryCredentials().redacted() : resolved.registryCredentials();
            boolean secretCloudConfig = redacted && KubeletCloudConfig.holdsCredential(config);
            return new TemplateInput(
                    version.text(),
                    KubeletCloudConfig.isInTreeManagerAvailable(config, settings.externalCloudProvider()),
                    config,
                    redacted && operatingSystem instanceof OperatingSystemSpec.Rhel rhel
                            ? withoutCredentials(rhel)
                            : operatingSystem,
                    kubelet,
                    settings,
                    resolved.kubernetesCa(),
                    resolved.hostCa(),
                    access.apiServer().server(),
                    names,
                    () -> BootstrapKubeconfig.text(access.apiServer(), bootstrapToken),
                    redacted
                            ? CredentialPlaceholder.FETCH_TOKEN.text()
                            : access.fetchToken().reveal(),
                    secretCloudConfig ? CredentialPlaceholder.CLOUD_CONFIG.redact(cloudConfig) : cloudConfig,
                    schema -> ContainerdConfig.text(settings.containerRuntime(), registries, schema),
                    httpProxy(redacted),
                    credentials);
        }

        private @Nullable String httpProxy(boolean redacted) {
            Sensitive secret = input.resolved().secretHttpProxy();
            if (secret != null) {
                return redacted ? CredentialPlaceholder.PROXY_URL.text() : secret.reveal();
            }
            String url = input.settings().proxy().httpProxy();
            return url.isEmpty() ? null : url;
        }

        private static OperatingSystemSpec withoutCredentials(OperatingSystemSpec.Rhel rhel) {
            return new OperatingSystemSpec.Rhel(
                    rhel.distUpgradeOnBoot(),
                    rhel.subscriptionManagerUser(),
                    new Sensitive(credential(rhel.subscriptionManagerPassword(), true)),
                    new Sensitive(credential(rhel.rhsmOfflineToken(), true)),
                    rhel.attachSubscription(),
                    rhel.useSatelliteServer(),
                    rhel.satelliteServer(),
                    rhel.organizationName(),
                    new Sensitive(credential(rhel.activationKey(), true)));
        }
    }

    /** Renders the files of one configuration with credentials, and a file that reads one again with placeholders. */
    static final class PartRenderer {
        private static final int DEFAULT_MODE = 644;

        private final String profileObject;
        private final ExecutionEnvironment environment;
        private final TemplateData revealed;
        private final TemplateData redacted;

        PartRenderer(
                String profileObject,
                TemplateLanguage language,
                TemplateInput revealed,
                TemplateInput redacted,
                ExecutionEnvironment environment) {
            this.profileObject = profileObject;
            this.revealed = new TemplateData(revealed, language);
            this.redacted = new TemplateData(redacted, language);
            this.environment = environment;
        }

        /** The same files for the secrets and for the stored object. */
        record FileVariants(List<OperatingSystemConfig.File> revealed, List<OperatingSystemConfig.File> redacted) {}

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
                TemplateException told = credentials && e.stage() != TemplateException.Stage.LIMIT
                        ? withoutCredentials(templates, e)
                        : e;
                throw new TenantMistake(Renderer.withObject(profileObject, CompiledProfile.finding(part, told)));
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
                if (e.stage() != TemplateException.Stage.LIMIT) {
                    return e;
                }
            }
            String what = "fails with credentials, but not with placeholders; the error message is "
                    + "withheld because it may contain one";
            return new TemplateException(
                    failure.stage(), what, failure.template(), failure.line(), failure.column(), what, null);
        }

        private static OperatingSystemConfig.File file(CompiledProfile.SourceFile source, String text) {
            int permissions = source.permissions() == 0 ? DEFAULT_MODE : source.permissions();
            return new OperatingSystemConfig.File(source.path(), permissions, text, source.encoding());
        }
    }

    /**
     * The rendering of one MachineDeployment.
     *
     * @param stored the OperatingSystemConfig, with placeholders for credentials
     * @param revealed its spec with the credentials, for the secrets only
     * @param provider the decoded provider config
     * @param kubeletKubeconfig text of the kubelet bootstrap secret
     */
    public record RenderedConfig(
            ObjectNames names,
            SourceAnnotations stamps,
            ProviderConfig provider,
            OperatingSystemConfig stored,
            OperatingSystemConfig.Spec revealed,
            Sensitive kubeletKubeconfig) {
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
     * @param references resolves references of the provider config in the worker cluster; used only for kubelets before 1.29
     */
    public record RenderInput(
            String tenantNamespace,
            MachineDeployment machineDeployment,
            Profile profile,
            Provisioning settings,
            BootstrapAccess access,
            References resolved,
            ReferenceResolver references) {
        /** A profile under the name in the MachineDeployment. */
        public record Profile(String namespace, String name, CompiledProfile compiled, Alternatives alternatives) {
            public Profile(String namespace, String name, CompiledProfile compiled) {
                this(namespace, name, compiled, Alternatives.NONE);
            }

            /** The other profiles that the MachineDeployment could name in its place; read only to suggest one. */
            @FunctionalInterface
            public interface Alternatives {
                Alternatives NONE = TreeMap::new;

                /** By name. */
                SortedMap<String, OperatingSystemProfile.Spec> read();
            }

            @Override
            public boolean equals(@Nullable Object other) {
                return other instanceof Profile profile
                        && namespace.equals(profile.namespace)
                        && name.equals(profile.name)
                        && compiled.equals(profile.compiled);
            }

            @Override
            public int hashCode() {
                return Objects.hash(namespace, name, compiled);
            }

            public String describe() {
                return "OperatingSystemProfile " + (namespace.isEmpty() ? name : namespace + "/" + name);
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
         * @param cloudEnvironment replaces the environment from which OSM reads cloud credentials
         */
        public record References(
                String kubernetesCa,
                String hostCa,
                RegistryCredentials registryCredentials,
                @Nullable Sensitive secretHttpProxy,
                Map<String, String> cloudEnvironment) {
            public References {
                cloudEnvironment = Map.copyOf(cloudEnvironment);
            }

            /** The same with another CA of the cluster. */
            public References withKubernetesCa(String pem) {
                return new References(pem, hostCa, registryCredentials, secretHttpProxy, cloudEnvironment);
            }

            @Override
            public String toString() {
                return "References[...]";
            }
        }
    }
}
