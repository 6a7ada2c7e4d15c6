package io.osmhub.api.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The test of a kubeconfig as a page shows it: what passed is quiet, what lacks stands out. */
final class TestReports {
    private static final Map<String, String> TITLES = Map.of(
            "Kubeconfig", "One usable context, nothing that runs or reads files",
            "Address", "The address is allowed",
            "Connection", "TCP and TLS answer",
            "Certificate", "The certificate matches the CA given",
            "HTTP2", "HTTP/2: one connection is enough",
            "Version", "The Kubernetes version is supported",
            "Clock", "Clocks agree",
            "Credential", "The credential is accepted and lasts",
            "Permissions", "Every permission that is needed",
            "Prerequisites", "What the hub needs is there");

    private TestReports() {}

    static Map<String, Object> of(Answer report, Instant at) {
        Map<String, Object> shown = report.open();
        List<Map<String, Object>> checks = new ArrayList<>();
        Set<String> cures = new LinkedHashSet<>();
        int passed = 0;
        for (Answer check : report.list("checks")) {
            String state = check.text("state");
            Look look = Look.of("check", state);
            Map<String, Object> row = check.open();
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
                cures.add(Words.capital(check.text("message")) + " " + Words.capital(check.text("cure")));
            }
        }
        shown.put("checks", checks);
        shown.put("cures", List.copyOf(cures));
        shown.put("at", at.toString());
        String counted = passed + " of " + checks.size() + " checks pass";
        shown.put("words", report.truth("passed") ? "The hub can serve it; " + counted : "Not yet; " + counted);
        matrix(report, shown);
        return shown;
    }

    /** Permissions as a table: a line for each resource, a column for each verb that any of them needs. */
    private static void matrix(Answer report, Map<String, Object> shown) {
        Set<String> verbs = new LinkedHashSet<>();
        Map<String, Map<String, Boolean>> lines = new LinkedHashMap<>();
        Map<String, Answer> first = new LinkedHashMap<>();
        for (Answer permission : report.list("permissions")) {
            String key = permission.text("group") + "/" + permission.text("resource") + "/"
                    + permission.text("namespace") + "/" + permission.text("name");
            verbs.add(permission.text("verb"));
            first.putIfAbsent(key, permission);
            lines.computeIfAbsent(key, ignored -> new LinkedHashMap<>())
                    .put(permission.text("verb"), permission.truth("allowed"));
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        lines.forEach((key, has) -> {
            Answer permission = first.getOrDefault(key, Answer.NONE);
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
