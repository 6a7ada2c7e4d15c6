package io.osmhub.tenancy.crds;

import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.crds.DefinitionInstaller.InstallPolicy;
import io.osmhub.tenancy.crds.InstalledDefinitions.InstalledDefinition;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Installs the hub's CustomResourceDefinitions at its start and when they are deleted, and follows what is installed. Without
 * permission the hub starts anyway, and this checks again, because the permission may be granted while it runs. Thread-safe.
 */
public final class DefinitionController {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionController.class);
    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private static final Duration AFTER_REFUSAL = Duration.ofMinutes(1);

    private final KubeApi managementApi;
    private final InstallPolicy installPolicy;
    private final RenewalLoop renewalLoop;
    private final Map<ShippedDefinition, ManagementStore<InstalledDefinition>> informers =
            new EnumMap<>(ShippedDefinition.class);

    private volatile InstalledDefinitions installedDefinitions = InstalledDefinitions.asShipped();
    private volatile Runnable onStarted = () -> {};
    private volatile Runnable onChanged = () -> {};
    /** Confined to {@link #renewalLoop}. */
    private boolean started;

    /** A controller that has not read anything yet. */
    public DefinitionController(KubeApi managementApi, InstallPolicy installPolicy, RuntimeContext runtimeContext) {
        this.managementApi = managementApi;
        this.installPolicy = installPolicy;
        this.renewalLoop = new RenewalLoop(
                "Installation of CustomResourceDefinitions",
                () -> RETRY,
                () -> install(),
                (cause, inARow) -> LOG.atWarn()
                        .addKeyValue("cause", cause)
                        .log("Could not read or install CustomResourceDefinitions, retrying"),
                runtimeContext);
        for (ShippedDefinition definition : ShippedDefinition.values()) {
            informers.put(
                    definition,
                    new ManagementStore<>(
                            Selection.where(
                                    Resource.CUSTOM_RESOURCE_DEFINITIONS,
                                    "",
                                    "metadata.name=" + definition.definitionName()),
                            object -> InstalledDefinition.of(definition, object),
                            (key, before, after, origin) ->
                                    runtimeContext.blockingExecutor().execute(() -> follow(definition)),
                            // Without permission to watch them, the definitions read at start are used.
                            NoopListWatchListener.INSTANCE,
                            runtimeContext));
        }
    }

    /**
     * Starts to install and to follow. The tasks run on any thread and may block.
     *
     * @param started called once, when the definitions were read, or may not be
     * @param changed called when what is installed has changed
     */
    public void start(Runnable started, Runnable changed) {
        onStarted = started;
        onChanged = changed;
        renewalLoop.wake();
    }

    /**
     * Reads the definitions once instead; without permission they count as shipped. Blocks.
     *
     * @return false after {@link #stop}
     */
    public boolean readOnce() {
        if (renewalLoop.isStopped()) {
            return false;
        }
        try {
            installedDefinitions = new DefinitionInstaller(managementApi).install(InstallPolicy.NEVER);
        } catch (ApiFailure e) {
            LOG.atDebug().addKeyValue("cause", e.text()).log("Not permitted to read CustomResourceDefinitions");
        }
        return true;
    }

    public void stop() {
        renewalLoop.stop();
        informers.values().forEach(ManagementStore::stop);
    }

    /** As last read. */
    public InstalledDefinitions installed() {
        return installedDefinitions;
    }

    /** Delay of the next check; null if the definitions are installed. */
    private @Nullable Duration install() throws ApiFailure {
        Duration next = null;
        try {
            // Not fenced: concurrent installations by several replicas are safe.
            InstalledDefinitions found = new DefinitionInstaller(managementApi).install(installPolicy);
            update(known -> found);
        } catch (ApiFailure e) {
            boolean needed = !started || !installedDefinitions.isComplete();
            if (needed && e.isTransient()) {
                throw e;
            }
            LOG.atLevel(needed ? Level.WARN : Level.DEBUG)
                    .addKeyValue("cause", e.text())
                    .log("Not permitted to read or install CustomResourceDefinitions, retrying every minute; run"
                            + " hub install crds, or grant the hub its permissions");
            next = AFTER_REFUSAL;
        }
        if (!started && !renewalLoop.isStopped()) {
            started = true;
            onStarted.run();
            informers.values().forEach(informer -> informer.start(managementApi));
        }
        return next;
    }

    /** Reads the cache when it runs, because two changes may be applied in either order. */
    private void follow(ShippedDefinition definition) {
        ManagementStore<InstalledDefinition> informer =
                Objects.requireNonNull(informers.get(definition), "one for each definition");
        InstalledDefinition found = informer.find("", definition.definitionName());
        if (found == null && informer.unreadable("", definition.definitionName()) != null) {
            return;
        }
        update(known -> known.with(definition, found));
        // Extensions are deleted with their definition: installing it again would remove them from what is published.
        if (found == null && definition != ShippedDefinition.PROFILE_EXTENSIONS) {
            renewalLoop.wake();
        }
    }

    private void update(UnaryOperator<InstalledDefinitions> change) {
        InstalledDefinitions before;
        InstalledDefinitions now;
        synchronized (this) {
            before = installedDefinitions;
            now = change.apply(before);
            installedDefinitions = now;
        }
        if (!now.equals(before)) {
            now.logChanges(before);
            onChanged.run();
        }
    }
}
