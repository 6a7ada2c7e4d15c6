package io.osmhub.api.inventory;

import io.osmhub.api.paging.Row;
import io.osmhub.api.paging.SearchText;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.MachineDeploymentSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Source;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Copies;
import io.osmhub.tenancy.catalog.ListedConfig;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An OperatingSystemConfig as lists see it. Refers to what the tenancy's cache holds anyway; what filters and orders ask for stands in
 * the row itself, since a look at a hundred thousand rows takes as long as the places in memory that each of them leads to.
 */
final class ConfigRow implements Row {
    private final ListedConfig listed;
    private final String namespace;
    private final String name;
    private final String deploymentNamespace;
    private final String deploymentName;
    private final String profile;
    private final String profileName;
    private final String osName;
    private final String cloudProvider;
    private final NewNodes newNodes;
    private final Condition.Status ready;
    private final @Nullable Condition problem;
    private final @Nullable Reason reason;
    private final String words;
    private final long pairsLow;
    private final long pairsHigh;
    private final long fingerprint;

    ConfigRow(ListedConfig listed) {
        this.listed = listed;
        OperatingSystemConfigStatus status = listed.config().status();
        this.namespace = Shared.of(listed.config().namespace());
        this.name = listed.config().name();
        String owner = listed.config().annotations().getOrDefault(Marks.OWNER, "");
        int slash = owner.indexOf('/');
        MachineDeploymentSource source = deployment(status);
        if (source != null && source.name() != null) {
            this.deploymentNamespace = Shared.of(Objects.requireNonNullElse(source.namespace(), ""));
            this.deploymentName = source.name();
        } else {
            this.deploymentNamespace = slash < 0 ? "" : Shared.of(owner.substring(0, slash));
            this.deploymentName = slash < 0 ? name : owner.substring(slash + 1);
        }
        this.profile = Shared.of(profile(status));
        this.profileName = Shared.of(profile.substring(profile.indexOf('/') + 1));
        this.osName = Shared.of(listed.osName());
        this.cloudProvider = Shared.of(listed.cloudProvider());
        this.newNodes = status == null || status.newNodes() == null ? NewNodes.PENDING : status.newNodes();
        Condition said = Stored.condition(status == null ? null : status.conditions(), "Ready");
        this.ready = said == null ? Condition.Status.UNKNOWN : said.status();
        this.problem = worst(status);
        this.reason = problem == null ? null : Stored.reason(problem.reason());
        this.words = Words.joined(List.of(namespace, name), listed.labels().values());
        SearchText.Pairs pairs = SearchText.Pairs.of(words);
        this.pairsLow = pairs.low();
        this.pairsHigh = pairs.high();
        this.fingerprint = Row.fingerprintOf(namespace, name);
    }

    /** As namespace/name; empty when it is not known. */
    private static String profile(@Nullable OperatingSystemConfigStatus status) {
        Source source = status == null ? null : status.source();
        return source == null || source.profile() == null || source.profile().name() == null
                ? ""
                : profileKey(source.profile().namespace(), source.profile().name());
    }

    private static @Nullable MachineDeploymentSource deployment(@Nullable OperatingSystemConfigStatus status) {
        Source source = status == null ? null : status.source();
        return source == null ? null : source.machineDeployment();
    }

    private static @Nullable Condition worst(@Nullable OperatingSystemConfigStatus status) {
        Condition worst = null;
        for (Condition condition :
                status == null || status.conditions() == null ? List.<Condition>of() : status.conditions()) {
            if (!condition.type().equals("Ready")
                    && Stored.isProblem(condition)
                    && (worst == null || severer(condition, worst))) {
                worst = condition;
            }
        }
        return worst;
    }

    private static boolean severer(Condition one, Condition other) {
        return Harm.of(Stored.reason(one.reason()).severity())
                > Harm.of(Stored.reason(other.reason()).severity());
    }

    ListedConfig listed() {
        return listed;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    String name() {
        return name;
    }

    @Override
    public long fingerprint() {
        return fingerprint;
    }

    @Override
    public Map<String, String> labels() {
        return listed.labels();
    }

    @Override
    public boolean mentions(SearchText text) {
        return text.mayBeIn(pairsLow, pairsHigh) && text.isIn(words) || Words.mentions(reason, text);
    }

    /** Namespace of its MachineDeployment in the worker cluster; empty when it is not known. */
    String deploymentNamespace() {
        return deploymentNamespace;
    }

    String deploymentName() {
        return deploymentName;
    }

    @Nullable OperatingSystemConfigStatus status() {
        return listed.config().status();
    }

    NewNodes newNodes() {
        return newNodes;
    }

    Condition.Status ready() {
        return ready;
    }

    /** Empty when it is not known. */
    String osName() {
        return osName;
    }

    /** Empty when it is not known. */
    String cloudProvider() {
        return cloudProvider;
    }

    /** What is wrong with it, the worst of several; null when nothing is. */
    @Nullable Condition problem() {
        return problem;
    }

    List<Condition> conditions() {
        OperatingSystemConfigStatus status = status();
        return status == null || status.conditions() == null ? List.of() : status.conditions();
    }

    @Nullable Source source() {
        OperatingSystemConfigStatus status = status();
        return status == null ? null : status.source();
    }

    @Nullable Source wanted() {
        OperatingSystemConfigStatus status = status();
        return status == null ? null : status.wanted();
    }

    /** Its profile as namespace/name; empty when it is not known. */
    String profile() {
        return profile;
    }

    static String profileKey(@Nullable String namespace, String name) {
        return namespace == null || namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** As stored: RFC 3339 in UTC to the second, which sorts as text. */
    @Nullable String renderedAt() {
        Source source = source();
        return source == null ? null : source.time();
    }

    @Nullable PublishedSecret secret(Role role) {
        OperatingSystemConfigStatus status = status();
        return Copies.stream(status == null ? null : status.secrets())
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
