package io.osmhub.tenancy.profiles;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.YamlText;
import io.osmhub.core.osp.ContentHash;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
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
 * A default profile as packed into the program.
 *
 * @param object as it stands in the file
 */
public record PackedProfile(OperatingSystemProfile profile, JsonNode object) {
    private static final String FOLDER = "/profiles/";
    /** Names the files of the folder, one a line: a folder of a program cannot be listed. */
    private static final String INDEX = FOLDER + "index.txt";

    /** Read by whoever asks first: a hub is ready before it has read all of them. */
    private static final class Packed {
        private static final List<PackedProfile> ALL = read();
        private static final Set<String> HASHES =
                ALL.stream().map(PackedProfile::contentHash).collect(Collectors.toUnmodifiableSet());
    }

    /** All that are packed; none when there is no index. Reads files the first time. */
    public static List<PackedProfile> all() {
        return Packed.ALL;
    }

    /** What tells their contents apart, see {@link ContentHash}. Reads files the first time. */
    public static Set<String> hashes() {
        return Packed.HASHES;
    }

    private static List<PackedProfile> read() {
        String index = text(INDEX);
        if (index == null) {
            return List.of();
        }
        List<PackedProfile> profiles = new ArrayList<>();
        for (String name :
                index.lines().map(String::strip).filter(line -> !line.isEmpty()).toList()) {
            String text = text(FOLDER + name);
            if (text == null) {
                throw new IllegalStateException("not packed: " + FOLDER + name);
            }
            profiles.addAll(read(name, text));
        }
        return List.copyOf(profiles);
    }

    /** The profiles of a file. */
    static List<PackedProfile> read(String file, String yaml) {
        return YamlText.read(file, yaml, "ProfileInvalid").stream()
                .map(document ->
                        new PackedProfile(ProfileReader.strict().read(document), Document.json(document.root())))
                .toList();
    }

    public String name() {
        return profile.name();
    }

    String version() {
        return profile.spec().version();
    }

    String contentHash() {
        return ContentHash.of(profile.spec());
    }

    private static @Nullable String text(String resource) {
        try (InputStream in = PackedProfile.class.getResourceAsStream(resource)) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
