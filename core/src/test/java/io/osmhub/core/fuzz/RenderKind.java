package io.osmhub.core.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineResult;
import io.osmhub.core.corpus.PipelineRun;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.SettingsReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Whole renderings of which one document is mutated. Beyond the absence of exceptions: a refusal has no user-data beside it, gives
 * reasons that are in the list of reasons, and neither a finding nor the stored OSC holds a credential.
 */
final class RenderKind implements FuzzKind {
    static final List<String> SEEDS = List.of("cloud-init", "ignition", "handlebars");

    private static final String PROFILE = "osp.yaml";
    private static final String MACHINE_DEPLOYMENT = "machinedeployment.yaml";
    private static final String CASE = "case.yaml";
    private static final String SETTINGS = "settings.yaml";
    private static final List<String> EXAMPLES = List.of(
            "01-minimal",
            "04-everything",
            "05-switch-off-inherited",
            "08-inline-ca",
            "09-ipv6-endpoint-and-path",
            "11-mixed-duration");
    private static final List<String> FILES = List.of(PROFILE, MACHINE_DEPLOYMENT, CASE);
    /** Fields of a case that another writer sets; the others only describe the environment to the runner. */
    private static final List<String> WRITTEN =
            List.of("flags", "clusterInfoKubeconfig", "kubernetesCABundle", "hostCABundle", "kubernetesCACert", "env");

    private static final List<String> WORDS = List.of(
            "- ",
            ": ",
            "[",
            "]",
            "{",
            "}",
            "\n",
            "\n  ",
            "&a ",
            "*a",
            "<<: *a\n",
            "|\n",
            "'",
            "\"",
            "null",
            "true",
            "{{",
            "}}",
            "{{ .Token }}",
            "{{ template \"x\" . }}",
            "files:\n",
            "spec:\n",
            "data: ",
            "encoding: b64\n",
            "permissions: 4755\n",
            "---\n",
            "!!binary ",
            "# c\n",
            "\\ud800",
            "\\x00",
            "\\u2028");

    /** Of objects that the schema of the API server would refuse; no condition or Event has them. */
    private final String name;

    private final int weight;
    private final String target;
    private final Function<Chance, String> writer;
    private final PipelineRun run = new PipelineRun();
    private final TextMutator mutator = new TextMutator(WORDS);
    private final List<Map<String, String>> seeds;
    private final List<String> settings;

    private RenderKind(String name, int weight, String target, Function<Chance, String> writer) {
        this.name = name;
        this.weight = weight;
        this.target = target;
        this.writer = writer;
        this.seeds = SEEDS.stream().map(RenderKind::seed).toList();
        this.settings = EXAMPLES.stream()
                .map(example -> Seeds.text("/contracts/examples/accept/" + example + ".yaml"))
                .toList();
    }

    /** {@code writer} writes templates to put into profiles. */
    static List<FuzzKind> all(Function<Chance, String> writer) {
        return List.of(
                new RenderKind("profile", 8, PROFILE, writer),
                new RenderKind("machine-deployment", 5, MACHINE_DEPLOYMENT, writer),
                new RenderKind("flags", 2, CASE, writer),
                new RenderKind("settings", 3, SETTINGS, writer));
    }

    static Map<String, String> seed(String seed) {
        Map<String, String> parts = new LinkedHashMap<>();
        FILES.forEach(file -> parts.put(file, Seeds.text("/fuzz/" + seed + "/" + file)));
        return parts;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int weight() {
        return weight;
    }

    @Override
    public FuzzInput make(Chance chance) {
        Map<String, String> parts = new LinkedHashMap<>(chance.of(seeds));
        if (target.equals(SETTINGS)) {
            parts.put(SETTINGS, changed(chance.of(settings), chance.of(settings), chance));
        } else {
            parts.put(
                    target,
                    changed(parts.getOrDefault(target, ""), chance.of(seeds).getOrDefault(target, ""), chance));
        }
        return new FuzzInput(name, parts);
    }

    private String changed(String text, String other, Chance chance) {
        if (target.equals(CASE)) {
            ObjectNode tree = (ObjectNode) tree(text);
            ObjectNode written = tree.deepCopy();
            written.retain(WRITTEN);
            tree.remove(WRITTEN);
            TreeMutator.mutate(written, chance)
                    .properties()
                    .forEach(field -> tree.set(field.getKey(), field.getValue()));
            return tree.toString();
        }
        if (chance.oneIn(3)) {
            return mutator.mutate(text, other, chance);
        }
        JsonNode tree = tree(text);
        if (target.equals(PROFILE) && chance.oneIn(2)) {
            JsonNode files = tree.path("spec")
                    .path(chance.oneIn(2) ? "bootstrapConfig" : "provisioningConfig")
                    .path("files");
            if (files.path(0).path("content").path("inline") instanceof ObjectNode inline) {
                inline.put("data", writer.apply(chance));
                return tree.toString();
            }
        }
        return TreeMutator.mutate(tree, chance).toString();
    }

    static JsonNode tree(String text) {
        return Seeds.json(SourceDocument.jsonText(YamlDocumentReader.read("seed", text, Reason.SettingsInvalid)
                .getFirst()
                .root()));
    }

    @Override
    public Verdict run(FuzzInput input) {
        PipelineResult result;
        try {
            SourceDocument profile = document(input, PROFILE);
            SourceDocument machineDeployment = document(input, MACHINE_DEPLOYMENT);
            PipelineCase test =
                    new PipelineCase(name, Path.of(name), tree(input.part(CASE)), machineDeployment, profile);
            result = input.parts().containsKey(SETTINGS)
                    ? run.run(test, SettingsReader.readFile(document(input, SETTINGS)))
                    : run.run(test);
        } catch (TenantMistake mistake) {
            require(mistake.findings());
            return Verdict.REFUSED;
        }
        require(result.findings());
        String stored = result.files().getOrDefault("osc.yaml", "");
        for (String credential : credentials(input)) {
            if (stored.contains(credential)) {
                throw new Misbehaviour("the stored OSC holds the credential " + credential);
            }
        }
        if (result.findings().isEmpty()) {
            return Verdict.ACCEPTED;
        }
        if (result.files().containsKey("bootstrap.txt")) {
            throw new Misbehaviour("refused, and there is a bootstrap document");
        }
        return result.findings().toString().contains("(limit ") ? Verdict.LIMITED : Verdict.REFUSED;
    }

    private static SourceDocument document(FuzzInput input, String part) {
        List<SourceDocument> documents = YamlDocumentReader.read(part, input.part(part), Reason.SettingsInvalid);
        if (documents.size() != 1) {
            throw new TenantMistake(new Problem(
                    Reason.ProfileFileInvalid,
                    ProblemObject.input(part),
                    "",
                    "has " + documents.size() + " documents",
                    "give one"));
        }
        return documents.getFirst();
    }

    private static void require(List<Problem> findings) {
        for (Problem finding : findings) {
            if (finding.cause().isBlank()) {
                throw new Misbehaviour("says nothing: " + finding);
            }
            if (finding.toString().contains("secret-of-the-seed")) {
                throw new Misbehaviour("holds a credential: " + finding);
            }
        }
    }

    /** Those that a case has and no mutated document says itself. */
    private List<String> credentials(FuzzInput input) {
        return List.of("fetch-secret-of-the-seed", "secretoftheseed0").stream()
                .filter(credential -> !input.part(target).contains(credential))
                .toList();
    }
}
