package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/** Users of a profile, its findings, and a rendered preview. */
final class ProfilePage implements ConsolePage {
    /** Kubernetes minors offered for a preview, newest first. */
    private static final List<String> KUBERNETES = KubernetesVersions.MINORS.reversed();

    private static final int TENANTS = 50;

    @Override
    public PageView view(PageContext visit, PageFrame frame) throws ApiProblem {
        String namespace = visit.pathPart("namespace");
        String name = visit.pathPart("name");
        ReplyTree detail = visit.call(
                new OperationRequest("getOsp").path("namespace", namespace).path("name", name));
        ReplyTree profile = detail.at("profile");
        LiveCells cells = new LiveCells();
        Map<String, Object> model = detail.toMutableMap();
        cells.state("valid", ProfilesPage.validity(profile));
        cells.text("version", profile.text("version"));
        model.put("profileRef", TemplateHelpers.encoded(namespace + "/" + name));
        model.put("here", visit.currentPath());
        ReplyTree valid = profile.at("valid");
        String said = ProblemEntries.capital(valid.text("message"));
        model.put("said", said);
        boolean invalid = valid.text("status").equals("False");
        if (invalid) {
            model.put("invalid", Map.of("message", said, "reason", valid.text("reason")));
        }
        List<Map<String, Object>> findings = new ArrayList<>();
        for (ReplyTree finding : detail.list("findings")) {
            Map<String, Object> row = finding.toMutableMap();
            row.put("message", ProblemEntries.capital(finding.text("message")));
            findings.add(row);
        }
        model.put("findings", findings);
        model.put("found", invalid ? Math.max(1, findings.size()) : findings.size());
        SequencedSet<Tenant> tenants = new LinkedHashSet<>();
        ProfileUsers.add(visit, profile, model, cells, tenants);
        ProfileDiff.addForm(visit, namespace, name, model);
        boolean preview = !visit.queryText("preview").isEmpty();
        preview(visit, profile, tenants, preview, model);
        return new PageView(
                "profile",
                "profiles",
                name,
                model,
                cells,
                !preview && visit.queryText("compare").isEmpty());
    }

    record Tenant(String namespace, String workerCluster) {}

    /** Worker clusters that match a text; without one, those that come first. */
    private static List<Tenant> search(PageContext visit, String text) throws ApiProblem {
        OperationRequest question = new OperationRequest("listWorkerClusters")
                .query("sort", "state")
                .query("limit", String.valueOf(TENANTS));
        if (!text.isEmpty()) {
            question = question.query("search", text);
        }
        return visit.call(question).list("items").stream()
                .map(cluster -> new Tenant(cluster.text("metadata.namespace"), cluster.text("metadata.name")))
                .toList();
    }

    /** The tenant of that namespace or name, or the only one that matches; empty if there are several or none. */
    private static String resolve(List<Tenant> found, String text) {
        List<Tenant> exact =
                found.stream().filter(tenant -> tenant.namespace().equals(text)).toList();
        if (exact.isEmpty()) {
            exact = found.stream()
                    .filter(tenant -> tenant.workerCluster().equals(text))
                    .toList();
        }
        List<Tenant> rest = exact.isEmpty() ? found : exact;
        return rest.size() == 1 ? rest.getFirst().namespace() : "";
    }

