package io.osmhub.api.console;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.problem.ApiProblem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/** Why a node does not join: the verdict, then the chain that proves it. */
final class MachineDeploymentPage implements ConsolePage {
    private static final int HISTORY = 7;

    private static final List<String> DOCUMENTS = List.of("Bootstrap", "Provisioning", "OperatingSystemConfig");
    /** Prefix of a published document's name in the address. */
    private static final String PUBLISHED = "Published";

    private static final String CHANGES = "Changes";
    private static final int CONTEXT = 3;
    /** Longer texts take too long to compare. */
    private static final int MOST_LINES = 20_000;

    private record Property(String word, String field) {}

    /** Links whose objects the page lists. */
    private static final Set<String> IN_WORKER_CLUSTER =
            Set.of("ProvisioningSecret", "BootstrapSecret", "BootstrapToken");

    private static final List<Property> PROPERTIES = List.of(
            new Property("Revision", "machineDeploymentRevision"),
            new Property("Profile", "profile"),
            new Property("Profile version", "profileVersion"),
            new Property("Profile content", "profileContentHash"),
            new Property("Settings", "settingsHash"),
            new Property("Content", "contentHash"),
            new Property("Engine", "templateEngine"));

    @Override
    public PageView view(PageContext visit, PageFrame frame) throws ApiProblem {
        ReplyTree detail = visit.call(question("getMachineDeployment", visit));
        ReplyTree why = visit.call(question("whyMachineDeployment", visit));
        ReplyTree md = detail.at("machineDeployment");
        LiveCells cells = new LiveCells();
        Map<String, Object> model = new LinkedHashMap<>(detail.tree());
        model.put("md", md.tree());
        model.put("why", why.tree());
        model.put("here", visit.currentPath());
        model.put("clusterHref", PageUrls.cluster(md.text("tenant"), md.text("workerCluster")));
        model.put("profileHref", PageUrls.profile(md.text("profile")));
        cells.state("nodes", StateBadge.of("verdict", why.text("newNodes")));
        cells.text("ready", ClusterRows.ready(md));
        answer(why, model, cells);
        links(why, md, model, cells);
        cells.chain("chain", DrawingHelpers.states(md.texts("links").stream()));
        cells.time("checked", "age", why.instant("checkedAt"), "a moment");
        model.put("versions", versions(detail));
        boolean published = detail.at("published").has("contentHash");
        model.put("published", detail.at("published").tree());
        model.put("oscThere", published);
        model.put("placed", published || detail.has("objects"));
        boolean unread = why.list("links").stream()
                .anyMatch(link -> IN_WORKER_CLUSTER.contains(link.text("name"))
                        && link.text("state").equals("Unknown"));
        model.put(
                "objects",
                detail.list("objects").stream()
                        .map(object -> object(object, unread))
                        .toList());
        sizes(detail, why, model);
        model.put("side", detail.has("sizes") || why.has("otherProblems"));
        List<ReplyTree> history = detail.list("history");
        model.put(
                "history", history.stream().limit(HISTORY).map(ReplyTree::tree).toList());
        model.put(
                "historyWords",
                history.size() > HISTORY
                        ? HISTORY + " of " + history.size() + " changes"
                        : NumberFormats.count(history.size(), "change", "changes"));
        model.put("historyNone", published ? "No change recorded yet" : "Nothing published yet");
        model.put("historyMore", history.size() > HISTORY ? history.size() : 0);
        document(visit, detail, model);
        return new PageView("machine-deployment", "fleet", title(md), model, cells, true);
    }

    /** An object in the worker cluster; its state is not known while the cluster cannot be read. */
    private static Map<String, Object> object(ReplyTree object, boolean unread) {
        Map<String, Object> row = object.toMutableMap();
        if (unread && object.text("state").equals("Current")) {
            row.put("state", "");
        }
        return row;
    }

    /** With its worker cluster and tenant, because names of MachineDeployments repeat. */
    static String title(ReplyTree md) {
        return md.text("name") + " · " + md.text("workerCluster") + " · " + md.text("tenant");
    }

    /** A request about the page's MachineDeployment. */
    static OperationRequest question(String operation, PageContext visit) {
        return new OperationRequest(operation)
                .path("namespace", visit.pathPart("namespace"))
                .path("machineDeploymentNamespace", visit.pathPart("machineDeploymentNamespace"))
                .path("machineDeploymentName", visit.pathPart("machineDeploymentName"));
    }

