package io.osmhub.core.template.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.List;

/**
 * Texts with what Go's libraries read from them, or that they refuse. Of an error only is compared that there is one, because our
 * texts of errors are not Go's.
 */
public final class GoDecodeCorpus {
    /** A reader under test. */
    @FunctionalInterface
    public interface Reader {
        GoValue read(String bytes) throws GoCallException;
    }

    private GoDecodeCorpus() {}

    /** Runs cases, one a line: {@code id}, {@code text}, and {@code typed} or {@code error}. */
    public static CorpusReport run(List<String> lines, Reader reader) {
        CorpusReport.Builder report = new CorpusReport.Builder();
        for (String line : lines) {
            EmitterCase read = EmitterCase.parse(line);
            JsonNode error = read.fields().get("error");
            String text = read.fields().path("text").asText();
            report.compare(
                    read.id(),
                    EmitterCase.text(text),
                    error == null ? TypedForm.of(read.fields().path("typed")) : EmitterCase.ERROR,
                    result(text, reader));
        }
        return report.build();
    }

    private static String result(String text, Reader reader) {
        try {
            return TypedForm.of(reader.read(GoString.bytes(text)));
        } catch (GoCallException | LimitExceededException e) {
            return EmitterCase.ERROR;
        }
    }
}
