package io.osmhub.tenancy;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Previewer;
import io.osmhub.core.plan.Previewer.Preview;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemException;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.CredentialRemover;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.TenantProfileCatalog;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ExtensionAccess;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileAccess;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileLister;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProposedProfileLister;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.tenancy.settings.SettingsResolver;
import io.osmhub.workersync.Machines;
import io.osmhub.workersync.WorkerSync;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.reconcile.MachineDeploymentViews.MachineDeploymentView;
import io.osmhub.workersync.reconcile.RenderExecutor;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A tenant that this replica serves, for queries and previews. Writes nothing and returns no credentials. Rendering uses separate
 * renderExecutor, so that it does not delay publishing.
 */
public final class LiveTenant {
    private final TenantView view;
    private final @Nullable WorkerSync sync;
    private final ProfileAccess profileAccess;
    private final ProfileLister profiles;
    private final ExtensionAccess extensionAccess;
    private final PreviewDependencies previewDependencies;

    /**
     * Shared by all previews.
     *
     * @param renderExecutor separate from those for publishing
     * @param compiled separate from the cache for publishing, so that previews evict nothing from it
     * @param settings current settings of the hub
     */
    record PreviewDependencies(
            Previewer previewer,
            RenderExecutor renderExecutor,
            CompiledProfileCache compiled,
            Supplier<HubSettings> settings) {}

    /** @param sync null while none runs */
    LiveTenant(
            TenantView view,
            @Nullable WorkerSync sync,
            ProfileAccess profileAccess,
            ProfileLister profiles,
            ExtensionAccess extensionAccess,
            PreviewDependencies previewDependencies) {
        this.view = view;
        this.sync = sync;
        this.profileAccess = profileAccess;
        this.profiles = profiles;
        this.extensionAccess = extensionAccess;
        this.previewDependencies = previewDependencies;
    }

    public TenantView view() {
        return view;
    }

    /** The profiles that it may use. */
    ProfileLister profiles() {
        return profiles;
    }

    /** MachineDeployments with a profile, or with a former one, by namespace and name. */
    public List<ObjectKey> machineDeployments() {
        return sync == null ? List.of() : sync.machineDeploymentViews().keys();
    }

    /** Name of a MachineDeployment's profile; empty if not set. */
    public String profileOf(ObjectKey machineDeployment) {
        return sync == null ? "" : sync.machineDeploymentViews().profileOf(machineDeployment);
    }

    /** Empty if the MachineDeployment does not exist or has not been observed yet. */
    public Optional<MachineDeploymentView> machineDeployment(ObjectKey key) {
        return sync == null
                ? Optional.empty()
                : Optional.ofNullable(sync.machineDeploymentViews().find(key));
    }

    /** Time of the last event from the worker cluster; empty before the first. */
    public Optional<Instant> lastEvent() {
        return sync == null ? Optional.empty() : Optional.ofNullable(sync.lastEvent());
    }

    /** Reads its machines; blocks. See {@link WorkerSync#readMachines}. */
    public Machines machines(ObjectKey machineDeployment) throws ApiFailure {
        return requireSync().readMachines(machineDeployment.namespace(), machineDeployment.name());
    }

    /** Name of a machine's MachineDeployment; empty if it has none. Blocks. */
    public String findMachineDeployment(String namespace, String machine) throws ApiFailure {
        return requireSync().findMachineDeployment(namespace, machine);
    }

