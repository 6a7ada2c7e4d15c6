package io.osmhub.workersync.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WatchEventTest {
    @Test
    void theTextsOfAnErrorAreRedactedHoweverTheyAreEncoded() throws IOException {
        String line = "{ \"object\" : {\"message\":\"not s\\u0065cret\",\"reason\":\"\\u0073ecret\",\"code\":410},"
                + " \"type\": \"ERR\\u004fR\" }";

        WatchEvent<String> event = WatchEvent.read(
                secrets(notDecoded(), new ObjectCache<>((key, before, after, origin) -> {})),
                line.getBytes(UTF_8),
                text -> text.replace("secret", "<redacted>"));

        assertThat(event).isInstanceOfSatisfying(WatchEvent.Failed.class, failed -> {
            ApiFailure failure = failed.failure();
            assertThat(failure.text()).isEqualTo("not <redacted>");
            assertThat(failure.reason()).isEqualTo("<redacted>");
            assertThat(failure.isGone()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ADDED", "MODIFIED"})
    void anObjectThatIsCachedInTheSameVersionIsNotDecoded(String type) throws IOException {
        ObservedObject<String> cached = new ObservedObject<>(new ObjectKey("ns", "one"), "u", "7", "as written");
        ObjectCache<String> cache = cacheOf(cached);

        WatchEvent<String> event = read(type, "u", "7", notDecoded(), cache);

        assertThat(event).isEqualTo(new WatchEvent.Upserted<>(cached));
    }

    @ParameterizedTest
    @CsvSource({"MODIFIED,u,8", "MODIFIED,v,7", "ADDED,v,9"})
    void anotherVersionIsDecoded(String type, String uid, String resourceVersion) throws IOException {
        ObjectCache<String> cache = cacheOf(new ObservedObject<>(new ObjectKey("ns", "one"), "u", "7", "as written"));
        ObservedObject<String> decoded =
                new ObservedObject<>(new ObjectKey("ns", "one"), uid, resourceVersion, "decoded", 1);

        WatchEvent<String> event = read(type, uid, resourceVersion, parser -> decoded, cache);

        assertThat(event).isEqualTo(new WatchEvent.Upserted<>(decoded));
    }

    @Test
    void aDeletedObjectIsDecoded() throws IOException {
        ObjectCache<String> cache = cacheOf(new ObservedObject<>(new ObjectKey("ns", "one"), "u", "7", "as written"));
        ObservedObject<String> last = new ObservedObject<>(new ObjectKey("ns", "one"), "u", "7", "last", 1);

        assertThat(read("DELETED", "u", "7", parser -> last, cache)).isEqualTo(new WatchEvent.Deleted<>(last));
    }

    @Test
    void withoutAResourceVersionNothingIsFoundInTheCache() throws IOException {
        ObjectCache<String> cache = cacheOf(new ObservedObject<>(new ObjectKey("ns", "one"), "u", "", "invalid"));
        ObservedObject<String> decoded = new ObservedObject<>(new ObjectKey("ns", "one"), "u", "", "decoded", 1);

        assertThat(read("ADDED", "u", "", parser -> decoded, cache)).isEqualTo(new WatchEvent.Upserted<>(decoded));
    }

    private static ObjectCache<String> cacheOf(ObservedObject<String> seen) {
        ObjectCache<String> cache = new ObjectCache<>((key, before, after, origin) -> {});
        cache.putWritten(seen);
        return cache;
    }

    private static WatchEvent<String> read(
            String type, String uid, String resourceVersion, ObjectDecoder<String> decoder, ObjectCache<String> cache)
            throws IOException {
        String line = """
                {"type":"%s","object":{"kind":"Secret","data":{"uid":"x"},"metadata":{"labels":{"name":"other"},\
                "name":"one","namespace":"ns","resourceVersion":"%s","uid":"%s"}}}""".formatted(type, resourceVersion, uid);
        return WatchEvent.read(secrets(decoder, cache), line.getBytes(UTF_8), text -> text);
    }

    private static CachedSelection<String> secrets(ObjectDecoder<String> decoder, ObjectCache<String> cache) {
        return CachedSelection.unlimited(Selection.all(Resource.SECRETS, ""), decoder, cache, false);
    }

    private static ObjectDecoder<String> notDecoded() {
        return parser -> {
            throw new AssertionError("decoded");
        };
    }
}
