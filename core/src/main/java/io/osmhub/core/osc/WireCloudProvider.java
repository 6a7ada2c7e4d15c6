package io.osmhub.core.osc;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.Wire;
import io.osmhub.core.schema.Choices;
import io.osmhub.core.schema.Described;
import org.jspecify.annotations.Nullable;

/** A cloud provider, with its own settings as they came. In a profile only the name is read. */
@Wire
public record WireCloudProvider(
        @Described("Name of the cloud provider.")
        @Choices({
            "aws",
            "azure",
            "digitalocean",
            "edge",
            "gce",
            "hetzner",
            "kubevirt",
            "linode",
            "nutanix",
            "openstack",
            "vsphere",
            "fake",
            "alibaba",
            "anexia",
            "scaleway",
            "baremetal",
            "external",
            "vmware-cloud-director",
            "opennebula",
            "equinixmetal"
        })
        String name,

        @Described("Settings of the provider, passed through as they are.") @Nullable JsonNode spec) {}
