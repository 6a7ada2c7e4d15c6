package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineCorpus;
import io.osmhub.core.corpus.PipelineResult;
import io.osmhub.core.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the pipeline cases show on purpose otherwise than OSM, beside its defects; docs/compatibility.md lists each. */
class PeerExceptionsTest {
    private static final Pattern PLACEHOLDER = Pattern.compile("(<|\\\\u003c)redacted:[a-z-]+(>|\\\\u003e)");

    private final PipelineCorpus corpus = OsmFixtures.all();

    /** A case that OSM renders, and its result here. */
    private record Run(PipelineCase test, PipelineResult result) {
        String wanted(String file) {
            return Objects.requireNonNullElse(test.wanted().get(file), "");
        }

        String got(String file) {
            return Objects.requireNonNullElse(result.files().get(file), "");
        }
    }

    private List<Run> runs(String file) {
        List<Run> runs = new ArrayList<>();
        for (String name : corpus.names()) {
            PipelineCase test = corpus.read(name);
            if (test.wanted().containsKey(file) && !name.startsWith("defect-")) {
                runs.add(new Run(test, corpus.run(test)));
            }
        }
        assertThat(runs).isNotEmpty();
        return runs;
    }

    @Test
    void secretsAreNotImmutable() {
        for (Run run : runs("bootstrap-secret.yaml")) {
            if (run.test().name().startsWith("existing-")) {
                // What exists is kept as it is.
                continue;
            }
            assertThat(run.wanted("bootstrap-secret.yaml"))
                    .as(run.test().name())
                    .contains("immutable: true");
            assertThat(run.got("bootstrap-secret.yaml") + run.got("provisioning-secret.yaml"))
                    .as(run.test().name())
                    .doesNotContain("immutable");
        }
    }

    @Test
    void theStoredObjectHasPlaceholdersForCredentialsAndIsThePeersApartFromThem() {
        int withPlaceholder = 0;
        for (Run run : runs("osc.yaml")) {
            if (!run.result().findings().isEmpty() || run.test().name().equals("existing-osc-current")) {
                // An object that exists is not written again.
                continue;
            }
            String stored = run.got("osc.yaml");
            String revealed = Objects.requireNonNullElse(run.result().revealed(), "");

            assertThat(stored).as(run.test().name()).doesNotContain(credentials(run.test()));
            withPlaceholder += PLACEHOLDER.matcher(stored).find() ? 1 : 0;
            if (run.test().name().startsWith("custom-")) {
                // Those profiles compute hashes and base64 of a token, and also of a placeholder.
                continue;
            }
            String around = PLACEHOLDER
                    .splitAsStream(stored.substring(stored.indexOf("\"spec\":") + 7, stored.length() - 1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*"));
            assertThat(revealed).as(run.test().name()).matches(Pattern.compile(around, Pattern.DOTALL));
        }
        assertThat(withPlaceholder).isGreaterThan(50);
    }

    /** The credentials that every case has; others are tested where they are read. */
    private static String[] credentials(PipelineCase test) {
        List<String> credentials = new ArrayList<>();
        String fetchToken = test.config().path("apiServerToken").asText();
        // One token has characters that JSON writes otherwise; its beginning will do.
        credentials.add(fetchToken.contains("{{") ? "tok{{en}}" : fetchToken);
        credentials.add(test.config().path("bootstrapToken").path("secret").asText());
        credentials.removeIf(String::isEmpty);
        return credentials.isEmpty() ? new String[] {"no credential"} : credentials.toArray(String[]::new);
    }

    @Test
    void whatMakesThePeerPanicIsRefusedWithTheField() {
        List<Problem> findings = new ArrayList<>();

        for (Run run : runs("error.txt")) {
            if (run.wanted("error.txt").startsWith("panic")) {
                findings.add(run.result().findings().getFirst());
            }
        }

        assertThat(findings)
                .extracting(Problem::toString)
                .containsExactlyInAnyOrder(
                        "OperatingSystemProfile kube-system/p, spec.bootstrapConfig.files[0] (/x): content.inline is missing; add it, empty data is allowed",
                        "MachineDeployment kube-system/err-provider-value-missing, spec.template.spec.providerSpec.value: missing; set cloudProvider, cloudProviderSpec and operatingSystem");
    }
}
