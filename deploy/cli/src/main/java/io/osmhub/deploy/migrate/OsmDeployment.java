package io.osmhub.deploy.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.cluster.ObjectLookup;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.dropin.ControllerFlags;
import io.osmhub.deploy.dropin.GoFlags;
import io.osmhub.deploy.migrate.MigrationPlan.FoundSetting;
import io.osmhub.deploy.migrate.MigrationPlan.Unclear;
import io.osmhub.tenancy.management.WireJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * OSM's controller as it is deployed: its command line and environment, as KKP, KubeOne and OSM's own manifests write them.
 *
 * @param flags null if the command line is not understood, which {@code unclear} explains
 * @param workerKubeconfig where the kubeconfig of the worker cluster is; null if OSM uses its ServiceAccount
 * @param runsHub whether {@code hub controller} runs in OSM's place
 * @param splitClusters whether profiles are in the management cluster, as with {@code -worker-cluster-kubeconfig}
 */
public record OsmDeployment(
        String namespace,
        int replicas,
        @Nullable ControllerFlags flags,
        @Nullable MountedKey workerKubeconfig,
        boolean runsHub,
        boolean splitClusters,
        List<FoundSetting> environment,
        List<Unclear> unclear) {
    static final String NAME = "operating-system-manager";
    /** Guards every write of OSM with one cluster. */
    static final String LEASE = NAME;
    /** Guards writes to the worker cluster if OSM has two. */
    static final String WORKER_LEASE = NAME + "-worker-manager";

    private static final String PROGRAM = "osm-controller";
    private static final String CONTROLLER = "controller";
    private static final String PROBER = "http-prober";

    /** A key of a Secret or ConfigMap that is mounted as a file. */
    public record MountedKey(boolean isSecret, String name, String key) {}

    public OsmDeployment {
        environment = List.copyOf(environment);
        unclear = List.copyOf(unclear);
    }

    /** OSM's Lease in {@code kube-system} of the worker cluster. */
    String lease() {
        return splitClusters ? WORKER_LEASE : LEASE;
    }

    String describe() {
        return describe(namespace);
    }

    static String describe(String namespace) {
        return "Deployment " + namespace + "/" + NAME;
    }

    /** @param objectLookup finds mounted Secrets and ConfigMaps of the Deployment's cluster */
    static OsmDeployment read(String namespace, JsonNode deployment, ObjectLookup objectLookup) {
        return new Reader(namespace, deployment, objectLookup).read();
    }

    private static final class Reader {
        private final String namespace;
        private final JsonNode deployment;
        private final JsonNode pod;
        private final ObjectLookup objectLookup;
        private final List<Unclear> unclear = new ArrayList<>();

        Reader(String namespace, JsonNode deployment, ObjectLookup objectLookup) {
            this.namespace = namespace;
            this.deployment = deployment;
            this.pod = deployment.at("/spec/template/spec");
            this.objectLookup = objectLookup;
        }

        private void unclear(String what, String fix) {
            unclear.add(new Unclear(describe(namespace), what, fix));
        }

        OsmDeployment read() {
            JsonNode container = container();
            ControllerFlags flags = null;
            MountedKey kubeconfig = null;
            List<FoundSetting> environment = new ArrayList<>();
            if (container != null) {
                environment.addAll(environment(container));
                List<String> words = unwrapped(words(container));
                if (words != null) {
                    flags = flags(container, words);
                }
            }
            boolean split = flags != null && !flags.workerClusterKubeconfig().isEmpty();
            if (flags != null && container != null) {
                String path = split
                        ? flags.workerClusterKubeconfig()
                        : flags.kubeconfig().isEmpty() ? kubeconfigVariable(container) : flags.kubeconfig();
                if (split && !(flags.kubeconfig() + kubeconfigVariable(container)).isEmpty()) {
                    unclear("-kubeconfig and -worker-cluster-kubeconfig both select another cluster", "");
                }
                if (!split && !flags.namespace().equals("kube-system")) {
                    unclear(
                            "-namespace " + flags.namespace()
                                    + ": its Lease is not in kube-system, where the hub holds it",
                            "");
                }
                kubeconfig = path.isEmpty() ? null : locate(container, path);
                if (!path.isEmpty() && (kubeconfig == null || !kubeconfig.isSecret())) {
                    unclear("kubeconfig " + path + " is not a mounted key of a Secret", "mount it from a Secret");
                }
            }
            return new OsmDeployment(
                    namespace,
                    deployment.at("/spec/replicas").asInt(1),
                    flags,
                    kubeconfig,
                    container != null && isHub(words(container)),
                    split,
                    environment,
                    unclear);
        }

        /** The container that runs OSM, also inside of KKP's prober, or the hub in its place. */
        private @Nullable JsonNode container() {
            for (JsonNode container : pod.path("containers")) {
                List<String> words = words(container);
                if (isHub(words) || words.stream().anyMatch(word -> word.contains(PROGRAM))) {
                    return container;
                }
            }
            unclear("no container runs " + PROGRAM, "migrate only deployments of Operating System Manager");
            return null;
        }

        private static List<String> words(JsonNode container) {
            List<String> words = new ArrayList<>();
            container.path("command").forEach(word -> words.add(word.asText()));
            container.path("args").forEach(word -> words.add(word.asText()));
            return words;
        }

        /** OSM's arguments without the program; null if the command is another one. */
        private @Nullable List<String> unwrapped(List<String> words) {
            List<String> own = words;
            if (isProgram(own, PROBER)) {
                int at = own.indexOf("-command");
                own = at < 0 || at + 1 == own.size() ? List.of() : proberCommand(own.get(at + 1));
            }
            if (!isProgram(own, PROGRAM) && !isHub(own)) {
                unclear("its command is neither " + PROGRAM + " nor KKP's " + PROBER + " with it", "");
                return null;
            }
            List<String> arguments = own.subList(isHub(own) ? own.indexOf(CONTROLLER) + 1 : 1, own.size());
            for (String argument : arguments) {
                if (argument.contains("$(")) {
                    unclear(
                            "argument " + argument.replaceAll("=.*", "") + " uses a variable",
                            "replace the variable with its value");
                    return null;
                }
            }
            return arguments;
        }

        /** {@code hub} is the image's entry point, so a container may have only the arguments. */
        private static boolean isHub(List<String> words) {
            int command = words.indexOf(CONTROLLER);
            return command == 0 || command == 1 && isProgram(words, "hub");
        }

        private static boolean isProgram(List<String> words, String program) {
            return !words.isEmpty() && ("/" + words.getFirst()).endsWith("/" + program);
        }

        private static List<String> proberCommand(String json) {
            List<String> words = new ArrayList<>();
            try {
                JsonNode command = WireJson.read(json.getBytes(StandardCharsets.UTF_8));
                words.add(command.path("command").asText());
                command.path("args").forEach(word -> words.add(word.asText()));
            } catch (IOException e) {
                // Reported as a command that is not OSM's.
                return List.of();
            }
            return words;
        }

        private @Nullable ControllerFlags flags(JsonNode container, List<String> words) {
            return switch (ControllerFlags.read(words, path -> content(container, path))) {
                case GoFlags.Result.Read<ControllerFlags>(ControllerFlags read) -> read;
                case GoFlags.Result.Refused<ControllerFlags>(List<InputError> mistakes) -> {
                    mistakes.forEach(mistake -> unclear(mistake.what(), mistake.cure()));
                    yield null;
                }
                case GoFlags.Result.Help<ControllerFlags>() -> {
                    unclear("its arguments print the list of flags", "");
                    yield null;
                }
            };
        }

        private String content(JsonNode container, String path) throws NoSuchFileException {
            MountedKey key = locate(container, path);
            String value = null;
            if (key != null && key.isSecret()) {
                ObjectLookup.Secret secret = objectLookup.secret(namespace, key.name());
                value = secret == null ? null : secret.data().get(key.key());
            } else if (key != null) {
                Map<String, String> data = objectLookup.configMap(namespace, key.name());
                value = data == null ? null : data.get(key.key());
            }
            if (value == null) {
                throw new NoSuchFileException(path);
            }
            return value;
        }

        /** The key that is mounted at a path; null if it is none of a Secret or ConfigMap. */
        private @Nullable MountedKey locate(JsonNode container, String path) {
            for (JsonNode mount : container.path("volumeMounts")) {
                String folder = mount.path("mountPath").asText();
                String subPath = mount.path("subPath").asText();
                String file = path.equals(folder)
                        ? subPath
                        : path.startsWith(folder + "/") && subPath.isEmpty() ? path.substring(folder.length() + 1) : "";
                if (!file.isEmpty()) {
                    return locate(mount.path("name").asText(), file);
                }
            }
            return null;
        }

        private @Nullable MountedKey locate(String volume, String file) {
            for (JsonNode candidate : pod.path("volumes")) {
                boolean secret = candidate.has("secret");
                if (candidate.path("name").asText().equals(volume) && (secret || candidate.has("configMap"))) {
                    JsonNode source = candidate.path(secret ? "secret" : "configMap");
                    String key = source.has("items") ? "" : file;
                    for (JsonNode item : source.path("items")) {
                        key = item.path("path").asText().equals(file)
                                ? item.path("key").asText()
                                : key;
                    }
                    return key.isEmpty()
                            ? null
                            : new MountedKey(
                                    secret,
                                    source.path(secret ? "secretName" : "name").asText(),
                                    key);
                }
            }
            return null;
        }

        private static String kubeconfigVariable(JsonNode container) {
            for (JsonNode variable : container.path("env")) {
                if (variable.path("name").asText().equals("KUBECONFIG")) {
                    return variable.path("value").asText();
                }
            }
            return "";
        }

        /** Where each variable comes from. Its value may be a credential and is not shown. */
        private List<FoundSetting> environment(JsonNode container) {
            List<FoundSetting> found = new ArrayList<>();
            for (JsonNode variable : container.path("env")) {
                found.add(new FoundSetting(variable.path("name").asText(), "", source(variable)));
            }
            for (JsonNode all : container.path("envFrom")) {
                boolean secret = all.has("secretRef");
                found.add(new FoundSetting(
                        all.path("prefix").asText() + "*",
                        "",
                        "environment, " + (secret ? "Secret " : "ConfigMap ")
                                + all.path(secret ? "secretRef" : "configMapRef")
                                        .path("name")
                                        .asText()));
            }
            return found;
        }

        private static String source(JsonNode variable) {
            JsonNode from = variable.path("valueFrom");
            for (String kind : List.of("secretKeyRef", "configMapKeyRef")) {
                if (from.has(kind)) {
                    JsonNode key = from.path(kind);
                    return "environment, " + (kind.startsWith("secret") ? "Secret " : "ConfigMap ")
                            + key.path("name").asText() + ", key "
                            + key.path("key").asText();
                }
            }
            return from.has("fieldRef")
                    ? "environment, field " + from.at("/fieldRef/fieldPath").asText()
                    : "environment";
        }
    }
}
