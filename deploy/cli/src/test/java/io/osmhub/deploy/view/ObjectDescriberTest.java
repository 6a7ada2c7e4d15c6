package io.osmhub.deploy.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.MachineDeploymentDetail;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** One MachineDeployment, and what a change would do, as people see them. */
final class ObjectDescriberTest {
    private static final TimestampFormatter MOMENTS =
            new TimestampFormatter(ZoneOffset.UTC, Instant.parse("2026-11-21T10:40:11Z"));

    private static <T> T read(Class<T> type, String json) {
        try {
            return ApiJson.client().readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aMachineDeploymentIsToldWithWhatIsWantedAndWhatIsThere() {
        MachineDeploymentDetail detail = read(MachineDeploymentDetail.class, """
                {"machineDeployment":{"tenant":"cluster-7xk2m9","workerCluster":"shop","namespace":"kube-system",
                  "name":"workers-a","operatingSystem":"ubuntu","cloudProvider":"aws","kubeletVersion":"1.34.2",
                  "revision":"7","publishedRevision":"6","newNodes":"Blocked","reason":"UserDataTooLarge",
                  "since":"2026-11-21T10:02:11Z"},
                 "wanted":{"profile":"osm-profiles/osp-ubuntu-hardened","profileVersion":"v2.4.0","templateEngine":"go",
                  "contentHash":"9f41c07a00","settingsHash":"c55e81f000","machineDeploymentRevision":"7"},
                 "published":{"profile":"osm-profiles/osp-ubuntu-hardened","profileVersion":"v2.3.1","templateEngine":"go",
                  "contentHash":"37b0e6d900","settingsHash":"c55e81f000","machineDeploymentRevision":"6"},
                 "sizes":[{"document":"Bootstrap","bytes":17912,"limitBytes":16384},
                  {"document":"Provisioning","bytes":24310,"limitBytes":1048576}],
                 "history":[{"at":"2026-11-21T10:02:11Z","result":"Refused","because":"new revision","fromRevision":"6",
                  "toRevision":"7","writes":0,"durationMilliseconds":3},
                  {"at":"2026-11-11T16:31:09Z","result":"Restored","because":"bootstrap secret edited by kubectl-edit",
                  "toRevision":"6","writes":1,"durationMilliseconds":212}],
                 "objects":[]}""");

        assertThat(String.join("\n", new ObjectDescriber(MOMENTS, false, 0).of(detail)))
                .isEqualTo("""
                MachineDeployment  kube-system/workers-a of cluster-7xk2m9/shop
                New nodes          Blocked for 38 min: UserDataTooLarge
                Profile            osm-profiles/osp-ubuntu-hardened v2.4.0 (go)
                Provider, kubelet  aws, ubuntu, 1.34.2

                                 DESIRED   PUBLISHED
                Revision         7         6
                Profile version  v2.4.0    v2.3.1
                Content          9f41c07a  37b0e6d9
                Settings         c55e81f0  c55e81f0

                DOCUMENT          SIZE        LIMIT   USED
                bootstrap     17,912 B     16,384 B  109 %
                provisioning  24,310 B  1,048,576 B    2 %

                WHEN             RESULT    REV     WRITES  TOOK    REASON
                today 10:02:11   Refused   6 -> 7       0  3 ms    new revision
                11 Nov 16:31:09  Restored  6            1  212 ms  bootstrap secret edited by kubectl-edit""");
    }

    @Test
    void aChangeIsToldWithThoseThatItRefusesFirst() {
        DiffReport report = read(DiffReport.class, """
                {"total":120,"workerClusters":41,"changed":104,"repaired":0,"same":14,"refused":2,"alreadyRefused":1,"items":[
                 {"tenant":"cluster-7xk2m9","machineDeployment":{"kind":"MachineDeployment","namespace":"kube-system",
                  "name":"workers-a"},"result":"Refused","problem":{"id":"1","reason":"UserDataTooLarge","severity":"Error",
                  "actor":"tenant","category":"settings","message":"m","since":"2026-11-21T10:02:11Z"},
                  "documents":[{"document":"Bootstrap","bytesBefore":6708,"bytesAfter":17912}]},
                 {"tenant":"cluster-2lxr7n","machineDeployment":{"kind":"MachineDeployment","namespace":"kube-system",
                  "name":"workers"},"result":"Changed","documents":[{"document":"Bootstrap","bytesBefore":6702,"bytesAfter":6731,
                  "patch":"--- a/Bootstrap\\n+++ b/Bootstrap\\n@@ -1 +1 @@\\n-old\\n+new\\n"}]}],"continue":"x"}""");

        assertThat(DiffFormatter.summary(report))
                .isEqualTo(
                        "used by 120 MachineDeployments in 41 tenants: 104 changed, 0 repaired, 14 the same, rejected: 2"
                                + " (1 already today)");
        assertThat(String.join("\n", new DiffFormatter(report, false, false, 0).lines()))
                .isEqualTo("""
                RESULT   TENANT          MACHINEDEPLOYMENT      BOOTSTRAP B      PROVISIONING B  REASON
                Refused  cluster-7xk2m9  kube-system/workers-a  6,708 -> 17,912                  UserDataTooLarge
                Changed  cluster-2lxr7n  kube-system/workers    6,702 -> 6,731
                ... 104 more; use --full to show all and the lines that differ""");
        assertThat(new DiffFormatter(report, true, false, 0).lines())
                .contains("in 1 MachineDeployment:", "  -old", "  +new");
    }
}
