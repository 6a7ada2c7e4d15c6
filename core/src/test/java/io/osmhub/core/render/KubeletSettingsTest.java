package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.ProblemFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeletSettingsTest {
    private static final String PREFIX = "v1.kubelet-config.machine-controller.kubermatic.io/";

    private final List<ProblemFinding> findings = new ArrayList<>();

    private KubeletSettings read(String... namesAndValues) {
        Map<String, String> annotations = new TreeMap<>(Map.of("a", "b", "v2/MaxPods", "1"));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            annotations.put(PREFIX + namesAndValues[i], namesAndValues[i + 1]);
        }
        return KubeletSettings.read(MachineDeployment.of("ns", "md", annotations, "1.34.2", null), findings);
    }

    @Test
    void whatHasNoAnnotationIsLeftOut() {
        assertThat(read("Other", "x"))
                .isEqualTo(new KubeletSettings(null, null, null, null, null, null, null, null, null, null));
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
        assertThat(read("KubeReserved", text).kubeReserved()).hasToString(pairs);
    }

    @Test
    void evictionComparesInPlaceOfAssigning() {
        assertThat(read("EvictionHard", "memory.available<5%,x=y,a<b<c").evictionHard())
                .hasToString("{a=b<c, memory.available=5%}");
    }

    @Test
    void numbersHaveASignAndThirtyTwoBits() {
        assertThat(read("MaxPods", "+0110").maxPods()).isEqualTo(110);
        assertThat(read("ImageGCHighThresholdPercent", "-1").imageGcHighThresholdPercent())
                .isEqualTo(-1);
        assertThat(read("ImageGCLowThresholdPercent", "2147483648").imageGcLowThresholdPercent())
                .isNull();
        assertThat(findings)
                .extracting(ProblemFinding::toString)
                .containsExactly(
                        "MachineDeployment ns/md, annotation " + PREFIX
                                + "ImageGCLowThresholdPercent: \"2147483648\" is not a whole number (strconv.ParseInt: parsing \"2147483648\": value out of range); write for example 80");
    }

    @Test
    void agesAreGosDurations() {
        KubeletSettings settings = read("ImageMinimumGCAge", "1.5h", "ImageMaximumGCAge", "-1m30s");

        assertThat(settings.imageMinimumGcAge()).isEqualTo(5_400_000_000_000L);
        assertThat(settings.imageMaximumGcAge()).isEqualTo(-90_000_000_000L);
        assertThat(read("ImageMinimumGCAge", "2 minutes").imageMinimumGcAge()).isNull();
        assertThat(findings).hasSize(1);
    }

    @Test
    void anEmptyTextIsThere() {
        KubeletSettings settings = read("ContainerLogMaxSize", "", "ContainerLogMaxFiles", "5");

        assertThat(settings.containerLogMaxSize()).isEmpty();
        assertThat(settings.containerLogMaxFiles()).isEqualTo("5");
    }
}
