package io.osmhub.core.airgap;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.airgap.NodeDownload.DownloadKind;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile.Config;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.OperatingSystemProfile.Spec;
import io.osmhub.core.problem.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A list of downloads that is written beside profiles. It is a template, rendered as one more file of a profile, because versions,
 * mirrors and cloud providers decide what is downloaded.
 */
public final class DeclaredDownloads {
    /** No profile writes it. */
    private static final String PATH = "/downloads.yaml";

    private static final ObjectMapper JSON = new ObjectMapper();

    private DeclaredDownloads() {}

    /** The profile with the list as its last file. */
    public static Spec declare(Spec spec, String template) {
        Config config = spec.provisioningConfig();
        List<File> files = new ArrayList<>(config.files());
        files.add(new File(PATH, 600, new Inline(template, "")));
        return new Spec(
                spec.osName(),
                spec.osVersion(),
                spec.version(),
                spec.supportedCloudProviders(),
                spec.provisioningUtility(),
                spec.templateEngine(),
                spec.supportedKubernetesVersions(),
                spec.supportedNodeFetch(),
                spec.bootstrapConfig(),
                new Config(
                        config.supportedContainerRuntimes(),
                        config.templates(),
                        config.units(),
                        files,
                        config.modules()));
    }

    /**
     * An entry of the list.
     *
     * @param systems operating systems; null for all
     * @param with names in the value, and what they stand for; null for none
     */
    private record DeclaredDownload(
            DownloadKind kind,
            String value,
            String file,
            @Nullable List<String> systems,
            @Nullable Map<String, List<String>> with) {
        Stream<NodeDownload> of(OperatingSystemConfig.Spec rendered) {
            if (systems != null && !systems.contains(rendered.osName())) {
                return Stream.empty();
            }
            Map<String, List<String>> names = new LinkedHashMap<>(with == null ? Map.of() : with);
            names.put("system", List.of(rendered.osName()));
            names.put("major", List.of(rendered.osVersion().split("\\.", 2)[0]));
            List<String> values = List.of(value);
            for (Map.Entry<String, List<String>> name : names.entrySet()) {
                values = values.stream()
                        .flatMap(text -> name.getValue().stream()
                                .map(replacement -> text.replace("<" + name.getKey() + ">", replacement)))
                        .toList();
            }
            return values.stream().map(text -> new NodeDownload(kind, text, file, 0));
        }
    }

    /** The downloads of a rendering of such a profile, for each processor. Their lines are 0. */
    public static List<NodeDownload> read(OperatingSystemConfig.Spec rendered) {
        String text = rendered.provisioningConfig().files().stream()
                .filter(file -> file.path().equals(PATH))
                .findFirst()
                .orElseThrow()
                .data();
        return YamlDocumentReader.read(PATH, text, Reason.InternalError).stream()
                .map(list -> JSON.convertValue(SourceDocument.json(list.root()), DeclaredDownload[].class))
                .flatMap(Stream::of)
                .flatMap(download -> download.of(rendered))
                .toList();
    }
}
