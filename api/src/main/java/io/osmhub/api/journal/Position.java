package io.osmhub.api.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Optional;

/**
 * A place in the stream of changes: for each kind the version of the last change that was told whole. A change may have more than
 * one thing to tell; in the middle of one, {@code told} of them were. Versions are the API server's, so a place means the same in
 * every process.
 *
 * @param inside the kind of the change that was begun; any when {@code told} is 0
 */
public record Position(long workerClusters, long profiles, long configs, Source inside, int told) {
    private static final String FORM = "1";

    static Position at(long workerClusters, long profiles, long configs) {
        return new Position(workerClusters, profiles, configs, Source.WORKER_CLUSTERS, 0);
    }

    long of(Source source) {
        return switch (source) {
            case WORKER_CLUSTERS -> workerClusters;
            case PROFILES -> profiles;
            case CONFIGS -> configs;
        };
    }

    /** After a whole change of a kind. */
    Position after(Source source, long version) {
        return switch (source) {
            case WORKER_CLUSTERS -> at(version, profiles, configs);
            case PROFILES -> at(workerClusters, version, configs);
            case CONFIGS -> at(workerClusters, profiles, version);
        };
    }

    /** After the first things of the next change of a kind. */
    Position within(Source source, int toldOfIt) {
        return new Position(workerClusters, profiles, configs, source, toldOfIt);
    }

    /** Things of the next change of a kind that were told. */
    int toldOf(Source source) {
        return inside == source ? told : 0;
    }

    /** As an event's id. */
    public String text() {
        String words = FORM + " " + workerClusters + " " + profiles + " " + configs
                + (told == 0 ? "" : " " + inside.ordinal() + " " + told);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(words.getBytes(UTF_8));
    }

    /** Empty when the text is no event's id. */
    public static Optional<Position> of(String text) {
        try {
            String[] words = new String(Base64.getUrlDecoder().decode(text), UTF_8).split(" ", -1);
            if (!words[0].equals(FORM) || words.length != 4 && words.length != 6) {
                return Optional.empty();
            }
            Position position = at(number(words[1]), number(words[2]), number(words[3]));
            return Optional.of(
                    words.length == 4
                            ? position
                            : position.within(
                                    Source.values()[(int) number(words[4])], (int) Math.min(number(words[5]), 10_000)));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            // Whatever it was, it is none of ours.
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
