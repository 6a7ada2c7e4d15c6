package io.osmhub.api.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.diagnosis.ProfileSource;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.YamlText;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a profile that nobody has applied yet would change, and for whom. It is given in a form and compared by the API; the form comes
 * back with the text, since it is no credential and whoever compares goes on editing.
 */
final class ProfileDiff {
    private static final int LONGEST = 524_288;
    private static final String PAGE = "100";
    private static final String TEXT = "profile";

    private ProfileDiff() {}

    /** The form as it is before anything was compared: empty, or with the profile as it is. */
    static void offer(Visit visit, String namespace, String name, Map<String, Object> model) throws ApiProblem {
        model.put("compareEdit", visit.with(Map.of("compare", "edit")));
        if (visit.asked("compare").equals("edit")) {
            visit.askIfAllowed(new Question(ProfileSource.ID)
                            .path("namespace", namespace)
                            .path("name", name))
                    .map(source -> source.text("text"))
                    .ifPresent(text -> model.putAll(
                            acts(text)
                                    ? Map.of(
                                            "diffRefusal",
                                            "It holds characters that act on a page and are not put into a field: begin with "
                                                    + "kubectl get -o yaml.")
                                    : Map.of("given", text)));
        }
    }

    /** Whether a text holds characters that would make it look like another one. */
    private static boolean acts(String text) {
        return text.codePoints()
                .anyMatch(c -> Character.getType(c) == Character.FORMAT
                        || Character.isISOControl(c) && c != '\n' && c != '\t');
    }

    /** What came of the form, to be shown on the page that it stands on. */
    static Map<String, Object> compare(Visit visit, String namespace, String name) throws ApiProblem {
        String text = visit.call().form(TEXT).orElse("");
        boolean lines = visit.call().form("lines").isPresent();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("given", text);
        shown.put("givenLines", lines);
        if (text.isBlank() || text.length() > LONGEST) {
            shown.put(
                    "diffRefusal", text.isBlank() ? "The field was empty. Paste a profile." : "The text is too long.");
            return shown;
        }
        try {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("changes", List.of(profile(text, namespace, name)));
            body.put("lines", lines);
            body.put("limit", Integer.parseInt(PAGE));
            visit.call().form("continue").filter(next -> !next.isEmpty()).ifPresent(next -> body.put("continue", next));
            shown.putAll(report(visit.ask(new Question("diff").body(body))));
        } catch (TenantMistake mistake) {
            shown.put("diffRefusal", "Nothing was compared: not a profile.");
            shown.put(
                    "diffMistakes",
                    mistake.findings().stream()
                            .map(finding -> Map.of(
                                    "field", finding.line() > 0 ? "line " + finding.line() : "the text",
                                    "detail", finding.what(),
                                    "cure", finding.cure()))
                            .toList());
        } catch (ApiProblem refused) {
            if (refused.status() == 404 || refused.status() >= 500) {
                throw refused;
            }
            shown.put("diffRefusal", "Nothing was compared. " + Words.capital(refused.detail()) + ".");
            shown.put("diffMistakes", Steering.mistakes(refused));
        }
        return shown;
    }

    /** The first object of the text. What names no object is the one of the page. */
    private static JsonNode profile(String text, String namespace, String name) {
        for (Document document : YamlText.read("the text", text, "SettingsInvalid")) {
            if (Document.json(document.root()) instanceof ObjectNode object) {
                ObjectNode metadata =
                        object.path("metadata") instanceof ObjectNode given ? given : object.putObject("metadata");
                if (metadata.path("namespace").asText("").isEmpty()) {
                    metadata.put("namespace", namespace);
                }
                if (metadata.path("name").asText("").isEmpty()) {
                    metadata.put("name", name);
                }
                return object;
            }
        }
        throw new TenantMistake(new Finding(
                "SettingsInvalid", "the text", "", 0, 0, "it holds no object", "paste an OperatingSystemProfile"));
    }

    private static Map<String, Object> report(Answer report) {
        Map<String, Object> diff = report.open();
        Map<String, List<Map<String, Object>>> byTenant = new LinkedHashMap<>();
        for (Answer item : report.list("items")) {
            Map<String, Object> row = item.open();
            String tenant = item.text("tenant");
            Answer object = item.at("machineDeployment");
            row.put("name", object.text("name"));
            row.put("href", Addresses.machineDeployment(tenant, object.text("namespace"), object.text("name")));
            byTenant.computeIfAbsent(tenant, first -> new ArrayList<>()).add(row);
        }
        List<Map<String, Object>> tenants = new ArrayList<>();
        byTenant.forEach((tenant, rows) -> tenants.add(Map.of("tenant", tenant, "rows", rows)));
        diff.put("tenants", tenants);
        diff.put("next", report.text("continue"));
        long repaired = report.number("repaired");
        long changed = report.number("changed");
        long same = report.number("same");
        long refused = report.number("refused");
        diff.put("headline", headline(repaired, changed, same, refused));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("diff", diff);
        return shown;
    }

    private static String headline(long repaired, long changed, long same, long refused) {
        String others = refused == 0
                ? "."
                : "; " + Figures.count(refused, "MachineDeployment", "MachineDeployments")
                        + " would be refused, those that are today included.";
        if (changed + repaired > 0) {
            return "New nodes of " + Figures.count(changed + repaired, "MachineDeployment", "MachineDeployments")
                    + " would get something else" + others;
        }
        if (refused > 0) {
            return "Nothing would change for those that are published" + others;
        }
        return same > 0 ? "Nothing would change for anybody." : "Nobody who was compared uses it.";
    }
}
