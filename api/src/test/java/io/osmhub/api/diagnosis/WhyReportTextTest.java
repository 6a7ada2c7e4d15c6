package io.osmhub.api.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The texts of the command line's contract, word for word; only where lines are broken is free. */
final class WhyReportTextTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static void says(ASituation situation, String text) {
        String said = String.join("\n", WhyReportText.lines(WhyReportBuilder.build(situation.build()), 100));

        assertThat(collapsed(said)).isEqualTo(collapsed(text));
        // Commands are copied, so they are never wrapped.
        assertThat(said.lines())
                .filteredOn(line -> !line.startsWith("            kubectl"))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
    }

    private static String collapsed(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    @Test
    void nothingIsWrong() {
        says(new ASituation(), """
                Current: new nodes of kube-system/workers-b start with osp-ubuntu v1.4.0.
                  ok      Profile              osm-profiles/osp-ubuntu v1.4.0, ubuntu on aws
                  ok      Rendered config      revision 1, settings c55e81f0, content 9f41c07a
                  ok      Provisioning secret  24,310 B
                  ok      Bootstrap secret     3,148 B of 16,384 B, revision 1
                  ok      Bootstrap token      91 min left, kept above 20 min
                  ok      Worker connection    api.shop.example.org, v1.34.4, last event 2 s ago
                  ok      machine-controller   2 of 2 machines have their user-data
                """);
    }

    @Test
    void extensionsAreNamedWithTheProfile() {
        ASituation situation = new ASituation()
                .profile("osm-profiles/osp-ubuntu", "v1.11.2+ext.9f2e1a3c", "ubuntu", "aws")
                .extensions("osm-profiles/corp-root-ca", "cluster-7xk2m9/ntp");

        assertThat(WhyReportBuilder.build(situation.build()).links().getFirst().summary())
                .isEqualTo("osm-profiles/osp-ubuntu v1.11.2+ext.9f2e1a3c with extensions osm-profiles/corp-root-ca,"
                        + " cluster-7xk2m9/ntp");
        situation.extensions("osm-profiles/corp-root-ca");
        assertThat(WhyReportBuilder.build(situation.build()).links().getFirst().summary())
                .endsWith(" with extension osm-profiles/corp-root-ca");
    }

    @Test
    void anOptOutThatHasNoEffectIsAWarningBesideAnOkChain() {
        says(
                new ASituation()
                        .trouble(
                                Reason.ExtensionEnforced,
                                MINUTE,
                                "cluster-7xk2m9: MachineDeployment kube-system/workers-b, annotation"
                                        + " osmhub.io/profile-extensions: -ca has no effect, because"
                                        + " OperatingSystemProfileExtension osm-profiles/ca is Enforced; remove -ca from the"
                                        + " annotation"),
                """
                Current: new nodes of kube-system/workers-b start with osp-ubuntu v1.4.0.
                  Also    ExtensionEnforced at MachineDeployment kube-system/workers-b,
                          annotation osmhub.io/profile-extensions: -ca has no effect, because
                          OperatingSystemProfileExtension osm-profiles/ca is Enforced
                  Fix     remove -ca from the annotation, in worker cluster shop:
                            kubectl -n kube-system edit machinedeployment workers-b
                  ok      Profile              osm-profiles/osp-ubuntu v1.4.0, ubuntu on aws
                  ok      Rendered config      revision 1, settings c55e81f0, content 9f41c07a
                  ok      Provisioning secret  24,310 B
                  ok      Bootstrap secret     3,148 B of 16,384 B, revision 1
                  ok      Bootstrap token      91 min left, kept above 20 min
                  ok      Worker connection    api.shop.example.org, v1.34.4, last event 2 s ago
                  ok      machine-controller   2 of 2 machines have their user-data
                """);
    }

    @Test
    void aWarningOfAnExtensionIsShownThoughNodesStart() {
        ASituation situation = new ASituation()
                .trouble(
                        Reason.ExtensionBaseChanged,
                        MINUTE,
                        "cluster-7xk2m9: OperatingSystemProfileExtension osm-profiles/swap,"
                                + " spec.provisioning.files[0].baseSHA256: the text has changed; correct it");

        assertThat(WhyReportText.lines(WhyReportBuilder.build(situation.build()), 200))
                .contains(
                        "  Also    ExtensionBaseChanged at OperatingSystemProfileExtension osm-profiles/swap,"
                                + " spec.provisioning.files[0].baseSHA256: The text has changed",
                        "  Fix     correct it");
    }

    @Test
    void aWarningAboutTheMachineDeploymentIsShownThoughNodesStart() {
        says(
                new ASituation()
                        .trouble(
                                Reason.KubeletAnnotationUnusable,
                                MINUTE,
                                "cluster-7xk2m9: MachineDeployment kube-system/workers-b, annotation"
                                        + " v1.kubelet-config.machine-controller.kubermatic.io/maxPods: is not a kubelet"
                                        + " setting; did you mean MaxPods? Rename it"),
                """
                Current: new nodes of kube-system/workers-b start with osp-ubuntu v1.4.0.
                  Also    KubeletAnnotationUnusable at MachineDeployment kube-system/workers-b,
                          annotation v1.kubelet-config.machine-controller.kubermatic.io/maxPods: Is not a kubelet setting
                  Fix     did you mean MaxPods? Rename it, in worker cluster shop:
                            kubectl -n kube-system edit machinedeployment workers-b
                  ok      Profile              osm-profiles/osp-ubuntu v1.4.0, ubuntu on aws
                  ok      Rendered config      revision 1, settings c55e81f0, content 9f41c07a
                  ok      Provisioning secret  24,310 B
                  ok      Bootstrap secret     3,148 B of 16,384 B, revision 1
                  ok      Bootstrap token      91 min left, kept above 20 min
                  ok      Worker connection    api.shop.example.org, v1.34.4, last event 2 s ago
                  ok      machine-controller   2 of 2 machines have their user-data
                """);
    }

    @Test
    void theProfileIsNotFound() {
        says(
                new ASituation()
                        .of("cluster-7xk2m9", "shop", "kube-system/workers-c")
                        .newNodes(NewNodes.BLOCKED)
                        .noSecrets()
                        .profile("osp-ubunto", "", "ubuntu", "aws")
                        .tokenLeft(Duration.ofMinutes(118))
                        .connection("api.shop.example.org", "v1.34.4", 1)
                        .machines(1, "workers-c-1")
                        .trouble(
                                Reason.ProfileNotFound,
                                MINUTE.multipliedBy(4),
                                "cluster-7xk2m9: MachineDeployment kube-system/workers-c, annotation"
                                        + " k8c.io/operating-system-profile: no OperatingSystemProfile osp-ubunto in"
                                        + " cluster-7xk2m9 or osm-profiles; did you mean \"osp-ubuntu\"? Set it: kubectl -n"
                                        + " kube-system annotate --overwrite machinedeployment workers-c"
                                        + " k8c.io/operating-system-profile=osp-ubuntu"),
                """
                Blocked for 4 min: No OperatingSystemProfile osp-ubunto in cluster-7xk2m9 or osm-profiles.
                  Nodes   new nodes of kube-system/workers-c do not start.
                  Cause   ProfileNotFound at MachineDeployment kube-system/workers-c,
                          annotation k8c.io/operating-system-profile: No OperatingSystemProfile osp-ubunto in
                          cluster-7xk2m9 or osm-profiles
                  Fix     did you mean "osp-ubuntu"? Set it:
                            kubectl -n kube-system annotate --overwrite machinedeployment workers-c k8c.io/operating-system-profile=osp-ubuntu
                  Acts    tenant
                  BROKEN  Profile              osp-ubunto: profile not found
                  waits   Rendered config
                  waits   Provisioning secret
                  waits   Bootstrap secret
                  ok      Bootstrap token      118 min left, kept above 20 min
                  ok      Worker connection    api.shop.example.org, v1.34.4, last event 1 s ago
                  waits   machine-controller   asks every 3 s; 1 machine waits
                """);
    }

    @Test
    void aTemplateDoesNotParse() {
        says(
                new ASituation()
                        .of("cluster-k4g7pp", "ml", "kube-system/gpu-a")
                        .newNodes(NewNodes.OUTDATED)
                        .profile("cluster-k4g7pp/osp-gpu-a100", "v1.2.0", "ubuntu", "aws")
                        .config("3", "3", "v1.1.0", "", "")
                        .tokenLeft(Duration.ofMinutes(86))
                        .connection("api.ml.example.org", "v1.34.1", 1)
                        .machines(11)
                        .trouble(
                                Reason.TemplateSyntaxError,
                                MINUTE.multipliedBy(19),
                                "cluster-k4g7pp: OperatingSystemProfile cluster-k4g7pp/osp-gpu-a100,"
                                        + " spec.provisioningConfig.files[6] (/opt/bin/setup) line 12:7: unknown template"
                                        + " function \"toYamll\"; did you mean \"toYaml\"?"),
                """
                Outdated for 19 min: Unknown template function "toYamll".
                  Nodes   new nodes of kube-system/gpu-a start with v1.1.0, not v1.2.0.
                  Cause   TemplateSyntaxError at OperatingSystemProfile cluster-k4g7pp/osp-gpu-a100,
                          spec.provisioningConfig.files[6] (/opt/bin/setup) line 12:7: Unknown template function
                          "toYamll"
                  Fix     did you mean "toYaml"?:
                            kubectl -n cluster-k4g7pp edit operatingsystemprofile osp-gpu-a100
                  Acts    tenant
                  BROKEN  Profile              cluster-k4g7pp/osp-gpu-a100 v1.2.0: template syntax error
                  older   Rendered config      v1.1.0, revision 3
                  older   Provisioning secret  v1.1.0
                  older   Bootstrap secret     v1.1.0, revision 3
                  ok      Bootstrap token      86 min left, kept above 20 min
                  ok      Worker connection    api.ml.example.org, v1.34.1, last event 1 s ago
                  ok      machine-controller   11 of 11 machines have their user-data
                """);
    }

    @Test
    void theUserDataIsTooLarge() {
        says(
                new ASituation()
                        .of("cluster-7xk2m9", "shop", "kube-system/workers-a")
                        .newNodes(NewNodes.BLOCKED)
                        .profile("osm-profiles/osp-ubuntu-hardened", "v2.4.0", "ubuntu", "aws")
                        .config("7", "6", "v2.3.1", "c55e81f0", "9f41c07a")
                        .tokenLeft(Duration.ofMinutes(78))
                        .machines(9, "a", "b", "c")
                        .trouble(
                                Reason.UserDataTooLarge,
                                MINUTE.multipliedBy(38),
                                "cluster-7xk2m9: MachineDeployment kube-system/workers-a: user-data is 1,528 bytes too large"
                                        + " for aws (17,912 B of 16,384 B), largest: spec.bootstrapConfig.files[4]"
                                        + " (/etc/ssl/certs/corp-bundle.pem) 11,204 B; move it to provisioningConfig of"
                                        + " OperatingSystemProfile osm-profiles/osp-ubuntu-hardened and raise its"
                                        + " version: kubectl -n osm-profiles edit operatingsystemprofile"
                                        + " osp-ubuntu-hardened"),
                """
                Blocked for 38 min: user-data is 1,528 bytes too large for aws (17,912 B of 16,384 B), largest: spec.bootstrapConfig.files[4] (/etc/ssl/certs/corp-bundle.pem) 11,204 B.
                  Nodes   new nodes of kube-system/workers-a do not start.
                  Cause   UserDataTooLarge at MachineDeployment kube-system/workers-a: user-data is 1,528
                          bytes too large for aws (17,912 B of 16,384 B), largest: spec.bootstrapConfig.files[4]
                          (/etc/ssl/certs/corp-bundle.pem) 11,204 B
                  Fix     move it to provisioningConfig of OperatingSystemProfile osm-profiles/osp-ubuntu-hardened and raise its version:
                            kubectl -n osm-profiles edit operatingsystemprofile osp-ubuntu-hardened
                  Acts    tenant
                  ok      Profile              osm-profiles/osp-ubuntu-hardened v2.4.0, ubuntu on aws
                  BROKEN  Rendered config      user data too large
                  older   Provisioning secret  revision 6
                  older   Bootstrap secret     revision 6, machine-controller wants 7
                  ok      Bootstrap token      78 min left, kept above 20 min
                  ok      Worker connection    api.shop.example.org, v1.34.4, last event 2 s ago
                  waits   machine-controller   3 machines wait for revision 7
                """);
    }

    @Test
    void theHubMayNotWrite() {
        says(
                new ASituation()
                        .of("cluster-9tzl4w", "pay", "kube-system/general")
                        .newNodes(NewNodes.BLOCKED)
                        .profile("osm-profiles/osp-ubuntu", "v1.4.0", "ubuntu", "openstack")
                        .config("3", "2", "v1.4.0", "0b7d9a12", "77aa01fe")
                        .provisioning(true, 24_188)
                        .tokenLeft(Duration.ofMinutes(81))
                        .connection("api.pay.example.org", "v1.34.2", 4)
                        .machines(5, "a", "b", "c", "d", "e")
                        .trouble(
                                Reason.PermissionsMissing,
                                Duration.ofHours(17),
                                "cluster-9tzl4w: WorkerCluster pay: system:serviceaccount:kube-system:osm-hub may not patch"
                                        + " secrets in cloud-init-settings (and 1 more); apply the worker role: hub cluster"
                                        + " rbac pay -n cluster-9tzl4w")
                        .trouble(
                                Reason.WriteForbidden,
                                LinkName.BOOTSTRAP_SECRET,
                                Duration.ofHours(17),
                                "cluster-9tzl4w: Secret cloud-init-settings/general-kube-system-bootstrap-config:"
                                        + " system:serviceaccount:kube-system:osm-hub may not patch secrets in"
                                        + " cloud-init-settings; apply the worker role: hub cluster rbac pay -n"
                                        + " cluster-9tzl4w"),
                """
                Blocked for 17 h: system:serviceaccount:kube-system:osm-hub may not patch secrets in cloud-init-settings.
                  Nodes   new nodes of kube-system/general do not start.
                  Cause   WriteForbidden at Secret cloud-init-settings/general-kube-system-bootstrap-config:
                          system:serviceaccount:kube-system:osm-hub may not patch secrets in cloud-init-settings
                  Fix     apply the worker role:
                            hub cluster rbac pay -n cluster-9tzl4w
                  Acts    operator
                  ok      Profile              osm-profiles/osp-ubuntu v1.4.0, ubuntu on openstack
                  ok      Rendered config      revision 3, settings 0b7d9a12, content 77aa01fe
                  ok      Provisioning secret  24,188 B
                  BROKEN  Bootstrap secret     revision 2, machine-controller wants 3
                  ok      Bootstrap token      81 min left, kept above 20 min
                  ok      Worker connection    api.pay.example.org, v1.34.2, last event 4 s ago
                  waits   machine-controller   5 machines wait for revision 3
                """);
    }

    @Test
    void theWorkerClusterDoesNotAnswer() {
        says(
                new ASituation()
                        .of("cluster-q8n4z7", "edge", "kube-system/wh-042")
                        .newNodes(NewNodes.AT_RISK)
                        .profile("osm-profiles/osp-flatcar", "v1.4.0", "flatcar", "edge")
                        .config("2", "2", "v1.4.0", "5d11c0aa", "03ce9b71")
                        .provisioning(true, 23_902)
                        .bootstrap(true, 2_841, null)
                        .tokenLeft(Duration.ofMinutes(29))
                        .lost()
                        .trouble(
                                Reason.WorkerClusterNotResponding,
                                MINUTE.multipliedBy(52),
                                "cluster-q8n4z7: WorkerCluster edge: https://203.0.113.42:6443 has not responded"
                                        + " since 2026-11-21T09:47:00Z; check firewalls and the API server's load"),
                """
                AtRisk for 52 min: https://203.0.113.42:6443 has not responded since 2026-11-21T09:47:00Z.
                  Nodes   nodes of kube-system/wh-042 start until 11:09, then no longer.
                  Cause   WorkerClusterNotResponding at WorkerCluster cluster-q8n4z7/edge:
                          https://203.0.113.42:6443 has not responded since 2026-11-21T09:47:00Z
                  Fix     check firewalls and the API server's load:
                            hub cluster test edge -n cluster-q8n4z7
                  Acts    operator
                  ok      Profile              osm-profiles/osp-flatcar v1.4.0, flatcar on edge
                  ok      Rendered config      revision 2, settings 5d11c0aa, content 03ce9b71
                  ?       Provisioning secret  23,902 B when last seen
                  ?       Bootstrap secret     2,841 B when last seen, revision 2
                  ?       Bootstrap token      29 min left, cannot be extended
                  BROKEN  Worker connection    worker cluster not responding for 52 min
                  ?       machine-controller   not known without a connection
                """);
    }

    @Test
    void theCredentialIsRefused() {
        says(
                new ASituation()
                        .of("cluster-b2v8n4", "lab", "kube-system/jobs")
                        .newNodes(NewNodes.AT_RISK)
                        .profile("osm-profiles/osp-rhel", "v1.4.0", "rhel", "vsphere")
                        .config("9", "9", "v1.4.0", "77c0ffee", "21d4b0e8")
                        .provisioning(true, 24_511)
                        .bootstrap(true, 3_377, null)
                        .tokenLeft(Duration.ofMinutes(-12))
                        .lost()
                        .trouble(
                                Reason.CredentialsRejected,
                                Instant.parse("2026-11-21T09:12:00Z"),
                                "cluster-b2v8n4: WorkerCluster lab: https://api.lab.example.org refuses the credential of"
                                        + " Secret cluster-b2v8n4/lab-kubeconfig (401); store a new kubeconfig: hub cluster"
                                        + " rotate lab -n cluster-b2v8n4 --kubeconfig FILE"),
                """
                Blocked for 12 min: https://api.lab.example.org refuses the credential of Secret cluster-b2v8n4/lab-kubeconfig (401).
                  Nodes   new nodes of kube-system/jobs cannot join.
                  Cause   CredentialsRejected at WorkerCluster cluster-b2v8n4/lab:
                          https://api.lab.example.org refuses the credential of Secret cluster-b2v8n4/lab-kubeconfig
                          (401)
                  Fix     store a new kubeconfig:
                            hub cluster rotate lab -n cluster-b2v8n4 --kubeconfig FILE
                  Acts    operator
                  ok      Profile              osm-profiles/osp-rhel v1.4.0, rhel on vsphere
                  ok      Rendered config      revision 9, settings 77c0ffee, content 21d4b0e8
                  ?       Provisioning secret  24,511 B when last seen
                  ?       Bootstrap secret     3,377 B when last seen, revision 9
                  ?       Bootstrap token      ended 12 min ago
                  BROKEN  Worker connection    credentials rejected for 88 min
                  ?       machine-controller   not known without a connection
                """);
    }

    @Test
    void twoMachineDeploymentsWantOneName() {
        says(
                new ASituation()
                        .of("cluster-2lxr7n", "web", "c/a-b")
                        .newNodes(NewNodes.BLOCKED)
                        .profile("osm-profiles/osp-ubuntu", "v1.4.0", "ubuntu", "hetzner")
                        .connection("api.web.example.org", "v1.34.2", 1)
                        .machines(1, "a-b-1")
                        .trouble(
                                Reason.NameCollision,
                                MINUTE.multipliedBy(2),
                                "cluster-2lxr7n: MachineDeployment c/a-b: OperatingSystemConfig a-b-c-config already belongs to"
                                        + " MachineDeployment b-c/a, nothing is overwritten; replace this MachineDeployment by one with another name"),
                """
                Blocked for 2 min: OperatingSystemConfig a-b-c-config already belongs to MachineDeployment b-c/a, nothing is overwritten.
                  Nodes   new nodes of c/a-b do not start.
                  Cause   NameCollision at MachineDeployment c/a-b: OperatingSystemConfig a-b-c-config already
                          belongs to MachineDeployment b-c/a, nothing is overwritten
                  Fix     replace this MachineDeployment by one with another name
                  Acts    tenant
                  ok      Profile              osm-profiles/osp-ubuntu v1.4.0, ubuntu on hetzner
                  BROKEN  Rendered config      name collision
                  waits   Provisioning secret
                  waits   Bootstrap secret
                  waits   Bootstrap token
                  ok      Worker connection    api.web.example.org, v1.34.2, last event 1 s ago
                  waits   machine-controller   asks every 3 s; 1 machine waits
                """);
    }

    @Test
    void machineControllerHasNotSetTheRevision() {
        says(
                new ASituation()
                        .of("cluster-d8s6vv", "id", "kube-system/workers-d")
                        .machine("workers-d-6d9c8f7b5-4xk2l")
                        .profile("osm-profiles/osp-ubuntu", "v1.4.0", "ubuntu", "azure")
                        .config("", "", "v1.4.0", "1f0c2d3e", "66ab90d2")
                        .provisioning(true, 24_277)
                        .bootstrap(true, 3_290, 65_535L)
                        .tokenLeft(Duration.ofMinutes(114))
                        .connection("api.id.example.org", "v1.34.2", 3)
                        .trouble(
                                Reason.RevisionNotSet,
                                MINUTE.multipliedBy(6),
                                "cluster-d8s6vv: MachineDeployment kube-system/workers-d, annotation"
                                        + " machinedeployment.clusters.k8s.io/revision: not set, machine-controller has not"
                                        + " reconciled it; check that it runs in the worker cluster"),
                """
                Blocked for 6 min: Not set, machine-controller has not reconciled it.
                  Nodes   machine workers-d-6d9c8f7b5-4xk2l of kube-system/workers-d does not start.
                  Cause   RevisionNotSet at MachineDeployment kube-system/workers-d,
                          annotation machinedeployment.clusters.k8s.io/revision: Not set, machine-controller has
                          not reconciled it
                  Fix     check that it runs in the worker cluster
                  Acts    operator
                  ok      Profile              osm-profiles/osp-ubuntu v1.4.0, ubuntu on azure
                  ok      Rendered config      no revision yet, settings 1f0c2d3e, content 66ab90d2
                  ok      Provisioning secret  24,277 B
                  ok      Bootstrap secret     3,290 B of 65,535 B
                  ok      Bootstrap token      114 min left, kept above 20 min
                  ok      Worker connection    api.id.example.org, v1.34.2, last event 3 s ago
                  BROKEN  machine-controller   has not set the revision
                """);
    }
}
