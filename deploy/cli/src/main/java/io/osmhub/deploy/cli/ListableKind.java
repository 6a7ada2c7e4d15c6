package io.osmhub.deploy.cli;

import io.osmhub.api.schema.EffectiveSettings;
import io.osmhub.api.schema.EffectiveSettings.Item;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.Summary;
import io.osmhub.api.schema.Summary.Cause;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.HubClient.FleetListQuery;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.view.FleetTables;
import io.osmhub.deploy.view.FleetTables.TableScope;
import io.osmhub.deploy.view.ResourceAlias;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How to request and print a list.
 *
 * @param lister requests all objects
 * @param several plural noun, for {@code no ... found}
 * @param tenant namespace of an object in the management cluster; empty if it belongs to no tenant
 * @param names accepted names of an object; the first for {@code kind/name}
 */
record ListableKind<T>(
        ResourceAlias noun,
        Lister<T> lister,
        String several,
        Function<T, String> tenant,
        Function<T, List<String>> names,
        BiFunction<List<T>, TableScope, TextTable<T>> table) {
    static final ListableKind<WorkerClusterEntry> CLUSTERS = new ListableKind<>(
            ResourceAlias.CLUSTERS,
            (hub, query) -> hub.list("/worker-clusters", WorkerClusterEntry.class, query),
            "worker clusters",
            one -> one.metadata().namespace(),
            one -> List.of(one.metadata().name()),
            FleetTables::clusters);

    static final ListableKind<Osp> PROFILES = new ListableKind<>(
            ResourceAlias.OSPS,
            (hub, query) -> hub.list("/osps", Osp.class, query),
            "profiles",
            one -> one.metadata().namespace(),
            one -> List.of(one.metadata().name()),
            FleetTables::profiles);

    static final ListableKind<Osc> CONFIGURATIONS = new ListableKind<>(
            ResourceAlias.OSCS,
            (hub, query) -> hub.list("/oscs", Osc.class, query),
            "configurations",
            one -> one.metadata().namespace(),
            one -> List.of(one.metadata().name()),
            FleetTables::configurations);

    static final ListableKind<MachineDeploymentEntry> MACHINE_DEPLOYMENTS = new ListableKind<>(
            ResourceAlias.MDS,
            (hub, query) -> hub.list("/machine-deployments", MachineDeploymentEntry.class, query),
            "MachineDeployments",
            one -> one.identity().tenant(),
            one -> List.of(one.identity().path(), one.identity().name()),
            FleetTables::machineDeployments);

    static final ListableKind<ProblemEntry> PROBLEMS = new ListableKind<>(
            ResourceAlias.PROBLEMS,
            (hub, query) -> hub.list("/problems", ProblemEntry.class, query),
            "open problems",
            one -> Objects.requireNonNullElse(one.subject().tenant(), ""),
            one -> List.of(
                    FleetTables.object(one),
                    one.classification().reason().wireName(),
                    one.subject().object() == null ? "" : one.subject().object().name()),
            FleetTables::problems);
    static final ListableKind<Cause> CAUSES = new ListableKind<>(
            ResourceAlias.CAUSES,
            ListableKind::causes,
            "open causes of problems",
            one -> "",
            one -> List.of(
                    Objects.requireNonNullElse(one.id(), one.reason().wireName()),
                    one.reason().wireName()),
            FleetTables::causes);
    static final ListableKind<Item> SETTINGS = new ListableKind<>(
            ResourceAlias.SETTINGS,
            ListableKind::settings,
            "settings",
            one -> "",
            one -> List.of(one.field(), one.field().substring(one.field().lastIndexOf('.') + 1)),
            FleetTables::settings);

    static ListableKind<?> of(ResourceAlias noun) {
        return switch (noun) {
            case CLUSTERS -> CLUSTERS;
            case OSPS -> PROFILES;
            case OSCS -> CONFIGURATIONS;
            case MDS -> MACHINE_DEPLOYMENTS;
            case PROBLEMS -> PROBLEMS;
            case CAUSES -> CAUSES;
            case SETTINGS -> SETTINGS;
        };
    }

    /** Requests all objects of a kind. */
    @FunctionalInterface
    interface Lister<T> {
        List<T> list(HubClient hub, FleetListQuery query);
    }

    /** Causes are those of all visible tenants: the API counts them over the fleet. */
    private static List<Cause> causes(HubClient hub, FleetListQuery query) {
        if (!query.namespace().isEmpty()) {
            throw CommandFailure.unusable(
                    "causes are those of all tenants; omit -n, or use hub get problems -n " + query.namespace());
        }
        return hub.get(Summary.class, "/summary").causes();
    }

    private static List<Item> settings(HubClient hub, FleetListQuery query) {
        String namespace = query.namespace();
        if (namespace.isEmpty()) {
            throw CommandFailure.unusable("no tenant: use -n NAMESPACE");
        }
        String workerCluster = CLUSTERS.existingNames(hub, namespace).stream()
                .findFirst()
                .orElseThrow(() -> CommandFailure.notFound(
                        "no WorkerCluster in namespace " + namespace + "; list the tenants with hub get clusters"));
        return hub.get(EffectiveSettings.class, "/namespaces/{}/worker-clusters/{}/settings", namespace, workerCluster)
                .items();
    }

    /** Whether the list has all tenants unless one is named. */
    boolean isFleetWide() {
        return noun == ResourceAlias.CLUSTERS || noun == ResourceAlias.CAUSES;
    }

    /** Whether the API filters the list by labels. */
    boolean hasLabels() {
        return switch (noun) {
            case CLUSTERS, OSPS, OSCS, MDS -> true;
            case PROBLEMS, CAUSES, SETTINGS -> false;
        };
    }

    List<T> list(HubClient hub, FleetListQuery query) {
        return lister.list(hub, query);
    }

    /** @param namespace empty for all */
    List<String> existingNames(HubClient hub, String namespace) {
        return list(hub, FleetListQuery.in(namespace)).stream()
                .flatMap(one -> names.apply(one).stream())
                .distinct()
                .toList();
    }

    /** As {@code -o name} prints it. */
    String displayPath(T one) {
        String name = names.apply(one).getFirst();
        return noun == ResourceAlias.PROBLEMS ? name : noun.shortForm() + "/" + name;
    }

    String displayPathWithTenant(T one) {
        String owner = tenant.apply(one);
        String name = names.apply(one).getFirst();
        return noun == ResourceAlias.PROBLEMS || owner.isEmpty()
                ? displayPath(one)
                : noun.shortForm() + "/" + owner + "/" + name;
    }

    /** Whether a name includes its tenant; a MachineDeployment's also has a namespace in the worker cluster. */
    boolean hasTenant(String name) {
        int slashes = name.length() - name.replace("/", "").length();
        return switch (noun) {
            case CLUSTERS, OSPS, OSCS -> slashes == 1;
            case MDS -> slashes == 2;
            case PROBLEMS, CAUSES, SETTINGS -> false;
        };
    }

    /** Unique key across tenants. */
    String key(T one) {
        return tenant.apply(one) + " " + names.apply(one);
    }

    boolean isNamed(T one, List<String> wanted) {
        return names.apply(one).stream()
                .anyMatch(name -> wanted.contains(name) || wanted.contains(tenant.apply(one) + "/" + name));
    }
}
