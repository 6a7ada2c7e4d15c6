package io.osmhub.core.osp;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.osc.OperatingSystemConfigResource.OperatingSystemName;
import io.osmhub.core.osc.OperatingSystemConfigResource.ProvisioningUtilityName;
import io.osmhub.core.osc.OperatingSystemConfigResource.WireCloudProvider;
import io.osmhub.core.osc.OperatingSystemConfigResource.WireFile;
import io.osmhub.core.osc.OperatingSystemConfigResource.WireModules;
import io.osmhub.core.osc.OperatingSystemConfigResource.WireUnit;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ResourceMetadata;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldAnnotations.AllowedValues;
import io.osmhub.core.schema.FieldAnnotations.DefaultValue;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.ServerValidated;
import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import io.osmhub.core.schema.ObjectValidator;
import io.osmhub.core.schema.RecordSchemaReader;
import io.osmhub.core.schema.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The schema of OperatingSystemProfiles: OSM's fields and a status; {@link ProfileAnnotations} has the hub's fields. {@link ProfileReader} reads stored ones. */
@WireRecord
public record OperatingSystemProfileResource(
        @ServerValidated String apiVersion,
        @ServerValidated String kind,
        @ServerValidated ResourceMetadata metadata,

        @FieldDescription("What machines of one operating system get, as templates.")
        Spec spec,

        @FieldDescription("What the hub found. Written by the hub only.") @Nullable OperatingSystemProfileStatus status) {

    /** Built on first use: reading annotations is slow, and a running hub needs no schema. */
    private static final class SchemaHolder {
        static final Schema.ObjectSchema SCHEMA = RecordSchemaReader.readSchema(
                OperatingSystemProfileResource.class,
                "OperatingSystemProfile is the template of a machine's configuration for one operating system.");
    }

    /** Of the whole object. */
    public static Schema.ObjectSchema schema() {
        return SchemaHolder.SCHEMA;
    }

    /**
     * Returns what the API server would reject.
     *
     * @param object an OperatingSystemProfile as read from a file
     */
    public static List<ProblemFinding> check(JsonNode object) {
        String name = object.path("metadata").path("name").asText();
        return ObjectValidator.check(
                        schema(), object, null, Reason.ProfileWarnings.wireName(), "OperatingSystemProfile " + name)
                .stream()
                .map(OperatingSystemProfileResource::withAnnotation)
                .toList();
    }

    private static ProblemFinding withAnnotation(ProblemFinding finding) {
        String annotation = finding.field().startsWith("spec.")
                ? ProfileAnnotations.of(finding.field().substring("spec.".length()))
                : null;
        return annotation == null
                ? finding
                : new ProblemFinding(
                        finding.reason(),
                        finding.object(),
                        finding.field(),
                        finding.what(),
                        "set annotation " + annotation + " instead");
    }

    /** {@code spec} as stored. */
    @WireRecord
    public record Spec(
            @FieldDescription("Operating system that the profile is for.") @OperatingSystemName
            String osName,

            @FieldDescription("Version of the operating system; informational.")
            String osVersion,

            @FieldDescription("Version of the profile, for example v1.2.3. A change of the profile wants a new one.")
            @TextLimits(
                    pattern = OperatingSystemProfile.VERSION,
                    form = "a semantic version with a leading v, for example v1.2.3")
            String version,

            @FieldDescription("Cloud providers that the profile works with.")
            List<WireCloudProvider> supportedCloudProviders,

            @FieldDescription("What configures a machine at its first boot.")
            @DefaultValue("cloud-init")
            @ProvisioningUtilityName
            @Nullable String provisioningUtility,

            @FieldDescription("What a machine gets as user-data: it fetches the rest.")
            Config bootstrapConfig,

            @FieldDescription("What makes a machine a node.")
            Config provisioningConfig) {}

    /** One of the two configurations of a profile, as stored. */
    @WireRecord
    public record Config(
            @FieldDescription(
                    "Files and snippets for one container runtime; the first entry of the runtime in use counts.")
            @Nullable List<ContainerRuntime> supportedContainerRuntimes,

            @FieldDescription("Named snippets that files may use.") @Nullable Map<String, String> templates,

            @FieldDescription("systemd units, copied as they are. Only with flatcar.") @Nullable List<WireUnit> units,

            @FieldDescription("Files; the content of each is a template.") @Nullable List<WireFile> files,

            @FieldDescription("cloud-init modules, copied as they are.") @Nullable WireModules modules) {}

    /** Files and snippets for one container runtime, as stored. */
    @WireRecord
    public record ContainerRuntime(
            @FieldDescription("Name of the container runtime.") @AllowedValues({"docker", "containerd"})
            String name,

            @FieldDescription("Files for this runtime, after the others.")
            List<WireFile> files,

            @FieldDescription("Named snippets for this runtime.") @Nullable Map<String, String> templates) {}
}
