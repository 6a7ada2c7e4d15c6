package io.osmhub.api.console;

import java.util.Map;

/**
 * How a contract value is shown: always with a shape and a label, colour only third.
 *
 * @param tone class of the style sheet: ok, warn, bad, lock or quiet
 * @param symbol a shape of the sprite
 * @param word label
 */
record StateBadge(String tone, String symbol, String word) {
    private static final Map<String, StateBadge> STATES = Map.of(
            "Synced", new StateBadge("ok", "m-synced", "Synced"),
            "Degraded", new StateBadge("warn", "m-degraded", "Degraded"),
            "Unreachable", new StateBadge("bad", "m-unreachable", "Unreachable"),
            "Unauthorized", new StateBadge("lock", "m-unauthorized", "Unauthorized"),
            "Paused", new StateBadge("quiet", "m-paused", "Paused"),
            "Connecting", new StateBadge("quiet", "m-connecting", "Connecting"),
            "Closed", new StateBadge("quiet", "m-waiting", "Closed"));

    private static final Map<String, StateBadge> NEW_NODES = Map.of(
            "Current", new StateBadge("ok", "m-synced", "Current"),
            "AtRisk", new StateBadge("warn", "m-risk", "At risk"),
            "Outdated", new StateBadge("warn", "m-outdated", "Outdated"),
            "Blocked", new StateBadge("bad", "m-blocked", "Blocked"),
            "Pending", new StateBadge("quiet", "m-waiting", "Publishing"));

    private static final Map<String, StateBadge> VERDICTS = Map.of(
            "Current", new StateBadge("ok", "m-synced", "New nodes start"),
            "AtRisk", new StateBadge("warn", "m-risk", "New nodes start, but will stop soon"),
            "Outdated", new StateBadge("warn", "m-outdated", "New nodes start with an older configuration"),
            "Blocked", new StateBadge("bad", "m-blocked", "New nodes do not start"),
            "Pending", new StateBadge("quiet", "m-waiting", "Unknown"));

    private static final Map<String, StateBadge> LINKS = Map.of(
            "Ok", new StateBadge("ok", "m-synced", "Closed"),
            "Broken", new StateBadge("bad", "m-unreachable", "Broken"),
            "OlderKept", new StateBadge("warn", "m-outdated", "Older kept"),
            "Waiting", new StateBadge("quiet", "m-waiting", "Waiting"),
            "Unknown", new StateBadge("quiet", "m-unknown", "Not known"));

    private static final Map<String, StateBadge> SEVERITIES = Map.of(
            "Error", new StateBadge("bad", "m-blocked", "Error"),
            "Warning", new StateBadge("warn", "m-degraded", "Warning"),
            "Info", new StateBadge("quiet", "m-info", "Info"));

    private static final Map<String, StateBadge> STATUSES = Map.of(
            "True", new StateBadge("ok", "m-synced", "True"),
            "False", new StateBadge("warn", "m-degraded", "False"),
            "Unknown", new StateBadge("quiet", "m-unknown", "Unknown"));

    private static final Map<String, StateBadge> RESULTS = Map.of(
            "Published", new StateBadge("ok", "m-synced", "Published"),
            "Refused", new StateBadge("bad", "m-blocked", "Rejected"),
            "Restored", new StateBadge("ok", "m-synced", "Restored"),
            "Adopted", new StateBadge("ok", "m-synced", "Adopted"),
            "Kept", new StateBadge("quiet", "m-synced", "Kept"));

    private static final Map<String, StateBadge> SECRETS = Map.of(
            "Current", new StateBadge("ok", "m-synced", "Current"),
            "OlderKept", new StateBadge("warn", "m-outdated", "Older kept"),
            "Missing", new StateBadge("bad", "m-blocked", "Missing"));

    private static final Map<String, StateBadge> CHECKS = Map.of(
            "Ok", new StateBadge("ok", "m-synced", "Passed"),
            "Failed", new StateBadge("bad", "m-blocked", "Failed"),
            "Warning", new StateBadge("warn", "m-degraded", "Warning"),
            "Skipped", new StateBadge("quiet", "m-waiting", "Skipped"));

    private static final Map<String, StateBadge> CHANGES = Map.of(
            "Changed", new StateBadge("quiet", "m-outdated", "Changed"),
            "Repaired", new StateBadge("ok", "m-synced", "Repaired"),
            "Same", new StateBadge("quiet", "m-synced", "Same"),
            "Refused", new StateBadge("bad", "m-blocked", "Rejected"));

    private static final Map<String, Map<String, StateBadge>> ALL = Map.of(
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

    /** The badge of a value of one of the contract's enums; unknown values look like unknown state. */
    static StateBadge of(String list, String word) {
        Map<String, StateBadge> looks = ALL.get(list);
        if (looks == null) {
            throw new IllegalArgumentException("unknown enum " + list);
        }
        StateBadge look = looks.get(word);
        return look == null ? new StateBadge("quiet", "m-unknown", word.isEmpty() ? "Not known" : word) : look;
    }

    /** The same shape and tone with another label, for example with a count. */
    StateBadge withText(String other) {
        return new StateBadge(tone, symbol, other);
    }
}
