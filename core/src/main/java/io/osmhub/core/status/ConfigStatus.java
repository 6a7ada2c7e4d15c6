package io.osmhub.core.status;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.MachineDeploymentSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ProfileSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Source;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Decision.Rendered;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.FoundObjects;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Copies;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The status of an OperatingSystemConfig after a run. The same run over unchanged objects gives an equal one. */
final class ConfigStatus {
    private final Run run;
    private final Facts facts;
    private final PublishedSet published;
    private final @Nullable Rendered rendered;
    private final @Nullable OperatingSystemConfigStatus before;

    ConfigStatus(Run run, PublishedSet published) {
        this.run = run;
        this.facts = run.facts();
        this.published = published;
        this.rendered = switch (run.decision().outcome()) {
            case Outcome.Wanted(Rendered wanted) -> wanted;
            case Outcome.Held(Rendered held) -> held;
            case Outcome.NotOurs _,
                    Outcome.Leaving _,
                    Outcome.Blocked _,
                    Outcome.NotRendered _,
                    Outcome.AwaitsToken _,
                    Outcome.Failed _ -> null;
        };
        this.before = before(run);
    }

    /** An object that was replaced has lost its status, but not its past. */
    private static @Nullable OperatingSystemConfigStatus before(Run run) {
        StoredConfig stored = run.stored();
        if (stored != null && stored.status() != null) {
            return stored.status();
        }
        StoredConfig found = run.facts().found().config();
        return found == null ? null : found.status();
    }

    OperatingSystemConfigStatus status(List<Condition> conditions, NewNodes newNodes) {
        StoredConfig stored = Objects.requireNonNull(run.stored());
        Source source = before == null ? null : before.source();
        Source wanted = null;
        if (rendered != null) {
            Source made = source(rendered, source);
            boolean current = run.decision().outcome() instanceof Outcome.Wanted && run.complete();
            source = current ? made : source;
            wanted = current || made.equals(source) ? null : made;
        }
        return new OperatingSystemConfigStatus(
                stored.generation(),
                conditions,
                newNodes,
                source,
                wanted,
                Copies.nullIfEmpty(secrets()),
                Copies.nullIfEmpty(new History(run, published, before).list()));
    }

    /** @param old gives the time when it means the same */
    private Source source(Rendered made, @Nullable Source old) {
        MachineDeployment machineDeployment = facts.machineDeployment();
        Source now = new Source(
                new MachineDeploymentSource(
                        machineDeployment.namespace(),
                        machineDeployment.name(),
                        machineDeployment.uid(),
                        made.stamps().revision()),
                new ProfileSource(
                        Copies.nullIfEmpty(made.profile().namespace()),
                        made.profile().name(),
                        made.stamps().profileVersion(),
                        made.profile().compiled().contentHash()),
                made.profile().compiled().spec().templateEngine().wireName(),
                made.settingsHash(),
                made.contentHash(),
                Wording.time(facts.now()));
        return old != null && at(now, old.time()).equals(old) ? old : now;
    }

    private static Source at(Source source, @Nullable String time) {
        return new Source(
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
        Decision.Token token = run.decision().token();
        String deleted = published.deletedToken();
        if (token != null || deleted != null) {
            secrets.add(new PublishedSecret(
                    Role.BOOTSTRAP_TOKEN,
                    ObjectNames.TOKEN_NAMESPACE,
                    deleted == null ? Objects.requireNonNull(token).name() : deleted,
                    published.tokenEnd() == null ? SecretState.MISSING : SecretState.CURRENT,
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
                : published.isOlder(role) ? SecretState.OLDER_KEPT : SecretState.CURRENT;
        PublishedSecret old = Copies.stream(before == null ? null : before.secrets())
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
                published.has(role) ? Copies.nullIfEmpty(Objects.requireNonNull(published.revision(role))) : null,
                bytes(role, state, old),
                limit,
                published.wasWritten(role) ? Wording.time(facts.now()) : old == null ? null : old.publishedTime());
    }

    private @Nullable Integer bytes(SecretRole role, SecretState state, @Nullable PublishedSecret old) {
        return switch (state) {
            case MISSING -> null;
            case CURRENT -> rendered == null ? null : rendered.bytes().get(role);
            case OLDER_KEPT -> {
                FoundObjects found = facts.found();
                yield old != null && old.bytes() != null
                        ? old.bytes()
                        : Integer.valueOf(PublishedSet.bytes(found.secret(role)));
            }
        };
    }
}
