package io.osmhub.api.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.paging.Pager.PageQuery;
import io.osmhub.api.problem.ApiProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PagerTest {
    private static final Caller JANE = new Caller("jane", "", List.of(), Map.of(), null);
    private static final RowVisibility<Thing> ALL = RowVisibility.of(true, row -> true);

    private final AtomicLong clock = new AtomicLong();
    private final RowTable<String, Thing> table = new RowTable<>(clock::get);
    private final Pager<Thing> pager = new Pager<>(Thing.sorts(), clock::get);

    private void fill(int rows) {
        for (int i = 0; i < rows; i++) {
            put("t" + i % 7, "n" + i, i % 10);
        }
    }

    private void put(String namespace, String name, int weight) {
        table.put(namespace + "/" + name, new Thing(namespace, name, weight));
    }

    private RowPage<Thing> page(PageRequest request) throws ApiProblem {
        return page(pager, request);
    }

    private RowPage<Thing> page(Pager<Thing> asked, PageRequest request) throws ApiProblem {
        return asked.getPage(table, new PageQuery<>(request, "", row -> true), ALL);
    }

    private static PageRequest first(int limit, @Nullable String sort) {
        return PageRequest.first().limitedTo(limit).sortedBy(sort);
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
    void everyRowIsOnExactlyOnePageWhateverChangesMeanwhile(long seed) throws ApiProblem {
        Random random = new Random(seed);
        fill(500 + random.nextInt(500));
        String sort =
                List.of("-weight,name", "name", "-namespace", "weight,-name").get(random.nextInt(4));
        PageRequest request = first(1 + random.nextInt(120), sort).searching(random.nextBoolean() ? "n1" : null);
        TreeSet<String> wanted = new TreeSet<>();
        table.all().stream()
                .filter(row -> request.search() == null || row.matchesText(SearchText.of("n1")))
                .forEach(row -> wanted.add(row.key()));

        List<String> seen = new ArrayList<>();
        RowPage<Thing> slice = page(request);
        while (true) {
            slice.rows().forEach(row -> seen.add(row.key()));
            assertThat(slice.total()).isEqualTo(wanted.size());
            for (int change = random.nextInt(30); change > 0; change--) {
                int i = random.nextInt(1200);
                if (random.nextInt(3) == 0) {
                    table.put("t" + i % 7 + "/n" + i, null);
                } else {
                    put("t" + i % 7, "n" + i, random.nextInt(10));
                }
            }
            if (slice.next() == null) {
                break;
            }
            slice = page(request.at(slice.next()).limitedTo(1 + random.nextInt(120)));
        }

        assertThat(seen).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(wanted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "-weight", "weight,-name", "-namespace"})
    void whoSeesFewTenantsGetsWhatLookingThroughAllGives(String sort) throws ApiProblem {
        for (int i = 0; i < 5000; i++) {
            put("t" + i % 100, "n" + i, i / 100 % 10);
        }
        Set<String> seen = Set.of("t3", "t58", "nowhere");
        RowVisibility<Thing> known = RowVisibility.of(new VisibleTenants.SelectedTenants(JANE, seen, seen));
        RowVisibility<Thing> asked = RowVisibility.of(false, row -> seen.contains(row.namespace()));
        Pager<Thing> other = new Pager<>(Thing.sorts(), clock::get);

        PageRequest request = first(30, sort);
        int rows = 0;
        while (true) {
            RowPage<Thing> one = pager.getPage(table, new PageQuery<>(request, "", row -> row.weight() != 3), known);
            RowPage<Thing> two = other.getPage(table, new PageQuery<>(request, "", row -> row.weight() != 3), asked);
            assertThat(one.rows()).isEqualTo(two.rows());
            rows += one.rows().size();
            if (one.next() == null) {
                break;
            }
            // A cursor of either is good for the other.
            request = request.at(rows % 60 == 0 ? one.next() : two.next());
        }
        assertThat(rows).isEqualTo(90);
        assertThat(page(first(500, sort).in("t58")).rows()).hasSize(50).allMatch(row -> row.namespace()
                .equals("t58"));
    }

    @Test
    void onePageLeadsBackToTheOneBefore() throws ApiProblem {
        fill(250);
        RowPage<Thing> one = page(first(100, "name"));

        RowPage<Thing> two = page(first(100, "name").at(one.next()));
        RowPage<Thing> three = page(first(100, "name").at(two.next()));

        assertThat(three.next()).isNull();
        assertThat(three.offset()).isEqualTo(200);
        assertThat(page(first(100, "name").at(three.previous())).rows()).isEqualTo(two.rows());
        assertThat(page(first(100, "name").at(two.previous())).rows()).isEqualTo(one.rows());
        assertThat(page(first(100, "name").at(two.previous())).previous()).isNull();
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
    void aCursorOfAnotherQueryIsRefusedInTheContractsWords() throws ApiProblem {
        fill(200);
        String cursor = page(first(50, "-weight")).next();

        ApiProblem problem = problem(() -> page(first(50, "name").at(cursor)));

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

        for (int i = 0; i < cursor.length(); i++) {
            char other = cursor.charAt(i) == 'A' ? 'B' : 'A';
            String damaged = cursor.substring(0, i) + other + cursor.substring(i + 1);
            if (PageCursor.of(damaged) == null || i < cursor.length() - 1) {
                assertThat(problem(() -> page(first(50, null).at(damaged))).status())
                        .isEqualTo(400);
            }
        }
        assertThat(problem(() -> page(first(50, null).at("%%%"))).status()).isEqualTo(400);
        assertThat(problem(() -> page(first(50, null).at("eyJ3IjoxMjM0fQ"))).status())
                .isEqualTo(400);
    }

    @Test
    void anotherProcessGoesOnWhereTheRowsAreTheSame() throws ApiProblem {
        fill(300);
        RowPage<Thing> one = page(first(100, "-weight,name"));
        Pager<Thing> other = new Pager<>(Thing.sorts(), clock::get);

        RowPage<Thing> two = page(other, first(100, "-weight,name").at(one.next()));

        assertThat(two.rows())
                .isEqualTo(page(first(100, "-weight,name").at(one.next())).rows());
    }

    @Test
    void anotherProcessWithOtherRowsSaysThatItIsTooLate() throws ApiProblem {
        fill(300);
        RowPage<Thing> one = page(first(100, "-weight,name"));
        put("t1", "new", 9);
        Pager<Thing> other = new Pager<>(Thing.sorts(), clock::get);

        ApiProblem problem =
                problem(() -> page(other, first(100, "-weight,name").at(one.next())));

        assertThat(problem.status()).isEqualTo(410);
    }

    @Test
    void afterSomeMinutesAPagingOfChangedRowsIsOver() throws ApiProblem {
        fill(300);
        RowPage<Thing> one = page(first(100, "name"));
        table.put("t1/n1", null);
        assertThat(page(first(100, "name").at(one.next())).rows()).hasSize(100);

        clock.addAndGet(301_000_000_000L);

        assertThat(problem(() -> page(first(100, "name").at(one.next()))).status())
                .isEqualTo(410);
        assertThat(pager.rowsKept()).isZero();
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

        assertThat(page(first(500, null).labelled("weight in (w1,w2)")).total()).isEqualTo(20);
        assertThat(page(first(500, null).labelled("weight,weight!=w1")).total()).isEqualTo(90);
        assertThat(page(first(500, null).labelled("!weight")).total()).isZero();
        assertThat(page(first(500, null).labelled("env notin (prod)")).total()).isEqualTo(100);
        assertThat(problem(() -> page(first(500, null).labelled("a in b"))).status())
                .isEqualTo(400);
    }

    /** Another caller's cursor, or one's own after permissions were lost. */
    @Test
    void aCursorTellsNothingOfRowsThatItsUserMayNotSee() throws ApiProblem {
        fill(140);
        RowPage<Thing> one = page(first(50, "name"));
        PageQuery<Thing> next = new PageQuery<>(first(50, "name").at(one.next()), "", row -> true);
        Set<String> present = Set.of("t0", "t1", "t2", "t3", "t4", "t5", "t6");

        for (RowVisibility<Thing> other : List.of(
                RowVisibility.<Thing>of(false, row -> !row.namespace().equals("t3")),
                RowVisibility.<Thing>of(new VisibleTenants.SelectedTenants(JANE, present, Set.of("t1"))),
                RowVisibility.<Thing>of(new VisibleTenants.SelectedTenants(JANE, present, Set.of())))) {
            assertThat(problem(() -> pager.getPage(table, next, other)).status())
                    .isEqualTo(410);
        }
    }

    @Test
    void aPagingGoesOnWhenATenantOfItIsGone() throws ApiProblem {
        fill(140);
        Set<String> both = Set.of("t1", "t3");
        PageQuery<Thing> question = new PageQuery<>(first(10, "name"), "", row -> true);
        RowPage<Thing> one =
                pager.getPage(table, question, RowVisibility.of(new VisibleTenants.SelectedTenants(JANE, both, both)));
        PageQuery<Thing> next = new PageQuery<>(first(10, "name").at(one.next()), "", row -> true);

        RowPage<Thing> two = pager.getPage(
                table, next, RowVisibility.of(new VisibleTenants.SelectedTenants(JANE, Set.of("t1"), Set.of("t1"))));

        assertThat(two.rows()).isNotEmpty().allMatch(row -> row.namespace().equals("t1"));
        Caller john = new Caller("john", "", List.of(), Map.of(), null);
        RowVisibility<Thing> other =
                RowVisibility.of(new VisibleTenants.SelectedTenants(john, Set.of("t1"), Set.of("t1")));
        assertThat(problem(() -> pager.getPage(table, next, other)).status()).isEqualTo(410);
    }

    @Test
    void limitsOutOfRangeAreNoRequests() {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> first(0, null));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> first(501, null));
    }
}
