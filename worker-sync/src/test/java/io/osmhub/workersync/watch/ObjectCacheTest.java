package io.osmhub.workersync.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ObjectCacheTest {
    private static final ObjectKey KEY = new ObjectKey("n", "a");

    private final List<String> changes = new ArrayList<>();
    private final ObjectCache<String> cache =
            new ObjectCache<>((key, before, after, origin) -> changes.add(before + " -> " + after + " " + origin));

    private static ObservedObject<String> seen(String uid, String version, String text) {
        return new ObservedObject<>(KEY, uid, version, text);
    }

    @Test
    void seesItsOwnWriteBeforeTheWatchBringsIt() {
        cache.put(seen("u", "5", "old"), ObjectCache.Origin.LISTED);

        cache.putWritten(seen("u", "9", "new"));
        cache.put(seen("u", "7", "between"), ObjectCache.Origin.WATCHED);
        cache.put(seen("u", "9", "new"), ObjectCache.Origin.WATCHED);

        assertThat(cache.get(KEY)).isEqualTo("new");
        assertThat(changes).containsExactly("null -> old LISTED", "old -> new WRITTEN");
    }

    @Test
    void prefersTheResponseToAWatchEventOfTheSameVersion() {
        cache.put(seen("u", "9", "without the new field"), ObjectCache.Origin.WATCHED);

        cache.putWritten(seen("u", "9", "whole"));
        cache.put(seen("u", "9", "without the new field"), ObjectCache.Origin.WATCHED);

        assertThat(cache.get(KEY)).isEqualTo("whole");
    }

    @Test
    void comparesVersionsAsNumbers() {
        cache.put(seen("u", "99", "old"), ObjectCache.Origin.LISTED);

        cache.put(seen("u", "100", "new"), ObjectCache.Origin.WATCHED);

        assertThat(cache.get(KEY)).isEqualTo("new");
    }

    @Test
    void takesWhatComesWhenVersionsCannotBeCompared() {
        cache.put(seen("u", "x9", "old"), ObjectCache.Origin.LISTED);

        cache.put(seen("u", "x1", "new"), ObjectCache.Origin.WATCHED);

        assertThat(cache.get(KEY)).isEqualTo("new");
    }

    @Test
    void doesNotBringBackWhatItDeleted() {
        cache.put(seen("u", "5", "old"), ObjectCache.Origin.LISTED);

        cache.deleted(KEY, "u");
        cache.put(seen("u", "6", "late"), ObjectCache.Origin.WATCHED);

        assertThat(cache.get(KEY)).isNull();
        cache.removeGone(seen("u", "7", "late"));
        cache.put(seen("v", "8", "another"), ObjectCache.Origin.WATCHED);
        assertThat(cache.get(KEY)).isEqualTo("another");
    }

    @Test
    void keepsItsYoungerObjectWhenTheOlderOneIsReportedGone() {
        cache.put(seen("u", "5", "old"), ObjectCache.Origin.LISTED);
        cache.deleted(KEY, "u");
        cache.putWritten(seen("v", "8", "new"));

        cache.removeGone(seen("u", "7", "old"));

        assertThat(cache.get(KEY)).isEqualTo("new");
    }

    @Test
    void keepsWhatWasWrittenAfterAListWasMade() {
        long before = cache.ownChangeCount();
        cache.putWritten(seen("u", "12", "new"));

        cache.replace(List.of(), "11", before);

        assertThat(cache.get(KEY)).isEqualTo("new");
        cache.replace(List.of(), "13", cache.ownChangeCount());
        assertThat(cache.get(KEY)).isNull();
    }

    @Test
    void doesNotBringBackWhatSomebodyDeletedBeforeTheAnswerToTheWriteCame() {
        cache.replace(List.of(), "7", cache.ownChangeCount());

        cache.put(seen("u", "8", "new"), ObjectCache.Origin.WATCHED);
        cache.removeGone(seen("u", "9", "new"));
        cache.putWritten(seen("u", "8", "new"));

        assertThat(cache.get(KEY)).isNull();
        cache.putWritten(seen("v", "10", "next"));
        assertThat(cache.get(KEY)).isEqualTo("next");
    }

    @Test
    void doesNotBringBackWhatALaterListNoLongerHad() {
        cache.replace(List.of(), "9", cache.ownChangeCount());

        cache.putWritten(seen("u", "8", "new"));

        assertThat(cache.get(KEY)).isNull();
    }

    @Test
    void putsNoOlderObjectInThePlaceOfTheOneThatFollowedIt() {
        cache.removeGone(seen("u", "9", "first"));
        cache.put(seen("v", "10", "second"), ObjectCache.Origin.WATCHED);

        cache.putWritten(seen("u", "8", "first"));

        assertThat(cache.get(KEY)).isEqualTo("second");
    }

    @Test
    void believesAWriteAfterTheServerWasPutBackToAnEarlierState() {
        cache.replace(List.of(), "900", cache.ownChangeCount());
        cache.replace(List.of(), "100", cache.ownChangeCount());

        cache.putWritten(seen("u", "101", "new"));

        assertThat(cache.get(KEY)).isEqualTo("new");
    }

    @Test
    void appliesAnOlderObjectFromAListThatIncludesTheNewerOne() {
        cache.putWritten(seen("u", "250", "after the backup"));

        cache.replace(List.of(seen("u", "200", "from the backup")), "260", cache.ownChangeCount());

        assertThat(cache.get(KEY)).isEqualTo("from the backup");
    }

    @Test
    void appliesAnOlderObjectOfAServerThatWasRestoredToAnEarlierVersion() {
        cache.replace(List.of(seen("u", "250", "after the backup")), "255", cache.ownChangeCount());

        cache.replace(List.of(seen("u", "200", "from the backup")), "210", cache.ownChangeCount());

        assertThat(cache.get(KEY)).isEqualTo("from the backup");
    }

    @Test
    void keepsAnObjectWrittenAfterAListThatHasAnOlderVersionOfIt() {
        long before = cache.ownChangeCount();
        cache.putWritten(seen("u", "250", "written"));

        cache.replace(List.of(seen("u", "200", "listed")), "240", before);

        assertThat(cache.get(KEY)).isEqualTo("written");
    }

    @Test
    void bringsBackADeletedObjectThatALaterListContains() {
        cache.put(seen("u", "5", "old"), ObjectCache.Origin.LISTED);
        long before = cache.ownChangeCount();
        cache.deleted(KEY, "u");

        cache.replace(List.of(seen("u", "5", "old")), "6", before);
        assertThat(cache.get(KEY)).as("requested before the deletion").isNull();

        cache.replace(List.of(seen("u", "5", "old")), "9", cache.ownChangeCount());
        assertThat(cache.get(KEY)).as("requested after it").isEqualTo("old");
    }

    @Test
    void takesWhatWasReadThoughTheSelectionDoesNotHaveItUnlessSomethingWentMeanwhile() {
        cache.replace(List.of(), "20", cache.ownChangeCount());

        assertThat(cache.putIfUnchanged(seen("u", "8", "without its label"), null, cache.deletionCount()))
                .isTrue();
        assertThat(cache.get(KEY)).isEqualTo("without its label");

        int before = cache.deletionCount();
        cache.removeGone(seen("u", "21", "without its label"));
        assertThat(cache.putIfUnchanged(seen("u", "8", "without its label"), null, before))
                .isFalse();
        assertThat(cache.get(KEY)).isNull();
    }

    @Test
    void aResponseThatTheWatchDeliveredBeforeIsNotDecodedAgain() throws IOException {
        cache.put(seen("u", "7", "as watched"), ObjectCache.Origin.WATCHED);

        cache.putWritten(response("7"), parser -> {
            throw new AssertionError("decoded");
        });

        assertThat(cache.get(KEY)).isEqualTo("as watched");
    }

    @Test
    void anotherResponseIsDecoded() throws IOException {
        cache.put(seen("u", "7", "as watched"), ObjectCache.Origin.WATCHED);

        cache.putWritten(response("8"), parser -> seen("u", "8", "decoded"));

        assertThat(cache.get(KEY)).isEqualTo("decoded");
    }

    @Test
    void aListRequestedAfterAResponseReplacesItWhateverItsVersion() {
        cache.replace(List.of(seen("u", "5", "true")), "6", cache.ownChangeCount());
        cache.putWritten(seen("u", "99999999", "false"));

        cache.replace(List.of(seen("u", "5", "true")), "7", cache.ownChangeCount());

        assertThat(cache.get(KEY)).isEqualTo("true");
        assertThat(changes).last().isEqualTo("false -> true LISTED");
    }

    @Test
    void aListReplacesOtherContentOfTheSameVersion() {
        cache.replace(List.of(seen("u", "5", "false")), "6", cache.ownChangeCount());

        cache.replace(List.of(seen("u", "5", "true")), "7", cache.ownChangeCount());

        assertThat(cache.get(KEY)).isEqualTo("true");
    }

    @Test
    void aListThatChangesNothingIsNotReported() {
        cache.replace(List.of(seen("u", "5", "same")), "6", cache.ownChangeCount());

        cache.replace(List.of(seen("u", "5", "same")), "7", cache.ownChangeCount());

        assertThat(changes).containsExactly("null -> same LISTED");
    }

    @Test
    void aWatchEventReplacesAnEarlierOneWhateverItsVersion() {
        cache.put(seen("u", "99999999", "false"), ObjectCache.Origin.WATCHED);

        cache.put(seen("u", "8", "true"), ObjectCache.Origin.WATCHED);

        assertThat(cache.get(KEY)).isEqualTo("true");
    }

    @Test
    void aReadReplacesWhatWasCachedBeforeTheRequestWhateverItsVersion() {
        cache.putWritten(seen("u", "99999999", "false"));
        ObservedObject<String> known = cache.observed(KEY);

        cache.putIfUnchanged(seen("u", "8", "true"), known, cache.deletionCount());

        assertThat(cache.get(KEY)).isEqualTo("true");
    }

    @Test
    void aReadDoesNotReplaceWhatTheWatchDeliveredMeanwhile() {
        cache.put(seen("u", "7", "old"), ObjectCache.Origin.WATCHED);
        ObservedObject<String> known = cache.observed(KEY);
        cache.put(seen("u", "9", "new"), ObjectCache.Origin.WATCHED);

        cache.putIfUnchanged(seen("u", "8", "between"), known, cache.deletionCount());

        assertThat(cache.get(KEY)).isEqualTo("new");
    }

    @Test
    void aResponseThatTheWatchHasNotDeliveredAfterTwoBookmarksIsDoubted() {
        cache.putWritten(seen("u", "8", "true"));
        assertThat(cache.reached("7")).isTrue();
        cache.put(seen("u", "8", "true"), ObjectCache.Origin.WATCHED);
        assertThat(cache.reached("9")).isTrue();

        cache.putWritten(seen("u", "99999999", "false"));
        assertThat(cache.reached("10")).isTrue();
        assertThat(cache.reached("11")).isFalse();
    }

    private static byte[] response(String resourceVersion) {
        return """
                {"metadata":{"name":"%s","namespace":"%s","resourceVersion":"%s","uid":"u"}}""".formatted(KEY.name(), KEY.namespace(), resourceVersion).getBytes(StandardCharsets.UTF_8);
    }
}