    private static void answer(ReplyTree why, Map<String, Object> model, LiveCells cells) {
        ReplyTree cause = why.at("cause");
        String newNodes = why.text("newNodes");
        boolean current = newNodes.equals("Current") && cause.tree().isEmpty();
        // All is published, but machine-controller has not started the machines.
        boolean awaited = current
                && why.list("links").stream()
                        .anyMatch(link -> link.text("state").equals("Waiting"));
        boolean well = current && !awaited;
        StateBadge look = StateBadge.of("verdict", newNodes);
        String fix = CauseRows.fix(cause);
        cells.classes(
                "answer/mood",
                switch (look.tone()) {
                    case "ok" -> "answer ok";
                    case "bad", "lock" -> "answer";
                    default -> "answer warn";
                });
        cells.state(
                "answer/where",
                look.withText(DrawingHelpers.describeChain(
                        DrawingHelpers.states(why.list("links").stream().map(link -> link.text("state"))))));
        Optional<Instant> since = why.instant("since").or(() -> cause.instant("since"));
        cells.time("answer/since", "clock", since, "").time("answer/lasting", "lasting", since, "");
        cells.text("answer/how", well ? "What to do" : "How to fix it");
        String verdict = ProblemEntries.capital(why.text("verdict"));
        cells.text("answer/what", cause.has("headline") ? cause.text("headline") : verdict);
        cells.text("answer/effect", cause.has("headline") ? verdict + "." : "");
        String exact = MessageText.exact(cause);
        cells.text(
                "answer/cause",
                well
                        ? "Every link from the profile to the node is closed."
                        : exact.equals(cause.text("headline")) ? "" : exact);
        model.put("excerpt", cause.text("excerpt").lines().toList());
        boolean ofProfile =
                cause.text("category").equals("profile") || cause.text("reason").endsWith("TooLarge");
        // The first link is the profile.
        model.put(
                "preview",
                ofProfile ? CauseRows.previewHref(why.list("links").getFirst().at("object")) : "");
        cells.text(
                "answer/cure",
                fix.isEmpty()
                        ? (well
                                ? "No action needed."
                                : awaited
                                        ? "Check machine-controller: its log, the cloud credential and the quota."
                                        : "Wait; the hub continues automatically.")
                        : fix);
        cells.command("answer/command", cause.text("command"));
        cells.text("answer/acts", well ? "" : MessageText.describeActor(cause.text("actor")));
        model.put(
                "others",
                why.list("otherProblems").stream().map(CauseRows::object).toList());
    }

    private static void links(ReplyTree why, ReplyTree md, Map<String, Object> model, LiveCells cells) {
        List<Map<String, Object>> links = new ArrayList<>();
        boolean after = false;
        for (ReplyTree link : why.list("links")) {
            String name = link.text("name");
            String state = link.text("state");
            String key = "link/" + name;
            cells.classes(
                    key,
                    switch (state) {
                                case "Ok" -> "is-ok";
                                case "OlderKept" -> "is-old";
                                case "Broken" -> "is-broken";
                                default -> "is-wait";
                            }
                            + (after && !state.equals("Broken") ? " is-after" : ""));
            after |= state.equals("Broken");
            cells.state(key + "/state", StateBadge.of("link", state));
            cells.time(key + "/since", "clock", link.instant("since"), "");
            cells.text(key + "/summary", ProblemEntries.capital(link.text("summary")));
            Map<String, Object> row = link.toMutableMap();
            row.put("place", links.size() + 1);
            row.put("objectHref", PageUrls.of(link.at("object"), md.text("tenant"), md.text("workerCluster")));
            if (name.equals("MachineControllerPickUp")) {
                row.put("machines", why.texts("waitingMachines"));
            }
            links.add(row);
        }
        model.put("links", links);
    }

