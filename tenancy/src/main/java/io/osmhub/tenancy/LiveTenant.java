package io.osmhub.tenancy;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Lookup;
import io.osmhub.core.plan.Preview;
import io.osmhub.core.plan.Previewer;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.core.render.CredentialFree;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.catalog.ProfileContent;
import io.osmhub.tenancy.catalog.ProfileRights;
import io.osmhub.tenancy.catalog.ProfileShelf;
import io.osmhub.tenancy.catalog.ProposedProfiles;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.TenantProfiles;
import io.osmhub.tenancy.settings.SettingsResolver;
import io.osmhub.workersync.Machines;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.reconcile.CloseUp;
import io.osmhub.workersync.reconcile.RenderThreads;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A tenant that this replica serves, for whoever looks closely or tries something out. Nothing here writes, and nothing that is
 * given out holds a credential. What renders waits for a thread of its own, so that it does not hold up what is published.
 */
public final class LiveTenant {
    private final TenantView view;
    private final @Nullable WorkerSync sync;
    private final ProfileRights rights;
    private final Tools tools;

    /**
     * What all previews are made with.
     *
     * @param threads not those of publishing
     * @param compiled not the cache of publishing either: what is tried out must not push out what is in use
     * @param settings of the hub, as they are now
     */
    record Tools(
            Previewer previewer,
            RenderThreads threads,
            CompiledProfiles compiled,
            ProfileShelf profiles,
            Supplier<HubSettings> settings) {}

    /** @param sync null while none runs */
    LiveTenant(TenantView view, @Nullable WorkerSync sync, ProfileRights rights, Tools tools) {
        this.view = view;
        this.sync = sync;
        this.rights = rights;
        this.tools = tools;
    }

    public TenantView view() {
        return view;
    }

    /** Its MachineDeployments that name a profile, or did, by namespace and name. */
    public List<ObjectKey> machineDeployments() {
        return sync == null ? List.of() : sync.closeUps().all();
    }

    /** Name of the profile that a MachineDeployment gives; empty when it names none. */
    public String profileOf(ObjectKey machineDeployment) {
        return sync == null ? "" : sync.closeUps().profileOf(machineDeployment);
    }

    /** Empty when there is no such MachineDeployment, or it was not seen yet. */
    public Optional<CloseUp> machineDeployment(ObjectKey key) {
        return sync == null
                ? Optional.empty()
                : Optional.ofNullable(sync.closeUps().of(key));
    }

    /** When anything was heard of the worker cluster last; empty when nothing was. */
    public Optional<Instant> lastEvent() {
        return sync == null ? Optional.empty() : Optional.ofNullable(sync.lastEvent());
    }

    /** Its machines, read for this answer. Waits; see {@link WorkerSync#machines}. */
    public Machines machines(ObjectKey machineDeployment) throws ApiFailure {
        return required().machines(machineDeployment.namespace(), machineDeployment.name());
    }

    /** Name of the MachineDeployment of a machine; empty when it has none. Waits. */
    public String machineDeploymentOf(String namespace, String machine) throws ApiFailure {
        return required().machineDeploymentOf(namespace, machine);
    }

    private WorkerSync required() throws ApiFailure {
        if (sync == null) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.CLOSED, "not connected to the worker cluster");
        }
        return sync;
    }

    /**
     * The profile that a MachineDeployment would get.
     *
     * @return empty when there is none, or the tenant may not use it
     */
    public Optional<RenderInput.Profile> profile(ObjectKey key, Proposal proposal) {
        Facts facts = sync == null ? null : facts(sync, key, proposal, sync.inputs());
        if (facts == null) {
            return Optional.empty();
        }
        return facts.profile() instanceof Lookup.Found<RenderInput.Profile>(RenderInput.Profile one)
                ? Optional.of(one)
                : Optional.empty();
    }

    /**
     * Renders what a MachineDeployment would get. Waits for its turn.
     *
     * @param key for its name when the proposal brings the MachineDeployment along
     * @return empty when there is no such MachineDeployment, or the worker cluster was not read yet
     */
    public Optional<Attempt> attempt(ObjectKey key, Proposal proposal) {
        WorkerSync running = sync;
        if (running == null) {
            return Optional.empty();
        }
        try {
            Facts facts = facts(running, key, proposal, inputs(running.inputs(), proposal));
            if (facts == null) {
                return Optional.empty();
            }
            Preview preview = tools.threads()
                    .call(view.namespace(), () -> tools.previewer().preview(facts));
            return Optional.of(new Attempt(preview, told(preview.tooLarge())));
        } catch (Problem e) {
            return Optional.of(new Attempt(null, told(e.findings())));
        }
    }

    private List<Diagnosis> told(List<Finding> findings) {
        return findings.stream()
                .map(finding -> Diagnosis.of(view.namespace(), finding))
                .toList();
    }

    private @Nullable Facts facts(WorkerSync running, ObjectKey key, Proposal proposal, TenantInputs inputs) {
        return running.closeUps().facts(key, proposal.machineDeployment(), inputs, catalog(proposal, inputs));
    }

    private ProfileCatalog catalog(Proposal proposal, TenantInputs inputs) {
        StoredProfile given = proposal.profile();
        if (given != null) {
            return machineDeployment -> found(given);
        }
        ProfileRights now = proposal.spec() == null
                ? rights
                : ProfileRights.of(view.namespace(), inputs.settings().profiles());
        return new TenantProfiles(
                new ProposedProfiles(tools.profiles(), proposal.profiles()),
                tools.compiled(),
                tools.settings().get().sharedProfileNamespace(),
                () -> now);
    }

    private ProfileCatalog.Lookup found(StoredProfile profile) {
        ProfileContent content = profile.content();
        if (content == null) {
            return new ProfileCatalog.Lookup.NotUsable(profile.notUsable());
        }
        return new ProfileCatalog.Lookup.Found(
                new RenderInput.Profile(profile.namespace(), profile.name(), content.compiled(tools.compiled())));
    }

    /**
     * With other settings. What their references name is not read: of Secrets there are placeholders, certificates are those of now.
     *
     * @throws TenantMistake when the settings cannot be read
     */
    private TenantInputs inputs(TenantInputs now, Proposal proposal) {
        if (proposal.spec() == null) {
            return now;
        }
        SettingsResolver.OwnSettings own = SettingsResolver.read("WorkerCluster " + view.name(), proposal.spec());
        if (!own.mistakes().isEmpty()) {
            throw new TenantMistake(own.mistakes());
        }
        TenantSettings settings =
                new EffectiveSettings(own.layer(), tools.settings().get().defaults()).settings();
        RenderInput.References references = now.references();
        return new TenantInputs(
                now.namespace(),
                now.workerCluster(),
                now.hubId(),
                settings,
                references == null ? null : CredentialFree.of(references, settings.provisioning()),
                now.mistakes(),
                now.kubeconfigCa(),
                now.paused());
    }
}
