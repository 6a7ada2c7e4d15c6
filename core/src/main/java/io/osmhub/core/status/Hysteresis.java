package io.osmhub.core.status;

/**
 * A problem that begins at one value of a measure and ends at a lower one, so that it does not come and go around a single value.
 *
 * @param begins above it the problem is there
 * @param ends below it the problem is gone
 */
public record Hysteresis(double begins, double ends) {
    /** Share of requests in a minute that an API server answered with 429 or 5xx. */
    public static final Hysteresis DEGRADED = new Hysteresis(0.20, 0.05);
    /** Seconds that a worker cluster's clock is off. */
    public static final Hysteresis CLOCK_SKEW = new Hysteresis(120, 60);
    /** Seconds that the oldest MachineDeployment of a tenant waits for its turn. */
    public static final Hysteresis BACKLOG = new Hysteresis(60, 10);

    public Hysteresis {
        if (ends > begins) {
            throw new IllegalArgumentException("a problem would end before it begins");
        }
    }

    /** @param was whether the problem was there until now */
    public boolean is(boolean was, double value) {
        return was ? value >= ends : value > begins;
    }
}
