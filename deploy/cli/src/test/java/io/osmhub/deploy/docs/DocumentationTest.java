package io.osmhub.deploy.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of the repository: links lead somewhere, named classes exist, handwritten pages stay short. */
final class DocumentationTest {
    private static final Path ROOT =
            Path.of(System.getProperty("osmhub.root", "../..")).toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("\\[[^\\]\\n]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern CODE_PATHS = Pattern.compile("<!-- classes -->\n(.*?)<!-- end -->", Pattern.DOTALL);
    private static final Pattern CLASS_NAME = Pattern.compile("\\b[A-Z][a-z0-9]+[A-Z]\\w*\\b");

    /** Pages that tests write from code, as a whole or for the greater part. */
    private static final Set<String> GENERATED = Set.of(
            "docs/reference/cli.md",
            "docs/reference/crds.md",
            "docs/reference/functions.md",
            "docs/reference/reasons.md");

    /** Kinds of Kubernetes and of other programs, which code paths name beside classes. */
    private static final Set<String> KINDS = Set.of(
            "MachineDeployment",
            "MachineDeployments",
            "OperatingSystemConfig",
            "OperatingSystemProfile",
            "OperatingSystemProfiles",
            "TokenReview",
            "SubjectAccessReview",
            "ConfigMap",
            "WorkerCluster",
            "WorkerClusters");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROOT)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    private static String name(Path page) {
        return ROOT.relativize(page).toString().replace('\\', '/');
    }

    @Test
    void everyRelativeLinkLeadsToAFileAndAHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            Matcher link =
                    LINK.matcher(FENCED.matcher(Files.readString(page, UTF_8)).replaceAll(""));
            while (link.find()) {
                String target = link.group(1);
                if (target.contains("://") || target.startsWith("mailto:")) {
                    continue;
                }
                int hash = target.indexOf('#');
                String path = hash < 0 ? target : target.substring(0, hash);
                Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
                if (!Files.exists(file) || hash >= 0 && !anchors(file).contains(target.substring(hash + 1))) {
                    broken.add(name(page) + ": " + target);
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    private static Set<String> anchors(Path page) throws IOException {
        Map<String, Integer> used = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        Matcher heading =
                HEADING.matcher(FENCED.matcher(Files.readString(page, UTF_8)).replaceAll(""));
        while (heading.find()) {
            String anchor = heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int before = used.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    @Test
    void handwrittenPagesHaveAtMost400Lines() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path page : pages()) {
            long lines = Files.readString(page, UTF_8).lines().count();
            if (lines > 400 && !GENERATED.contains(name(page))) {
                tooLong.add(name(page) + ": " + lines);
            }
        }

        assertThat(tooLong).isEmpty();
    }

    @Test
    void everyClassThatTheCodePathsNameExists() throws IOException {
        Matcher paths = CODE_PATHS.matcher(Files.readString(ROOT.resolve("docs/architecture.md"), UTF_8));
        Set<String> named = new TreeSet<>();
        while (paths.find()) {
            Matcher name = CLASS_NAME.matcher(paths.group(1));
            while (name.find()) {
                named.add(name.group());
            }
        }
        named.removeAll(KINDS);

        assertThat(named).hasSizeGreaterThan(20);
        assertThat(classes()).containsAll(named);
    }

    @Test
    void everyClassOfTheGlossaryExists() throws IOException {
        String glossary = Files.readString(ROOT.resolve("docs/glossary.md"), UTF_8);
        Set<String> named = new TreeSet<>();
        Matcher row = Pattern.compile("(?m)^\\| `([A-Z]\\w+)` \\|")
                .matcher(glossary.substring(glossary.indexOf("## Main types")));
        while (row.find()) {
            named.add(row.group(1));
        }

        assertThat(named).hasSizeBetween(20, 30);
        assertThat(classes()).containsAll(named);
    }

    /** Simple names of the top-level classes of the product. */
    private static Set<String> classes() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String module :
                List.of("core/go-templates", "core", "worker-sync", "tenancy", "api", "deploy/service", "deploy/cli")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                files.map(file -> String.valueOf(file.getFileName()))
                        .filter(file -> file.endsWith(".java"))
                        .forEach(file -> names.add(file.substring(0, file.length() - ".java".length())));
            }
        }
        return names;
    }
}
