package io.osmhub.core.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Generates cases and runs them one after another on a separate thread, which another one monitors: a case that does not end is a
 * fault, too. Each case depends on the seed and its number only.
 */
public final class Fuzzer {
    /** A case that still runs after so much processor time is given up, and with it the run. */
    private static final Duration HOPELESS = Duration.ofSeconds(60);

    private static final Duration WATCH = Duration.ofMillis(200);
    private static final Duration PROGRESS = Duration.ofSeconds(10);
    /** Far more than the sum of what any limit lets a case make. */
    private static final long MOST_BYTES = 2L << 30;

    private static final int PLACES = 12;
    private static final int MOST_FAULTS = 50;
    /** As the launcher gives it to the product. */
    private static final long STACK_BYTES = 4L << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<String, FuzzKind> kinds = new LinkedHashMap<>();
    private final List<FuzzKind> lots = new ArrayList<>();

    private final Duration hopeless;

    public Fuzzer() {
        this(everything(), HOPELESS);
    }

    Fuzzer(List<FuzzKind> kinds, Duration hopeless) {
        this.hopeless = hopeless;
        for (FuzzKind kind : kinds) {
            this.kinds.put(kind.name(), kind);
            for (int i = 0; i < kind.weight(); i++) {
                lots.add(kind);
            }
        }
    }

    private static List<FuzzKind> everything() {
        List<JsonNode> corpus = Seeds.corpus("gotemplate");
        TemplateKind go = TemplateKind.go(corpus);
        TemplateKind handlebars = TemplateKind.handlebars(corpus);
        List<FuzzKind> kinds = new ArrayList<>(List.of(go, handlebars));
        for (ReaderKind.Format format : ReaderKind.Format.values()) {
            kinds.add(new ReaderKind(format));
        }
        kinds.addAll(RenderKind.all(chance -> (chance.oneIn(2) ? go : handlebars).template(chance)));
        kinds.add(new ConfigKind());
        return kinds;
    }

    /**
     * What to run.
     *
     * @param first number of the first case
     * @param cases at most so many
     * @param time no new case after this
     */
    public record Plan(long seed, long first, long cases, Duration time) {}

    /** The case of a number. */
    public FuzzInput make(long seed, long number) {
        Chance chance = new Chance(new SplittableRandom(new SplittableRandom(seed).nextLong() + number));
        return chance.of(lots).make(chance);
    }

    /** Runs a plan; {@code progress} is told now and then how many cases ran. */
    public FuzzReport run(Plan plan, Consumer<Long> progress) throws InterruptedException {
        return watch(new Run(plan, null), progress);
    }

    /** Runs one case that was kept. */
    public FuzzReport replay(FuzzInput input) throws InterruptedException {
        if (!kinds.containsKey(input.kind())) {
            throw new IllegalArgumentException("no kind " + input.kind() + "; one of " + kinds.keySet());
        }
        return watch(new Run(new Plan(0, 0, 1, Duration.ofDays(1)), input), cases -> {});
    }

    private FuzzReport watch(Run run, Consumer<Long> progress) throws InterruptedException {
        Thread worker = new Thread(null, run, "fuzz", STACK_BYTES);
        worker.setDaemon(true);
        worker.start();
        long next = System.nanoTime() + PROGRESS.toNanos();
        while (!worker.join(WATCH)) {
            Case current = run.current;
            if (current != null && THREADS.getThreadCpuTime(worker.threadId()) - current.cpu > hopeless.toNanos()) {
                run.failure(
                        current,
                        "still runs after " + hopeless.toSeconds() + " s of processor time",
                        worker.getStackTrace());
                break;
            }
            if (System.nanoTime() > next) {
                next += PROGRESS.toNanos();
                progress.accept(run.done);
            }
        }
        return run.report();
    }

    private record Case(long number, FuzzInput input, long cpu) {}

