package io.osmhub.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.contract.ApiCaller.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The part of the contract on lists: order, selectors, pages and the forms of answers. */
public abstract class ListContract extends ContractCase {
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    private static final String METADATA =
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";
    private static final String METADATA_LIST =
            "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

    @Test
    void aListNamesItsKindAndRevisionAndIsSorted() {
        configMap("b", "1");
        String last = configMap("a", "1").revision();

        Reply list = ok(api.get(path("configmaps")));

        assertThat(list.text("/kind")).isEqualTo("ConfigMapList");
        assertThat(list.text("/apiVersion")).isEqualTo("v1");
        assertThat(Long.parseLong(list.revision())).isGreaterThanOrEqualTo(Long.parseLong(last));
        assertThat(names(list)).containsSubsequence("a", "b");
        assertThat(list.body().path("items").get(0).has("kind")).isFalse();
    }

    @Test
    void aListOverAllNamespacesFindsThem() {
        labelled("a", "\"test\":\"%s\"".formatted(namespace));

        Reply list = ok(api.get("/api/v1/configmaps?labelSelector=test%3D" + namespace));

        assertThat(names(list)).containsExactly("a");
        assertThat(list.text("/items/0/metadata/namespace")).isEqualTo(namespace);
    }

    @Test
    void itemsOfCustomKindsSayWhatTheyAre() {
        String widgets = widgets();
        created(api.create(widgets, widget("w", "")));

        Reply list = ok(api.get(widgets));

        assertThat(list.text("/kind")).isEqualTo("WidgetList");
        assertThat(list.text("/items/0/kind")).isEqualTo("Widget");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "color=red            | a,b",
                "color==red           | a,b",
                "color!=red           | c,d",
                "color in (red,blue)  | a,b,c",
                "color notin (red)    | c,d",
                "color                | a,b,c",
                "!color               | d",
                "color=red,size=big   | a",
                "color=red,size!=big  | b",
                "color,!size          | b,c"
            })
    void labelSelectorsSelect(String selector, String expected) {
        labelled("a", "\"color\":\"red\",\"size\":\"big\"");
        labelled("b", "\"color\":\"red\"");
        labelled("c", "\"color\":\"blue\"");
        labelled("d", "\"other\":\"x\"");

        Reply list = ok(api.get(path("configmaps") + "?labelSelector=" + encoded(selector)));

        assertThat(names(list)).filteredOn(name -> name.length() == 1).containsExactly(expected.split(","));
    }

    @Test
    void aMalformedLabelSelectorIsRefused() {
        assertThat(api.get(path("configmaps") + "?labelSelector=" + encoded("a in b"))
                        .code())
                .isEqualTo(400);
    }

    @Test
    void fieldSelectorsKnowNameAndNamespace() {
        configMap("a", "1");
        configMap("b", "1");

        assertThat(names(ok(api.get(path("configmaps") + "?fieldSelector=metadata.name%3Da"))))
                .containsExactly("a");
        assertThat(names(ok(api.get(path("configmaps") + "?fieldSelector=metadata.name!%3Da"))))
                .contains("b")
                .doesNotContain("a");
        assertThat(names(ok(api.get(
                        "/api/v1/configmaps?fieldSelector=metadata.name%3Da,metadata.namespace%3D" + namespace))))
                .containsExactly("a");
    }

    @Test
    void aListOfThePastShowsWhatWasThere() {
        String past = configMap("a", "1").revision();
        configMap("b", "1");

        Reply list = ok(api.get(path("configmaps") + "?resourceVersion=" + past + "&resourceVersionMatch=Exact"));

        assertThat(list.revision()).isEqualTo(past);
        assertThat(names(list)).contains("a").doesNotContain("b");
    }

    @Test
    void otherFieldsAreRefused() {
        Reply refused = api.get(path("configmaps") + "?fieldSelector=data.v%3D1");

        assertThat(refused.errorSummary()).isEqualTo("400 BadRequest");
        assertThat(refused.text("/message"))
                .isEqualTo("\"data.v\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
    }

    @Test
    void pagesGiveEveryObjectOnce() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            labelled("page-" + i, "\"page\":\"yes\"");
            expected.add("page-" + i);
        }
        List<String> found = new ArrayList<>();

        Reply page = ok(api.get(path("configmaps") + "?limit=3&labelSelector=page"));
        Reply first = page;
        found.addAll(names(page));
        while (!page.text("/metadata/continue").isEmpty()) {
            page = ok(api.get(path("configmaps") + "?limit=3&labelSelector=page&continue="
                    + encoded(page.text("/metadata/continue"))));
            assertThat(page.revision()).isEqualTo(first.revision());
            found.addAll(names(page));
        }

        assertThat(first.body().path("items")).hasSize(3);
        assertThat(found).containsExactlyElementsOf(expected);
    }

    @Test
    void aPageTellsHowManyRemain() {
        for (int i = 0; i < 3; i++) {
            created(api.create(path("secrets"), "{\"metadata\":{\"name\":\"s%d\"}}".formatted(i)));
        }

        Reply page = ok(api.get(path("secrets") + "?limit=1"));

        assertThat(page.text("/metadata/remainingItemCount")).isEqualTo("2");
    }

    @Test
    void aMalformedContinueTokenIsRefused() {
        assertThat(api.get(path("configmaps") + "?limit=1&continue=nonsense").code())
                .isEqualTo(400);
    }

    @Test
    void aRevisionFromTheFutureTimesOut() {
        Reply refused = api.get(path("configmaps") + "?resourceVersion=99999999999");

        assertThat(refused.errorSummary()).isEqualTo("504 Timeout");
        assertThat(refused.text("/details/causes/0/reason")).isEqualTo("ResourceVersionTooLarge");
        assertThat(refused.text("/details/retryAfterSeconds")).isEqualTo("1");
    }

    @Test
    void aTableHasAColumnForTheName() {
        configMap("a", "1");

        Reply table = ok(api.get(path("configmaps") + "?fieldSelector=metadata.name%3Da", TABLE));

        assertThat(table.text("/kind")).isEqualTo("Table");
        assertThat(table.text("/apiVersion")).isEqualTo("meta.k8s.io/v1");
        assertThat(table.text("/columnDefinitions/0/name")).isEqualTo("Name");
        assertThat(table.text("/columnDefinitions/1/name")).isEqualTo("Data");
        assertThat(table.text("/columnDefinitions/2/name")).isEqualTo("Age");
        assertThat(table.text("/rows/0/cells/0")).isEqualTo("a");
        assertThat(table.text("/rows/0/cells/1")).isEqualTo("1");
        assertThat(table.text("/rows/0/object/kind")).isEqualTo("PartialObjectMetadata");
        assertThat(table.text("/rows/0/object/metadata/name")).isEqualTo("a");
    }

    @Test
    void aTableOfACustomKindHasItsPrinterColumns() {
        String widgets = widgets(
                "Namespaced",
                ",\"additionalPrinterColumns\":[{\"name\":\"Size\",\"type\":\"integer\",\"jsonPath\":\".spec.size\"},"
                        + "{\"name\":\"Ready\",\"type\":\"string\",\"jsonPath\":\".status.conditions[?(@.type==\\\"Ready\\\")].status\"}]");
        created(
                api.create(
                        widgets,
                        widget(
                                "w",
                                ",\"spec\":{\"size\":3},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}")));

        Reply table = ok(api.get(widgets, TABLE));

        assertThat(table.text("/columnDefinitions/1/name")).isEqualTo("Size");
        assertThat(table.text("/rows/0/cells/1")).isEqualTo("3");
        assertThat(table.text("/rows/0/cells/2")).isEqualTo("True");
    }

    @Test
    void metadataAloneCanBeHad() {
        configMap("a", "1");

        Reply one = ok(api.get(path("configmaps/a"), METADATA));
        Reply list = ok(api.get(path("configmaps") + "?fieldSelector=metadata.name%3Da", METADATA_LIST));

        assertThat(one.text("/kind")).isEqualTo("PartialObjectMetadata");
        assertThat(one.text("/metadata/name")).isEqualTo("a");
        assertThat(one.body().has("data")).isFalse();
        assertThat(list.text("/kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(list.text("/items/0/metadata/name")).isEqualTo("a");
        assertThat(list.body().path("items").get(0).has("data")).isFalse();
    }

    @Test
    void anAnswerThatNobodyOffersIsRefused() {
        assertThat(api.get(path("configmaps"), "text/html").code()).isEqualTo(406);
    }

    @Test
    void discoveryNamesGroupsAndResources() {
        Reply core = ok(api.get("/api/v1"));
        Reply groups = ok(api.get("/apis"));

        assertThat(ok(api.get("/api")).text("/versions/0")).isEqualTo("v1");
        assertThat(core.text("/kind")).isEqualTo("APIResourceList");
        assertThat(named(core.body().path("resources"), "secrets")
                        .path("namespaced")
                        .asBoolean())
                .isTrue();
        assertThat(named(core.body().path("resources"), "namespaces")
                        .path("shortNames")
                        .get(0)
                        .asText())
                .isEqualTo("ns");
        assertThat(named(groups.body().path("groups"), "coordination.k8s.io")
                        .at("/preferredVersion/version")
                        .asText())
                .isEqualTo("v1");
        assertThat(ok(api.get("/apis/coordination.k8s.io")).text("/kind")).isEqualTo("APIGroup");
        assertThat(named(ok(api.get("/apis/coordination.k8s.io/v1")).body().path("resources"), "leases")
                        .path("kind")
                        .asText())
                .isEqualTo("Lease");
    }

    @Test
    void theServerTellsItsVersionAndHealth() {
        assertThat(ok(api.get("/version")).text("/gitVersion")).startsWith("v1.");
        for (String path : List.of("/healthz", "/readyz", "/livez")) {
            assertThat(ok(api.get(path)).raw()).isEqualTo("ok");
        }
    }

    private static List<String> names(Reply list) {
        List<String> names = new ArrayList<>();
        list.body()
                .path("items")
                .forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode each : list) {
            if (each.path("name").asText().equals(name)) {
                return each;
            }
        }
        throw new AssertionError("nothing is named " + name);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
