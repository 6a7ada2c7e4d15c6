package io.osmhub.core.osc;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.AllowedValues;
import io.osmhub.core.schema.FieldDescription;
import org.jspecify.annotations.Nullable;

/** A cloud provider with its unchanged settings. In a profile only the name is used. */
@WireRecord
public record WireCloudProvider(
        @FieldDescription("Name of the cloud provider.")
        @AllowedValues({
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

        @FieldDescription("Settings of the provider, passed through as they are.") @Nullable JsonNode spec) {}
