package io.osmhub.api.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SearchTextTest {
    private static boolean mayBeIn(String part, String text) {
        SearchText.Bigrams pairs = SearchText.Bigrams.of(text);
        return SearchText.of(part).canBeIn(pairs.low(), pairs.high());
    }

    @Test
    void noPartOfATextIsEverRuledOut() {
        Random random = new Random(3);
        for (int round = 0; round < 5_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(120); i > 0; i--) {
                text.append((char) (round % 2 == 0 ? 'a' + random.nextInt(26) : random.nextInt(0x3000)));
            }
            String lower = text.toString().toLowerCase(Locale.ROOT);
            int from = random.nextInt(lower.length() + 1);
            int to = from + random.nextInt(lower.length() - from + 1);
            String part = lower.substring(from, to);

            assertThat(mayBeIn(part, lower)).as("%s in %s", part, lower).isTrue();
        }
    }

    @Test
    void mostOtherTextsAreRuledOut() {
        String text = "cluster-01f3\nworkers-42-kube-system-config\nprod\nteam-7";
        Random random = new Random(5);
        int kept = 0;
        for (int round = 0; round < 1_000; round++) {
            StringBuilder other = new StringBuilder();
            for (int i = 0; i < 6; i++) {
                other.append((char) ('a' + random.nextInt(26)));
            }
            kept += mayBeIn(other.toString(), text) ? 1 : 0;
        }
        assertThat(kept).isLessThan(50);
        assertThat(mayBeIn("", "anything")).isTrue();
        assertThat(mayBeIn("x", "anything")).isTrue();
    }

    @Test
    void whatWasTypedIsFoundInAnyCase() {
        assertThat(SearchText.of("  WorKers ").isIn("gpu-workers-7")).isTrue();
        assertThat(SearchText.of("\t ").isEmpty()).isTrue();
    }
}
