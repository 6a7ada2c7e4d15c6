package io.osmhub.api.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A kubeconfig test report: passed checks are quiet, failed ones stand out. */
final class TestReportView {
    private static final Map<String, String> TITLES = Map.of(
            "Kubeconfig", "One usable context; executes and reads nothing",
            "Address", "The address is allowed",
            "Connection", "TCP and TLS connect",
            "Certificate", "The certificate matches the given CA",
            "HTTP2", "HTTP/2: one connection is enough",
            "Version", "The Kubernetes version is supported",
            "Clock", "Clocks agree",
            "Credential", "The credential is accepted and long-lived",
            "Permissions", "All required permissions",
            "Prerequisites", "All prerequisites exist");

    private TestReportView() {}

    /** What a check found, and its fix. */
    private static String sentences(ReplyTree check) {
        String cure = check.text("cure");
        String message = check.text("message");
        return cure.isEmpty() ? message : MessageText.sentence(message) + " " + MessageText.sentence(cure);
    }

    static Map<String, Object> of(ReplyTree report, Instant at) {
        Map<String, Object> shown = report.toMutableMap();
        List<Map<String, Object>> checks = new ArrayList<>();
        Set<String> cures = new LinkedHashSet<>();
        int passed = 0;
        for (ReplyTree check : report.list("checks")) {
            String state = check.text("state");
            StateBadge look = StateBadge.of("check", state);
            Map<String, Object> row = check.toMutableMap();
            row.put("message", sentences(check));
            row.put("title", TITLES.getOrDefault(check.text("name"), check.text("name")));
            row.put("symbol", look.symbol());
            row.put("spoken", look.word());
            row.put(
                    "classes",
                    switch (look.tone()) {
                        case "ok" -> "is-ok";
                        case "bad" -> "is-bad";
                        default -> "is-warn";
                    });
            checks.add(row);
            passed += state.equals("Ok") ? 1 : 0;
            if (state.equals("Failed")) {
                cures.add(sentences(check));
            }
        }
        shown.put("checks", checks);
        shown.put("cures", List.copyOf(cures));
        shown.put("at", at.toString());
        String counted = passed + " of " + checks.size() + " checks pass";
        shown.put(
                "words",
                report.flag("passed") ? "The hub can serve it; " + counted : "The hub cannot serve it yet; " + counted);
        matrix(report, shown);
        return shown;
    }

    /** Permissions as a table: a row for each resource, a column for each required verb. */
    private static void matrix(ReplyTree report, Map<String, Object> shown) {
        Set<String> verbs = new LinkedHashSet<>();
        Map<String, Map<String, Boolean>> lines = new LinkedHashMap<>();
        Map<String, ReplyTree> first = new LinkedHashMap<>();
        for (ReplyTree permission : report.list("permissions")) {
            String key = permission.text("group") + "/" + permission.text("resource") + "/"
                    + permission.text("namespace") + "/" + permission.text("name");
            verbs.add(permission.text("verb"));
            first.putIfAbsent(key, permission);
            lines.computeIfAbsent(key, ignored -> new LinkedHashMap<>())
                    .put(permission.text("verb"), permission.flag("allowed"));
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        lines.forEach((key, has) -> {
            ReplyTree permission = first.getOrDefault(key, ReplyTree.NONE);
            String name = permission.text("name");
            List<Map<String, Object>> cells = verbs.stream()
                    .map(verb -> Map.<String, Object>of(
                            "has",
                            has.getOrDefault(verb, false),
                            "lacks",
                            has.containsKey(verb) && !has.getOrDefault(verb, false)))
                    .toList();
            rows.add(Map.of(
                    "resource",
                    permission.text("resource") + (name.isEmpty() ? "" : " " + name),
                    "where",
                    permission.text("namespace").isEmpty() ? "all namespaces" : permission.text("namespace"),
                    "cells",
                    cells));
        });
        shown.put("verbs", List.copyOf(verbs));
        shown.put("matrix", rows);
    }
}
