package io.osmhub.deploy.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.deploy.fleet.TextTable;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists as people see them, whole and narrow. */
final class FleetTablesTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final FleetTables.TableScope ALL = new FleetTables.TableScope(false, true, NOW);
    private static final FleetTables.TableScope ONE = new FleetTables.TableScope(false, false, NOW);

    private static <T> T read(Class<T> type, String json) {
        try {
            return ApiJson.client().readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static final MachineDeploymentEntry BLOCKED = read(MachineDeploymentEntry.class, """
        {"tenant":"cluster-9tzl4w","workerCluster":"pay","namespace":"kube-system","name":"general",
         "profile":"osm-profiles/osp-ubuntu","profileVersion":"v1.3.0","revision":"3","newNodes":"Blocked",
         "reason":"WriteForbidden","tokenExpiresAt":"2026-11-21T13:21:00Z","createdAt":"2026-11-09T12:00:00Z",
         "osc":"general-kube-system-config"}\
        """);
    private static final MachineDeploymentEntry STORED = read(MachineDeploymentEntry.class, """
        {"tenant":"cluster-q8n4z7","workerCluster":"edge","namespace":"kube-system","name":"wh-042",
         "profile":"osm-profiles/osp-flatcar","profileVersion":"v1.4.0","revision":"12","newNodes":"AtRisk","unansweredBy":"osm-hub-1"}\
        """);
    private static final Osc CONFIGURATION = read(Osc.class, """
        {"metadata":{"namespace":"cluster-9tzl4w","name":"general-kube-system-config","uid":"u",
         "createdAt":"2026-11-03T12:00:00Z"},"machineDeployment":{"kind":"MachineDeployment","namespace":"kube-system",
         "name":"general"},"newNodes":"Blocked","conditions":[{"type":"Ready","status":"False",
         "lastTransitionTime":"2026-11-21T11:00:00Z","reason":"WriteForbidden","message":"no"}],
         "source":{"profile":"osm-profiles/osp-ubuntu","profileVersion":"v1.3.0","machineDeploymentRevision":"3",
         "contentHash":"77aa01feffff","settingsHash":"0b7d9a12ffff"}}\
        """);
    private static final FleetTables.TableScope WIDE =
            new FleetTables.TableScope(true, true, NOW, List.of(CONFIGURATION));
    private static final ProblemEntry PROBLEM = read(ProblemEntry.class, """
        {"id":"1","reason":"UserDataTooLarge","severity":"Error","actor":"tenant","category":"settings",
         "tenant":"cluster-7xk2m9","workerCluster":"shop","object":{"cluster":"Worker","kind":"MachineDeployment",
         "namespace":"kube-system","name":"workers-a"},"message":"too large","headline":"User-data is too large","since":"2026-11-21T11:22:00Z"}\
        """);
    private static final ProblemEntry OF_A_CLUSTER = read(ProblemEntry.class, """
        {"id":"2","reason":"CredentialsRejected","severity":"Error","actor":"operator","category":"connection",
         "tenant":"cluster-b2v8n4","workerCluster":"lab","object":{"cluster":"Management","kind":"WorkerCluster",
         "namespace":"cluster-b2v8n4","name":"lab"},"message":"refused","headline":"The credential is rejected","since":"2026-11-21T10:32:00Z"}\
        """);

    private static String text(TextTable<?> table) {
        return String.join("\n", table.lines(true, false, 0)) + "\n";
    }

    @Test
    void machineDeploymentsSayWhatANewNodeGets() {
        assertThat(text(FleetTables.machineDeployments(List.of(BLOCKED, STORED), ALL)))
                .isEqualTo("""
                    TENANT          MACHINEDEPLOYMENT    PROFILE      VERSION  REV  NEW NODES  TOKEN  AGE
                    cluster-9tzl4w  kube-system/general  osp-ubuntu   v1.3.0     3  Blocked    1h21m  12d
                    cluster-q8n4z7  kube-system/wh-042   osp-flatcar  v1.4.0    12  AtRisk     ?      ?
                    """);
    }

    @Test
    void wideMachineDeploymentsHaveTheHashesOfTheirConfigurations() {
        assertThat(text(FleetTables.machineDeployments(List.of(BLOCKED), WIDE))).isEqualTo("""
            TENANT          MACHINEDEPLOYMENT    PROFILE     VERSION  REV  NEW NODES  TOKEN  AGE  CONTENT   SETTINGS
            cluster-9tzl4w  kube-system/general  osp-ubuntu  v1.3.0     3  Blocked    1h21m  12d  77aa01fe  0b7d9a12
            """);
    }

    @Test
    void aClusterThatDoesNotAnswerIsShownWithTheTimeSinceItsLastAnswer() {
        WorkerClusterEntry cluster = read(WorkerClusterEntry.class, """
            {"metadata":{"namespace":"tenant-shop","name":"shop","uid":"u","createdAt":"2026-11-03T12:00:00Z"},
             "spec":{},"state":"Synced","status":{"state":"Synced","noAnswerSince":"2026-11-21T11:59:48Z"}}\
            """);

        assertThat(text(FleetTables.clusters(List.of(cluster), ALL))).isEqualTo("""
            TENANT       NAME  STATE                      MDS  CURRENT  BLOCKED  PROBLEMS  VERSION  CREDENTIAL  AGE
            tenant-shop  shop  Synced, no answer for 12s    0        0        0         0                       18d
            """);
    }

    @Test
    void configurationsOfOneTenantDoNotRepeatIt() {
        assertThat(text(FleetTables.configurations(List.of(CONFIGURATION), ONE)))
                .isEqualTo("""
                    NAME                        READY  NEW NODES  PROFILE     VERSION  REV  AGE
                    general-kube-system-config  False  Blocked    osp-ubuntu  v1.3.0     3  18d
                    """);
    }

    @Test
    void profilesSayWhoUsesThem() {
        Osp profile = read(Osp.class, """
            {"metadata":{"namespace":"osm-profiles","name":"osp-ubuntu","uid":"u","createdAt":"2026-11-03T12:00:00Z"},
             "osName":"ubuntu","osVersion":"24.04","version":"v1.4.0","templateEngine":"handlebars",
             "valid":{"type":"Valid","status":"True","lastTransitionTime":"2026-11-03T12:00:00Z","reason":"ProfileValid",
             "message":"good"},"usedBy":{"workerClusters":900,"machineDeployments":3391}}\
            """);

        assertThat(text(FleetTables.profiles(List.of(profile), ALL))).isEqualTo("""
            TENANT        NAME        OS      OS VERSION  VERSION  ENGINE      VALID  USED BY
            osm-profiles  osp-ubuntu  ubuntu  24.04       v1.4.0   handlebars  True      3391
            """);
    }

    @Test
    void problemsSayWhoActsAndWhereOneReadsMore() {
        assertThat(text(FleetTables.problems(List.of(OF_A_CLUSTER, PROBLEM), ALL)))
                .isEqualTo("""
                    SEVERITY  TENANT          REASON               OBJECT                    ACTOR     SINCE  CAUSE
                    Error     cluster-b2v8n4  CredentialsRejected  wc/lab                    operator  1h28m  The credential is rejected
                    Error     cluster-7xk2m9  UserDataTooLarge     md/kube-system/workers-a  tenant    38m    User-data is too large
                    """);
        assertThat(FleetTables.summary(List.of(OF_A_CLUSTER, PROBLEM)))
                .isEqualTo("2 problems; details: hub why md kube-system/workers-a -n cluster-7xk2m9");
        assertThat(FleetTables.summary(List.of(OF_A_CLUSTER))).isEqualTo("1 problem");
    }

    @Test
    void theWideTableOfProblemsHasTheMessageNextToItsCause() {
        assertThat(FleetTables.problems(List.of(PROBLEM), WIDE)
                        .lines(true, false, 0)
                        .getFirst())
                .endsWith("SINCE  CAUSE                   MESSAGE");
        assertThat(FleetTables.problems(List.of(PROBLEM), WIDE)
                        .lines(false, false, 0)
                        .getFirst())
                .contains("User-data is too large  " + PROBLEM.text().message());
    }

    @Test
    void aTerminalGetsItCutAtTheRightMostText() {
        TextTable<ProblemEntry> table = FleetTables.problems(List.of(PROBLEM), WIDE);
        String whole = table.lines(true, false, 0).getLast();

        assertThat(table.lines(true, false, whole.length()).getLast())
                .isEqualTo(whole)
                .endsWith("too large");
        assertThat(table.lines(true, false, whole.length() - 1).getLast())
                .hasSize(whole.length() - 1)
                .contains("md/kube-system/workers-a")
                .endsWith("too lar…");
    }

    @Test
    void coloursAreAddedToWordsThatSayTheSame() {
        String painted = FleetTables.machineDeployments(List.of(BLOCKED), ONE)
                .lines(false, true, 0)
                .getFirst();

        assertThat(painted).contains("\u001b[31mBlocked\u001b[0m");
        assertThat(painted.replaceAll("\u001b\\[[0-9]*m", ""))
                .isEqualTo(FleetTables.machineDeployments(List.of(BLOCKED), ONE)
                        .lines(false, false, 0)
                        .getFirst());
    }

    @Test
    void hostileTextDoesNotReachTheTerminal() {
        MachineDeploymentEntry hostile = read(MachineDeploymentEntry.class, """
            {"tenant":"t","workerCluster":"w","namespace":"kube-system","name":"a\\u001b[2Jb\\u202e\\u0007c\\nd",
             "profile":"osm-profiles/\\u009b31m","newNodes":"Pending"}\
            """);

        String shown = text(FleetTables.machineDeployments(List.of(hostile), ALL));

        assertThat(shown).contains("kube-system/a\\u001b[2Jb\\u202e\\u0007c d").hasLineCount(2);
        assertThat(shown.codePoints().filter(c -> c != '\n'))
                .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
    }
}
