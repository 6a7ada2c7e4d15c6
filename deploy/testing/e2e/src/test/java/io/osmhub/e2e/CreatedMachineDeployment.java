package io.osmhub.e2e;

/** A MachineDeployment that a test created, and whether a hub has published it. */
record CreatedMachineDeployment(RealTenant tenant, MachineDeploymentObjectNames names) {
    boolean isPublished() {
        return tenant.secret(names.bootstrap()).isPresent()
                && tenant.secret(names.provisioning()).isPresent()
                && tenant.osc(names.osc()).isPresent();
    }

    @Override
    public String toString() {
        return tenant.namespace() + "/" + names.name();
    }
}
