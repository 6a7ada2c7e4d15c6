package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The context that selects the management cluster, checked before the client library reads the files: for a missing name the
 * library silently uses another context, another server or no credential, where kubectl fails.
 *
 * @param cluster its name in the kubeconfig
 * @param proxyUrl as in the kubeconfig; empty for none
 */
record KubeconfigContext(String name, String cluster, String proxyUrl) {
    /**
     * Selects as kubectl does: the first of several files to define a name or the current context wins.
     *
     * @param wanted empty for the current context
     */
    static KubeconfigContext select(List<File> files, String wanted) throws IOException {
        List<Config> configs = read(files);
        String source = String.join(":", files.stream().map(File::getPath).toList());
        String name = wanted.isEmpty() ? current(configs, source) : wanted;
        Context context = named(configs, Config::getContexts, NamedContext::getName, NamedContext::getContext)
                .get(name);
        if (context == null) {
            throw missing("context \"" + name + "\" does not exist", source);
        }
        String clusterName = Objects.requireNonNullElse(context.getCluster(), "");
        Cluster cluster = named(configs, Config::getClusters, NamedCluster::getName, NamedCluster::getCluster)
                .get(clusterName);
        if (cluster == null
                || cluster.getServer() == null
                || cluster.getServer().isBlank()) {
            throw missing("context \"" + name + "\": no server found for cluster \"" + clusterName + "\"", source);
        }
        String user = Objects.requireNonNullElse(context.getUser(), "");
        // A user without a value has no credentials, but exists.
        if (!user.isEmpty()
                && !named(configs, Config::getUsers, NamedAuthInfo::getName, entry -> entry)
                        .containsKey(user)) {
            throw missing("context \"" + name + "\": user \"" + user + "\" does not exist", source);
        }
        return new KubeconfigContext(name, clusterName, Objects.requireNonNullElse(cluster.getProxyUrl(), ""));
    }

    static List<String> names(List<File> files) throws IOException {
        return List.copyOf(named(read(files), Config::getContexts, NamedContext::getName, NamedContext::getContext)
                .keySet());
    }

    private static List<Config> read(List<File> files) throws IOException {
        List<Config> configs = new ArrayList<>();
        for (File file : files) {
            configs.add(read(file));
        }
        return configs;
    }

    private static Config read(File file) throws IOException {
        String content = new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
        try {
            // The client library's parser has no limit of depth.
            YamlDocumentReader.read(file.toString(), content, Reason.KubeconfigInvalid);
            @Nullable Config config = Serialization.unmarshal(content, Config.class);
            if (config == null) {
                return new Config();
            }
            // The client library would throw a NullPointerException.
            if (Stream.of(config.getContexts(), config.getClusters(), config.getUsers())
                    .anyMatch(items -> items != null && items.stream().anyMatch(Objects::isNull))) {
                throw new IOException(
                        "kubeconfig " + file + ": contexts, clusters or users has an empty item; remove it");
            }
            return config;
        } catch (RuntimeException e) {
            // The parser's message may quote a credential.
            throw new IOException("kubeconfig " + file + " is not valid YAML of kind Config");
        }
    }

    private static String current(List<Config> configs, String source) throws IOException {
        for (Config config : configs) {
            if (config.getCurrentContext() != null
                    && !config.getCurrentContext().isEmpty()) {
                return config.getCurrentContext();
            }
        }
        throw missing("no current context", source);
    }

    private static IOException missing(String what, String source) {
        return new IOException(what + " in kubeconfig " + source
                + "; kubectl config get-contexts lists the contexts, select one with --context");
    }

    private static <N, V> Map<String, V> named(
            List<Config> configs,
            Function<Config, @Nullable List<N>> section,
            Function<N, String> name,
            Function<N, @Nullable V> value) {
        Map<String, V> all = new LinkedHashMap<>();
        for (Config config : configs) {
            for (N entry : Objects.requireNonNullElse(section.apply(config), List.<N>of())) {
                V one = value.apply(entry);
                if (one != null) {
                    all.putIfAbsent(name.apply(entry), one);
                }
            }
        }
        return all;
    }
}
