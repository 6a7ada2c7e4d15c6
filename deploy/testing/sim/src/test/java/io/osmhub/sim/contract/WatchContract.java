package io.osmhub.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.contract.ApiCaller.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The part of the contract on watches. */
public abstract class WatchContract extends ContractCase {
    private static final String MERGE = "merge-patch+json";

    @Test
    void aWatchFromARevisionTellsEveryLaterChange() {
        String from = configMap("before", "1").revision();

        try (ApiCaller.OpenWatch watch = watch("resourceVersion=" + from)) {
            configMap("a", "1");
            ok(api.patch(path("configmaps/a"), MERGE, "{\"data\":{\"v\":\"2\"}}"));
            ok(api.delete(path("configmaps/a")));

            JsonNode added = watch.next();
            JsonNode modified = watch.next();
            JsonNode deleted = watch.next();
            assertThat(List.of(
                            added.path("type").asText(),
                            modified.path("type").asText(),
                            deleted.path("type").asText()))
                    .containsExactly("ADDED", "MODIFIED", "DELETED");
            assertThat(modified.at("/object/data/v").asText()).isEqualTo("2");
            assertThat(added.at("/object/kind").asText()).isEqualTo("ConfigMap");
            assertThat(revision(deleted)).isGreaterThan(revision(modified));
            assertThat(revision(modified)).isGreaterThan(revision(added));
        }
    }

    @Test
    void aWatchFromThePastCatchesUp() {
        String from = configMap("before", "1").revision();
        configMap("a", "1");
        configMap("b", "1");

        try (ApiCaller.OpenWatch watch = watch("resourceVersion=" + from)) {
            assertThat(watch.nextSummary()).isEqualTo("ADDED a");
            assertThat(watch.nextSummary()).isEqualTo("ADDED b");
        }
    }

    @Test
    void aWatchWithoutARevisionBeginsWithWhatThereIs() {
        labelled("a", "\"x\":\"1\"");

        try (ApiCaller.OpenWatch watch = watch("labelSelector=x")) {
            assertThat(watch.nextSummary()).isEqualTo("ADDED a");
            labelled("b", "\"x\":\"1\"");
            assertThat(watch.nextSummary()).isEqualTo("ADDED b");
        }
    }

    @Test
    void aWatchFromZeroBeginsWithWhatThereIs() {
        labelled("a", "\"x\":\"1\"");

        try (ApiCaller.OpenWatch watch = watch("labelSelector=x&resourceVersion=0")) {
            assertThat(watch.nextSummary()).isEqualTo("ADDED a");
        }
    }

    @Test
    void enteringAndLeavingASelectionIsToldAsAddedAndDeleted() {
        String from = configMap("a", "1").revision();

        try (ApiCaller.OpenWatch watch = watch("labelSelector=x%3D1&resourceVersion=" + from)) {
            ok(api.patch(path("configmaps/a"), MERGE, "{\"metadata\":{\"labels\":{\"x\":\"1\"}}}"));
            ok(api.patch(path("configmaps/a"), MERGE, "{\"data\":{\"v\":\"2\"}}"));
            Reply left = ok(api.patch(path("configmaps/a"), MERGE, "{\"metadata\":{\"labels\":{\"x\":\"2\"}}}"));
            ok(api.delete(path("configmaps/a")));

            assertThat(watch.nextSummary()).isEqualTo("ADDED a");
            assertThat(watch.nextSummary()).isEqualTo("MODIFIED a");
            JsonNode gone = watch.next();
            assertThat(gone.path("type").asText()).isEqualTo("DELETED");
            assertThat(gone.at("/object/metadata/labels/x").asText()).isEqualTo("1");
            assertThat(gone.at("/object/metadata/resourceVersion").asText()).isEqualTo(left.revision());
        }
    }

    @Test
    void oneObjectCanBeWatchedByName() {
        String from = configMap("a", "1").revision();

        try (ApiCaller.OpenWatch watch = watch("fieldSelector=metadata.name%3Db&resourceVersion=" + from)) {
            ok(api.patch(path("configmaps/a"), MERGE, "{\"data\":{\"v\":\"2\"}}"));
            configMap("b", "1");

            assertThat(watch.nextSummary()).isEqualTo("ADDED b");
        }
    }

