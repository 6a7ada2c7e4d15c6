package io.osmhub.deploy.profiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Assembles profiles from a source folder: {@code os/*.yaml} has a short recipe per profile, {@code parts/*.yaml} shared recipes,
 * and all other files contain the text of files and snippets.
 *
 * <p>Recipes only reference texts, so that each script is a separate file for editors and readers. A section of a profile contains
 * only the snippets that its files call; an unused snippet is an error.
 */
public final class ProfileAssembler {
    private static final Pattern SNIPPET_CALL = Pattern.compile("\\{\\{~?#?>\\s*([A-Za-z0-9_-]+)");

    private final Path sources;

    public ProfileAssembler(Path sources) {
        this.sources = sources;
    }

    /** @param name of the object and, with {@code .yaml}, of its file */
    public record Assembled(String name, String yaml) {}

    /**
     * All profiles, by name.
     *
     * @throws IllegalArgumentException if a source is invalid, with its file
     */
    public List<Assembled> profiles() throws IOException {
        List<Assembled> profiles = new ArrayList<>();
        try (Stream<Path> recipes = Files.list(sources.resolve("os"))) {
            for (Path recipe : recipes.sorted().toList()) {
                profiles.add(profile(recipe));
            }
        }
        return profiles;
    }

    private Assembled profile(Path recipe) throws IOException {
        RecipeFragment own = RecipeFragment.read(recipe);
        String name = "osp-" + fileName(recipe);
        List<RecipeFragment> all = new ArrayList<>();
        for (String part : own.texts("include")) {
            all.add(RecipeFragment.read(sources.resolve("parts").resolve(part + ".yaml")));
        }
        all.add(own);

        Map<String, String> snippets = new TreeMap<>();
        all.forEach(source -> source.textMap("snippets").forEach(snippets::put));
        Map<String, String> texts = new TreeMap<>();
        for (Map.Entry<String, String> snippet : snippets.entrySet()) {
            texts.put(snippet.getKey(), text(snippet.getValue()));
        }
        Set<String> called = new TreeSet<>();

        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("osName", own.text("osName"));
        spec.put("osVersion", own.text("osVersion"));
        spec.put("version", own.text("version"));
        spec.put("provisioningUtility", own.text("provisioningUtility"));
        spec.put(
                "supportedCloudProviders",
                own.texts("cloudProviders").stream()
                        .map(provider -> Map.of("name", provider))
                        .toList());
        spec.put("bootstrapConfig", config("bootstrap", all, texts, called));
        Map<String, Object> provisioning = new LinkedHashMap<>();
        provisioning.put("supportedContainerRuntimes", List.of(runtime(all, texts, called)));
        provisioning.putAll(config("provisioning", all, texts, called));
        spec.put("provisioningConfig", provisioning);

        Set<String> idle = new TreeSet<>(texts.keySet());
        idle.removeAll(called);
        if (!idle.isEmpty()) {
            throw new IllegalArgumentException(recipe + ": no file of the profile calls the snippets " + idle);
        }
        return new Assembled(name, header(name, own) + ProfileYaml.text(name, annotations(own), spec));
    }

    /** The hub's own fields, as annotations because OSM's CustomResourceDefinitions keep those too. */
    private static Map<String, Object> annotations(RecipeFragment own) {
        Map<String, Object> annotations = new LinkedHashMap<>();
        annotations.put("osmhub.io/template-engine", "handlebars");
        annotations.put("osmhub.io/supported-kubernetes-versions", own.text("supportedKubernetesVersions"));
        // The bootstrap stores its token in a file and fetches both secrets at the first start; it needs the token only
        // then.
        annotations.put("osmhub.io/supported-node-fetch", "SharedToken,ScopedToken");
        return annotations;
    }

    private static String header(String name, RecipeFragment recipe) {
        return "# " + recipe.text("title") + "\n# Generated from deploy/packaging/profiles/src/main/profiles/os/"
                + name.substring("osp-".length())
                + ".yaml and what it includes: edit there, then run\n"
                + "#   UPDATE=true ./hub test deploy/packaging/profiles ManifestsTest\n";
    }

    private Map<String, Object> runtime(List<RecipeFragment> all, Map<String, String> texts, Set<String> called)
            throws IOException {
        Map<String, Object> runtime = new LinkedHashMap<>();
        runtime.put("name", "containerd");
        runtime.putAll(config("containerd", all, texts, called));
        return runtime;
    }

    private Map<String, Object> config(
            String section, List<RecipeFragment> all, Map<String, String> texts, Set<String> called)
            throws IOException {
        List<Object> files = new ArrayList<>();
        List<Object> units = new ArrayList<>();
        List<String> commands = new ArrayList<>();
        Set<String> paths = new LinkedHashSet<>();
        Map<String, String> snippets = new TreeMap<>();
        for (RecipeFragment source : all) {
            RecipeFragment config = source.section(section);
            for (RecipeFragment file : config.list("files")) {
                if (!paths.add(file.text("path"))) {
                    throw new IllegalArgumentException(file + ": " + file.text("path") + " is duplicate");
                }
                String text = text(file.text("from"));
                addCalled(text, texts, snippets, file);
                // A trailing line break in a file of the bootstrap document is unnecessary and costs space.
                files.add(file(file, section.equals("bootstrap") ? text.stripTrailing() : text));
            }
            for (RecipeFragment unit : config.list("units")) {
                Map<String, Object> made = new LinkedHashMap<>();
                made.put("name", unit.text("name"));
                made.put("enable", true);
                made.put("content", text(unit.text("from")));
                units.add(made);
            }
            commands.addAll(config.texts("runcmd"));
        }
        called.addAll(snippets.keySet());
        Map<String, Object> made = new LinkedHashMap<>();
        putUnlessEmpty(made, "templates", snippets);
        putUnlessEmpty(made, "files", files);
        putUnlessEmpty(made, "units", units);
        if (!commands.isEmpty()) {
            made.put("modules", Map.of("runcmd", commands));
        }
        return made;
    }

    private static Map<String, Object> file(RecipeFragment file, String text) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("path", file.text("path"));
        made.put("permissions", Integer.valueOf(file.text("permissions")));
        made.put("content", Map.of("inline", Map.of("data", text)));
        return made;
    }

    private static void addCalled(
            String text, Map<String, String> texts, Map<String, String> called, RecipeFragment caller) {
        Matcher calls = SNIPPET_CALL.matcher(text);
        while (calls.find()) {
            String name = calls.group(1);
            String snippet = texts.get(name);
            if (snippet == null) {
                throw new IllegalArgumentException(caller + ": unknown snippet " + name);
            }
            if (called.put(name, snippet) == null) {
                addCalled(snippet, texts, called, caller);
            }
        }
    }

    private static void putUnlessEmpty(Map<String, Object> map, String key, Object value) {
        boolean empty = value instanceof Map<?, ?> entries ? entries.isEmpty() : ((Collection<?>) value).isEmpty();
        if (!empty) {
            map.put(key, value);
        }
    }

    private String text(String file) throws IOException {
        String text = Files.readString(sources.resolve(file));
        if (!text.isEmpty() && !text.endsWith("\n")) {
            throw new IllegalArgumentException(file + ": expected a line break at the end");
        }
        return text;
    }

    private static String fileName(Path yaml) {
        return String.valueOf(yaml.getFileName()).replace(".yaml", "");
    }
}
