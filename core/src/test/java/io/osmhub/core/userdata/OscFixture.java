package io.osmhub.core.userdata;

import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A pipeline case read from its expected OSC and its MachineDeployment, which is all that the second stage of rendering needs. */
final class OscFixture {
    private static final Pattern EMPTY_BLOCK = Pattern.compile(" \\|2\\+\\n(\n+)(?= *(encoding|path):)");

    private final Path folder;
    private final Map<?, ?> spec;
    private final Map<?, ?> provider;
    private final String machineDeployment;

    private OscFixture(Path folder) {
        this.folder = folder;
        this.spec = map(load(folder.resolve("osc.yaml")), "spec");
        Map<?, ?> deployment = load(folder.resolve("machinedeployment.yaml"));
        this.machineDeployment = text(map(deployment, "metadata"), "name");
        this.provider = map(map(map(map(map(deployment, "spec"), "template"), "spec"), "providerSpec"), "value");
    }

    static OscFixture named(String name) {
        return new OscFixture(folder(name));
    }

    /** All cases that have an OSC; only those with our own profiles when the others are absent. */
    static List<String> names() {
        List<String> all = OsmFixtures.isSharedPresent()
                ? OsmFixtures.all().names()
                : OsmFixtures.own().names();
        return all.stream()
                .filter(name -> Files.exists(folder(name).resolve("osc.yaml")))
                .toList();
    }

    private static Path folder(String name) {
        Path own = OsmFixtures.OWN.resolve(name);
        return Files.isDirectory(own) ? own : OsmFixtures.shared().resolve(name);
    }

    UserDataInput input(boolean bootstrap) {
        String utility = text(spec, "provisioningUtility");
        return new UserDataInput(
                config(map(spec, bootstrap ? "bootstrapConfig" : "provisioningConfig")),
                utility.isEmpty() ? "cloud-init" : utility,
                text(spec, "osName"),
                text(provider, "cloudProvider"),
                machineDeployment,
                Boolean.TRUE.equals(map(provider, "operatingSystemSpec").get("distUpgradeOnBoot")),
                bootstrap);
    }

    boolean has(String file) {
        return Files.exists(folder.resolve(file));
    }

    String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Config config(Map<?, ?> config) {
        List<SystemdUnit> units = new ArrayList<>();
        for (Map<?, ?> unit : maps(config, "units")) {
            List<SystemdUnit.DropIn> dropIns = maps(unit, "dropIns").stream()
                    .map(dropIn -> new SystemdUnit.DropIn(text(dropIn, "name"), text(dropIn, "content")))
                    .toList();
            units.add(new SystemdUnit(
                    text(unit, "name"),
                    (Boolean) unit.get("enable"),
                    (Boolean) unit.get("mask"),
                    (String) unit.get("content"),
                    dropIns));
        }
        List<File> files = new ArrayList<>();
        for (Map<?, ?> file : maps(config, "files")) {
            Map<?, ?> inline = map(map(file, "content"), "inline");
            files.add(new File(
                    text(file, "path"),
                    file.get("permissions") instanceof Number number ? number.intValue() : 0,
                    text(inline, "data"),
                    text(inline, "encoding")));
        }
        List<String> keys = new ArrayList<>();
        if (config.get("userSSHKeys") instanceof List<?> list) {
            list.forEach(key -> keys.add((String) key));
        }
        return new Config(
                units, files, keys, config.get("modules") instanceof Map<?, ?> modules ? modules(modules) : null);
    }

    private static CloudInitModules modules(Map<?, ?> modules) {
        Map<String, Map<String, String>> repositories = new LinkedHashMap<>();
        map(modules, "yum_repos")
                .forEach((name, repository) -> repositories.put((String) name, texts((Map<?, ?>) repository)));
        return new CloudInitModules(
                strings(modules, "bootcmd"),
                texts(map(modules, "rh_subscription")),
                strings(modules, "runcmd"),
                repositories,
                text(modules, "yum_repo_dir"));
    }

    private static List<String> strings(Map<?, ?> map, String key) {
        return map.get(key) instanceof List<?> list
                ? list.stream().map(String.class::cast).toList()
                : List.of();
    }

    private static Map<String, String> texts(Map<?, ?> map) {
        Map<String, String> texts = new LinkedHashMap<>();
        map.forEach((key, value) -> texts.put((String) key, (String) value));
        return texts;
    }

    private static Map<?, ?> load(Path file) {
        try {
            // Go's emitter writes YAML 1.1, and blocks of empty lines that this parser stumbles over.
            String text = EMPTY_BLOCK
                    .matcher(Files.readString(file)
                            .replace("\\L", "\\u2028")
                            .replace("\\P", "\\u2029")
                            .replaceAll("([\u2028\u2029]) +", "$1"))
                    .replaceAll(block -> " \"" + "\\\\n".repeat(block.group(1).length()) + "\"\n");
            return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<?, ?> map(Map<?, ?> map, String key) {
        return map.get(key) instanceof Map<?, ?> value ? value : Map.of();
    }

    private static List<Map<?, ?>> maps(Map<?, ?> map, String key) {
        List<Map<?, ?>> maps = new ArrayList<>();
        if (map.get(key) instanceof List<?> list) {
            list.forEach(each -> maps.add((Map<?, ?>) each));
        }
        return maps;
    }

    private static String text(Map<?, ?> map, String key) {
        @Nullable Object value = map.get(key);
        return value == null ? "" : value.toString();
    }
}
