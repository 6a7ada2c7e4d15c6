package io.osmhub.tenancy.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.FailurePolicy;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The hub's webhook configuration for a worker cluster. */
final class WebhookManifest {
    /** Name in every cluster. */
    static final String NAME = "osm-hub";

    static final String HUB_ID = "osmhub.io/hub-id";

    private static final String TENANT = "osmhub.io/tenant";

    /** Deleting an object is never blocked, and only changes that can affect the response are asked about. */
    private static final List<MatchCondition> CONDITIONS = List.of(
            new MatchCondition("!has(object.metadata.deletionTimestamp)", "not-being-deleted"),
            new MatchCondition("""
                    request.operation == 'CREATE'\
                     || object.spec.template != oldObject.spec.template\
                     || !has(object.metadata.annotations)\
                     || !has(oldObject.metadata.annotations)\
                     || !('PROFILE' in object.metadata.annotations)\
                     || object.metadata.annotations != oldObject.metadata.annotations""".replace("PROFILE", MachineDeployment.PROFILE), "changed-in-what-matters"));

    private WebhookManifest() {}

    /**
     * @param url that the API server calls
     * @param authorities PEM; empty if the API server trusts the certificate already
     * @param tenant {@code namespace/name} of the WorkerCluster
     * @param hubId of this hub; empty while unknown
     */
    static MutatingWebhookConfiguration of(
            String url, String authorities, TenantSettings.Admission settings, String tenant, String hubId) {
        return new MutatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName(NAME)
                .addToLabels("app.kubernetes.io/managed-by", NAME)
                .addToAnnotations(TENANT, tenant)
                .addToAnnotations(hubId.isEmpty() ? Map.of() : Map.of(HUB_ID, hubId))
                .endMetadata()
                .addNewWebhook()
                .withName("machinedeployments.osmhub.io")
                .addNewRule()
                .withApiGroups("cluster.k8s.io")
                .withApiVersions("v1alpha1")
                .withOperations("CREATE", "UPDATE")
                .withResources("machinedeployments")
                .withScope("Namespaced")
                .endRule()
                .withMatchPolicy("Equivalent")
                .withReinvocationPolicy("Never")
                .withSideEffects("None")
                .withAdmissionReviewVersions("v1", "v1beta1")
                .withMatchConditions(CONDITIONS)
                .withFailurePolicy(settings.failurePolicy() == FailurePolicy.FAIL ? "Fail" : "Ignore")
                .withTimeoutSeconds(settings.timeoutSeconds())
                .withNewClientConfig()
                .withUrl(url)
                .withCaBundle(
                        authorities.isEmpty() ? null : Base64.getEncoder().encodeToString(authorities.getBytes(UTF_8)))
                .endClientConfig()
                .endWebhook()
                .build();
    }
}
