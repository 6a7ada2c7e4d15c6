package io.osmhub.core.lint;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ReferenceResolver;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.RenderInput;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** One combination in which a profile is rendered. {@code version} is a minor version, for example {@code 1.34}. */
record MatrixCombination(String cloudProvider, String version, LintScenario situation) {
    private static final String NAMESPACE = "kube-system";
    private static final ApiServerEndpoint API_SERVER = new ApiServerEndpoint(
            "https://api.shop.example.org:6443",
            new TreeMap<>(Map.of(
                    "certificate-authority-data",
                    '"' + Base64.getEncoder().encodeToString(LintScenario.CA.getBytes(StandardCharsets.UTF_8)) + '"')));
    private static final RenderInput.BootstrapAccess ACCESS = new RenderInput.BootstrapAccess(
            API_SERVER,
            new Sensitive("abcdef.0123456789abcdef"),
            new Sensitive("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl"));

    /** For users: {@code aws, Kubernetes 1.34, everything set}. */
    String label() {
        return cloudProvider + ", Kubernetes " + version + ", " + situation.label();
    }

    RenderInput input(OperatingSystemProfile profile, CompiledProfile compiled) {
        OperatingSystemProfile.Spec spec = compiled.spec();
        String utility = spec.provisioningUtility().isEmpty() ? "cloud-init" : spec.provisioningUtility();
        Map<String, String> annotations = new HashMap<>(situation.annotations());
        annotations.put(MachineDeployment.PROFILE, profile.name());
        annotations.put(MachineDeployment.REVISION, "1");
        MachineDeployment machineDeployment = MachineDeployment.of(
                NAMESPACE,
                "workers",
                annotations,
                KubernetesVersions.version(version),
                situation.providerSpec(spec.osName(), utility, cloudProvider));
        return new RenderInput(
                NAMESPACE,
                machineDeployment,
                new RenderInput.Profile(profile.namespace(), profile.name(), compiled),
                situation.settings(),
                ACCESS,
                new RenderInput.References(
                        LintScenario.CA, situation.hostCa(), situation.registryCredentials(), null, Map.of()),
                reference -> new ReferenceResolver.ResolveResult.NoObject());
    }
}
