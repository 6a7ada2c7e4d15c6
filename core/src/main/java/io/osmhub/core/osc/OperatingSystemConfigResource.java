package io.osmhub.core.osc;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.ResourceMetadata;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldAnnotations.AllowedValues;
import io.osmhub.core.schema.FieldAnnotations.DefaultValue;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.ServerValidated;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The schema of OperatingSystemConfigs. {@link OperatingSystemConfigReader} reads stored ones. */
@WireRecord
public record OperatingSystemConfigResource(
        @ServerValidated String apiVersion,
        @ServerValidated String kind,
        @ServerValidated ResourceMetadata metadata,

        @FieldDescription("The configuration of one MachineDeployment's machines, rendered. Never changed once stored.")
        Spec spec,

        @FieldDescription("What the hub found and published. Written by the hub only.") @Nullable OperatingSystemConfigStatus status) {

    /** {@code spec} as stored. */
    @WireRecord
    public record Spec(
            @FieldDescription("Operating system of the machines.") @OperatingSystemName
            String osName,

            @FieldDescription("Version of the operating system; informational.")
            String osVersion,

            @FieldDescription("Cloud provider of the machines, with the settings of the MachineDeployment.")
            WireCloudProvider cloudProvider,

            @FieldDescription("What a machine gets as user-data: it fetches the rest.")
            Config bootstrapConfig,

            @FieldDescription("What makes a machine a node.")
            Config provisioningConfig,

            @FieldDescription("What configures a machine at its first boot.")
            @DefaultValue("cloud-init")
            @ProvisioningUtilityName
            @Nullable String provisioningUtility) {}

    /** One of the two rendered configurations, as stored. */
    @WireRecord
    public record Config(
            @FieldDescription("systemd units.") @Nullable List<WireUnit> units,

            @FieldDescription("Files, rendered.") @Nullable List<WireFile> files,

            @FieldDescription("SSH public keys of the user.") @Nullable List<String> userSSHKeys,

            @FieldDescription("cloud-init modules.") @Nullable WireModules modules) {}

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

    /** A file as stored: a template in a profile, rendered in an OperatingSystemConfig. */
    @WireRecord
    public record WireFile(
            @FieldDescription("Path on the node.") String path,

            @FieldDescription("Decimal number whose digits are the octal mode, for example 755.")
            @DefaultValue("644")
            @Nullable Integer permissions,

            @FieldDescription("Content of the file.") Content content) {

        /** Location of the content; only one is defined. */
        @WireRecord
        public record Content(
                @FieldDescription("Content in place.") @Nullable Inline inline) {}

        @WireRecord
        public record Inline(
                @FieldDescription("How data is encoded: b64, or anything else for plain text.") @Nullable String encoding,

                @FieldDescription("The content.") String data) {}
    }

    /** cloud-init modules as stored. */
    @WireRecord
    public record WireModules(
            @FieldDescription("Commands that run early at every boot.") @Nullable List<String> bootcmd,

            @JsonProperty("rh_subscription") @FieldDescription("Settings of the Red Hat subscription.") @Nullable Map<String, String> rhSubscription,

            @FieldDescription("Commands that run at the end of the first boot.") @Nullable List<String> runcmd,

            @JsonProperty("yum_repos") @FieldDescription("Package repositories by name.") @Nullable Map<String, Map<String, String>> yumRepos,

            @JsonProperty("yum_repo_dir")
            @FieldDescription("Directory that the repository files are written to.")
            @Nullable String yumRepoDir) {}

    /** A systemd unit as stored. */
    @WireRecord
    public record WireUnit(
            @FieldDescription("Name of the unit.") String name,

            @FieldDescription("Whether the unit is enabled.") @Nullable Boolean enable,

            @FieldDescription("Whether the unit is masked.") @Nullable Boolean mask,

            @FieldDescription("Text of the unit.") @Nullable String content,

            @FieldDescription("Drop-ins of the unit.") @Nullable List<DropIn> dropIns) {

        /** A drop-in of a unit as stored. */
        @WireRecord
        public record DropIn(
                @FieldDescription("Name of the drop-in.") String name,
                @FieldDescription("Text of the drop-in.") String content) {}
    }

    /**
     * Operating systems that an object may name: those of OSM and of the hub's own profiles, and centos, which older
     * objects hold. Rendering decides which are supported.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @AllowedValues({"flatcar", "rhel", "ubuntu", "amzn2", "rockylinux", "amzn2023", "debian", "centos"})
    public @interface OperatingSystemName {}

    /** What configures a machine at its first boot. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @AllowedValues({"cloud-init", "ignition"})
    public @interface ProvisioningUtilityName {}
}
