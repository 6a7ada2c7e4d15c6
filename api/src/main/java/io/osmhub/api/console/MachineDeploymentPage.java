package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.problem.ApiProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Why is my node not coming? A sentence that answers it, then the chain that proves it. */
final class MachineDeploymentPage implements Screen {
    private static final int HISTORY = 7;

    private record Property(String word, String field) {}

    private static final List<Property> PROPERTIES = List.of(
            new Property("Revision", "machineDeploymentRevision"),
            new Property("Profile", "profile"),
            new Property("Profile version", "profileVersion"),
            new Property("Profile content", "profileContentHash"),
            new Property("Settings", "settingsHash"),
            new Property("Content", "contentHash"),
            new Property("Engine", "templateEngine"));

    @Override
    public View view(Visit visit, Frame frame) throws ApiProblem {
        Answer detail = visit.ask(question("getMachineDeployment", visit));
        Answer why = visit.ask(question("whyMachineDeployment", visit));
        Answer md = detail.at("machineDeployment");
        Cells cells = new Cells();
        Map<String, Object> model = new LinkedHashMap<>(detail.tree());
        model.put("md", md.tree());
        model.put("why", why.tree());
        model.put("here", visit.here());
        model.put("clusterHref", Addresses.cluster(md.text("tenant"), md.text("workerCluster")));
        model.put("profileHref", Addresses.profile(md.text("profile")));
        cells.state("nodes", Look.of("verdict", why.text("newNodes")));
        cells.text("ready", Clusters.ready(md));
        answer(why, model, cells);
        links(why, md, model, cells);
        cells.chain("chain", Drawings.states(why.list("links")));
        cells.moment("checked", "age", why.moment("checkedAt"), "a moment");
        model.put("versions", versions(detail));
        boolean published = detail.at("published").has("contentHash");
        model.put("published", detail.at("published").tree());
        model.put("oscThere", published);
        model.put("placed", published || detail.has("objects"));
        sizes(detail, why, model);
        List<Answer> history = detail.list("history");
        model.put("history", history.stream().limit(HISTORY).map(Answer::tree).toList());
        model.put(
                "historyWords",
                history.size() > HISTORY
                        ? HISTORY + " of " + history.size() + " changes"
                        : Figures.count(history.size(), "change", "changes"));
        model.put("historyNone", published ? "No change is recorded yet" : "Nothing was published yet");
        model.put("historyMore", history.size() > HISTORY ? history.size() : 0);
        document(visit, model);
        return new View("machine-deployment", "fleet", md.text("name"), model, cells, true);
    }

    /** A question about the MachineDeployment of the page. */
    static Question question(String operation, Visit visit) {
        return new Question(operation)
                .path("namespace", visit.part("namespace"))
                .path("machineDeploymentNamespace", visit.part("machineDeploymentNamespace"))
                .path("machineDeploymentName", visit.part("machineDeploymentName"));
    }

    private static void answer(Answer why, Map<String, Object> model, Cells cells) {
        Answer cause = why.at("cause");
        String newNodes = why.text("newNodes");
        boolean well = newNodes.equals("Current") && cause.tree().isEmpty();
        Look look = Look.of("verdict", newNodes);
        String cure = cause.text("cure");
        cells.mood(
                "answer/mood",
                switch (look.tone()) {
                    case "ok" -> "answer ok";
                    case "bad", "lock" -> "answer";
                    default -> "answer warn";
                });
        cells.state("answer/where", look.saying(Drawings.reading(Drawings.states(why.list("links")))));
        cells.moment("answer/since", "clock", why.moment("since").or(() -> cause.moment("since")), "");
        cells.text("answer/how", well ? "What to do" : "How to fix it");
        cells.text("answer/what", Words.capital(why.text("verdict")));
        cells.text(
                "answer/cause",
                well
                        ? "Every link from the profile to the node is closed."
                        : Words.exact(cause.text("message"), cure, cause.text("reason")));
        cells.text(
                "answer/cure",
                cure.isEmpty()
                        ? (well ? "Nothing to do." : "Wait: the hub goes on by itself.")
                        : Words.sentence(Words.advice(cure)));
        cells.command("answer/command", Words.command(cure));
        cells.text("answer/acts", well ? "Nobody has to act." : Words.acts(cause.text("actor")));
        model.put(
                "others", why.list("otherProblems").stream().map(Causes::object).toList());
    }

