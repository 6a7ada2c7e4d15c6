package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.tenancy.catalog.ProfileCache.ProfileContentInterner;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileLister;
import io.osmhub.tenancy.management.WireJson;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** OperatingSystemProfiles for tests. */
final class ProfileObjects {
    private ProfileObjects() {}

    /** A small profile with one file. */
    static ObjectNode aProfile(String namespace, String name, String version, String text) {
        ObjectNode object = WireJson.object();
        object.put("apiVersion", "operatingsystemmanager.k8c.io/v1alpha1").put("kind", "OperatingSystemProfile");
        object.putObject("metadata")
                .put("namespace", namespace)
                .put("name", name)
                .put("uid", "uid-of-" + namespace + "-" + name);
        ObjectNode spec = object.putObject("spec");
        spec.put("osName", "ubuntu").put("osVersion", "24.04").put("version", version);
        spec.putArray("supportedCloudProviders").addObject().put("name", "aws");
        for (String part : new String[] {"bootstrapConfig", "provisioningConfig"}) {
            ObjectNode file = spec.putObject(part).putArray("files").addObject();
            file.put("path", "/etc/" + part).put("permissions", 644);
            file.putObject("content").putObject("inline").put("encoding", "b64").put("data", text);
        }
        return object;
    }

    /** As the hub installs default profiles. */
    static ObjectNode installed(ObjectNode profile) {
        profile.withObject("/metadata/annotations")
                .put(ProfileAnnotations.INSTALLED_HASH, "h")
                .put(ProfileAnnotations.TEMPLATE_ENGINE, "go");
        return profile;
    }

    static CompiledProfileCache compiler() {
        return new CompiledProfileCache(new TemplateEngines(), 64);
    }

    /** A MachineDeployment that names a profile, and a namespace if there is one. */
    static MachineDeployment naming(String profile, @Nullable String namespace) {
        Map<String, String> annotations = new HashMap<>();
        annotations.put(MachineDeployment.PROFILE, profile);
        if (namespace != null) {
            annotations.put(MachineDeployment.PROFILE_NAMESPACE, namespace);
        }
        return MachineDeployment.of("kube-system", "md", annotations, "1.34.1", null);
    }

    /** In-memory profiles. */
    static final class Shelf implements ProfileLister {
        final Map<String, Map<String, StoredProfile>> profiles = new HashMap<>();
        final Set<String> offered = new HashSet<>();
        private final ProfileContentInterner contents = new ProfileContentInterner();

        Shelf with(ObjectNode profile) {
            StoredProfile stored = StoredProfile.of(profile, contents);
            profiles.computeIfAbsent(stored.namespace(), added -> new HashMap<>())
                    .put(stored.name(), stored);
            return this;
        }

        @Override
        public Map<String, StoredProfile> in(String namespace) {
            return profiles.getOrDefault(namespace, Map.of());
        }

        @Override
        public boolean offersProfiles(String namespace) {
            return offered.contains(namespace);
        }
    }
}
