package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.demo.DemoRun.TenantNames;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TenantNamesTest {
    @Test
    void differForEveryTenantAndAreNamesOfNamespaces() {
        assertThat(IntStream.range(0, 500).mapToObj(TenantNames::of))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z]+(-\\d+)?"));
    }
}
