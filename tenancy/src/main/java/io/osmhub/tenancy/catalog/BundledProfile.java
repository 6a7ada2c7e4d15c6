package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A default profile packaged into the program.
 *
 * @param object as in the file
 */
public record BundledProfile(OperatingSystemProfile profile, JsonNode object) {
    private static final String FOLDER = "/profiles/";
    /** Lists the files of the folder, one per line: folders on the class path cannot be listed. */
    private static final String INDEX = FOLDER + "index.txt";

    /** Loaded on first use, so that they do not delay the hub's readiness. */
    private static final class BundledProfilesHolder {
        private static final List<BundledProfile> ALL = read();
        private static final Set<String> HASHES =
                ALL.stream().map(BundledProfile::contentHash).collect(Collectors.toUnmodifiableSet());
    }

    /** All bundled profiles; none without an index. Reads files on first use. */
    public static List<BundledProfile> all() {
        return BundledProfilesHolder.ALL;
    }

    /** Their content hashes, see {@link ProfileContentHash}. Reads files on first use. */
    public static Set<String> hashes() {
        return BundledProfilesHolder.HASHES;
    }

    /** The list of what nodes of a bundled profile download, a template for its language; null for other profiles. */
    public static @Nullable String declaredDownloads(OperatingSystemProfile.Spec spec) {
        return hashes().contains(ProfileContentHash.of(spec)) ? text(FOLDER + "downloads.yaml") : null;
    }

    private static List<BundledProfile> read() {
        String index = text(INDEX);
        if (index == null) {
            return List.of();
        }
        List<BundledProfile> profiles = new ArrayList<>();
        for (String name :
                index.lines().map(String::strip).filter(line -> !line.isEmpty()).toList()) {
            String text = text(FOLDER + name);
            if (text == null) {
                throw new IllegalStateException("resource missing: " + FOLDER + name);
            }
            profiles.addAll(read(name, text));
        }
        return List.copyOf(profiles);
    }

    static List<BundledProfile> read(String file, String yaml) {
        return YamlDocumentReader.read(file, yaml, Reason.ProfileFileInvalid).stream()
                .map(document ->
                        new BundledProfile(ProfileReader.strict().read(document), SourceDocument.json(document.root())))
                .toList();
    }

    public String name() {
        return profile.name();
    }

    String version() {
        return profile.spec().version();
    }

    String contentHash() {
        return ProfileContentHash.of(profile.spec());
    }

    private static @Nullable String text(String resource) {
        try (InputStream in = BundledProfile.class.getResourceAsStream(resource)) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
