package io.osmhub.core.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineRun;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.UserDataGenerator;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Stored OperatingSystemConfigs, mutated, and the documents of both utilities that are made of them. */
final class ConfigKind implements FuzzKind {
    private static final String CONFIG = "osc.yaml";

    private final List<JsonNode> seeds;

    ConfigKind() {
        PipelineRun run = new PipelineRun();
        this.seeds = RenderKind.SEEDS.stream()
                .map(seed ->
                        Seeds.json(run.run(test(RenderKind.seed(seed))).files().getOrDefault(CONFIG, "{}")))
                .toList();
    }

    private static PipelineCase test(Map<String, String> parts) {
        return new PipelineCase(
                "seed",
                Path.of("seed"),
                RenderKind.tree(parts.getOrDefault("case.yaml", "{}")),
                document(parts.getOrDefault("machinedeployment.yaml", "{}")),
                document(parts.getOrDefault("osp.yaml", "{}")));
    }

    private static SourceDocument document(String text) {
        return YamlDocumentReader.read("seed", text, Reason.SettingsInvalid).getFirst();
    }

    @Override
    public String name() {
        return "config";
    }

    @Override
    public int weight() {
        return 5;
    }

    @Override
    public FuzzInput make(Chance chance) {
        return new FuzzInput(
                name(),
                Map.of(CONFIG, TreeMutator.mutate(chance.of(seeds), chance).toString()));
    }

    @Override
    public Verdict run(FuzzInput input) {
        OperatingSystemConfig config;
        try {
            config = OperatingSystemConfig.read(document(input.part(CONFIG)));
        } catch (TenantMistake refused) {
            return Verdict.REFUSED;
        }
        int accepted = 0;
        for (String utility : List.of("cloud-init", "ignition", config.spec().provisioningUtility())) {
            for (boolean bootstrap : new boolean[] {false, true}) {
                OperatingSystemConfig.Spec spec = config.spec();
                try {
                    UserDataGenerator.generateDocument(new UserDataInput(
                            bootstrap ? spec.bootstrapConfig() : spec.provisioningConfig(),
                            utility,
                            spec.osName(),
                            spec.cloudProvider(),
                            config.name(),
                            bootstrap,
                            bootstrap));
                    accepted++;
                } catch (TenantMistake refused) {
                    // In order; the other documents are tried.
                }
            }
        }
        return accepted > 0 ? Verdict.ACCEPTED : Verdict.REFUSED;
    }
}
