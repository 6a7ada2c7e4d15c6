package io.osmhub.deploy.run;

import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.tenancy.Hub;
import io.osmhub.tenancy.HubSettings;
import io.osmhub.tenancy.SoleTenant;
import io.osmhub.tenancy.TenantDirectory;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a process serves, as far as the process has to know: all tenants that it finds, or the one that its flags name. */
sealed interface Served {
    void start();

    void stop();

    /** Whether this process serves may be another than before. */
    void leadershipChanged();

    void settings(HubSettings now);

    /** Everything of the management cluster was read once. */
    boolean isReady();

    /** What of the management cluster was not read yet. */
    List<String> missingLists();

    Optional<String> managementProblem();

    TenantDirectory tenants();

    int statusBacklog();

    /** Objects of the management cluster in memory, by kind. */
    Map<String, Integer> cached();

    /** Compiled profiles in memory, by language. */
    Map<TemplateLanguage, Integer> compiledProfiles();

    /** {@code hub run}. */
    record Tenants(Hub hub) implements Served {
        @Override
        public void start() {
            hub.start();
        }

        @Override
        public void stop() {
            hub.stop();
        }

        @Override
        public void leadershipChanged() {
            hub.shareChanged();
        }

        @Override
        public void settings(HubSettings now) {
            hub.settings(now);
        }

        @Override
        public boolean isReady() {
            return hub.isReady();
        }

        @Override
        public List<String> missingLists() {
            return hub.missingLists();
        }

        @Override
        public Optional<String> managementProblem() {
            return hub.managementProblem();
        }

        @Override
        public TenantDirectory tenants() {
            return hub;
        }

        @Override
        public int statusBacklog() {
            return hub.statusBacklog();
        }

        @Override
        public Map<String, Integer> cached() {
            return hub.cached();
        }

        @Override
        public Map<TemplateLanguage, Integer> compiledProfiles() {
            return hub.compiledProfiles();
        }
    }

    /** {@code hub controller}. Its caches are kept while another process leads; only writes are held back. */
    record Sole(SoleTenant tenant) implements Served {
        @Override
        public void start() {
            tenant.start();
        }

        @Override
        public void stop() {
            tenant.stop();
        }

        @Override
        public void leadershipChanged() {
            tenant.leadershipChanged();
        }

        @Override
        public void settings(HubSettings now) {
            tenant.settings(now.defaults());
        }

        @Override
        public boolean isReady() {
            return tenant.isReady();
        }

        @Override
        public List<String> missingLists() {
            return tenant.missingLists();
        }

        @Override
        public Optional<String> managementProblem() {
            return tenant.managementProblem();
        }

        @Override
        public TenantDirectory tenants() {
            return tenant;
        }

        @Override
        public int statusBacklog() {
            return 0;
        }

        @Override
        public Map<String, Integer> cached() {
            return Map.of();
        }

        @Override
        public Map<TemplateLanguage, Integer> compiledProfiles() {
            return tenant.compiledProfiles();
        }
    }
}
