package io.osmhub.api.console;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Tabs of rendered documents: the selected one and links to the others. */
final class DocumentTabs {
    private static final Map<String, String> WORDS = Map.of(
            "Bootstrap", "Bootstrap",
            "Provisioning", "Provisioning",
            "KubeletBootstrap", "Kubelet kubeconfig",
            "EdgeScript", "Edge script",
            "OperatingSystemConfig", "Rendered config");

    private DocumentTabs() {}

    static String word(String document) {
        return WORDS.getOrDefault(document, document);
    }

    /** Tabs with these labels by document name; {@code anchor} is their place on the page. */
    static List<Map<String, Object>> tabs(
            PageContext visit, SequencedMap<String, String> labels, String current, String anchor) {
        List<Map<String, Object>> tabs = new ArrayList<>();
        labels.forEach((name, label) -> {
            Map<String, Object> tab = new HashMap<>();
            tab.put("word", label);
            tab.put("href", visit.withParameters(Map.of("doc", name)) + anchor);
            tab.put("current", name.equals(current));
            tabs.add(tab);
        });
        return tabs;
    }

    /** Adds a render result: tabs, sizes and the requested document. */
    static void add(PageContext visit, ReplyTree rendered, String anchor, Map<String, Object> model) {
        List<ReplyTree> documents = rendered.list("documents");
        List<String> names = documents.stream().map(one -> one.text("document")).toList();
        String asked = visit.oneOf("doc", names);
        String current = asked.isEmpty() && !names.isEmpty() ? names.getFirst() : asked;
        SequencedMap<String, String> labels = new LinkedHashMap<>();
        names.forEach(name -> labels.put(name, word(name)));
        model.put("documents", tabs(visit, labels, current, anchor));
        for (ReplyTree document : documents) {
            if (document.text("document").equals(current)) {
                model.put("document", document.toMutableMap());
            }
        }
        model.put("sizes", documents.stream().map(ReplyTree::tree).toList());
    }
}