    private WorkerSync requireSync() throws ApiFailure {
        if (sync == null) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "not connected to the worker cluster");
        }
        return sync;
    }

    /**
     * The profile that a MachineDeployment would use.
     *
     * @return empty if it does not exist, or the tenant may not use it
     */
    public Optional<RenderInput.Profile> profile(ObjectKey key, PreviewProposal proposal) {
        Facts facts = sync == null ? null : facts(sync, key, proposal, sync.inputs());
        if (facts == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(facts.profile().value());
    }

    /**
     * Renders a MachineDeployment with a proposal. Waits for its turn.
     *
     * @param key only names the MachineDeployment if the proposal contains one
     * @return empty if the MachineDeployment does not exist, or the worker cluster is not synced
     */
    public Optional<PreviewResult> previewRendering(ObjectKey key, PreviewProposal proposal) {
        WorkerSync running = sync;
        if (running == null) {
            return Optional.empty();
        }
        try {
            Facts facts = facts(running, key, proposal, inputs(running.inputs(), proposal));
            if (facts == null) {
                return Optional.empty();
            }
            Preview preview = previewDependencies.renderExecutor().call(view.namespace(), () -> previewDependencies
                    .previewer()
                    .preview(facts));
            return Optional.of(new PreviewResult(preview, toDiagnoses(preview.findings())));
        } catch (ProblemException e) {
            return Optional.of(new PreviewResult(null, toDiagnoses(e.findings())));
        }
    }

    private List<Problem> toDiagnoses(List<Problem> findings) {
        return findings.stream()
                .map(finding -> finding.inTenant(view.namespace(), view.name()))
                .toList();
    }

    private @Nullable Facts facts(WorkerSync running, ObjectKey key, PreviewProposal proposal, TenantInputs inputs) {
        return running.machineDeploymentViews()
                .facts(key, proposal.machineDeployment(), inputs, catalog(proposal, inputs));
    }

    private ProfileCatalog catalog(PreviewProposal proposal, TenantInputs inputs) {
        ProfileAccess now = proposal.spec() == null
                ? profileAccess
                : ProfileAccess.of(view.namespace(), inputs.settings().profiles());
        String shared = previewDependencies.settings().get().sharedProfileNamespace();
        TenantProfileCatalog catalog = new TenantProfileCatalog(
                new ProposedProfileLister(profiles, proposal.profiles(), shared),
                previewDependencies.compiled(),
                shared,
                () -> now,
                new ExtensionAccess(
                        extensionAccess.extensionLister(), extensionAccess.labels(), proposal.extensions()));
        StoredProfile given = proposal.profile();
        return given == null ? catalog : machineDeployment -> catalog.extend(given, machineDeployment);
    }

    /**
     * Applies proposed settings. Their references are not read: Secrets get placeholders, certificates keep their current values.
     *
     * @throws TenantMistake if the settings cannot be read
     */
    private TenantInputs inputs(TenantInputs now, PreviewProposal proposal) {
        if (proposal.spec() == null) {
            return now;
        }
        SettingsResolver.OwnSettings own =
                SettingsResolver.read(ProblemObject.of("WorkerCluster", view.name()), proposal.spec());
        if (!own.mistakes().isEmpty()) {
            throw new TenantMistake(own.mistakes());
        }
        LayeredSettings current = view.settings();
        TenantSettings settings = (current == null
                        ? new LayeredSettings(
                                own.layer(),
                                previewDependencies.settings().get().defaults())
                        : current.withTenant(own.layer()))
                .toTenantSettings();
        RenderInput.References references = now.references();
        return new TenantInputs(
                now.namespace(),
                now.workerCluster(),
                now.hub(),
                settings,
                references == null ? null : CredentialRemover.removeCredentials(references, settings.provisioning()),
                now.mistakes(),
                now.kubeconfigCa(),
                now.writes());
    }

    /**
     * Proposed changes for a preview; nothing is stored.
     *
     * @param profiles additional profiles, replacing stored ones of the same name
     * @param profile profile to use regardless of the MachineDeployment; null for the one that it names
     * @param machineDeployment replaces the stored one; null to use that
     * @param spec replaces the WorkerCluster's spec; null to use that
     */
    public record PreviewProposal(
            List<StoredProfile> profiles,
            List<StoredExtension> extensions,
            @Nullable StoredProfile profile,
            @Nullable MachineDeployment machineDeployment,
            @Nullable JsonNode spec) {
        /** No changes. */
        public static final PreviewProposal NONE = new PreviewProposal(List.of(), List.of(), null, null, null);

        public PreviewProposal {
            profiles = List.copyOf(profiles);
            extensions = List.copyOf(extensions);
        }

        /** Omits the objects: a MachineDeployment may contain credentials. */
        @Override
        public String toString() {
            return "Proposal[" + profiles.size() + " profiles]";
        }
    }

    /**
     * Result of rendering a preview.
     *
     * @param preview null if it cannot be rendered
     * @param problems an error prevents publishing
     */
    public record PreviewResult(@Nullable Preview preview, List<Problem> problems) {
        public PreviewResult {
            problems = problems.stream()
                    .sorted(Comparator.comparing(problem -> problem.reason().severity()))
                    .toList();
        }

        public boolean published() {
            return preview != null
                    && problems.stream().noneMatch(problem -> problem.reason().severity() == Severity.ERROR);
        }
    }
}
