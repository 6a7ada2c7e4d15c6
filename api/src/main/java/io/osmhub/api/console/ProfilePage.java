package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.lint.KubernetesVersions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/** Who uses a profile, what is wrong with it, and what would a machine get from it? */
final class ProfilePage implements Screen {
    /** Kubernetes minors that a preview is offered for, newest first. */
    private static final List<String> KUBERNETES = KubernetesVersions.MINORS.reversed();

    private static final int TENANTS = 50;

    @Override
    public View view(Visit visit, Frame frame) throws ApiProblem {
        String namespace = visit.part("namespace");
        String name = visit.part("name");
        Answer detail =
                visit.ask(new Question("getOsp").path("namespace", namespace).path("name", name));
        Answer profile = detail.at("profile");
        Cells cells = new Cells();
        Map<String, Object> model = detail.open();
        cells.state("valid", ProfilesPage.validity(profile));
        cells.text("version", profile.text("version"));
        model.put("profileRef", Helpers.encoded(namespace + "/" + name));
        model.put("here", visit.here());
        Answer valid = profile.at("valid");
        String said = Words.exact(valid.text("message"), "", valid.text("reason"));
        model.put("said", said);
        boolean invalid = valid.text("status").equals("False");
        if (invalid) {
            model.put("invalid", Map.of("message", said, "reason", valid.text("reason")));
        }
        model.put(
                "found",
                invalid
                        ? Math.max(1, detail.list("findings").size())
                        : detail.list("findings").size());
        SequencedSet<Tenant> tenants = users(visit, namespace + "/" + name, model, cells);
        others(visit, tenants);
        ProfileDiff.offer(visit, namespace, name, model);
        boolean preview = !visit.asked("preview").isEmpty();
        preview(visit, profile, tenants, preview, model);
        return new View(
                "profile",
                "profiles",
                name,
                model,
                cells,
                !preview && visit.asked("compare").isEmpty());
    }

    private record Tenant(String namespace, String workerCluster) {}

    /** A profile that nobody uses is previewed with the settings of any tenant. */
    private static void others(Visit visit, SequencedSet<Tenant> tenants) throws ApiProblem {
        Question question =
                new Question("listWorkerClusters").query("sort", "state").query("limit", "20");
        for (Answer cluster : visit.ask(question).list("items")) {
            tenants.add(new Tenant(cluster.text("metadata.namespace"), cluster.text("metadata.name")));
        }
    }

    private static SequencedSet<Tenant> users(Visit visit, String profile, Map<String, Object> model, Cells cells)
            throws ApiProblem {
        Question question = new Question("listMachineDeployments").query("profile", profile);
        Listing.page(visit, question);
        Answer list = visit.ask(question);
        List<Map<String, Object>> rows = new ArrayList<>();
        SequencedSet<Tenant> tenants = new LinkedHashSet<>();
        for (Answer md : list.list("items")) {
            String tenant = md.text("tenant");
            String key = "m/" + tenant + "/" + md.text("namespace") + "/" + md.text("name");
            Clusters.machineDeployment(md, key, cells);
            Map<String, Object> row = md.open();
            row.put("key", key);
            row.put("href", Addresses.machineDeployment(tenant, md.text("namespace"), md.text("name")));
            row.put("clusterHref", Addresses.cluster(tenant, md.text("workerCluster")));
            rows.add(row);
            Tenant user = new Tenant(tenant, md.text("workerCluster"));
            if (md.text("newNodes").equals("Current")) {
                tenants.addFirst(user);
            } else {
                tenants.addLast(user);
            }
        }
        model.put("items", rows);
        model.put("pager", Listing.pager(visit, list, rows.size(), "#users"));
        cells.text(
                "total",
                Figures.count(
                        list.has("total") ? list.number("total") : rows.size(),
                        "MachineDeployment",
                        "MachineDeployments"));
        return tenants;
    }

    private static void preview(
            Visit visit, Answer profile, SequencedSet<Tenant> tenants, boolean asked, Map<String, Object> model)
            throws ApiProblem {
        List<String> providers = profile.texts("supportedCloudProviders");
        String provider = visit.oneOf("provider", providers);
        String kubernetes = visit.oneOf("kubernetes", KUBERNETES);
        String tenant =
                visit.oneOf("tenant", tenants.stream().map(Tenant::namespace).toList());
        model.put("providers", values(providers));
        model.put("kubernetesVersions", values(KUBERNETES));
        model.put(
                "tenants",
                tenants.stream()
                        .limit(TENANTS)
                        .map(one -> Map.of("value", one.namespace(), "word", one.workerCluster()))
                        .toList());
        Map<String, String> choice = new LinkedHashMap<>();
        choice.put("provider", provider.isEmpty() && !providers.isEmpty() ? providers.getFirst() : provider);
        choice.put("kubernetes", kubernetes.isEmpty() ? KUBERNETES.get(1) : kubernetes);
        choice.put(
                "tenant",
                tenant.isEmpty() && !tenants.isEmpty() ? tenants.getFirst().namespace() : tenant);
        model.put("choice", choice);
        model.put("preview", asked);
        model.put("filterId", "doc-filter");
        if (asked) {
            render(visit, profile, choice, model);
        }
    }

    private static List<Map<String, String>> values(List<String> values) {
        return values.stream().map(value -> Map.of("value", value)).toList();
    }

    private static void render(Visit visit, Answer profile, Map<String, String> choice, Map<String, Object> model)
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
            Answer rendered = visit.ask(new Question("render").body(body));
            Documents.add(visit, rendered, "#preview", model);
            model.put(
                    "previewProblems",
                    rendered.list("problems").stream().map(Answer::tree).toList());
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

    /** A MachineDeployment that nobody has, for the chosen provider and version. */
    private static Map<String, Object> machineDeployment(Answer profile, Map<String, String> choice) {
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