    @Test
    void otherNamespacesAreNotSeen() {
        String from = configMap("before", "1").revision();

        try (ApiCaller.OpenWatch watch = watch("resourceVersion=" + from)) {
            created(api.create(
                    "/api/v1/namespaces/default/configmaps", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace)));
            configMap("a", "1");

            assertThat(watch.nextSummary()).isEqualTo("ADDED a");
        }
    }

    @Test
    void aDeletionHeldByAFinalizerIsAModification() {
        String from = created(api.create(
                        path("configmaps"), "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/hold\"]}}"))
                .revision();

        try (ApiCaller.OpenWatch watch = watch("resourceVersion=" + from)) {
            ok(api.delete(path("configmaps/a")));
            ok(api.patch(path("configmaps/a"), MERGE, "{\"metadata\":{\"finalizers\":[]}}"));

            JsonNode marked = watch.next();
            assertThat(marked.path("type").asText()).isEqualTo("MODIFIED");
            assertThat(marked.at("/object/metadata/deletionTimestamp").asText()).isNotEmpty();
            assertThat(watch.nextSummary()).isEqualTo("DELETED a");
        }
    }

    @Test
    void aWatchEndsAfterItsTime() {
        try (ApiCaller.OpenWatch watch =
                watch("timeoutSeconds=1&resourceVersion=" + configMap("a", "1").revision())) {
            assertThat(watch.readToEnd())
                    .allMatch(event -> event.path("type").asText().equals("BOOKMARK"));
        }
    }

    @Test
    void bookmarksCarryARevisionAndNothingElse() {
        String from = configMap("a", "1").revision();

        try (ApiCaller.OpenWatch watch = watch("allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion=" + from)) {
            configMap("b", "1");
            List<JsonNode> events = watch.readToEnd();

            assertThat(events).anySatisfy(event -> {
                assertThat(event.path("type").asText()).isEqualTo("BOOKMARK");
                assertThat(event.at("/object/kind").asText()).isEqualTo("ConfigMap");
                assertThat(revision(event)).isGreaterThanOrEqualTo(Long.parseLong(from));
                assertThat(event.at("/object/metadata/name").isMissingNode()).isTrue();
            });
        }
    }

    @Test
    void initialEventsEndWithAMarkedBookmark() {
        labelled("a", "\"x\":\"1\"");

        try (ApiCaller.OpenWatch watch = watch(
                "labelSelector=x&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
            assertThat(watch.nextSummary()).isEqualTo("ADDED a");
            JsonNode end = watch.next(event -> true);
            assertThat(end.path("type").asText()).isEqualTo("BOOKMARK");
            assertThat(end.at("/object/metadata/annotations/k8s.io~1initial-events-end")
                            .asText())
                    .isEqualTo("true");
        }
    }

    @Test
    void aRevisionThatIsTooOldIsToldInTheStream() {
        String widgets = widgets();

        try (ApiCaller.OpenWatch watch = api.watch(widgets + "?watch=true&resourceVersion=1")) {
            assertThat(watch.code()).isEqualTo(200);
            JsonNode error = watch.next();
            assertThat(error.path("type").asText()).isEqualTo("ERROR");
            assertThat(error.at("/object/kind").asText()).isEqualTo("Status");
            assertThat(error.at("/object/code").asInt()).isEqualTo(410);
            assertThat(error.at("/object/reason").asText()).isEqualTo("Expired");
        }
    }

    @Test
    void aRevisionThatIsNoNumberIsRefused() {
        try (ApiCaller.OpenWatch watch = watch("resourceVersion=abc")) {
            assertThat(watch.code()).isEqualTo(500);
        }
    }

    @Test
    void aWatchCanCarryMetadataAlone() {
        String from = configMap("before", "1").revision();

        try (ApiCaller.OpenWatch watch = api.watch(
                path("configmaps") + "?watch=true&resourceVersion=" + from,
                "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io")) {
            configMap("a", "1");

            JsonNode added = watch.next();
            assertThat(added.at("/object/kind").asText()).isEqualTo("PartialObjectMetadata");
            assertThat(added.at("/object/metadata/name").asText()).isEqualTo("a");
            assertThat(added.at("/object/data").isMissingNode()).isTrue();
        }
    }

    @Test
    void aWatchCanCarryTables() {
        String from = configMap("before", "1").revision();

        try (ApiCaller.OpenWatch watch = api.watch(
                path("configmaps") + "?watch=true&resourceVersion=" + from,
                "application/json;as=Table;v=v1;g=meta.k8s.io")) {
            configMap("a", "1");

            JsonNode added = watch.next();
            assertThat(added.at("/object/kind").asText()).isEqualTo("Table");
            assertThat(added.at("/object/rows/0/cells/0").asText()).isEqualTo("a");
        }
    }

    @Test
    void manyWatchesSeeTheSame() {
        String from = configMap("before", "1").revision();

        try (ApiCaller.OpenWatch first = watch("resourceVersion=" + from);
                ApiCaller.OpenWatch second = watch("resourceVersion=" + from)) {
            configMap("a", "1");

            assertThat(first.next()).isEqualTo(second.next());
        }
    }

    @Test
    void wordsOfManyLanguagesPassWhole() {
        String from = configMap("before", "1").revision();
        String words = "Grüße, 世界, 🚢";

        try (ApiCaller.OpenWatch watch = watch("resourceVersion=" + from)) {
            configMap("a", words);

            assertThat(watch.next().at("/object/data/v").asText()).isEqualTo(words);
        }
    }

    private ApiCaller.OpenWatch watch(String query) {
        return api.watch(path("configmaps") + "?watch=true&" + query);
    }

    private static long revision(JsonNode event) {
        return event.at("/object/metadata/resourceVersion").asLong();
    }
}
