package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.settings.TenantSettings.ContainerRuntime;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

class ContainerdConfigTest {
    private static final ContainerRuntime RUNTIME =
            new ContainerRuntime("containerd", "registry.example/pause:3.10", true);

    @Test
    void bothSchemasSayTheSame() {
        TomlTable two = plugin(ContainerdConfig.Schema.V2, "io.containerd.grpc.v1.cri");
        TomlTable runtime = plugin(ContainerdConfig.Schema.V3, "io.containerd.cri.v1.runtime");
        TomlTable images = plugin(ContainerdConfig.Schema.V3, "io.containerd.cri.v1.images");

        assertThat(two.getTableOrEmpty("registry").toJson())
                .isEqualTo(images.getTableOrEmpty("registry").toJson());
        assertThat(two.getTableOrEmpty("containerd.runtimes").toJson())
                .isEqualTo(runtime.getTableOrEmpty("containerd.runtimes").toJson());
        assertThat(two.getString("sandbox_image")).isEqualTo(images.getString("pinned_images.sandbox"));
        assertThat(two.getBoolean("device_ownership_from_security_context"))
                .isEqualTo(runtime.getBoolean("device_ownership_from_security_context"))
                .isTrue();
        assertThat(two.getString("cni.conf_dir")).isEqualTo(runtime.getString("cni.conf_dir"));
        assertThat(two.getString("cni.bin_dir")).isEqualTo("/opt/cni/bin");
    }

    @Test
    void eachSchemaNamesItsVersion() {
        assertThat(parsed(ContainerdConfig.Schema.V2).getLong("version")).isEqualTo(2);
        assertThat(parsed(ContainerdConfig.Schema.V3).getLong("version")).isEqualTo(3);
    }

    private static TomlTable plugin(ContainerdConfig.Schema schema, String name) {
        return parsed(schema).getTableOrEmpty("plugins.\"" + name + "\"");
    }

    private static TomlParseResult parsed(ContainerdConfig.Schema schema) {
        RegistryCredentials credentials = new RegistryCredentials(new TreeMap<>(
                Map.of("registry.example", new RegistryCredentials.Credential("robot", "not-a-real-one", "", ""))));
        TomlParseResult toml = Toml.parse(ContainerdConfig.text(RUNTIME, credentials, schema));
        assertThat(toml.errors()).isEmpty();
        return toml;
    }
}
