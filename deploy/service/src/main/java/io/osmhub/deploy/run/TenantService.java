package io.osmhub.deploy.run;

import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.tenancy.Hub;
import io.osmhub.tenancy.HubSettings;
import io.osmhub.tenancy.SingleTenantHub;
import io.osmhub.tenancy.TenantDirectory;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a process serves: all discovered tenants, or the one of its flags. */
sealed interface TenantService {
    void start();

    void stop();

    /** Called when leadership may have changed. */
    void onLeadershipChanged();

    void applySettings(HubSettings now);

    /** Whether all of the management cluster has been read once. */
    boolean isReady();

    /** Kinds of the management cluster that are not read yet. */
    List<String> missingLists();

    Optional<String> managementProblem();

    TenantDirectory tenants();

    int statusBacklog();

    /** Cached objects of the management cluster by kind. */
    Map<String, Integer> cached();

    /** Cached compiled profiles by language. */
    Map<TemplateLanguage, Integer> compiledProfiles();

    /** {@code hub run}. */
    record AllTenants(Hub hub) implements TenantService {
        @Override
        public void start() {
            hub.start();
        }

        @Override
        public void stop() {
            hub.stop();
        }

        @Override
        public void onLeadershipChanged() {
            hub.onShardsChanged();
        }

        @Override
        public void applySettings(HubSettings now) {
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

    /** {@code hub controller}. A standby keeps its caches up to date and only suspends writes. */
    record OneTenant(SingleTenantHub tenant) implements TenantService {
        @Override
        public void start() {
            tenant.start();
        }

        @Override
        public void stop() {
            tenant.stop();
        }

        @Override
        public void onLeadershipChanged() {
            tenant.onLeadershipChanged();
        }

        @Override
        public void applySettings(HubSettings now) {
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
