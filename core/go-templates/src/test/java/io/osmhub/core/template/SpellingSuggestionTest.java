package io.osmhub.core.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingSuggestionTest {
    private static final List<String> KNOWN = List.of("toYaml", "toJson", "kind", "clusterDNS");

    @Test
    void findsASlip() {
        assertThat(SpellingSuggestion.findClosest("toYamll", KNOWN)).contains("toYaml");
        assertThat(SpellingSuggestion.findClosest("clusterDns", KNOWN)).contains("clusterDNS");
        assertThat(SpellingSuggestion.findClosest("knid", KNOWN)).contains("kind");
    }

    @Test
    void staysSilentWhenNothingIsNear() {
        assertThat(SpellingSuggestion.findClosest("password", KNOWN)).isEmpty();
        assertThat(SpellingSuggestion.findClosest("x", KNOWN)).isEmpty();
        assertThat(SpellingSuggestion.findClosest("", List.of())).isEmpty();
    }
}
