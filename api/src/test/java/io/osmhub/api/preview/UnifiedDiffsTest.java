package io.osmhub.api.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.preview.DiffOperation.UnifiedDiffs;
import org.junit.jupiter.api.Test;

final class UnifiedDiffsTest {
    @Test
    void aPatchShowsTheLinesThatDifferWithThreeAround() {
        String before = "a\nb\nc\nd\nold\ne\nf\ng\nh\n";

        assertThat(UnifiedDiffs.of("Provisioning", before, before.replace("old", "new")))
                .isEqualTo("""
                --- a/Provisioning
                +++ b/Provisioning
                @@ -2,7 +2,7 @@
                 b
                 c
                 d
                -old
                +new
                 e
                 f
                 g
                """);
    }

    @Test
    void aDocumentThatWasNotThereIsAllNew() {
        assertThat(UnifiedDiffs.of("EdgeScript", "", "one\ntwo\n"))
                .contains("+one\n+two\n")
                .doesNotContain("\n-");
    }

    @Test
    void aLongPatchIsCutAtALineAndSaysSo() {
        String before = "x".repeat(80).concat("\n").repeat(5_000);

        String patch = UnifiedDiffs.of(
                "Provisioning", before, "y".repeat(80).concat("\n").repeat(5_000));

        assertThat(patch).hasSizeLessThanOrEqualTo(262_144).endsWith("\n... truncated\n");
    }

    @Test
    void whatTakesTooLongIsNotCompared() {
        assertThat(UnifiedDiffs.of("Provisioning", "x\n".repeat(15_000), "y\n".repeat(15_000)))
                .isNull();
    }
}
