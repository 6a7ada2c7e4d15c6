package io.osmhub.workersync.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                       | {}                       | {}",
                "{'a':1}                  | {'a':1}                  | {}",
                "{'a':1}                  | {'a':2}                  | {'a':2}",
                "{'a':1}                  | {}                       | {'a':null}",
                "{}                       | {'a':1}                  | {'a':1}",
                "{'a':{'b':1,'c':2}}      | {'a':{'b':1,'c':3}}      | {'a':{'c':3}}",
                "{'a':{'b':1,'c':2}}      | {'a':{'c':2}}            | {'a':{'b':null}}",
                "{'a':{'b':1}}            | {'a':{'b':1}}            | {}",
                "{'a':[1,2]}              | {'a':[2]}                | {'a':[2]}",
                "{'a':[1]}                | {'a':[1]}                | {}",
                "{'a':[]}                 | {}                       | {'a':null}",
                "{'a':null}               | {}                       | {}",
                "{'a':1}                  | {'a':null}               | {'a':null}",
                "{}                       | {'a':null}               | {}",
                "{'a':1}                  | {'a':{'b':1}}            | {'a':{'b':1}}",
                "{'a':{'b':1}}            | {'a':1}                  | {'a':1}",
            })
    void patchLeadsFromOneToTheOther(String before, String after, String patch) throws IOException {
        assertThat(MergePatch.diff(json(before), json(after))).isEqualTo(json(patch));
    }

    private static com.fasterxml.jackson.databind.JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text.strip().replace('\'', '"').getBytes(UTF_8));
    }
}
