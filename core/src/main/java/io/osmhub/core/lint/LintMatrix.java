package io.osmhub.core.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.AppliedExtensions.Candidates;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The combinations in which profiles are rendered, from {@code lint-matrix.yaml}. */
final class LintMatrix {
    private static final String RESOURCE = "lint-matrix.yaml";
    private static final String KUBELET = "v1.kubelet-config.machine-controller.kubermatic.io/";
    private static final String NAMESPACE = "kube-system";
    private static final JsonNode MATRIX =
            SourceDocument.json(YamlDocumentReader.read(RESOURCE, LintResource.text(RESOURCE), Reason.InternalError)
                    .getFirst()
                    .root());

    /** Minor versions, oldest first. */
    static final List<String> KUBERNETES_VERSIONS = MATRIX.path("kubernetesVersions")
            .valueStream()
            .map(JsonNode::asText)
            .toList();

    /** In the first one all settings are left out. */
    static final List<Situation> SITUATIONS = situations();

    private static final String CA = MATRIX.path("certificate").asText();
    private static final String CA_DATA = Base64.getEncoder().encodeToString(CA.getBytes(UTF_8));
    private static final RenderInput.BootstrapAccess ACCESS = new RenderInput.BootstrapAccess(
            new ApiServerEndpoint(
                    "https://api.shop.example.org:6443",
                    new TreeMap<>(Map.of("certificate-authority-data", '"' + CA_DATA + '"'))),
            new Sensitive("abcdef.0123456789abcdef"),
            new Sensitive("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl"));

    private LintMatrix() {}

    /** What a tenant and a MachineDeployment say beside provider and version. */
    record Situation(String label, Provisioning settings, JsonNode values) {
        private RenderInput.References references() {
            SortedMap<String, RegistryCredentials.Credential> logins = new TreeMap<>();
            values.path("registryCredentials")
                    .forEach(login -> logins.put(
                            login.path("registry").asText(),
                            new RegistryCredentials.Credential(
                                    login.path("username").asText(),
                                    login.path("password").asText(),
                                    "",
                                    "")));
            return new RenderInput.References(
                    CA, values.path("hostCa").asText(), new RegistryCredentials(logins), null);
        }

        /** {@code providerSpec.value} of the MachineDeployment as JSON. */
        private String providerConfig(String operatingSystem, String utility, String cloudProvider) {
            JsonNode configs = values.path("providerConfig");
            ObjectNode config = configs.path(configs.has(operatingSystem) ? operatingSystem : "others")
                    .deepCopy();
            config.put("cloudProvider", cloudProvider).putObject("cloudProviderSpec");
            config.put("operatingSystem", operatingSystem);
            if (operatingSystem.equals("flatcar")) {
                config.withObject("/operatingSystemSpec").put("provisioningUtility", utility);
            }
            return config.toString();
        }
    }

    /** One combination. {@code version} is a minor version, for example {@code 1.34}. */
    record MatrixCombination(String cloudProvider, String version, Situation situation) {
        /** For users: {@code aws, Kubernetes 1.34, everything set}. */
        String label() {
            return cloudProvider + ", Kubernetes " + version + ", " + situation.label();
        }

        /**
         * @param settings those of the situation, or of a tenant instead
         * @param extensions to compose the profile with those that select it
         */
        RenderInput input(
                OperatingSystemProfile profile,
                CompiledProfile compiled,
                Provisioning settings,
                Candidates extensions) {
            OperatingSystemProfile.Spec spec = compiled.spec();
            String utility = spec.provisioningUtility().isEmpty() ? "cloud-init" : spec.provisioningUtility();
            Map<String, String> annotations = new HashMap<>();
            situation
                    .values()
                    .path("annotations")
                    .properties()
                    .forEach(one -> annotations.put(
                            KUBELET + one.getKey(), one.getValue().asText()));
            annotations.put(MachineDeployment.PROFILE, profile.name());
            annotations.put(MachineDeployment.REVISION, "1");
            return new RenderInput(
                    NAMESPACE,
                    MachineDeployment.of(
                            NAMESPACE,
                            "workers",
                            annotations,
                            KubernetesVersions.version(version),
                            situation.providerConfig(spec.osName(), utility, cloudProvider)),
                    new RenderInput.Profile(profile.namespace(), profile.name(), compiled)
                            .with(extensions.selectFitting(profile.name(), spec.osName(), cloudProvider)),
                    settings,
                    ACCESS,
                    situation.references());
        }
    }

    /** The combinations of a profile, by situation. */
    static List<MatrixCombination> combinations(
            OperatingSystemProfile.Spec spec, MatrixFilter choice, List<Situation> situations) {
        List<MatrixCombination> combinations = new ArrayList<>();
        for (Situation situation : situations) {
            for (String version : KubernetesVersions.matching(spec.supportedKubernetesVersions())) {
                spec.supportedCloudProviders().stream()
                        .distinct()
                        .filter(provider -> choice.matches(spec.osName(), provider, version))
                        .forEach(provider -> combinations.add(new MatrixCombination(provider, version, situation)));
            }
        }
        return spec.osName().isEmpty() ? List.of() : combinations;
    }

    private static List<Situation> situations() {
        List<Situation> situations = new ArrayList<>();
        for (JsonNode situation : MATRIX.path("situations")) {
            ObjectNode settings = JsonNodeFactory.instance.objectNode();
            settings.set("provisioning", situation.path("settings"));
            SettingsLayer layer = SettingsReader.readFile(SourceDocument.of(ProblemObject.input(RESOURCE), settings));
            situations.add(new Situation(
                    situation.path("label").asText(),
                    new LayeredSettings(layer, SettingsLayer.EMPTY)
                            .toTenantSettings()
                            .provisioning(),
                    situation));
        }
        return List.copyOf(situations);
    }
}
