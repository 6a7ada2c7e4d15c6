package io.osmhub.workersync.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ObjectCacheTest {
    private static final ObjectKey KEY = new ObjectKey("n", "a");

    private final List<String> changes = new ArrayList<>();
    private final ObjectCache<String> cache =
            new ObjectCache<>((key, before, after, origin) -> changes.add(before + " -> " + after + " " + origin));

    private static Seen<String> seen(String uid, String version, String text) {
        return new Seen<>(KEY, uid, version, text);
    }

    @Test
    void seesItsOwnWriteBeforeTheWatchBringsIt() {
        cache.put(seen("u", "5", "old"), ObjectCache.Origin.LISTED);

        cache.written(seen("u", "9", "new"));
        cache.put(seen("u", "7", "between"), ObjectCache.Origin.WATCHED);
        cache.put(seen("u", "9", "new"), ObjectCache.Origin.WATCHED);

        assertThat(cache.get(KEY)).isEqualTo("new");
        assertThat(changes).containsExactly("null -> old LISTED", "old -> new WRITTEN");
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
        cache.gone(seen("u", "7", "late"));
        cache.put(seen("v", "8", "another"), ObjectCache.Origin.WATCHED);
        assertThat(cache.get(KEY)).isEqualTo("another");
    }

    @Test
    void keepsItsYoungerObjectWhenTheOlderOneIsReportedGone() {
        cache.put(seen("u", "5", "old"), ObjectCache.Origin.LISTED);
        cache.deleted(KEY, "u");
        cache.written(seen("v", "8", "new"));

        cache.gone(seen("u", "7", "old"));

        assertThat(cache.get(KEY)).isEqualTo("new");
    }

    @Test
    void keepsWhatWasWrittenAfterAListWasMade() {
        cache.written(seen("u", "12", "new"));

        cache.replace(List.of(), "11");

        assertThat(cache.get(KEY)).isEqualTo("new");
        cache.replace(List.of(), "13");
        assertThat(cache.get(KEY)).isNull();
    }

    @Test
    void doesNotBringBackWhatSomebodyDeletedBeforeTheAnswerToTheWriteCame() {
        Intake<String> intake = new Intake<>(cache, Feed.toNobody());
        cache.replace(List.of(), "7");

        intake.take(new WatchEvent.Put<>(seen("u", "8", "new"), true), "");
        intake.take(new WatchEvent.Gone<>(seen("u", "9", "new")), "");
        cache.written(seen("u", "8", "new"));

        assertThat(cache.get(KEY)).isNull();
        cache.written(seen("v", "10", "next"));
        assertThat(cache.get(KEY)).isEqualTo("next");
    }

    @Test
    void doesNotBringBackWhatALaterListNoLongerHad() {
        cache.replace(List.of(), "9");

        cache.written(seen("u", "8", "new"));

        assertThat(cache.get(KEY)).isNull();
    }

    @Test
    void putsNoOlderObjectInThePlaceOfTheOneThatFollowedIt() {
        Intake<String> intake = new Intake<>(cache, Feed.toNobody());
        intake.take(new WatchEvent.Gone<>(seen("u", "9", "first")), "");
        intake.take(new WatchEvent.Put<>(seen("v", "10", "second"), true), "");

        cache.written(seen("u", "8", "first"));

        assertThat(cache.get(KEY)).isEqualTo("second");
    }

    @Test
    void believesAWriteAfterTheServerWasPutBackToAnEarlierState() {
        cache.replace(List.of(), "900");
        cache.replace(List.of(), "100");

        cache.written(seen("u", "101", "new"));

        assertThat(cache.get(KEY)).isEqualTo("new");
    }

    @Test
    void takesWhatWasReadThoughTheSelectionDoesNotHaveItUnlessSomethingWentMeanwhile() {
        Intake<String> intake = new Intake<>(cache, Feed.toNobody());
        cache.replace(List.of(), "20");

        assertThat(cache.found(seen("u", "8", "without its label"), cache.goings()))
                .isTrue();
        assertThat(cache.get(KEY)).isEqualTo("without its label");

        int before = cache.goings();
        intake.take(new WatchEvent.Gone<>(seen("u", "21", "without its label")), "");
        assertThat(cache.found(seen("u", "8", "without its label"), before)).isFalse();
        assertThat(cache.get(KEY)).isNull();
    }
}
