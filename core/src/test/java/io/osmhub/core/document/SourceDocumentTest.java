package io.osmhub.core.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import org.junit.jupiter.api.Test;

final class SourceDocumentTest {
    private static final String PROFILE = """
            kind: X
            spec:
              files:
              - path: /a
                content:
                  inline:
                    data: |

                      one
                        two
              - path: /b
                content:
                  inline:
                    data: "one\\ntwo"
              snippets:
                s: |-
                  one
                  two
            """;

    private static SourcePosition position(String field, int line, int column) {
        SourceDocument source = SourceDocument.readAll("x.yaml", PROFILE, Reason.SettingsInvalid)
                .getFirst();
        return source.positionOf(new Problem(
                Reason.SettingsInvalid, ProblemObject.NONE, field, new SourcePosition(line, column), "what", ""));
    }

    @Test
    void findsTheLineOfATemplateInItsFile() {
        assertThat(position("spec.files[0] (/a)", 2, 1)).isEqualTo(new SourcePosition(9, 11));
        assertThat(position("spec.files[0] (/a)", 3, 3)).isEqualTo(new SourcePosition(10, 13));
        assertThat(position("spec.snippets[s]", 2, 2)).isEqualTo(new SourcePosition(18, 8));
    }

    @Test
    void pointsAtTheBeginningOfATextThatIsNotWrittenLineByLine() {
        assertThat(position("spec.files[1] (/b)", 2, 1)).isEqualTo(new SourcePosition(14, 15));
    }

    @Test
    void pointsAtTheFieldWithoutALine() {
        assertThat(position("spec.files[1].path", 0, 0)).isEqualTo(new SourcePosition(11, 5));
    }

    @Test
    void pointsAtTheDocumentWithoutAField() {
        assertThat(position("", 0, 0)).isEqualTo(new SourcePosition(1, 1));
    }

    @Test
    void takesTheItemsOfAListForDocuments() {
        assertThat(SourceDocument.readAll(
                        "x", "kind: List\nitems:\n- kind: A\n- kind: B\n---\nkind: C\n", Reason.SettingsInvalid))
                .extracting(source -> source.text("kind"))
                .containsExactly("A", "B", "C");
    }
}
