package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Warnings about a connected worker cluster. */
final class ConnectionWarnings {
    private static final Pattern VERSION = Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4})");
    private static final int OLDEST_MINOR = 28;
    private static final Duration SKEW_STARTS = Duration.ofMinutes(2);
    private static final Duration SKEW_ENDS = Duration.ofMinutes(1);

    private boolean skewed;

    List<Problem> findWarnings(ConnectionFacts facts, ConnectionMessages messages) {
        List<Problem> warnings = new ArrayList<>();
        ConnectionFacts.PeerLease peer = facts.peer();
        if (peer != null) {
            warnings.add(messages.peerActive(peer));
        }
        if (isOld(facts.version())) {
            warnings.add(messages.oldVersion(facts.version()));
        }
        Duration skew = facts.clockAhead().abs();
        // Hysteresis, so that the result does not change with every check.
        skewed = skewed ? skew.compareTo(SKEW_ENDS) >= 0 : skew.compareTo(SKEW_STARTS) > 0;
        if (skewed) {
            warnings.add(messages.skewed(facts.clockAhead()));
        }
        return warnings;
    }

    static boolean isOld(String version) {
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(matcher.group(1));
        int minor = Integer.parseInt(matcher.group(2));
        // A server built without a version reports v0.0.0-master+$Format:%H$.
        return (major < 1 && minor > 0) || (major == 1 && minor < OLDEST_MINOR);
    }
}
