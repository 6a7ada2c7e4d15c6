package io.osmhub.sim.objects;

/** A kind of object in any version: {@code group} is empty for the core group. Written as in kubectl: {@code leases.coordination.k8s.io}. */
public record ResourceKey(String group, String plural) {
    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
