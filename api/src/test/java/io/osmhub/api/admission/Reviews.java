package io.osmhub.api.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.admission.AdmissionReviewJson.AdmissionRequest;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.admission.AdmissionView.AdmittedTenant;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.TenantEligibility.RegistrationState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Questions of API servers, and what they are about. */
final class Reviews {
    static final String UID = "705ab4f5-6393-11e8-b7cc-42010a800002";
    private static final ObjectMapper JSON = new ObjectMapper();

    private Reviews() {}

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    static AdmissionRequest of(String operation, @Nullable JsonNode object, @Nullable JsonNode old) {
        JsonNode none = JSON.missingNode();
        return new AdmissionRequest(
                "admission.k8s.io/v1",
                UID,
                operation,
                json("{'username':'jane','groups':['team-a'],'extra':{'scope':['x']}}"),
                object == null ? none : object,
                old == null ? none : old,
                Duration.ofSeconds(10));
    }

    /** Users who may get these Secrets and do nothing else. */
    static CallerAuthorizer mayGet(String... secrets) {
        return new CallerAuthorizer() {
            @Override
            public boolean isAllowed(Caller caller, Verb verb, Resource resource, String namespace, String name) {
                return verb == Verb.GET
                        && resource == Resource.SECRETS
                        && namespace.equals("t")
                        && caller.equals(new Caller("jane", "", List.of("team-a"), Map.of("scope", List.of("x")), null))
                        && List.of(secrets).contains(name);
            }

            @Override
            public VisibleTenants findVisibleTenants(Caller caller, Verb verb, Resource resource) {
                throw new UnsupportedOperationException("no list here");
            }
        };
    }

    static AdmissionRequest create(JsonNode object) {
        return of("CREATE", object, null);
    }

    static AdmissionRequest update(JsonNode object, JsonNode old) {
        return of("UPDATE", object, old);
    }

    /** The whole AdmissionReview as it comes over the wire. */
    static String wire(String version, AdmissionRequest review) {
        ObjectNode json = JSON.createObjectNode();
        json.put("apiVersion", version).put("kind", "AdmissionReview");
        ObjectNode request = json.putObject("request").put("uid", review.uid()).put("operation", review.operation());
        request.set("userInfo", review.user());
        request.set("object", review.object().isMissingNode() ? JSON.nullNode() : review.object());
        request.set("oldObject", review.oldObject().isMissingNode() ? JSON.nullNode() : review.oldObject());
        return json.toString();
    }

    /** On aws with ubuntu, without annotations. */
    static ObjectNode machineDeployment() {
        return machineDeployment("aws", "ubuntu", "{}");
    }

    static ObjectNode machineDeployment(String provider, String system, String systemSpec) {
        return json("""
            {'apiVersion':'cluster.k8s.io/v1alpha1','kind':'MachineDeployment',
             'metadata':{'name':'workers','namespace':'kube-system'},
             'spec':{'foo':{'kept':[1,2]},'replicas':1,'template':{'spec':{'versions':{'kubelet':'1.34.2'},
               'providerSpec':{'value':{'cloudProvider':'%s','cloudProviderSpec':{},'operatingSystem':'%s',
                 'operatingSystemSpec':%s}}}}}}\
            """.formatted(provider, system, systemSpec));
    }

    /** With one file whose template is given. */
    static ObjectNode profile(String system, String version, String template) {
        ObjectNode profile = json("""
            {'apiVersion':'operatingsystemmanager.k8c.io/v1alpha1','kind':'OperatingSystemProfile',
             'metadata':{'name':'osp-x','namespace':'tenant-a'},
             'spec':{'osName':'%s','osVersion':'24.04','version':'%s','provisioningUtility':'cloud-init',
               'supportedCloudProviders':[{'name':'aws'},{'name':'gce'}],
               'bootstrapConfig':{'files':[{'path':'/opt/a','permissions':755,
                 'content':{'inline':{'encoding':'b64','data':''}}}]},
               'provisioningConfig':{'files':[]}}}\
            """.formatted(system, version));
        ((ObjectNode) profile.at("/spec/bootstrapConfig/files/0/content/inline")).put("data", template);
        return profile;
    }

    /** Enforced on ubuntu, with one file whose content is given. */
    static ObjectNode extension(String namespace, String content) {
        ObjectNode extension = json("""
            {'apiVersion':'osmhub.io/v1alpha1','kind':'OperatingSystemProfileExtension',
             'metadata':{'name':'corp-x','namespace':'%s'},
             'spec':{'target':{'operatingSystems':['ubuntu']},'policy':'Enforced',
               'provisioning':{'files':[{'path':'/etc/corp','content':''}]}}}\
            """.formatted(namespace));
        ((ObjectNode) extension.at("/spec/provisioning/files/0")).put("content", content);
        return extension;
    }

    /** A tenant whose catalog is given. */
    static AdmittedTenant tenant(ProfileCatalog profiles, Map<String, String> byOperatingSystem, ObjectKey... others) {
        return new AdmittedTenant(
                "tenant-a",
                "worker",
                "uid-a",
                new TenantSettings.Profiles(List.of(), InstallDefaults.SHARED, byOperatingSystem),
                profiles,
                () -> List.of(others),
                machineDeployment -> List.of());
    }

    /** A hub with tenants, all of whose WorkerClusters would be served. */
    record FakeHub(
            Map<String, AdmittedTenant> tenants,
            List<Problem> conflicts,
            @Nullable ExtensionImpact impact) implements AdmissionView {
        FakeHub(Map<String, AdmittedTenant> tenants) {
            this(tenants, List.of(), null);
        }

        @Override
        public ExtensionImpact impactOf(StoredExtension proposed) {
            return impact == null ? new ExtensionImpact(proposed.mistakes(), 0, false, 0, 0) : impact;
        }

        @Override
        public List<Problem> findExtensionConflicts(StoredProfile proposed) {
            return conflicts;
        }

        @Override
        public Optional<AdmittedTenant> tenant(String namespace, String name) {
            return Optional.ofNullable(tenants.get(namespace + "/" + name));
        }

        @Override
        public Optional<AdmittedTenant> local() {
            return Optional.empty();
        }

        @Override
        public RegistrationState standing(WorkerClusterRecord candidate) {
            if (candidate.name().equals("fault")) {
                throw new IllegalStateException("a fault of the hub with a secret in it");
            }
            return new RegistrationState.Served();
        }

        @Override
        public boolean offersProfiles(String namespace) {
            return namespace.equals("offered");
        }
    }
}
