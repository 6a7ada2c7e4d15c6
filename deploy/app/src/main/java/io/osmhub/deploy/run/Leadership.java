package io.osmhub.deploy.run;

import io.osmhub.tenancy.lease.LeaseKeeper;
import io.osmhub.tenancy.lease.LeaseTerms;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.Surroundings;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether this process is the one that serves. It is while it holds every one of its Leases; without any, always. */
final class Leadership {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    private final List<LeaseKeeper> keepers = new ArrayList<>();
    private volatile Runnable changed = () -> {};

    /** One more Lease to hold. */
    void add(KubeApi api, LeaseTerms terms, Surroundings around) {
        keepers.add(new LeaseKeeper(
                api,
                terms,
                new LeaseKeeper.Changes() {
                    @Override
                    public void taken() {
                        LOG.atInfo()
                                .addKeyValue("lease", terms.namespace() + "/" + terms.name())
                                .log("Lease taken");
                        changed.run();
                    }

                    @Override
                    public void lost(String cause) {
                        LOG.atWarn()
                                .addKeyValue("lease", terms.namespace() + "/" + terms.name())
                                .addKeyValue("cause", cause)
                                .log("Lease lost, nothing is written until it is held again");
                        changed.run();
                    }
                },
                around));
    }

    /** @param onChange told when the answer of {@link #mayWrite} may be another; hands over and returns */
    void start(Runnable onChange) {
        changed = onChange;
        keepers.forEach(LeaseKeeper::start);
    }

    boolean mayWrite() {
        return keepers.stream().allMatch(LeaseKeeper::mayWrite);
    }

    /** Lets go at once, so that another process need not wait. Waits for the answers. */
    void stop() {
        keepers.forEach(LeaseKeeper::stop);
    }
}
