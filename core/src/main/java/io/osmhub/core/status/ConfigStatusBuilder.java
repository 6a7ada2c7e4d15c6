package io.osmhub.core.status;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.MachineDeploymentSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ProfileSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Decision.RenderSummary;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.FoundObjects;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds the status of an OperatingSystemConfig after a run. The same run over unchanged objects builds an equal status. */
final class ConfigStatusBuilder {
    private final RunResult run;
    private final Facts facts;
    private final PublishedState published;
    private final @Nullable RenderSummary rendered;
    private final @Nullable OperatingSystemConfigStatus before;

    ConfigStatusBuilder(RunResult run, PublishedState published) {
        this.run = run;
        this.facts = run.facts();
        this.published = published;
        this.rendered = switch (run.decision().outcome()) {
            case Outcome.Published(RenderSummary wanted) -> wanted;
            case Outcome.NotPublished(RenderSummary held) -> held;
            case Outcome.NotManaged _,
                    Outcome.Terminating _,
                    Outcome.Blocked _,
                    Outcome.NotRendered _,
                    Outcome.AwaitingFetchToken _,
                    Outcome.Failed _ -> null;
        };
        this.before = before(run);
    }

    /** A replaced object has lost its status but keeps its history. */
    private static @Nullable OperatingSystemConfigStatus before(RunResult run) {
        StoredConfig stored = run.stored();
        if (stored != null && stored.status() != null) {
            return stored.status();
        }
        StoredConfig found = run.facts().found().config();
        return found == null ? null : found.status();
    }

    OperatingSystemConfigStatus build(List<Condition> conditions, NewNodes newNodes) {
        StoredConfig stored = Objects.requireNonNull(run.stored());
        RenderSource source = before == null ? null : before.source();
        RenderSource wanted = null;
        if (rendered != null) {
            RenderSource made = source(rendered, source);
            boolean current = run.decision().outcome() instanceof Outcome.Published && run.isComplete();
            source = current ? made : source;
            wanted = current || made.equals(source) ? null : made;
        }
        return new OperatingSystemConfigStatus(
                stored.generation(),
                conditions,
                newNodes,
                source,
                wanted,
                NullableCollections.nullIfEmpty(secrets()),
                NullableCollections.nullIfEmpty(new ChangeHistory(run, published, before).build()));
    }

    /** @param old provides the time if it is otherwise equal */
    private RenderSource source(RenderSummary made, @Nullable RenderSource old) {
        MachineDeployment machineDeployment = facts.machineDeployment();
        RenderSource now = new RenderSource(
                new MachineDeploymentSource(
                        machineDeployment.namespace(),
                        machineDeployment.name(),
                        machineDeployment.uid(),
                        made.stamps().revision()),
                new ProfileSource(
                        NullableCollections.nullIfEmpty(made.profile().namespace()),
                        made.profile().name(),
                        made.stamps().profileVersion(),
                        made.profile().compiled().contentHash()),
                made.profile().compiled().spec().templateEngine().wireName(),
                made.settingsHash(),
                made.contentHash(),
                UnitFormatter.formatTime(facts.now()));
        return old != null && at(now, old.time()).equals(old) ? old : now;
    }

    private static RenderSource at(RenderSource source, @Nullable String time) {
        return new RenderSource(
                source.machineDeployment(),
                source.profile(),
                source.templateEngine(),
                source.settingsHash(),
                source.contentHash(),
                time);
    }

    private List<PublishedSecret> secrets() {
        ObjectNames names = ObjectNames.of(facts.machineDeployment());
        List<PublishedSecret> secrets = new ArrayList<>();
        secrets.add(secret(SecretRole.BOOTSTRAP, Role.BOOTSTRAP, names));
        secrets.add(secret(SecretRole.PROVISIONING, Role.PROVISIONING, names));
        secrets.add(secret(SecretRole.KUBELET_BOOTSTRAP, Role.KUBELET_BOOTSTRAP, names));
        boolean edge = rendered != null && rendered.bytes().containsKey(SecretRole.EDGE_SCRIPT);
        if (edge || published.has(SecretRole.EDGE_SCRIPT)) {
            secrets.add(secret(SecretRole.EDGE_SCRIPT, Role.EDGE_SCRIPT, names));
        }
        Decision.TokenInUse token = run.decision().token();
        String deleted = published.deletedToken();
        if (token != null || deleted != null) {
            secrets.add(new PublishedSecret(
                    Role.BOOTSTRAP_TOKEN,
                    ObjectNames.TOKEN_NAMESPACE,
                    deleted == null ? Objects.requireNonNull(token).name() : deleted,
                    published.tokenExpiration() == null ? SecretState.MISSING : SecretState.CURRENT,
                    null,
                    null,
                    null,
                    null));
        }
        return secrets;
    }

    private PublishedSecret secret(SecretRole role, Role wireRole, ObjectNames names) {
        SecretState state = !published.has(role)
                ? SecretState.MISSING
                : published.isOutdated(role) ? SecretState.OLDER_KEPT : SecretState.CURRENT;
        PublishedSecret old = NullableCollections.stream(before == null ? null : before.secrets())
                .filter(entry -> entry.role() == wireRole)
                .findFirst()
                .orElse(null);
        Integer limit = role == SecretRole.BOOTSTRAP && rendered != null
                ? rendered.limitBytes()
                : old == null ? null : old.limitBytes();
        return new PublishedSecret(
                wireRole,
                ObjectNames.SETTINGS_NAMESPACE,
                role.name(names),
                state,
                published.has(role)
                        ? NullableCollections.nullIfEmpty(Objects.requireNonNull(published.revision(role)))
                        : null,
                bytes(role, state, old),
                limit,
                published.wasWritten(role)
                        ? UnitFormatter.formatTime(facts.now())
                        : old == null ? null : old.publishedTime());
    }

    private @Nullable Integer bytes(SecretRole role, SecretState state, @Nullable PublishedSecret old) {
        return switch (state) {
            case MISSING -> null;
            case CURRENT -> rendered == null ? null : rendered.bytes().get(role);
            case OLDER_KEPT -> {
                FoundObjects found = facts.found();
                yield old != null && old.bytes() != null
                        ? old.bytes()
                        : Integer.valueOf(PublishedState.bytes(found.secret(role)));
            }
        };
    }
}
