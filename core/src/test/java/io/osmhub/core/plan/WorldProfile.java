package io.osmhub.core.plan;

import io.osmhub.core.osp.NodeFetchMethod;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The profile of a {@link World}: one text in both its configurations, beside what machines need to get in. */
final class WorldProfile {
    private static final CompiledProfileCache PROFILES = new CompiledProfileCache(new TemplateEngines(), 64);

    private WorldProfile() {}

    /** @param copies how many files of the same text each configuration has */
    static RenderInput.Profile of(String text, String version, List<NodeFetchMethod> supported, int copies) {
        OperatingSystemProfile.Config bootstrap = config(
                "/opt/bin/bootstrap",
                "fetch {{ .SecretName }} with {{ .Token }} from {{ .ServerURL }}\n" + text,
                copies);
        OperatingSystemProfile.Config provisioning = config(
                "/etc/kubernetes/bootstrap-kubelet.conf",
                "dns {{ .ClusterDNSIPs }}\n{{ .BootstrapKubeconfig }}\n" + text,
                copies);
        return new RenderInput.Profile(
                "osm-profiles",
                "osp-ubuntu",
                PROFILES.getOrCompile(new OperatingSystemProfile.Spec(
                        "ubuntu",
                        "24.04",
                        version,
                        List.of("aws", "edge", "openstack"),
                        "cloud-init",
                        TemplateLanguage.GO,
                        null,
                        supported,
                        bootstrap,
                        provisioning)));
    }

    private static OperatingSystemProfile.Config config(String path, String template, int copies) {
        return new OperatingSystemProfile.Config(
                List.of(),
                Map.of(),
                List.of(),
                IntStream.range(0, copies)
                        .mapToObj(i -> new OperatingSystemProfile.File(
                                i == 0 ? path : path + i, 755, new OperatingSystemProfile.Inline(template, "b64")))
                        .toList(),
                null);
    }
}