    /** Wanted beside published values and whether they match; if nothing is pending, published is wanted. */
    private static List<Map<String, Object>> versions(ReplyTree detail) {
        ReplyTree published = detail.at("published");
        ReplyTree wanted = detail.has("wanted") ? detail.at("wanted") : published;
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Property property : PROPERTIES) {
            String one = wanted.text(property.field());
            String other = published.text(property.field());
            if (!one.isEmpty() || !other.isEmpty()) {
                rows.add(Map.of(
                        "word", property.word(),
                        "wanted", ClusterRows.or(abridged(one), "none"),
                        "published", ClusterRows.or(abridged(other), "none"),
                        "same", one.equals(other)));
            }
        }
        return rows;
    }

    /** Shortened for comparing hashes by eye. */
    private static String abridged(String value) {
        return value.matches("[0-9a-f]{40,64}") ? value.substring(0, 12) : value;
    }

    private static void sizes(ReplyTree detail, ReplyTree why, Map<String, Object> model) {
        for (ReplyTree size : detail.list("sizes")) {
            if (size.text("document").equals("Bootstrap")) {
                List<ReplyTree> largest = size.list("largest");
                model.put("largest", largest.stream().map(ReplyTree::tree).toList());
                model.put(
                        "largestBytes",
                        largest.isEmpty() ? 0 : largest.getFirst().number("bytes"));
                if (why.text("cause.reason").equals("UserDataTooLarge")) {
                    model.put("tooLarge", size.tree());
                }
            }
        }
    }

    /** The selected document or the difference. If rendering fails, the page states it and shows the rest. */
    private static void document(PageContext visit, ReplyTree detail, Map<String, Object> model) throws ApiProblem {
        SequencedMap<String, String> labels = documents(detail);
        String asked = visit.oneOf("doc", labels.keySet());
        String current = asked.isEmpty() ? labels.firstEntry().getKey() : asked;
        model.put("documents", DocumentTabs.tabs(visit, labels, current, "#document"));
        model.put("filterId", "filter");
        model.put(
                "documentApi", "/api/v1" + visit.currentPath().replaceFirst("^/tenants", "/namespaces") + "/user-data");
        try {
            if (current.equals(CHANGES)) {
                model.put("changes", changes(visit));
                return;
            }
            boolean published = current.startsWith(PUBLISHED);
            String name = published ? current.substring(PUBLISHED.length()) : current;
            ReplyTree document =
                    rendered(visit, published ? "Stored" : "Wanted").getOrDefault(name, ReplyTree.NONE);
            if (document.has("text")) {
                model.put("document", document.toMutableMap());
            } else {
                model.put("documentProblem", "It cannot be rendered now; see the cause above.");
            }
        } catch (ApiProblem refused) {
            if (refused.status() >= 500 && refused.status() != 503) {
                throw refused;
            }
            model.put("documentProblem", refused.detail());
        }
    }

    /** Labels by document. What is published is offered beside what is wanted while they differ; older ones are not stored. */
    private static SequencedMap<String, String> documents(ReplyTree detail) {
        ReplyTree published = detail.at("published");
        ReplyTree wanted = detail.at("wanted");
        String before = published.text("machineDeploymentRevision");
        String after = wanted.text("machineDeploymentRevision");
        boolean differs = published.has("contentHash")
                && detail.has("wanted")
                && !(published.text("contentHash").equals(wanted.text("contentHash")) && before.equals(after));
        boolean revisions = differs && !before.isEmpty() && !after.isEmpty() && !before.equals(after);
        SequencedMap<String, String> labels = new LinkedHashMap<>();
        for (String name : DOCUMENTS) {
            labels.put(
                    name, DocumentTabs.word(name) + (!differs ? "" : revisions ? ", revision " + after : ", wanted"));
        }
        if (differs) {
            for (String name : DOCUMENTS) {
                labels.put(
                        PUBLISHED + name,
                        DocumentTabs.word(name) + (revisions ? ", revision " + before : ", published"));
            }
            labels.put(CHANGES, "What changed" + (revisions ? ", " + before + " → " + after : ""));
        }
        return labels;
    }

    /** Documents by name. */
    private static Map<String, ReplyTree> rendered(PageContext visit, String source) throws ApiProblem {
        Map<String, ReplyTree> documents = new LinkedHashMap<>();
        visit.callIfAllowed(question("getUserData", visit).query("source", source))
                .ifPresent(answer -> answer.list("documents")
                        .forEach(document -> documents.put(document.text("document"), document)));
        return documents;
    }

    /** Differences from what is published to what is wanted, of the decoded text. */
    private static List<Map<String, Object>> changes(PageContext visit) throws ApiProblem {
        Map<String, ReplyTree> before = rendered(visit, "Stored");
        Map<String, ReplyTree> after = rendered(visit, "Wanted");
        List<Map<String, Object>> changes = new ArrayList<>();
        for (String name : DOCUMENTS.subList(0, 2)) {
            ReplyTree old = before.getOrDefault(name, ReplyTree.NONE);
            ReplyTree now = after.getOrDefault(name, ReplyTree.NONE);
            if (!old.has("text") || !now.has("text")) {
                changes.add(Map.of(
                        "word", DocumentTabs.word(name), "problem", "It cannot be rendered now; see the cause above."));
                continue;
            }
            List<String> from = ReadableText.plainLines(old.text("text"));
            List<String> to = ReadableText.plainLines(now.text("text"));
            String patch = from.size() + to.size() > MOST_LINES
                    ? ""
                    : String.join(
                            "\n",
                            UnifiedDiffUtils.generateUnifiedDiff(name, name, from, DiffUtils.diff(from, to), CONTEXT));
            changes.add(Map.of(
                    "word",
                    DocumentTabs.word(name),
                    "patch",
                    patch,
                    "problem",
                    from.size() + to.size() > MOST_LINES ? "It is too long to compare here." : ""));
        }
        return changes;
    }
}
