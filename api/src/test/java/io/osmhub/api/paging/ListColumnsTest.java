package io.osmhub.api.paging;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.paging.ListColumns.Page;
import io.osmhub.api.problem.ApiProblem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListColumnsTest {
    private static final RowVisibility<Thing> ALL = new RowVisibility<>(true, row -> true, null);

    private final RowTable<String, Thing> table = new RowTable<>();
    private final ListColumns<Thing> columns = Thing.columns();

    private void fill(int rows) {
        for (int i = 0; i < rows; i++) {
            put("t" + i % 7, "n" + i, i % 10);
        }
    }

    private void put(String namespace, String name, int weight) {
        table.put(namespace + "/" + name, new Thing(namespace, name, weight));
    }

    private Page<Thing> page(ListQuery query) throws ApiProblem {
        return columns.page(table, query, ALL);
    }

    private static ListQuery first(int limit, @Nullable String sort) {
        return ListQuery.ALL.with("limit", String.valueOf(limit)).with("sort", sort);
    }

    private static RowVisibility<Thing> only(Set<String> namespaces) {
        return RowVisibility.of(new VisibleTenants.SelectedTenants(namespaces, namespaces));
    }

    private static ApiProblem problem(ThrowingPage page) {
        try {
            page.get();
        } catch (ApiProblem e) {
            return e;
        }
        throw new AssertionError("no problem");
    }

    private interface ThrowingPage {
        Object get() throws ApiProblem;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void everyRowThatStaysIsOnExactlyOnePageWhateverChangesMeanwhile(long seed) throws ApiProblem {
        Random random = new Random(seed);
        fill(500 + random.nextInt(500));
        String sort =
                List.of("-weight,name", "name", "-namespace", "weight,-name").get(random.nextInt(4));
        ListQuery query = first(1 + random.nextInt(120), sort).with("search", random.nextBoolean() ? "n1" : null);
        TreeSet<String> wanted = new TreeSet<>();
        table.all().stream()
                .filter(row -> query.text("search") == null || row.matchesText("n1"))
                .forEach(row -> wanted.add(row.key()));

        List<String> seen = new ArrayList<>();
        Set<String> changed = new HashSet<>();
        Page<Thing> page = page(query);
        while (true) {
            page.rows().forEach(row -> seen.add(row.key()));
            for (int change = random.nextInt(30); change > 0; change--) {
                int i = random.nextInt(1200);
                changed.add("t" + i % 7 + "/n" + i);
                if (random.nextInt(3) == 0) {
                    table.put("t" + i % 7 + "/n" + i, null);
                } else {
                    put("t" + i % 7, "n" + i, random.nextInt(10));
                }
            }
            if (page.next() == null) {
                break;
            }
            page = page(query.with("continue", page.next()).with("limit", String.valueOf(1 + random.nextInt(120))));
        }

        wanted.removeAll(changed);
        seen.removeAll(changed);
        assertThat(seen).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(wanted);
    }

    @ParameterizedTest
    @CsvSource({"weight,false", "-weight,false", "'weight,-name',false", "-namespace,false", "absent,true"})
    void pagesInOrderAreTheSortedRows(String sort, boolean absent) throws ApiProblem {
        columns.sort("absent", row -> row.weight() % 3 == 0 ? null : row.weight());
        fill(1000);

        List<Thing> paged = new ArrayList<>();
        String cursor = null;
        do {
            Page<Thing> page = page(first(77, sort).with("continue", cursor));
            assertThat(page.offset()).isEqualTo(paged.size());
            assertThat(page.total()).isEqualTo(1000);
            paged.addAll(page.rows());
            cursor = page.next();
        } while (cursor != null);

        assertThat(paged).hasSize(1000).doesNotHaveDuplicates();
        List<Thing> whole = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            whole.addAll(page(first(500, sort)
                            .with(
                                    "continue",
                                    i == 0 ? null : page(first(500, sort)).next()))
                    .rows());
        }
        assertThat(paged).isEqualTo(whole);
        if (absent) {
            assertThat(paged.subList(600, 1000)).allMatch(row -> row.weight() % 3 == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "-weight", "weight,-name", "-namespace"})
    void aCallerWithFewTenantsGetsWhatReadingAllRowsGives(String sort) throws ApiProblem {
        for (int i = 0; i < 5000; i++) {
            put("t" + i % 100, "n" + i, i / 100 % 10);
        }
        Set<String> seen = Set.of("t3", "t58", "nowhere");
        RowVisibility<Thing> asked = new RowVisibility<>(false, row -> seen.contains(row.namespace()), null);

        ListQuery request = first(30, sort).with("shade", "LIGHT");
        int rows = 0;
        while (true) {
            Page<Thing> one = columns.page(table, request, only(seen));
            Page<Thing> two = columns.page(table, request, asked);
            assertThat(one).isEqualTo(two);
            rows += one.rows().size();
            if (one.next() == null) {
                break;
            }
            request = request.with("continue", one.next());
        }
        assertThat(rows).isEqualTo(50);
        assertThat(page(first(500, sort).with("namespace", "t58")).rows())
                .hasSize(50)
                .allMatch(row -> row.namespace().equals("t58"));
    }

    @Test
    void onePageLeadsBackToTheOneBefore() throws ApiProblem {
        fill(250);
        Page<Thing> one = page(first(100, "name"));

        Page<Thing> two = page(first(100, "name").with("continue", one.next()));
        Page<Thing> three = page(first(100, "name").with("continue", two.next()));

        assertThat(three.next()).isNull();
        assertThat(three.offset()).isEqualTo(200);
        assertThat(page(first(100, "name").with("continue", three.previous())).rows())
                .isEqualTo(two.rows());
        assertThat(page(first(100, "name").with("continue", two.previous()))).isEqualTo(one);
        assertThat(one.previous()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"name | 7", "-name | 7", "weight | 100", "-weight,name | 3", "name | 500"})
    void goingBackShowsTheSamePages(String sort, int limit) throws ApiProblem {
        fill(997);
        List<Page<Thing>> forward = new ArrayList<>();
        for (String next = ""; next != null; next = forward.getLast().next()) {
            forward.add(page(first(limit, sort).with("continue", next.isEmpty() ? null : next)));
        }

        Page<Thing> page = forward.getLast();
        for (Page<Thing> expected : forward.reversed().subList(1, forward.size())) {
            page = page(first(limit, sort).with("continue", page.previous()));
            assertThat(page).isEqualTo(expected);
        }
        assertThat(page.previous()).isNull();
    }

    @Test
    void anEmptyPageLeadsBackToTheLastRows() throws ApiProblem {
        fill(20);
        String next = page(first(12, "name")).next();
        for (Thing row : page(first(12, "name").with("continue", next)).rows()) {
            table.put(row.key(), null);
        }

        Page<Thing> empty = page(first(5, "name").with("continue", next));

        assertThat(empty.rows()).isEmpty();
        assertThat(empty.offset()).isEqualTo(12);
        List<Thing> all = page(first(12, "name")).rows();
        assertThat(page(first(5, "name").with("continue", empty.previous())).rows())
                .isEqualTo(all.subList(7, 12));
    }

    @Test
    void tiesAreBrokenByNamespaceAndName() throws ApiProblem {
        put("b", "x", 1);
        put("a", "y", 1);
        put("a", "x", 1);
        put("c", "z", 2);

        List<String> keys =
                page(first(10, "-weight")).rows().stream().map(Thing::key).toList();

        assertThat(keys).containsExactly("c/z", "a/x", "a/y", "b/x");
    }

    @Test
    void filtersKeepRowsWithAnyOfTheirValues() throws ApiProblem {
        fill(100);

        assertThat(page(ListQuery.ALL.withAll("weight", List.of("1", "2"))).total())
                .isEqualTo(20);
        assertThat(page(ListQuery.ALL.withAll("weight", List.of("1", "2")).with("shade", "DARK"))
                        .total())
                .isEqualTo(10);
        ApiProblem problem = problem(() -> page(ListQuery.ALL.with("shade", "GREY")));
        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.mistakes()).singleElement().satisfies(mistake -> {
            assertThat(mistake.pointer()).isEqualTo("shade");
            assertThat(mistake.cure()).isEqualTo("use DARK, LIGHT");
        });
    }

    @Test
    void aSearchIgnoresCaseAndBlanksAround() throws ApiProblem {
        fill(100);

        assertThat(page(ListQuery.ALL.with("search", " N42\t")).rows())
                .extracting(Thing::name)
                .containsExactly("n42");
        assertThat(page(ListQuery.ALL.with("search", "\t ")).total()).isEqualTo(100);
    }

    @Test
    void aCursorOfAnotherQueryIsRefusedInTheContractsWords() throws ApiProblem {
        fill(200);
        String cursor = page(first(50, "-weight")).next();

        ApiProblem problem = problem(() -> page(first(50, "name").with("continue", cursor)));

        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.detail()).isEqualTo("continue belongs to another query");
        assertThat(problem.mistakes()).singleElement().satisfies(mistake -> {
            assertThat(mistake.pointer()).isEqualTo("continue");
            assertThat(mistake.detail()).isEqualTo("it was issued for sort=-weight");
            assertThat(mistake.cure()).isEqualTo("repeat the parameters of the first page");
        });
    }

    @Test
    void aDamagedCursorIsRefused() throws ApiProblem {
        fill(200);
        String cursor = page(first(50, null)).next();
        assertThat(cursor).isNotNull();

        for (int i = 0; i < cursor.length() - 1; i++) {
            char other = cursor.charAt(i) == 'A' ? 'B' : 'A';
            String damaged = cursor.substring(0, i) + other + cursor.substring(i + 1);
            assertThat(problem(() -> page(first(50, null).with("continue", damaged)))
                            .status())
                    .isEqualTo(400);
        }
        for (String wrong : List.of("%%%", "eyJ3IjoxMjM0fQ", "A", "🙂")) {
            assertThat(problem(() -> page(first(50, null).with("continue", wrong)))
                            .status())
                    .isEqualTo(400);
        }
    }

    /** The values of a cursor are untrusted, even if its checksum is right. */
    @Test
    void aForgedCursorIsAPositionLikeAnyOther() throws ApiProblem {
        fill(200);

        String forged =
                PageCursor.after(new @Nullable Object[] {"text", null, 7L}).write("sort=weight");

        assertThat(page(first(50, "weight").with("continue", forged)).total()).isEqualTo(200);
        String truncated = PageCursor.after(new @Nullable Object[] {"text"}).write("sort=weight");
        assertThat(problem(() -> page(first(50, "weight").with("continue", truncated)))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void anUnknownSortFieldIsToldTheOnesThereAre() {
        ApiProblem problem = problem(() -> page(first(10, "-age,name,size")));

        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.mistakes()).hasSize(2).allSatisfy(mistake -> {
            assertThat(mistake.pointer()).isEqualTo("sort");
            assertThat(mistake.cure()).isEqualTo("use namespace, name, weight");
        });
    }

    @Test
    void labelSelectorsMeanWhatKubernetesMeans() throws ApiProblem {
        fill(100);

        assertThat(page(first(500, null).with("labelSelector", "weight in (w1,w2)"))
                        .total())
                .isEqualTo(20);
        assertThat(page(first(500, null).with("labelSelector", "weight,weight!=w1"))
                        .total())
                .isEqualTo(90);
        assertThat(page(first(500, null).with("labelSelector", "!weight")).total())
                .isZero();
        assertThat(page(first(500, null).with("labelSelector", "env notin (prod)"))
                        .total())
                .isEqualTo(100);
        assertThat(problem(() -> page(first(500, null).with("labelSelector", "a in b")))
                        .status())
                .isEqualTo(400);
    }

    /** Another caller's cursor, or one's own after permissions were lost. */
    @Test
    void aCursorTellsNothingOfRowsThatItsUserMayNotSee() throws ApiProblem {
        fill(140);
        ListQuery next =
                first(50, "name").with("continue", page(first(50, "name")).next());

        Page<Thing> some = columns.page(table, next, only(Set.of("t1")));
        Page<Thing> none = columns.page(table, next, only(Set.of()));

        assertThat(some.rows()).isNotEmpty().allMatch(row -> row.namespace().equals("t1"));
        assertThat(some.total()).isEqualTo(20);
        assertThat(some.offset() + some.rows().size()).isEqualTo(20);
        assertThat(none).isEqualTo(new Page<>(List.of(), null, null, 0, 0));
    }

    @Test
    void valuesThatChangeWhileRowsAreSortedByThemDoNoHarm() throws Exception {
        Random random = new Random(1);
        columns.sort("live", row -> random.nextInt(5));
        fill(2000);

        for (String sort : List.of("live", "-live")) {
            assertThat(page(first(500, sort)).rows()).hasSize(500).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "501", "-1", "many"})
    void limitsOutOfRangeAreRefused(String limit) {
        ApiProblem problem = problem(() -> page(ListQuery.ALL.with("limit", limit)));

        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.mistakes().getFirst().pointer()).isEqualTo("limit");
    }
}
