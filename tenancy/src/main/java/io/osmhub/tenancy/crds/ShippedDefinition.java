package io.osmhub.tenancy.crds;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The CustomResourceDefinitions of deploy/packaging/manifests/crds, packaged into this module. */
public enum ShippedDefinition {
    WORKER_CLUSTERS("workerclusters.osmhub.io"),
    OPERATING_SYSTEM_PROFILES("operatingsystemprofiles.operatingsystemmanager.k8c.io"),
    OPERATING_SYSTEM_CONFIGS("operatingsystemconfigs.operatingsystemmanager.k8c.io");

    private final String definitionName;

    ShippedDefinition(String definitionName) {
        this.definitionName = definitionName;
    }

    /** Object name, for example {@code workerclusters.osmhub.io}. */
    public String definitionName() {
        return definitionName;
    }

    /** The manifest as YAML. */
    public String yaml() {
        String resource = "/crds/" + definitionName + ".yaml";
        try (InputStream in = ShippedDefinition.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource missing: " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
