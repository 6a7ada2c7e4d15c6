package io.osmhub.core.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import java.util.List;

/** Texts with what Go's libraries read from them, or with their error. */
public final class GoDecodeCorpus {
    /** A reader under test. */
    @FunctionalInterface
    public interface Reader {
        Value read(String bytes) throws CallFailure;
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
                    read.id() + " " + EmitterCase.text(text),
                    "value",
                    error == null ? TypedForm.of(read.fields().path("typed")) : EmitterCase.error(error.asText()),
                    result(text, reader));
        }
        return report.build();
    }

    private static String result(String text, Reader reader) {
        try {
            return TypedForm.of(reader.read(Str.bytes(text)));
        } catch (CallFailure e) {
            return EmitterCase.error(Str.text(e.text()));
        } catch (LimitExceeded e) {
            return "limit " + e.getMessage();
        }
    }
}
