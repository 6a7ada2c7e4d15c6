package io.osmhub.api.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Optional;

/**
 * Position in the stream of changes: for each kind the version of the last change sent completely, and the number of events already
 * sent of the next one. Versions are the API server's, so a position is valid in every process.
 *
 * @param inside the kind of the partly sent change; any if {@code eventsSent} is 0
 */
public record JournalPosition(long workerClusters, long profiles, long configs, JournalSource inside, int eventsSent) {
    private static final String FORM = "1";

    static JournalPosition at(long workerClusters, long profiles, long configs) {
        return new JournalPosition(workerClusters, profiles, configs, JournalSource.WORKER_CLUSTERS, 0);
    }

    long of(JournalSource source) {
        return switch (source) {
            case WORKER_CLUSTERS -> workerClusters;
            case PROFILES -> profiles;
            case CONFIGS -> configs;
        };
    }

    /** Returns the position after a complete change of a kind. */
    JournalPosition after(JournalSource source, long version) {
        return switch (source) {
            case WORKER_CLUSTERS -> at(version, profiles, configs);
            case PROFILES -> at(workerClusters, version, configs);
            case CONFIGS -> at(workerClusters, profiles, version);
        };
    }

    /** Returns the position after the first events of the next change of a kind. */
    JournalPosition within(JournalSource source, int toldOfIt) {
        return new JournalPosition(workerClusters, profiles, configs, source, toldOfIt);
    }

    /** Number of events sent of the next change of a kind. */
    int eventsSentOf(JournalSource source) {
        return inside == source ? eventsSent : 0;
    }

    /** The id of an event. */
    public String text() {
        String words = FORM + " " + workerClusters + " " + profiles + " " + configs
                + (eventsSent == 0 ? "" : " " + inside.ordinal() + " " + eventsSent);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(words.getBytes(UTF_8));
    }

    /** Empty if the text is not a valid event id. */
    public static Optional<JournalPosition> of(String text) {
        try {
            String[] words = new String(Base64.getUrlDecoder().decode(text), UTF_8).split(" ", -1);
            if (!words[0].equals(FORM) || words.length != 4 && words.length != 6) {
                return Optional.empty();
            }
            JournalPosition position = at(number(words[1]), number(words[2]), number(words[3]));
            return Optional.of(
                    words.length == 4
                            ? position
                            : position.within(JournalSource.values()[(int) number(words[4])], (int)
                                    Math.min(number(words[5]), 10_000)));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            // Not an id of this hub.
            return Optional.empty();
        }
    }

    private static long number(String digits) {
        if (digits.isEmpty() || digits.length() > 18 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException("no version");
        }
        return Long.parseLong(digits);
    }
}