    /** State of one run. The watching thread reads what is volatile, and the rest once the worker has ended or is given up. */
    private final class Run implements Runnable {
        private final Plan plan;
        private final Map<String, FuzzReport.Count> counts = new TreeMap<>();
        private final Map<String, FuzzFailure> failures = new LinkedHashMap<>();
        private final @Nullable FuzzInput only;
        private int digest;
        private FuzzReport.Extreme slowest = new FuzzReport.Extreme(0, 0);
        private FuzzReport.Extreme largest = new FuzzReport.Extreme(0, 0);
        private volatile @Nullable Case current;
        private volatile long done;

        /** @param only the case to run instead of those that the plan makes; null for these */
        Run(Plan plan, @Nullable FuzzInput only) {
            this.plan = plan;
            this.only = only;
        }

        @Override
        public void run() {
            long end = System.nanoTime() + plan.time().toNanos();
            for (long i = 0; i < plan.cases() && System.nanoTime() < end && failures.size() < MOST_FAULTS; i++) {
                long number = plan.first() + i;
                one(number, only != null ? only : make(plan.seed(), number));
                done = i + 1;
            }
        }

        private void one(long number, FuzzInput input) {
            FuzzKind kind = kinds.get(input.kind());
            if (kind == null) {
                throw new IllegalStateException("no kind " + input.kind());
            }
            long bytes = THREADS.getCurrentThreadAllocatedBytes();
            Case started = new Case(number, input, THREADS.getCurrentThreadCpuTime());
            current = started;
            FuzzKind.Verdict verdict = verdict(kind, started);
            long took = THREADS.getCurrentThreadCpuTime() - started.cpu;
            bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
            current = null;
            slowest = slowest.or(number, took);
            largest = largest.or(number, bytes);
            if (verdict != null && took > kind.cpuBudget(input).toNanos()) {
                failure(started, "took " + took / 1_000_000 + " ms of processor time", new StackTraceElement[0]);
            }
            if (verdict != null && bytes > MOST_BYTES) {
                failure(started, "allocated " + (bytes >> 20) + " MiB", new StackTraceElement[0]);
            }
            if (verdict != null) {
                count(input.kind(), verdict, took);
                digest = 31 * digest + verdict.ordinal();
            }
        }

        private FuzzKind.@Nullable Verdict verdict(FuzzKind kind, Case started) {
            try {
                return kind.run(started.input);
            } catch (FuzzKind.Misbehaviour misbehaviour) {
                failure(started, String.valueOf(misbehaviour.getMessage()), new StackTraceElement[0]);
            } catch (RuntimeException | Error fault) {
                // An Error, too: input must not be able to exhaust the stack or the memory.
                failure(started, fault.toString(), fault.getStackTrace());
            }
            return null;
        }

        private void count(String kind, FuzzKind.Verdict verdict, long nanos) {
            FuzzReport.Count one =
                    switch (verdict) {
                        case ACCEPTED -> new FuzzReport.Count(1, 0, 0, 0, nanos);
                        case REFUSED -> new FuzzReport.Count(0, 1, 0, 0, nanos);
                        case LIMITED -> new FuzzReport.Count(0, 0, 1, 0, nanos);
                    };
            counts.merge(kind, one, FuzzReport.Count::plus);
        }

        private void failure(Case failed, String what, StackTraceElement[] places) {
            StringBuilder text = new StringBuilder(what);
            String signature = failed.input.kind() + what.replaceAll("\\d+", "#");
            int written = 0;
            for (StackTraceElement place : places) {
                if (written == 0) {
                    signature = failed.input.kind()
                            + what.replaceAll(":.*", "")
                            + place.getClassName()
                            + place.getMethodName();
                }
                if (written++ == PLACES) {
                    break;
                }
                text.append("\n  at ").append(place);
            }
            counts.merge(failed.input.kind(), new FuzzReport.Count(0, 0, 0, 1, 0), FuzzReport.Count::plus);
            failures.putIfAbsent(signature, new FuzzFailure(failed.number, failed.input, text.toString()));
        }

        private FuzzReport report() {
            return new FuzzReport(plan.seed(), done, counts, List.copyOf(failures.values()), digest, slowest, largest);
        }
    }
}
