package io.osmhub.core.corpus;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where OSM's pipeline cases lie. Cases with our own profiles are test resources, so a clone verifies them. Cases that render OSM's
 * default profiles contain third-party text: the clone has their input and the kubelet's bootstrap kubeconfig, which is independent of
 * the profile; profiles and renderings are read from a folder beside the clone.
 */
public final class OsmFixtures {
    private static final Path RESOURCES =
            Path.of(System.getProperty("osmhub.root", "..")).resolve("core/src/test/resources");

    /** Complete cases with our own profiles. */
    public static final Path OWN = RESOURCES.resolve("osm");

    /** Our parts of the cases with third-party profiles. */
    public static final Path THIRD_PARTY_PARTS = RESOURCES.resolve("osm-third-party");

    private static final Path SHARED =
            Path.of(System.getProperty("osmhub.shared", "../../shared")).resolve("fixtures/osm");

    private OsmFixtures() {}

    /** Whether {@link #shared} returns a folder. */
    public static boolean isSharedPresent() {
        return Files.isDirectory(SHARED);
    }

    /**
     * Returns the folder with all cases and all profiles. Without it, fails the test in CI (environment variable {@code CI=true}) and
     * skips it elsewhere.
     */
    public static Path shared() {
        if (!isSharedPresent()) {
            String reason = "no OSM fixtures with third-party profiles at " + SHARED + " (set OSMHUB_SHARED)";
            if ("true".equals(System.getenv("CI"))) {
                fail(reason);
            }
            abort("skipped: " + reason);
        }
        return SHARED;
    }

    /** Returns the cases with our own profiles. */
    public static PipelineCorpus own() {
        return new PipelineCorpus(OWN);
    }

    /** Returns all cases; without the shared folder like {@link #shared}. */
    public static PipelineCorpus all() {
        return new PipelineCorpus(OWN, shared());
    }
}
