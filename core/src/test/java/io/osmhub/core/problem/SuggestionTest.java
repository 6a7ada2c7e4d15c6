package io.osmhub.core.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {
    private static final List<String> KNOWN = List.of("toYaml", "toJson", "kind", "clusterDNS");

    @Test
    void findsASlip() {
        assertThat(Suggestion.closest("toYamll", KNOWN)).contains("toYaml");
        assertThat(Suggestion.closest("clusterDns", KNOWN)).contains("clusterDNS");
        assertThat(Suggestion.closest("knid", KNOWN)).contains("kind");
    }

    @Test
    void staysSilentWhenNothingIsNear() {
        assertThat(Suggestion.closest("password", KNOWN)).isEmpty();
        assertThat(Suggestion.closest("x", KNOWN)).isEmpty();
        assertThat(Suggestion.closest("", List.of())).isEmpty();
    }
}
