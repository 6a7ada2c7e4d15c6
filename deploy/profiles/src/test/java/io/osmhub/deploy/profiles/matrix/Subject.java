package io.osmhub.deploy.profiles.matrix;

import io.osmhub.core.document.YamlText;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.TemplateLanguages;
import io.osmhub.core.version.InvalidVersion;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.VersionConstraint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A profile as it is shipped. */
record Subject(String file, OperatingSystemProfile profile, CompiledProfile compiled) {
    /** The versions that profiles are proven for, oldest first; with the patch that a MachineDeployment writes. */
    static final List<String> MINORS = List.of("1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36");

    private static final String PATCH = ".2";

    /** The profiles that the project ships. */
    static List<Subject> shipped() {
        Path folder = Path.of(System.getProperty("osmhub.root", "../..")).resolve("deploy/manifests/profiles");
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("osp-.*\\.yaml"))
                    .sorted()
                    .map(Subject::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Subject read(Path file) {
        try {
            return of(file.getFileName().toString(), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A profile from YAML text; strictly read, as the API server would refuse or drop anything else. */
    static Subject of(String file, String yaml) {
        OperatingSystemProfile profile = ProfileReader.strict()
                .read(YamlText.read(file, yaml, "ProfileUnreadable").getFirst());
        return new Subject(file, profile, new CompiledProfiles(new TemplateLanguages(), 1).of(profile.spec()));
    }

    String name() {
        return profile.name();
    }

    String utility() {
        String utility = profile.spec().provisioningUtility();
        return utility.isEmpty() ? "cloud-init" : utility;
    }

    static String version(String minor) {
        return minor + PATCH;
    }

    /** The minor versions that it serves. */
    List<String> minors() {
        String constraint = profile.spec().supportedKubernetesVersions();
        if (constraint == null || constraint.isEmpty()) {
            return MINORS;
        }
        return MINORS.stream().filter(minor -> meets(constraint, minor)).toList();
    }

    private static boolean meets(String constraint, String minor) {
        try {
            return VersionConstraint.parse(constraint).allows(SemanticVersion.parse(version(minor)));
        } catch (InvalidVersion e) {
            throw new IllegalArgumentException(constraint + ", " + minor, e);
        }
    }
}