    private static void preview(
            PageContext visit,
            ReplyTree profile,
            SequencedSet<Tenant> tenants,
            boolean asked,
            Map<String, Object> model)
            throws ApiProblem {
        List<String> providers = profile.texts("supportedCloudProviders");
        String provider = visit.oneOf("provider", providers);
        String kubernetes = visit.oneOf("kubernetes", KUBERNETES);
        String given = visit.queryText("tenant").strip();
        List<Tenant> found = search(visit, given);
        String tenant = given.isEmpty()
                ? tenants.isEmpty() && !found.isEmpty()
                        ? found.getFirst().namespace()
                        : tenants.isEmpty() ? "" : tenants.getFirst().namespace()
                : resolve(found, given);
        SequencedSet<Tenant> offered = new LinkedHashSet<>(given.isEmpty() ? tenants : found);
        offered.addAll(given.isEmpty() ? found : tenants);
        model.put("providers", values(providers));
        model.put("kubernetesVersions", values(KUBERNETES));
        model.put(
                "tenants",
                offered.stream()
                        .limit(TENANTS)
                        .map(one -> Map.of("value", one.namespace(), "word", one.workerCluster()))
                        .toList());
        model.put("mayPreview", !offered.isEmpty() || !given.isEmpty());
        Map<String, String> choice = new LinkedHashMap<>();
        choice.put("provider", provider.isEmpty() && !providers.isEmpty() ? providers.getFirst() : provider);
        choice.put("kubernetes", kubernetes.isEmpty() ? KUBERNETES.get(1) : kubernetes);
        choice.put("tenant", tenant);
        model.put("tenantText", given.isEmpty() || !tenant.isEmpty() ? tenant : given);
        model.put("choice", choice);
        model.put("preview", asked);
        model.put("filterId", "doc-filter");
        if (asked && tenant.isEmpty() && !given.isEmpty()) {
            model.put(
                    "previewProblems",
                    List.of(Map.of(
                            "message",
                            found.isEmpty()
                                    ? "No worker cluster matches " + given + "."
                                    : "Several worker clusters match " + given + ": choose one of the list.")));
        } else if (asked) {
            render(visit, profile, choice, model);
        }
    }

    private static List<Map<String, String>> values(List<String> values) {
        return values.stream().map(value -> Map.of("value", value)).toList();
    }

    private static void render(
            PageContext visit, ReplyTree profile, Map<String, String> choice, Map<String, Object> model)
            throws ApiProblem {
        String namespace = profile.text("metadata.namespace");
        String name = profile.text("metadata.name");
        Map<String, Object> body = new LinkedHashMap<>();
        if (tenants(choice)) {
            body.put("tenant", choice.get("tenant"));
        }
        body.put("profile", Map.of("namespace", namespace, "name", name));
        body.put("machineDeployment", Map.of("object", machineDeployment(profile, choice)));
        try {
            ReplyTree rendered = visit.call(new OperationRequest("render").body(body));
            DocumentTabs.add(visit, rendered, "#preview", model);
            model.put(
                    "previewProblems",
                    rendered.list("problems").stream().map(ReplyTree::tree).toList());
        } catch (ApiProblem refused) {
            if (refused.status() >= 500 && refused.status() != 503) {
                throw refused;
            }
            model.put(
                    "previewProblems",
                    List.of(Map.of(
                            "message",
                            tenants(choice)
                                    ? refused.detail()
                                    : "A preview needs the settings of a tenant, and there is none yet.")));
        }
    }

    private static boolean tenants(Map<String, String> choice) {
        return !choice.getOrDefault("tenant", "").isEmpty();
    }

    /** A synthetic MachineDeployment for the chosen provider and version. */
    private static Map<String, Object> machineDeployment(ReplyTree profile, Map<String, String> choice) {
        Map<String, Object> machine = Map.of(
                "cloudProvider", choice.getOrDefault("provider", ""),
                "cloudProviderSpec", Map.of(),
                "operatingSystem", profile.text("osName"),
                "operatingSystemSpec", Map.of(),
                "sshPublicKeys", List.of());
        return Map.of(
                "apiVersion",
                "cluster.k8s.io/v1alpha1",
                "kind",
                "MachineDeployment",
                "metadata",
                Map.of(
                        "namespace",
                        "kube-system",
                        "name",
                        "preview",
                        "annotations",
                        Map.of("k8c.io/operating-system-profile", profile.text("metadata.name"))),
                "spec",
                Map.of(
                        "replicas",
                        1,
                        "template",
                        Map.of(
                                "spec",
                                Map.of(
                                        "versions",
                                        Map.of("kubelet", choice.getOrDefault("kubernetes", "") + ".0"),
                                        "providerSpec",
                                        Map.of("value", machine)))));
    }
}
