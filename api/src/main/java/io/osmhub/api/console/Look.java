package io.osmhub.api.console;

import java.util.Map;

/**
 * How a word of the contract looks: always a shape and a word, a colour only third.
 *
 * @param tone class of the style sheet: ok, warn, bad, lock or quiet
 * @param symbol a shape of the sprite
 * @param word as people read it
 */
record Look(String tone, String symbol, String word) {
    private static final Map<String, Look> STATES = Map.of(
            "Synced", new Look("ok", "m-synced", "Synced"),
            "Degraded", new Look("warn", "m-degraded", "Degraded"),
            "Unreachable", new Look("bad", "m-unreachable", "Unreachable"),
            "Unauthorized", new Look("lock", "m-unauthorized", "Unauthorized"),
            "Paused", new Look("quiet", "m-paused", "Paused"),
            "Connecting", new Look("quiet", "m-connecting", "Connecting"),
            "Closed", new Look("quiet", "m-waiting", "Closed"));

    private static final Map<String, Look> NEW_NODES = Map.of(
            "Current", new Look("ok", "m-synced", "Current"),
            "AtRisk", new Look("warn", "m-risk", "At risk"),
            "Outdated", new Look("warn", "m-outdated", "Outdated"),
            "Blocked", new Look("bad", "m-blocked", "Blocked"),
            "Pending", new Look("quiet", "m-waiting", "Publishing"));

    private static final Map<String, Look> VERDICTS = Map.of(
            "Current", new Look("ok", "m-synced", "New nodes start"),
            "AtRisk", new Look("warn", "m-risk", "New nodes start, but not for long"),
            "Outdated", new Look("warn", "m-outdated", "New nodes start with an older configuration"),
            "Blocked", new Look("bad", "m-blocked", "New nodes do not start"),
            "Pending", new Look("quiet", "m-waiting", "Not known yet"));

    private static final Map<String, Look> LINKS = Map.of(
            "Ok", new Look("ok", "m-synced", "Closed"),
            "Broken", new Look("bad", "m-unreachable", "Broken"),
            "OlderKept", new Look("warn", "m-outdated", "Older kept"),
            "Waiting", new Look("quiet", "m-waiting", "Waiting"),
            "Unknown", new Look("quiet", "m-unknown", "Not known"));

    private static final Map<String, Look> SEVERITIES = Map.of(
            "Error", new Look("bad", "m-blocked", "Error"),
            "Warning", new Look("warn", "m-degraded", "Warning"),
            "Info", new Look("quiet", "m-info", "Info"));

    private static final Map<String, Look> STATUSES = Map.of(
            "True", new Look("ok", "m-synced", "True"),
            "False", new Look("warn", "m-degraded", "False"),
            "Unknown", new Look("quiet", "m-unknown", "Unknown"));

    private static final Map<String, Look> RESULTS = Map.of(
            "Published", new Look("ok", "m-synced", "Published"),
            "Refused", new Look("bad", "m-blocked", "Refused"),
            "Restored", new Look("ok", "m-synced", "Restored"),
            "Adopted", new Look("ok", "m-synced", "Adopted"),
            "Kept", new Look("quiet", "m-synced", "Kept"));

    private static final Map<String, Look> SECRETS = Map.of(
            "Current", new Look("ok", "m-synced", "Current"),
            "OlderKept", new Look("warn", "m-outdated", "Older kept"),
            "Missing", new Look("bad", "m-blocked", "Missing"));

    private static final Map<String, Look> CHECKS = Map.of(
            "Ok", new Look("ok", "m-synced", "Passed"),
            "Failed", new Look("bad", "m-blocked", "Failed"),
            "Warning", new Look("warn", "m-degraded", "Warning"),
            "Skipped", new Look("quiet", "m-waiting", "Skipped"));

    private static final Map<String, Look> CHANGES = Map.of(
            "Changed", new Look("quiet", "m-outdated", "Changed"),
            "Repaired", new Look("ok", "m-synced", "Repaired"),
            "Same", new Look("quiet", "m-synced", "Same"),
            "Refused", new Look("bad", "m-blocked", "Refused"));

    private static final Map<String, Map<String, Look>> ALL = Map.of(
            "state", STATES,
            "newNodes", NEW_NODES,
            "verdict", VERDICTS,
            "link", LINKS,
            "severity", SEVERITIES,
            "status", STATUSES,
            "result", RESULTS,
            "secret", SECRETS,
            "check", CHECKS,
            "change", CHANGES);

    /** How a word of one of the contract's lists looks; a word that is not in it, as one that nothing is known of. */
    static Look of(String list, String word) {
        Map<String, Look> looks = ALL.get(list);
        if (looks == null) {
            throw new IllegalArgumentException("no list of words named " + list);
        }
        Look look = looks.get(word);
        return look == null ? new Look("quiet", "m-unknown", word.isEmpty() ? "Not known" : word) : look;
    }

    /** The same shape and tone with another word, for example a count before it. */
    Look saying(String other) {
        return new Look(tone, symbol, other);
    }
}
