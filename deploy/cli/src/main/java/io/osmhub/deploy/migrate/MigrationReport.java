package io.osmhub.deploy.migrate;

import java.util.ArrayList;
import java.util.List;

/** What a takeover or a return changed in the worker cluster, counted before and after. */
public record MigrationReport(Totals totals, List<TenantResult> items) {
    public MigrationReport {
        items = List.copyOf(items);
    }

    public static MigrationReport of(List<TenantResult> items) {
        return new MigrationReport(
                new Totals(
                        items.size(),
                        items.stream().mapToInt(TenantResult::objects).sum(),
                        items.stream().mapToInt(TenantResult::secretsWritten).sum(),
                        items.stream().mapToInt(TenantResult::revisionsMoved).sum()),
                items);
    }

    /**
     * Totals over all tenants.
     *
     * @param objects secrets, bootstrap tokens and MachineDeployments that were compared
     */
    public record Totals(int tenants, int objects, int secretsWritten, int revisionsMoved) {
        /** For example {@code tenants: 3, objects: 12, secrets written: 0, revisions moved: 0}. */
        @Override
        public String toString() {
            return "tenants: " + tenants + ", objects: " + objects + ", secrets written: " + secretsWritten
                    + ", revisions moved: " + revisionsMoved;
        }
    }

    /**
     * One tenant.
     *
     * @param osm namespace and name of OSM's Deployment
     * @param state that the hub reports; empty if it was not waited for
     */
    public record TenantResult(
            String namespace,
            String workerCluster,
            String osm,
            String state,
            int objects,
            int secretsWritten,
            int revisionsMoved,
            List<String> notes) {
        public TenantResult {
            notes = List.copyOf(notes);
        }
    }

    /** The lines for terminals. */
    public List<String> lines(String verb) {
        List<String> lines = new ArrayList<>();
        for (TenantResult one : items) {
            lines.add("WorkerCluster " + one.namespace() + "/" + one.workerCluster() + " " + verb + " " + one.osm()
                    + (one.state().isEmpty() ? "" : ", " + one.state()));
            one.notes().forEach(note -> lines.add("  " + note));
        }
        lines.add(totals.toString());
        return lines;
    }
}
