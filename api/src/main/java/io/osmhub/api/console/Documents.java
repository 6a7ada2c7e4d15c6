package io.osmhub.api.console;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rendered documents on a page: which one is shown, and the ways to the others. */
final class Documents {
    private static final Map<String, String> WORDS = Map.of(
            "Bootstrap", "Bootstrap",
            "Provisioning", "Provisioning",
            "KubeletBootstrap", "Kubelet kubeconfig",
            "EdgeScript", "Edge script",
            "OperatingSystemConfig", "Rendered config");

    private Documents() {}

    static String word(String document) {
        return WORDS.getOrDefault(document, document);
    }

    /** Tabs to the documents of these names; {@code anchor} is where on the page they stand. */
    static List<Map<String, Object>> tabs(Visit visit, List<String> names, String current, String anchor) {
        List<Map<String, Object>> tabs = new ArrayList<>();
        for (String name : names) {
            Map<String, Object> tab = new HashMap<>();
            tab.put("word", word(name));
            tab.put("href", visit.with(Map.of("doc", name)) + anchor);
            tab.put("current", name.equals(current));
            tabs.add(tab);
        }
        return tabs;
    }

    /** Adds what a render answered: tabs, sizes, and the document that is asked for. */
    static void add(Visit visit, Answer rendered, String anchor, Map<String, Object> model) {
        List<Answer> documents = rendered.list("documents");
        List<String> names = documents.stream().map(one -> one.text("document")).toList();
        String asked = visit.oneOf("doc", names);
        String current = asked.isEmpty() && !names.isEmpty() ? names.getFirst() : asked;
        model.put("documents", tabs(visit, names, current, anchor));
        for (Answer document : documents) {
            if (document.text("document").equals(current)) {
                model.put("document", document.open());
            }
        }
        model.put("sizes", documents.stream().map(Answer::tree).toList());
    }
}
