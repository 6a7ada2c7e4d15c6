package io.osmhub.api.inventory;

import io.osmhub.api.paging.TableRow;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.MachineDeploymentSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An OperatingSystemConfig in a list. References objects of the tenancy's cache; values for filters and sorting are fields of the row,
 * because with a hundred thousand rows each indirection costs time. Texts are empty if unknown.
 *
 * @param deploymentNamespace namespace of its MachineDeployment in the worker cluster
 * @param profile as namespace/name
 * @param problem its worst; null if none
 */
record ConfigRow(
        ListedConfig listed,
        String namespace,
        String name,
        String deploymentNamespace,
        String deploymentName,
        String profile,
        String profileName,
        String osName,
        String cloudProvider,
        NewNodes newNodes,
        Condition.Status ready,
        @Nullable Condition problem,
        @Nullable Reason reason,
        String words)
        implements TableRow {
    static ConfigRow of(ListedConfig listed) {
        OperatingSystemConfigStatus status = listed.config().status();
        String namespace = listed.config().namespace();
        String name = listed.config().name();
        String owner = listed.config().annotations().getOrDefault(OwnershipAnnotations.OWNER, "");
        int slash = owner.indexOf('/');
        String deploymentNamespace = slash < 0 ? "" : owner.substring(0, slash);
        String deploymentName = slash < 0 ? name : owner.substring(slash + 1);
        MachineDeploymentSource source = deployment(status);
        if (source != null && source.name() != null) {
            deploymentNamespace = Objects.requireNonNullElse(source.namespace(), "");
            deploymentName = source.name();
        }
        String profile = profile(status == null ? null : status.source());
        Condition said = StatusParser.condition(status == null ? null : status.conditions(), "Ready");
        Condition problem = worst(status);
        return new ConfigRow(
                listed,
                namespace.intern(),
                name,
                deploymentNamespace.intern(),
                deploymentName,
                profile.intern(),
                profile.substring(profile.indexOf('/') + 1).intern(),
                listed.osName().intern(),
                listed.cloudProvider().intern(),
                status == null || status.newNodes() == null ? NewNodes.PENDING : status.newNodes(),
                said == null ? Condition.Status.UNKNOWN : said.status(),
                problem,
                problem == null ? null : StatusParser.reason(problem.reason()),
                SearchTerms.of(List.of(namespace, name), listed.labels().values()));
    }

    /** As namespace/name; empty if unknown. */
    private static String profile(@Nullable RenderSource source) {
        return source == null || source.profile() == null || source.profile().name() == null
                ? ""
                : profileKey(source.profile().namespace(), source.profile().name());
    }

    private static @Nullable MachineDeploymentSource deployment(@Nullable OperatingSystemConfigStatus status) {
        RenderSource source = status == null ? null : status.source();
        return source == null ? null : source.machineDeployment();
    }

    private static @Nullable Condition worst(@Nullable OperatingSystemConfigStatus status) {
        Condition worst = null;
        for (Condition condition :
                status == null || status.conditions() == null ? List.<Condition>of() : status.conditions()) {
            if (!condition.type().equals("Ready")
                    && StatusParser.isProblem(condition)
                    && (worst == null || isMoreSevere(condition, worst))) {
                worst = condition;
            }
        }
        return worst;
    }

    private static boolean isMoreSevere(Condition one, Condition other) {
        return SeverityOrder.of(StatusParser.reason(one.reason()).severity())
                > SeverityOrder.of(StatusParser.reason(other.reason()).severity());
    }

    @Override
    public Map<String, String> labels() {
        return listed.labels();
    }

    @Override
    public boolean matchesText(String text) {
        return words.contains(text) || SearchTerms.containsReason(reason, text);
    }

    @Nullable OperatingSystemConfigStatus status() {
        return listed.config().status();
    }

    List<Condition> conditions() {
        OperatingSystemConfigStatus status = status();
        return status == null || status.conditions() == null ? List.of() : status.conditions();
    }

    @Nullable RenderSource source() {
        OperatingSystemConfigStatus status = status();
        return status == null ? null : status.source();
    }

    /** The profile of the next rendering, as namespace/name; empty if unknown. */
    String usedProfile() {
        RenderSource wanted = wanted();
        return wanted == null ? profile : profile(wanted).intern();
    }

    @Nullable RenderSource wanted() {
        OperatingSystemConfigStatus status = status();
        return status == null ? null : status.wanted();
    }

    static String profileKey(@Nullable String namespace, String name) {
        return namespace == null || namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** As stored: RFC 3339 in UTC to the second, which sorts as text. */
    @Nullable String renderedAt() {
        RenderSource source = source();
        return source == null ? null : source.time();
    }

    @Nullable PublishedSecret secret(Role role) {
        OperatingSystemConfigStatus status = status();
        return NullableCollections.stream(status == null ? null : status.secrets())
                .filter(secret -> secret.role() == role)
                .findFirst()
                .orElse(null);
    }

    @Nullable Integer bootstrapBytes() {
        PublishedSecret secret = secret(Role.BOOTSTRAP);
        return secret == null ? null : secret.bytes();
    }

    boolean usesProfile(String wanted) {
        return wanted.equals(profileName) || wanted.equals(profile);
    }
}
