package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeletSettingsTest {
    private static final String PREFIX = "v1.kubelet-config.machine-controller.kubermatic.io/";

    private final List<Problem> findings = new ArrayList<>();

    private KubeletSettings read(String... namesAndValues) {
        Map<String, String> annotations = new TreeMap<>(Map.of("a", "b", "v2/MaxPods", "1"));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            annotations.put(PREFIX + namesAndValues[i], namesAndValues[i + 1]);
        }
        return KubeletSettings.read(MachineDeployment.of("ns", "md", annotations, "1.34.2", null), findings);
    }

    @Test
    void whatHasNoAnnotationIsLeftOut() {
        assertThat(read().values()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | {}",
                "cpu=1,memory=2 | {cpu=1, memory=2}",
                "cpu=1,cpu=2 | {cpu=2}",
                "memory,cpu=1=2, x = y ,, | '{ x = y , cpu=1=2}'"
            })
    void aListOfPairsDropsWhatIsNone(String text, String pairs) {
        assertThat(read("KubeReserved", text).values().get("KubeReserved")).hasToString(pairs);
    }

    @Test
    void evictionComparesInPlaceOfAssigning() {
        assertThat(read("EvictionHard", "memory.available<5%,x=y,a<b<c")
                        .values()
                        .get("EvictionHard"))
                .hasToString("{a=b<c, memory.available=5%}");
    }

    @Test
    void numbersHaveASignAndThirtyTwoBits() {
        assertThat(read("MaxPods", "+0110").values()).containsEntry("MaxPods", 110);
        assertThat(read("ImageGCHighThresholdPercent", "-1").values()).containsEntry("ImageGCHighThresholdPercent", -1);
        assertThat(read("ImageGCLowThresholdPercent", "2147483648").values()).isEmpty();
        assertThat(findings)
                .extracting(Problem::toString)
                .containsExactly(
                        "MachineDeployment ns/md, annotation " + PREFIX
                                + "ImageGCLowThresholdPercent: \"2147483648\" is not a whole number (strconv.ParseInt: parsing \"2147483648\": value out of range); write for example 80");
    }

    @Test
    void agesAreGosDurations() {
        KubeletSettings settings = read("ImageMinimumGCAge", "1.5h", "ImageMaximumGCAge", "-1m30s");

        assertThat(settings.values())
                .containsEntry("ImageMinimumGCAge", 5_400_000_000_000L)
                .containsEntry("ImageMaximumGCAge", -90_000_000_000L);
        assertThat(read("ImageMinimumGCAge", "2 minutes").values()).isEmpty();
        assertThat(findings).hasSize(1);
    }

    private static List<String> mistakes(String... namesAndValues) {
        Map<String, String> annotations = new TreeMap<>(Map.of("", "100M", "a", "b", "v2/MaxPods", "many"));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            annotations.put(PREFIX + namesAndValues[i], namesAndValues[i + 1]);
        }
        return KubeletSettings.findMistakes(MachineDeployment.of("ns", "md", annotations, "1.34.2", null)).stream()
                .peek(finding -> assertThat(finding.reason()).isEqualTo(Reason.KubeletAnnotationUnusable))
                .map(finding -> finding.toString().substring("MachineDeployment ns/md, annotation ".length()))
                .map(finding -> finding.replace(PREFIX, ""))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxPods | 1 | is not a kubelet setting; did you mean MaxPods?",
                "PodPidsLimit | 1 | is not a kubelet setting; known: ContainerLogMaxFiles, ",
                "'' | 1 | is not a kubelet setting; known: ",
                "KubeReserved | cpu:200m | \"cpu:200m\" has no = and is ignored; write for example cpu=200m,memory=300Mi",
                "KubeReserved | 'cpu=200m, memory=1Gi' | \" memory\" must be cpu, memory, ephemeral-storage or pid, not \" memory\"",
                "SystemReserved | cpu=lots | \"cpu\" must be a string with a quantity such as 200m or 100Mi, not \"lots\"",
                "SystemReserved | cpu=1,cpu=2 | \"cpu\" is given twice, the last one counts",
                "EvictionHard | memory.available=5% | \"memory.available=5%\" has no < and is ignored; write",
                "EvictionHard | memory<5% | \"memory\" must be an eviction signal such as memory.available",
                "EvictionHard | memory.available<-5Mi | \"memory.available\" must be a string with a positive quantity",
                "MaxPods | -1 | must be a whole number of at least 0, not \"-1\"; write for example 110",
                "ContainerLogMaxSize | 100MB | must be a string with a quantity such as 100Mi, not \"100MB\"",
                "ContainerLogMaxSize | '' | must be a string with a quantity such as 100Mi, not \"\"",
                "ContainerLogMaxFiles | one | must be a whole number of at least 2, not \"one\"",
                "ContainerLogMaxFiles | 1 | must be a whole number of at least 2, not \"1\"",
                "ImageGCHighThresholdPercent | 101 | must be a whole number from 0 to 100, not \"101\"",
                "ImageGCHighThresholdPercent | 70 | imageGCLowThresholdPercent (default 80) must be less than imageGCHigh",
                "ImageGCLowThresholdPercent | 85 | imageGCLowThresholdPercent (85) must be less than imageGCHigh",
                "ImageMinimumGCAge | 2 minutes | must be a string with a duration such as 2m30s",
                "ImageMaximumGCAge | 2m | imageMaximumGCAge must be greater than imageMinimumGCAge (default 2m)"
            })
    void aSettingWithoutEffectOrAValueThatNoKubeletAcceptsIsAMistake(String name, String value, String what) {
        assertThat(mistakes(name, value)).singleElement().asString().startsWith(name + ": " + what);
    }

    @Test
    void allSettingsThatTheKubeletAcceptsAreNoMistake() {
        assertThat(mistakes(
                        "KubeReserved", "cpu=200m,memory=300Mi,ephemeral-storage=1Gi,pid=1000",
                        "SystemReserved", "",
                        "EvictionHard", "memory.available<100Mi,nodefs.inodesFree<5%,imagefs.available<0%",
                        "MaxPods", "+110",
                        "ContainerLogMaxSize", "100Mi",
                        "ContainerLogMaxFiles", "5",
                        "ImageGCHighThresholdPercent", "75",
                        "ImageGCLowThresholdPercent", "70",
                        "ImageMinimumGCAge", "1h",
                        "ImageMaximumGCAge", "24h"))
                .isEmpty();
    }

    @Test
    void thousandsOfMistakesAreNotAllListed() {
        assertThat(mistakes("KubeReserved", "x,".repeat(50_000))).hasSizeLessThan(30);
    }

    @Test
    void anEmptyTextIsThere() {
        KubeletSettings settings = read("ContainerLogMaxSize", "", "ContainerLogMaxFiles", "5");

        assertThat(settings.values())
                .containsEntry("ContainerLogMaxSize", "")
                .containsEntry("ContainerLogMaxFiles", "5");
    }
}
