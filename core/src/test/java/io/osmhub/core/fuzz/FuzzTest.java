package io.osmhub.core.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

class FuzzTest {
    private static final Duration LONG = Duration.ofMinutes(30);
    private static final Duration HOPELESS = Duration.ofSeconds(1);

    @Test
    void inputThatTenantsWriteIsRenderedOrRefused(TestReporter reporter) throws InterruptedException {
        FuzzReport report = new Fuzzer().run(new Fuzzer.Plan(1, 0, 10_000, LONG), ran -> {});

        report.counts().forEach((kind, count) -> reporter.publishEntry(kind, count.toString()));
        assertThat(report.failures()).isEmpty();
        assertThat(report.cases()).isEqualTo(10_000);
        assertThat(report.counts()).hasSize(10).allSatisfy((kind, count) -> {
            assertThat(count.accepted()).as(kind).isPositive();
            assertThat(count.refused()).as(kind).isPositive();
        });
    }

    @Test
    void aSeedMakesTheSameCasesWithTheSameVerdicts() throws InterruptedException {
        Fuzzer.Plan plan = new Fuzzer.Plan(7, 100, 400, LONG);

        FuzzReport once = new Fuzzer().run(plan, ran -> {});
        FuzzReport again = new Fuzzer().run(plan, ran -> {});

        assertThat(again.digest()).isEqualTo(once.digest());
        assertThat(new Fuzzer().make(7, 123)).isEqualTo(new Fuzzer().make(7, 123));
        assertThat(new Fuzzer().make(8, 123)).isNotEqualTo(new Fuzzer().make(7, 123));
    }

    @Test
    void aCaseThatIsKeptIsRunAgain() throws InterruptedException {
        FuzzInput input = new FuzzInput("yaml", Map.of("text", "a: [1, \"x\u2028\"]\n"));

        FuzzReport report = new Fuzzer().replay(FuzzInput.fromJson(input.toJson("reason")));

        assertThat(report.counts()).containsOnlyKeys("yaml");
        assertThat(report.cases()).isEqualTo(1);
    }

    @Test
    void anExceptionIsAFaultThatIsReportedOnce() throws InterruptedException {
        Fuzzer fuzzer = new Fuzzer(
                List.of(new Bad(input -> {
                    throw new IllegalStateException("number " + input.part("n"));
                })),
                HOPELESS);

        FuzzReport report = fuzzer.run(new Fuzzer.Plan(1, 0, 5, LONG), ran -> {});

        assertThat(report.failures()).singleElement().satisfies(failure -> assertThat(failure.what())
                .contains("IllegalStateException: number", "FuzzTest"));
        assertThat(report.counts()).containsEntry("bad", new FuzzReport.Count(0, 0, 0, 5, 0));
    }

    @Test
    void anExhaustedStackIsAFault() throws InterruptedException {
        Fuzzer fuzzer = new Fuzzer(List.of(new Bad(FuzzTest::deeper)), HOPELESS);

        FuzzReport report = fuzzer.run(new Fuzzer.Plan(1, 0, 1, LONG), ran -> {});

        assertThat(report.failures())
                .singleElement()
                .extracting(FuzzFailure::what)
                .asString()
                .contains("StackOverflowError");
    }

    @Test
    void aCaseThatDoesNotEndIsAFault() throws InterruptedException {
        Fuzzer fuzzer = new Fuzzer(List.of(new Bad(FuzzTest::forever)), HOPELESS);

        FuzzReport report = fuzzer.run(new Fuzzer.Plan(1, 0, 5, LONG), ran -> {});

        assertThat(report.failures()).singleElement().satisfies(failure -> assertThat(failure.what())
                .contains("still runs", "FuzzTest.forever"));
    }

    @Test
    void aCaseThatIsNotChargedForItsWorkIsAFault() throws InterruptedException {
        Fuzzer fuzzer = new Fuzzer(List.of(new Bad(FuzzTest::slow)), LONG);

        FuzzReport report = fuzzer.run(new Fuzzer.Plan(1, 0, 1, LONG), ran -> {});

        assertThat(report.failures()).singleElement().satisfies(failure -> assertThat(failure.what())
                .contains("of processor time"));
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private static FuzzKind.Verdict deeper(FuzzInput input) {
        return deeper(new FuzzInput(input.kind(), input.parts()));
    }

    private static FuzzKind.Verdict forever(FuzzInput input) {
        long turns = 0;
        while (!input.kind().isEmpty()) {
            turns++;
        }
        return turns > 0 ? FuzzKind.Verdict.ACCEPTED : FuzzKind.Verdict.REFUSED;
    }

    private static FuzzKind.Verdict slow(FuzzInput input) {
        long turns = 0;
        long start = System.nanoTime();
        while (System.nanoTime() - start < 300_000_000L) {
            turns++;
        }
        return turns > 0 ? FuzzKind.Verdict.ACCEPTED : FuzzKind.Verdict.REFUSED;
    }

    /** Runs a case. */
    @FunctionalInterface
    private interface Behaviour {
        FuzzKind.Verdict run(FuzzInput input);
    }

    private record Bad(Behaviour behaviour) implements FuzzKind {
        @Override
        public String name() {
            return "bad";
        }

        @Override
        public int weight() {
            return 1;
        }

        @Override
        public FuzzInput make(Chance chance) {
            return new FuzzInput("bad", Map.of("n", String.valueOf(chance.below(1000))));
        }

        @Override
        public Duration cpuBudget(FuzzInput input) {
            return Duration.ofMillis(1);
        }

        @Override
        public Verdict run(FuzzInput input) {
            return behaviour.run(input);
        }
    }
}
