package io.osmhub.api.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.diagnosis.ProfileSourceOperation;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Effects of a proposed profile. The API compares the form's text, and the form keeps the text for further editing, since it is no
 * credential.
 */
final class ProfileDiff {
    private static final int LONGEST = 524_288;
    private static final String PAGE = "100";
    private static final String TEXT = "profile";

    private ProfileDiff() {}

    /** The form before a comparison: empty, or with the current profile. */
    static void addForm(PageContext visit, String namespace, String name, Map<String, Object> model) throws ApiProblem {
        model.put("compareEdit", visit.withParameters(Map.of("compare", "edit")));
        if (visit.queryText("compare").equals("edit")) {
            visit.callIfAllowed(new OperationRequest(ProfileSourceOperation.ID)
                            .path("namespace", namespace)
                            .path("name", name))
                    .map(source -> source.text("text"))
                    .ifPresent(text -> model.putAll(
                            hasUnsafeText(text)
                                    ? Map.of(
                                            "diffRefusal",
                                            "It contains control characters, which are not put into a field: start with "
                                                    + "kubectl get -o yaml.")
                                    : Map.of("given", text)));
        }
    }

    /** Whether a text contains characters that disguise it. */
    private static boolean hasUnsafeText(String text) {
        return text.codePoints()
                .anyMatch(c -> Character.getType(c) == Character.FORMAT
                        || Character.isISOControl(c) && c != '\n' && c != '\t');
    }

    /** Result of the form, shown on its page. */
    static Map<String, Object> compare(PageContext visit, String namespace, String name) throws ApiProblem {
        String text = visit.call().form(TEXT).orElse("");
        boolean lines = visit.call().form("lines").isPresent();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("given", text);
        shown.put("givenLines", lines);
        if (text.isBlank() || text.length() > LONGEST) {
            shown.put("diffRefusal", text.isBlank() ? "The field is empty. Paste a profile." : "The text is too long.");
            return shown;
        }
        try {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("changes", List.of(profile(text, namespace, name)));
            body.put("lines", lines);
            body.put("limit", Integer.parseInt(PAGE));
            visit.call().form("continue").filter(next -> !next.isEmpty()).ifPresent(next -> body.put("continue", next));
            shown.putAll(report(visit.call(new OperationRequest("diff").body(body))));
        } catch (TenantMistake mistake) {
            shown.put("diffRefusal", "Nothing was compared: not a profile.");
            shown.put(
                    "diffMistakes",
                    mistake.findings().stream()
                            .map(finding -> Map.of(
                                    "field",
                                            finding.position().line() > 0
                                                    ? "line "
                                                            + finding.position().line()
                                                    : "the text",
                                    "detail", finding.cause(),
                                    "cure", finding.fix()))
                            .toList());
        } catch (ApiProblem refused) {
            if (refused.status() == 404 || refused.status() >= 500) {
                throw refused;
            }
            // A mistake repeats the detail with its field; the page compares one change.
            List<Map<String, String>> mistakes = FormActions.mistakes(refused).stream()
                    .map(mistake -> {
                        Map<String, String> row = new LinkedHashMap<>(mistake);
                        row.computeIfPresent("field", (key, field) -> field.replaceFirst("^/changes/0/", ""));
                        return row;
                    })
                    .toList();
            shown.put(
                    "diffRefusal",
                    "Nothing was compared." + (mistakes.isEmpty() ? " " + MessageText.sentence(refused.detail()) : ""));
            shown.put("diffMistakes", mistakes);
        }
        return shown;
    }

    /** The first object of the text. If it has no name, the page's profile is meant. */
    private static JsonNode profile(String text, String namespace, String name) {
        for (SourceDocument document : YamlDocumentReader.read("the text", text, Reason.SettingsInvalid)) {
            if (SourceDocument.json(document.root()) instanceof ObjectNode object) {
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
        throw new TenantMistake(new Problem(
                Reason.SettingsInvalid,
                ProblemObject.input("the text"),
                "",
                "it contains no object",
                "paste an OperatingSystemProfile"));
    }

    private static Map<String, Object> report(ReplyTree report) {
        Map<String, Object> diff = report.toMutableMap();
        Map<String, List<Map<String, Object>>> byTenant = new LinkedHashMap<>();
        for (ReplyTree item : report.list("items")) {
            Map<String, Object> row = item.toMutableMap();
            String tenant = item.text("tenant");
            ReplyTree object = item.at("machineDeployment");
            row.put("name", object.text("name"));
            row.put("href", PageUrls.machineDeployment(tenant, object.text("namespace"), object.text("name")));
            byTenant.computeIfAbsent(tenant, first -> new ArrayList<>()).add(row);
        }
        List<Map<String, Object>> tenants = new ArrayList<>();
        byTenant.forEach((tenant, rows) -> tenants.add(Map.of("tenant", tenant, "rows", rows)));
        diff.put("tenants", tenants);
        diff.put("next", report.text("continue"));
        long repaired = report.number("repaired");
        long changed = report.number("changed");
        long same = report.number("same");
        long already = report.number("alreadyRefused");
        long refused = report.number("refused") - already;
        diff.put("headline", headline(repaired, changed, same, refused, already));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("diff", diff);
        return shown;
    }

    /** @param refused without those that are rejected today too */
    private static String headline(long repaired, long changed, long same, long refused, long already) {
        String others = refused == 0 ? "" : "; " + MessageText.machineDeployments(refused) + " would be rejected";
        String today = already == 0
                ? ""
                : "; " + MessageText.machineDeployments(already) + (already == 1 ? " stays" : " stay")
                        + " rejected as today";
        if (changed + repaired > 0) {
            return "New nodes of " + MessageText.machineDeployments(changed + repaired) + " would change" + others
                    + today + ".";
        }
        if (refused > 0) {
            return "No published MachineDeployment would change" + others + today + ".";
        }
        return same + already > 0 ? "Nothing would change" + today + "." : "No compared MachineDeployment uses it.";
    }
}
