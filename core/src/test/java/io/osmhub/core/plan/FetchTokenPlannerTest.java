package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osp.NodeFetchMethod;
import io.osmhub.core.plan.Decider.WriteStage;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.DesiredObject.DesiredGrant;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FetchTokenPlannerTest {
    private static final String MD = "kube-system/workers";
    private static final ObjectNames NAMES = new ObjectNames("kube-system", "workers");
    private static final Pattern CONTENT = Pattern.compile("content: \\|-\\s+([A-Za-z0-9+/=]{40,})");

    private final World world = new World(7).machineDeployment("kube-system", "workers");

    private World published() {
        world.run(MD);
        world.done.clear();
        return world;
    }

    private FetchToken token() {
        return Objects.requireNonNull(world.publishedFetchToken(MD));
    }

    /** What the first file of the user-data says. */
    private String userData() {
        String document = value(NAMES.bootstrapSecret(), "cloud-config");
        var file = CONTENT.matcher(document);
        assertThat(file.find()).isTrue();
        return new String(Base64.getDecoder().decode(file.group(1)), StandardCharsets.UTF_8);
    }

    private String value(String secret, String key) {
        return Objects.requireNonNull(
                world.values.getOrDefault(secret, Map.of()).get(key));
    }

    private StoredGrant grant(GrantKind kind) {
        return Objects.requireNonNull(world.grants.get(kind + " " + NAMES.fetchAccount()));
    }

    @Test
    void theNameIsThatOfTheContract() {
        assertThat(NAMES.fetchAccount())
                .matches("osm-hub-fetch-[0-9a-f]{16}")
                .isEqualTo("osm-hub-fetch-17831931999cf81c");
    }

    @Test
    void aNewOneGetsAnAccountThatReadsItsOwnTwoSecrets() {
        Decision decision = world.scoped().run(MD);

        assertThat(world.kinds())
                .containsExactly(
                        "AddFinalizer",
                        "CreateGrant",
                        "CreateGrant",
                        "CreateGrant",
                        "RequestFetchToken",
                        "CreateToken",
                        "CreateSecret",
                        "CreateSecret",
                        "CreateSecret",
                        "CreateConfig");
        assertThat(grant(GrantKind.ROLE).fields().path("rules").toString())
                .isEqualTo(
                        "[{\"apiGroups\":[\"\"],\"resourceNames\":[\"%s\",\"%s\"],\"resources\":[\"secrets\"],\"verbs\":[\"get\"]}]"
                                .formatted(NAMES.kubeletBootstrapSecret(), NAMES.provisioningSecret()));
        assertThat(userData()).contains("with " + token().text().reveal() + " from");
        assertThat(decision.fetch())
                .isEqualTo(new Decision.FetchTokenInUse(NAMES.fetchAccount(), token().expiration()));
        assertThat(Duration.between(world.now, token().expiration())).isEqualTo(FetchToken.LIFE);
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void aNewOneIsPublishedAfterFourRoundTrips() {
        world.scoped();
        List<Integer> before = world.decide(MD).changes().stream()
                .map(PlannedChange::stage)
                .distinct()
                .toList();
        world.decide(MD).changes().forEach(world::apply);
        List<Integer> after = world.decide(MD).changes().stream()
                .map(PlannedChange::stage)
                .filter(stage -> stage <= WriteStage.BOOTSTRAP)
                .distinct()
                .toList();

        assertThat(before).as("account and role, then binding and token").hasSize(2);
        assertThat(after).as("what embeds it, then the bootstrap secret").hasSize(2);
    }

    @Test
    void nothingWithoutAValueIsShownOfTheToken() {
        Decision decision = world.scoped().run(MD);

        assertThat(decision.toString() + world.done + token())
                .doesNotContain(token().text().reveal());
        assertThat(world.decide(MD).outcome()).isInstanceOf(Outcome.Published.class);
    }

    @Test
    void aHubThatStartsWritesNothing() {
        world.scoped();
        published().fresh.clear();
        world.now = world.now.plus(Duration.ofMinutes(100));

        Decision decision = world.copy(99).decide(MD);

        assertThat(decision.changes())
                .allSatisfy(change -> assertThat(change).isInstanceOf(PlannedChange.ExtendToken.class));
    }

    @Test
    void whereMachinesFetchTheirUserDataTheRoleHasThatToo() {
        world.machinesOf(MD, World.providerSpec("edge", "A"));

        world.scoped().run(MD);

        assertThat(grant(GrantKind.ROLE).fields().path("rules").toString())
                .contains('"' + NAMES.bootstrapSecret() + '"');
        assertThat(value(NAMES.edgeScriptSecret(), "fetch-bootstrap-script"))
                .contains(token().text().reveal());
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "false, false"})
    void autoTakesTheSharedTokenWhenEitherIsMissing(boolean rights, boolean profile) {
        world.mayGrant = rights;
        world.supportedNodeFetch =
                profile ? List.of(NodeFetchMethod.SHARED_TOKEN, NodeFetchMethod.SCOPED_TOKEN) : List.of();

        world.run(MD);

        assertThat(world.grants).isEmpty();
        assertThat(world.publishedFetchToken(MD)).isNull();
        assertThat(userData()).contains("with fetch-1 from");
        assertThat(world.done).hasSize(6);
    }

    @ParameterizedTest
    @CsvSource({
        "true, false, 'kube-system/workers uses a profile without ScopedToken in annotation osmhub.io/supported-node-fetch'",
        "false, true, 'the worker cluster does not grant the hub accounts and roles'"
    })
    void whoAsksForScopedIsToldWhatIsMissingAndLosesNothing(boolean rights, boolean profile, String words) {
        published();
        world.mayGrant = rights;
        world.supportedNodeFetch =
                profile ? List.of(NodeFetchMethod.SHARED_TOKEN, NodeFetchMethod.SCOPED_TOKEN) : List.of();

        Decision decision = world.nodeFetch(NodeFetch.SCOPED_TOKEN).decide(MD);

        assertThat(decision.outcome()).isInstanceOf(Outcome.NotRendered.class);
        assertThat(decision.changes()).isEmpty();
        assertThat(decision.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).isEqualTo(Reason.ScopedTokenNotGranted);
            assertThat(problem.message())
                    .contains("spec.provisioning.bootstrap.nodeFetch")
                    .contains(words);
        });
    }

    @ParameterizedTest
    @EnumSource(NodeFetch.class)
    void aProfileForTokensOfItsOwnOnlyIsNotGivenTheSharedOne(NodeFetch asked) {
        world.supportedNodeFetch = List.of(NodeFetchMethod.SCOPED_TOKEN);

        assertThat(world.nodeFetch(asked).decide(MD).problems())
                .extracting(Problem::reason)
                .containsExactly(Reason.ScopedTokenNotGranted);
    }

    @Test
    void aRenewalIsARequestAndOneWriteThatNobodyHasToKnow() {
        world.scoped();
        published();
        FetchToken first = token();
        world.now = first.expiration().minus(FetchTokenPlanner.RENEW_BEFORE);
        world.tokens
                .values()
                .forEach(token -> world.token(token, world.now.plus(Duration.ofHours(2)), token.annotations()));
        String config = Objects.requireNonNull(world.config(MD)).resourceVersion();

        world.run(MD);

        assertThat(world.kinds()).containsExactly("RequestFetchToken", "UpdateSecret");
        assertThat(world.done).allMatch(change -> change.reason().cause() == ChangeReason.Cause.RENEWAL);
        assertThat(token().expiration()).isEqualTo(world.now.plus(FetchToken.LIFE));
        assertThat(userData())
                .contains(token().text().reveal())
                .doesNotContain(first.text().reveal());
        assertThat(Objects.requireNonNull(world.config(MD)).resourceVersion()).isEqualTo(config);
    }

    @Test
    void whatChangesMeanwhileDoesNotWaitForTheNextToken() {
        world.scoped();
        published().now = token().expiration().minus(Duration.ofMinutes(30));
        world.profileText = "more\n";

        List<PlannedChange> changes = world.decide(MD).changes();

        assertThat(changes.getLast()).isInstanceOf(PlannedChange.RequestFetchToken.class);
        assertThat(changes)
                .filteredOn(PlannedChange.UpdateSecret.class::isInstance)
                .hasSizeGreaterThanOrEqualTo(2)
                .allMatch(change -> change.stage() < WriteStage.RENEWAL);
    }

    @Test
    void aShortLifeIsRenewedAfterAFifthOfIt() {
        world.scoped().fetchTokenLife = Duration.ofHours(1);
        published();

        assertThat(world.decide(MD).requeueAt()).isEqualTo(world.now.plus(Duration.ofMinutes(12)));
    }

    @Test
    void aLongLifeIsTakenAsItIs() {
        world.scoped().fetchTokenLife = Duration.ofDays(365);
        published();
        world.now = world.now.plus(Duration.ofDays(200));

        world.run(MD);

        assertThat(world.kinds()).doesNotContain("RequestFetchToken");
    }

    @Test
    void aRoleThatSomebodyChangedIsSetRight() {
        world.scoped();
        published();
        StoredGrant role = grant(GrantKind.ROLE);
        world.grants.put(
                GrantKind.ROLE + " " + role.name(),
                new StoredGrant(
                        role.kind(),
                        role.name(),
                        role.uid(),
                        "77",
                        role.annotations(),
                        JsonNodeFactory.instance.objectNode(),
                        "x"));

        world.run(MD);

        assertThat(world.done).singleElement().satisfies(change -> {
            assertThat(change).isInstanceOf(PlannedChange.UpdateGrant.class);
            assertThat(change.reason()).isEqualTo(new ChangeReason(ChangeReason.Cause.DRIFT, "x changed it"));
        });
        assertThat(world.fetches(MD)).isTrue();
    }

    @Test
    void withADeletedAccountTheTokenIsVoidAndANewOneFollows() {
        world.scoped();
        published();
        FetchToken first = token();
        world.grants.remove(GrantKind.ACCOUNT + " " + NAMES.fetchAccount());

        world.run(MD);

        assertThat(world.kinds()).containsExactly("CreateGrant", "RequestFetchToken", "UpdateSecret");
        assertThat(token().accountUid()).isNotEqualTo(first.accountUid());
        assertThat(world.fetches(MD)).isTrue();
    }

    @Test
    void backToTheSharedTokenTheAccountGoesOnceNoMachineCanHoldItsToken() {
        world.scoped();
        published();
        FetchToken last = token();

        world.nodeFetch(NodeFetch.SHARED_TOKEN).run(MD);

        assertThat(userData()).contains("with fetch-1 from");
        assertThat(world.grants).hasSize(3);
        assertThat(world.decide(MD).changes()).isEmpty();
        world.now = last.expiration().minusSeconds(1);
        world.run(MD);
        assertThat(world.grants).hasSize(3);
        world.now = last.expiration();
        world.run(MD);
        assertThat(world.grants).isEmpty();
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void aNewMindKeepsTheAccount() {
        world.scoped();
        published();
        world.nodeFetch(NodeFetch.SHARED_TOKEN).run(MD);
        String uid = grant(GrantKind.ACCOUNT).uid();

        world.nodeFetch(NodeFetch.AUTO).run(MD);

        assertThat(grant(GrantKind.ACCOUNT).uid()).isEqualTo(uid);
        assertThat(grant(GrantKind.ACCOUNT).annotations()).doesNotContainKey(FetchTokenPlanner.UNTIL);
        assertThat(world.fetches(MD)).isTrue();
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void whileNothingCanBeRenderedTheNextTokenTakesThePlaceOfTheOldOne() {
        world.scoped();
        published();
        FetchToken first = token();
        String before = userData();
        world.noProfile = new Problem(
                Reason.ProfileNotFound,
                ProblemObject.of("OperatingSystemProfile", "osp-ubuntu"),
                "",
                "it is missing",
                "make it");
        world.now = first.expiration().minus(Duration.ofMinutes(60));

        world.run(MD);

        assertThat(world.kinds()).contains("RequestFetchToken", "ReplaceFetchToken");
        assertThat(token().expiration()).isEqualTo(world.now.plus(FetchToken.LIFE));
        assertThat(userData())
                .isEqualTo(before.replace(first.text().reveal(), token().text().reveal()));
        assertThat(world.decide(MD).changes()).isEmpty();
        world.noProfile = null;
        assertThat(world.decide(MD).changes())
                .as("what is rendered is the same")
                .isEmpty();
    }

    @Test
    void anAccountOfSomebodyElseIsNotTouched() {
        DesiredGrant other = DesiredGrant.of(GrantKind.ACCOUNT, NAMES.fetchAccount(), new TreeMap<>(), List.of());
        world.scoped()
                .grants
                .put(
                        GrantKind.ACCOUNT + " " + other.name(),
                        new StoredGrant(
                                GrantKind.ACCOUNT,
                                other.name(),
                                "u",
                                "1",
                                other.annotations(),
                                other.fields(),
                                "kubectl"));

        Decision decision = world.run(MD);

        assertThat(world.done).isEmpty();
        assertThat(decision.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).isEqualTo(Reason.ObjectNotOwned);
            assertThat(problem.message())
                    .contains("ServiceAccount " + other.name())
                    .contains("written by kubectl");
        });
    }

    @Test
    void withTheMachineDeploymentGoItsAccountAndRole() {
        world.scoped();
        published().delete(MD).run(MD);

        assertThat(world.grants).isEmpty();
        assertThat(world.machineDeployments).isEmpty();
    }

    @Test
    void whatWasLeftIsRemoved() {
        world.scoped();
        published().machineDeployments.clear();

        world.leftovers().forEach(world::apply);

        assertThat(world.grants).isEmpty();
        assertThat(world.secrets).isEmpty();
    }

    @Test
    void aBindingToAnotherRoleIsMadeAnew() {
        world.scoped();
        published();
        StoredGrant binding = grant(GrantKind.BINDING);
        ObjectNode fields = binding.fields().deepCopy();
        fields.withObjectProperty("roleRef").put("name", "admin");
        world.grants.put(
                GrantKind.BINDING + " " + binding.name(),
                new StoredGrant(
                        binding.kind(), binding.name(), binding.uid(), "9", binding.annotations(), fields, "x"));

        world.run(MD);

        assertThat(world.kinds()).containsExactly("ReplaceGrant");
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void onlyTokensOfItsOwnAccountAreSwapped() {
        world.scoped();
        published();
        FetchToken own = token();
        StoredGrant account = grant(GrantKind.ACCOUNT);
        FetchToken next = world.tokenOf(account);
        FetchToken others = world.tokenOf(new StoredGrant(
                account.kind(),
                "osm-hub-fetch-0000000000000000",
                "u",
                "1",
                account.annotations(),
                account.fields(),
                null));
        String inner = "a %s b %s".formatted(own.text().reveal(), others.text().reveal());
        String document = "x: " + own.text().reveal() + "\ny: "
                + Base64.getEncoder().encodeToString(inner.getBytes(StandardCharsets.UTF_8)) + "\n";

        String swapped = next.replaceEarlierToken(document);

        String wanted =
                "a %s b %s".formatted(next.text().reveal(), others.text().reveal());
        assertThat(swapped)
                .isEqualTo("x: " + next.text().reveal() + "\ny: "
                        + Base64.getEncoder().encodeToString(wanted.getBytes(StandardCharsets.UTF_8)) + "\n");
    }

    @ParameterizedTest
    @CsvSource({"a.b", "a.b.c", "eyJhIjoxfQ.e30.c", "''"})
    void whatIsNoTokenOfAnAccountIsNone(String text) {
        assertThat(FetchToken.read(new Sensitive(text))).isNull();
    }
}
