package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeapMaintenanceTest {
    private static final long MEBIBYTE = 1 << 20;

    private long now;
    private long used;
    private long live;
    private int collections;
    private Duration pause = Duration.ofMillis(100);

    private HeapMaintenance care = maintenance(-1);

    private HeapMaintenance maintenance(long edenBytes) {
        return new HeapMaintenance(
                new HeapMaintenance.OldGeneration() {
                    @Override
                    public long used() {
                        return used;
                    }

                    @Override
                    public long live() {
                        return live;
                    }
                },
                edenBytes,
                () -> now,
                this::collect);
    }

    private void collect() {
        collections++;
        used = live;
        now += pause.toNanos();
    }

    private void look(long usedMebibytes) {
        used = usedMebibytes * MEBIBYTE;
        care.collectIfDue();
    }

    @Test
    void littleGarbageIsLeftWhereItIs() {
        live = 10 * MEBIBYTE;

        look(57);

        assertThat(collections).isZero();
    }

    @Test
    void aHeapForOneClusterIsCollectedEarlier() {
        care = maintenance(8 * MEBIBYTE);
        live = 20 * MEBIBYTE;

        look(31);
        assertThat(collections).isZero();

        look(33);
        assertThat(collections).isOne();
    }

    @Test
    void garbageIsCollectedWhenItIsAFairPartOfWhatLives() {
        live = 200 * MEBIBYTE;

        look(279);
        assertThat(collections).isZero();

        look(281);
        assertThat(collections).isOne();
    }

    @Test
    void beforeTheFirstCollectionEverythingMayBeGarbage() {
        look(49);

        assertThat(collections).isOne();
    }

    @Test
    void collectingTakesNoMoreThanATwentiethOfTheTime() {
        live = 100 * MEBIBYTE;
        pause = Duration.ofMillis(500);
        look(200);

        now += Duration.ofSeconds(9).toNanos();
        look(200);
        assertThat(collections).isOne();

        now += Duration.ofSeconds(2).toNanos();
        look(200);
        assertThat(collections).isEqualTo(2);
    }
}