    private static void links(Answer why, Answer md, Map<String, Object> model, Cells cells) {
        List<Map<String, Object>> links = new ArrayList<>();
        boolean after = false;
        for (Answer link : why.list("links")) {
            String name = link.text("name");
            String state = link.text("state");
            String key = "link/" + name;
            cells.mood(
                    key,
                    switch (state) {
                                case "Ok" -> "is-ok";
                                case "OlderKept" -> "is-old";
                                case "Broken" -> "is-broken";
                                default -> "is-wait";
                            }
                            + (after && !state.equals("Broken") ? " is-after" : ""));
            after |= state.equals("Broken");
            cells.state(key + "/state", Look.of("link", state));
            cells.moment(key + "/since", "clock", link.moment("since"), "");
            cells.text(key + "/summary", Words.capital(link.text("summary")));
            Map<String, Object> row = link.open();
            row.put("place", links.size() + 1);
            row.put("objectHref", Addresses.of(link.at("object"), md.text("tenant"), md.text("workerCluster")));
            if (name.equals("MachineControllerPickUp")) {
                row.put("machines", why.texts("waitingMachines"));
            }
            links.add(row);
        }
        model.put("links", links);
    }

    /** Wanted beside published, each with whether it is the same; without a wish, what is published is wanted. */
    private static List<Map<String, Object>> versions(Answer detail) {
        Answer published = detail.at("published");
        Answer wanted = detail.has("wanted") ? detail.at("wanted") : published;
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Property property : PROPERTIES) {
            String one = wanted.text(property.field());
            String other = published.text(property.field());
            if (!one.isEmpty() || !other.isEmpty()) {
                rows.add(Map.of(
                        "word", property.word(),
                        "wanted", Clusters.or(abridged(one), "none"),
                        "published", Clusters.or(abridged(other), "none"),
                        "same", one.equals(other)));
            }
        }
        return rows;
    }

    /** Hashes are compared by eye. */
    private static String abridged(String value) {
        return value.matches("[0-9a-f]{40,64}") ? value.substring(0, 12) : value;
    }

    private static void sizes(Answer detail, Answer why, Map<String, Object> model) {
        for (Answer size : detail.list("sizes")) {
            if (size.text("document").equals("Bootstrap")) {
                List<Answer> largest = size.list("largest");
                model.put("largest", largest.stream().map(Answer::tree).toList());
                model.put(
                        "largestBytes",
                        largest.isEmpty() ? 0 : largest.getFirst().number("bytes"));
                if (why.text("cause.reason").equals("UserDataTooLarge")) {
                    model.put("tooLarge", size.tree());
                }
            }
        }
    }

    /** What a machine would get. Where it cannot be rendered, the page says so and goes on. */
    private static void document(Visit visit, Map<String, Object> model) throws ApiProblem {
        List<String> names = List.of("Bootstrap", "Provisioning", "OperatingSystemConfig");
        String asked = visit.oneOf("doc", names);
        String current = asked.isEmpty() ? names.getFirst() : asked;
        model.put("documents", Documents.tabs(visit, names, current, "#document"));
        model.put("filterId", "filter");
        try {
            Optional<Answer> rendered = visit.askIfAllowed(
                    question("getUserData", visit).query("source", "Wanted").query("document", current));
            if (rendered.isEmpty()) {
                model.put("documentProblem", "No document to show.");
            } else {
                Answer document = rendered.get().has("document")
                        ? rendered.get()
                        : rendered.get().list("documents").stream().findFirst().orElse(Answer.NONE);
                model.put("document", document.open());
                if (!document.has("text")) {
                    model.put("document", "");
                    model.put("documentProblem", "It cannot be rendered now; the answer above says why.");
                }
            }
        } catch (ApiProblem refused) {
            if (refused.status() >= 500 && refused.status() != 503) {
                throw refused;
            }
            model.put("documentProblem", refused.detail());
        }
    }
}
