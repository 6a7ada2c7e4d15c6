package io.osmhub.deploy.cli;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetListQuery;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.view.FleetTables;
import io.osmhub.deploy.view.FleetTables.TableScope;
import io.osmhub.deploy.view.ResourceAlias;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How to request and print a list.
 *
 * @param path below /api/v1
 * @param item the API's type of an object
 * @param filters names of the API's filters
 * @param several plural noun, for {@code no ... found}
 * @param tenant namespace of an object in the management cluster; empty if it belongs to no tenant
 * @param names accepted names of an object; the first for {@code kind/name}
 */
record ListableKind<T>(
        ResourceAlias noun,
        String path,
        Class<T> item,
        Set<String> filters,
        String several,
        Function<T, String> tenant,
        Function<T, List<String>> names,
        BiFunction<List<T>, TableScope, TextTable<T>> table) {
    static final ListableKind<WorkerClusterEntry> CLUSTERS = new ListableKind<>(
            ResourceAlias.CLUSTERS,
            "/worker-clusters",
            WorkerClusterEntry.class,
            Set.of("state", "newNodes", "reason", "kubernetesVersion", "profile"),
            "worker clusters",
            one -> one.metadata().namespace(),
            one -> List.of(one.metadata().name()),
            FleetTables::clusters);

    static final ListableKind<Osp> PROFILES = new ListableKind<>(
            ResourceAlias.OSPS,
            "/osps",
            Osp.class,
            Set.of("osName", "valid", "usedIn"),
            "profiles",
            one -> one.metadata().namespace(),
            one -> List.of(one.metadata().name()),
            FleetTables::profiles);

    static final ListableKind<Osc> CONFIGURATIONS = new ListableKind<>(
            ResourceAlias.OSCS,
            "/oscs",
            Osc.class,
            Set.of("profile", "ready", "osName", "cloudProvider"),
            "configurations",
            one -> one.metadata().namespace(),
            one -> List.of(one.metadata().name()),
            FleetTables::configurations);

    static final ListableKind<MachineDeploymentEntry> MACHINE_DEPLOYMENTS = new ListableKind<>(
            ResourceAlias.MDS,
            "/machine-deployments",
            MachineDeploymentEntry.class,
            Set.of("newNodes", "reason", "profile", "cloudProvider"),
            "MachineDeployments",
            MachineDeploymentEntry::tenant,
            one -> List.of(one.namespace() + "/" + one.name(), one.name()),
            FleetTables::machineDeployments);

    static final ListableKind<ProblemEntry> PROBLEMS = new ListableKind<>(
            ResourceAlias.PROBLEMS,
            "/problems",
            ProblemEntry.class,
            Set.of("state", "severity", "actor", "category", "reason"),
            "open problems",
            one -> Objects.requireNonNullElse(one.tenant(), ""),
            one -> List.of(
                    FleetTables.object(one),
                    one.reason().wireName(),
                    one.object() == null ? "" : one.object().name()),
            FleetTables::problems);

    static ListableKind<?> of(ResourceAlias noun) {
        return switch (noun) {
            case CLUSTERS -> CLUSTERS;
            case OSPS -> PROFILES;
            case OSCS -> CONFIGURATIONS;
            case MDS -> MACHINE_DEPLOYMENTS;
            case PROBLEMS -> PROBLEMS;
        };
    }

    List<T> list(HubClient hub, FleetListQuery query) throws FleetFailure {
        return hub.list(path, item, query);
    }

    /** @param namespace empty for all */
    List<String> existingNames(HubClient hub, String namespace) throws FleetFailure {
        return list(hub, FleetListQuery.in(namespace)).stream()
                .flatMap(one -> names.apply(one).stream())
                .distinct()
                .toList();
    }

    /**
     * Parses {@code state=Degraded,state=Unreachable,profile=osp-ubuntu} for the API: values of one field are alternatives. The API
     * checks the values.
     */
    Map<String, String> parseFilters(String selector) throws FleetFailure {
        Map<String, String> values = new LinkedHashMap<>();
        if (selector.isBlank()) {
            return values;
        }
        for (String part : selector.split(",", -1)) {
            int equals = part.indexOf('=');
            String field = (equals < 0 ? part : part.substring(0, equals)).strip();
            String value = equals < 0
                    ? ""
                    : part.substring(equals + 1).replaceFirst("^=", "").strip();
            if (field.isEmpty() || value.isEmpty()) {
                throw FleetFailure.unusable("--field-selector \"" + part + "\": expected FIELD=VALUE");
            }
            if (!filters.contains(field)) {
                List<String> known = filters.stream().sorted().toList();
                String cure = SpellingSuggestion.findClosest(field, known)
                        .map(word -> "did you mean " + word + "?")
                        .orElseGet(() -> "use " + String.join(", ", known));
                throw FleetFailure.unusable("--field-selector: unknown field " + field + "; " + cure);
            }
            values.merge(field, value, (one, other) -> one + "," + other);
        }
        return values;
    }

    /** The values of a field that the API knows; empty if it has any text. */
    List<String> fieldValues(String field) {
        Class<? extends Enum<?>> type =
                switch (field) {
                    case "state" -> State.class;
                    case "newNodes" -> NewNodes.class;
                    case "reason" -> Reason.class;
                    case "severity" -> Severity.class;
                    case "actor" -> Actor.class;
                    case "category" -> Category.class;
                    default -> null;
                };
        if (noun == ResourceAlias.PROBLEMS && field.equals("state")) {
            return List.of("Open", "Resolved");
        }
        if (field.equals("valid") || field.equals("ready")) {
            return CommandCompletion.CONDITION_STATUSES;
        }
        return type == null
                ? List.of()
                : Arrays.stream(type.getEnumConstants()).map(ApiJson::word).toList();
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
            case PROBLEMS -> false;
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
