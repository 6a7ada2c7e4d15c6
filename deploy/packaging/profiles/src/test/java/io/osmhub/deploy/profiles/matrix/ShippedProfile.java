package io.osmhub.deploy.profiles.matrix;

import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.template.language.TemplateEngines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A profile as it is shipped. */
record ShippedProfile(String file, OperatingSystemProfile profile, CompiledProfile compiled) {
    /** The profiles that the project ships. */
    static List<ShippedProfile> shipped() {
        Path folder =
                Path.of(System.getProperty("osmhub.root", "../../..")).resolve("deploy/packaging/manifests/profiles");
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("osp-.*\\.yaml"))
                    .sorted()
                    .map(ShippedProfile::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ShippedProfile read(Path file) {
        try {
            return of(file.getFileName().toString(), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A profile from YAML text; strictly read, as the API server would refuse or drop anything else. */
    static ShippedProfile of(String file, String yaml) {
        OperatingSystemProfile profile = ProfileReader.strict()
                .read(YamlDocumentReader.read(file, yaml, Reason.SettingsInvalid)
                        .getFirst());
        return new ShippedProfile(
                file, profile, new CompiledProfileCache(new TemplateEngines(), 1).getOrCompile(profile.spec()));
    }

    String name() {
        return profile.name();
    }

    String utility() {
        String utility = profile.spec().provisioningUtility();
        return utility.isEmpty() ? "cloud-init" : utility;
    }

    /** The minor versions that it serves. */
    List<String> minors() {
        return KubernetesVersions.matching(profile.spec().supportedKubernetesVersions());
    }
}
