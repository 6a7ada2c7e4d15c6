package io.osmhub.core.render;

import io.osmhub.core.bootstrap.BootstrapKubeconfig;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.Stamps;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.OperatingSystemSpec;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renders a profile for one MachineDeployment. Every file is rendered with the credentials, for the secrets; those that read
 * one are rendered again with placeholders, for the stored OperatingSystemConfig. Safe for use by many threads.
 */
public final class Renderer {
    private final Supplier<? extends Environment> environments;

    /** @param environments gives each rendering its own clock, randomness and budget */
    public Renderer(Supplier<? extends Environment> environments) {
        this.environments = environments;
    }

    /**
     * Renders.
     *
     * @throws TenantMistake with every mistake of the MachineDeployment at once, or the first of the profile's templates
     */
    public Rendering render(RenderInput input) {
        MachineDeployment machineDeployment = input.machineDeployment();
        OperatingSystemProfile.Spec profile = input.profile().compiled().spec();
        boolean ownProfile = profile.templateEngine() == TemplateLanguage.HANDLEBARS;
        String profileObject = input.profile().describe();

        ProviderConfig.Decoded decoded = ProviderConfig.decode(machineDeployment);
        ProfileChecks.requireServes(profile, input.profile().name(), machineDeployment, decoded.lenient());
        ProviderConfig config = decoded.strict();
        String utility = ProfileChecks.utility(config, machineDeployment, ownProfile);
        ProfileChecks.requireUtility(profile, profileObject, utility, machineDeployment);

        List<Finding> findings = new ArrayList<>();
        KubeletSettings kubelet = KubeletSettings.read(machineDeployment, findings);
        KubeletVersion version = KubeletVersion.read(machineDeployment, findings);
        if (version != null) {
            addUnlessNull(
                    findings, ProfileChecks.kubernetesVersion(profile, profileObject, version, machineDeployment));
        }
        addUnlessNull(findings, staticNetwork(config, machineDeployment));
        OperatingSystemSpec operatingSystem = operatingSystem(config, machineDeployment, ownProfile, findings);
        if (version == null || operatingSystem == null || !findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
        String cloudConfig = CloudConfig.text(
                machineDeployment,
                config,
                version,
                input.settings().externalCloudProvider(),
                input.references(),
                input.resolved().cloudEnvironment());
        requireCompiled(input.profile());
        return new OneRendering(input, config, operatingSystem, kubelet, version, cloudConfig).render();
    }

    private static void addUnlessNull(List<Finding> findings, @Nullable Finding finding) {
        if (finding != null) {
            findings.add(finding);
        }
    }

    private static @Nullable Finding staticNetwork(ProviderConfig config, MachineDeployment machineDeployment) {
        if (config.network() == null
                || !config.network().isStatic()
                || config.operatingSystem().equals("flatcar")) {
            return null;
        }
        return new Finding(
                "StaticNetworkNotSupported",
                machineDeployment.describe(),
                "providerSpec.value.network",
                "static IP config is not supported with " + config.operatingSystem(),
                "use flatcar, or remove cidr, gateway and dns");
    }

    private static @Nullable OperatingSystemSpec operatingSystem(
            ProviderConfig config, MachineDeployment machineDeployment, boolean ownProfile, List<Finding> findings) {
        try {
            return config.operatingSystemSpec(machineDeployment, ownProfile);
        } catch (TenantMistake e) {
            findings.addAll(e.findings());
            return null;
        }
    }

    private static void requireCompiled(RenderInput.Profile profile) {
        List<Finding> mistakes = profile.compiled().mistakes();
        if (!mistakes.isEmpty()) {
            throw new TenantMistake(mistakes.stream()
                    .map(finding -> about(profile.describe(), finding))
                    .toList());
        }
    }

    static Finding about(String object, Finding finding) {
        return new Finding(
                finding.reason(),
                object,
                finding.field(),
                finding.line(),
                finding.column(),
                finding.what(),
                finding.cure());
    }

    /** One run of {@link #render}, after everything was checked. */
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

        Rendering render() {
            OperatingSystemProfile.Spec profile = input.profile().compiled().spec();
            Set<String> credentials = credentialFields();
            FilesContext revealed = context(false, credentials);
            FilesContext redacted = context(true, Set.of());
            PartRenderer files = new PartRenderer(
                    input.profile().describe(), profile.templateEngine(), revealed, redacted, environments.get());
            PartRenderer.Pair bootstrap =
                    files.render(input.profile().compiled().bootstrap());
            PartRenderer.Pair provisioning =
                    files.render(input.profile().compiled().provisioning());
            List<OperatingSystemConfig.File> hosts =
                    RegistryHosts.files(input.settings().registries());
            Stamps stamps = Stamps.of(input.machineDeployment(), profile.version());
            OperatingSystemConfig.Spec stored = spec(
                    true,
                    config(profile.bootstrapConfig(), bootstrap.redacted(), List.of(), true),
                    config(profile.provisioningConfig(), provisioning.redacted(), hosts, true));
            return new Rendering(
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
                    redacted ? ProviderSpecRedaction.redact(config.cloudProviderSpec()) : config.cloudProviderSpec(),
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

        /** Replaces whatever the profile says, also without credentials: the peer's rule. */
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
            return redacted ? Placeholder.RHEL_SUBSCRIPTION.of(credential.reveal()) : credential.reveal();
        }

        private Set<String> credentialFields() {
            Set<String> fields = new HashSet<>(List.of("Token", "BootstrapKubeconfig"));
            if (!cloudConfig.isEmpty() && CloudConfig.holdsCredential(config)) {
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

        private FilesContext context(boolean redacted, Set<String> credentials) {
            Provisioning settings = input.settings();
            RenderInput.Access access = input.access();
            RenderInput.References resolved = input.resolved();
            Sensitive bootstrapToken =
                    redacted ? new Sensitive(Placeholder.BOOTSTRAP_TOKEN.text()) : access.bootstrapToken();
            RegistryCredentials registries =
                    redacted ? resolved.registryCredentials().redacted() : resolved.registryCredentials();
            boolean secretCloudConfig = redacted && CloudConfig.holdsCredential(config);
            return new FilesContext(
                    version.text(),
                    CloudConfig.inTreeManagerAvailable(config, settings.externalCloudProvider()),
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
                            ? Placeholder.FETCH_TOKEN.text()
                            : access.fetchToken().reveal(),
                    secretCloudConfig ? Placeholder.CLOUD_CONFIG.of(cloudConfig) : cloudConfig,
                    schema -> ContainerdConfig.text(settings.containerRuntime(), registries, schema),
                    httpProxy(redacted),
                    credentials);
        }

        private @Nullable String httpProxy(boolean redacted) {
            Sensitive secret = input.resolved().secretHttpProxy();
            if (secret != null) {
                return redacted ? Placeholder.PROXY_URL.text() : secret.reveal();
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
}
