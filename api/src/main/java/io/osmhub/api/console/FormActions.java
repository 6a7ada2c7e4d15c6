package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Form submissions. Each executes one API operation and shows the result in place. Only the response to a registration form that
 * stored nothing contains its kubeconfig again, in the field that it came from.
 */
final class FormActions {
    /** Result of a form: a page to redirect to, or values to add to its own page. */
    record FormResult(String goTo, Map<String, Object> model) {
        static FormResult goTo(String address) {
            return new FormResult(address, Map.of());
        }

        static FormResult show(Map<String, Object> model) {
            return new FormResult("", model);
        }
    }

    private FormActions() {}

    /** Registration form: test, register, or register paused. */
    static FormResult register(PageContext visit) throws ApiProblem {
        PageCall call = visit.call();
        String namespace = field(call, "namespace");
        String name = field(call, "name");
        boolean scoped = field(call, "credential").equals("scoped");
        Map<String, Object> given = Map.of(
                "namespace",
                namespace,
                "name",
                name,
                "scoped",
                scoped,
                "kubeconfig",
                call.form("kubeconfig").orElse(""));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("given", given);
        try {
            ClusterForm to = new ClusterForm(namespace, name);
            if (field(call, "do").equals("test")) {
                ReplyTree report = visit.call(
                        to.question("testWorkerCluster").body(Map.of("kubeconfig", kubeconfig(call), "scoped", false)));
                shown.put("test", TestReportView.of(report, visit.now()));
                return FormResult.show(shown);
            }
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("kubeconfig", kubeconfig(call));
            body.put("scoped", scoped);
            body.put("skipTest", false);
            if (field(call, "do").equals("paused")) {
                body.put("spec", Map.of("paused", true));
            }
            visit.call(to.question("putWorkerCluster").body(body));
            return FormResult.goTo(PageUrls.cluster(namespace, name));
        } catch (ApiProblem refused) {
            shown.put("refusal", MessageText.sentence(refused.detail()));
            shown.put("mistakes", mistakes(refused));
            return FormResult.show(shown);
        }
    }

    /** Forms of a tenant's page, by the last path segment. */
    static FormResult tenant(PageContext visit, String action) throws ApiProblem {
        PageCall call = visit.call();
        ClusterForm to = new ClusterForm(visit.pathPart("namespace"), visit.pathPart("name"));
        String back = PageUrls.cluster(to.namespace(), to.name());
        try {
            return switch (action) {
                case "test" ->
                    FormResult.show(Map.of(
                            "test", TestReportView.of(visit.call(to.question("testWorkerCluster")), visit.now())));
                case "pause" -> {
                    boolean paused = field(call, "paused").equals("true");
                    visit.call(to.question("patchWorkerCluster").body(Map.of("spec", Map.of("paused", paused))));
                    yield FormResult.goTo(back);
                }
                case "rotate" -> {
                    boolean scoped = field(call, "scoped").equals("true");
                    visit.call(to.question("rotateWorkerCluster")
                            .body(Map.of("kubeconfig", kubeconfig(call), "scoped", scoped)));
                    yield FormResult.show(Map.of("done", "The new kubeconfig passed the test and is in use."));
                }
                case "remove" -> {
                    if (!field(call, "confirm").equals(to.name())) {
                        yield FormResult.show(Map.of("refusal", "Nothing was removed: the typed name does not match."));
                    }
                    visit.call(to.question("deleteWorkerCluster"));
                    yield FormResult.goTo("/");
                }
                default -> throw ApiProblem.notFound("action " + action);
            };
        } catch (ApiProblem refused) {
            if (refused.status() == 404 || refused.status() >= 500) {
                throw refused;
            }
            StringBuilder words = new StringBuilder("Nothing was changed. ");
            words.append(MessageText.sentence(refused.detail()));
            for (RequestError mistake : refused.mistakes()) {
                words.append(' ').append(MessageText.sentence(mistake.detail()));
            }
            return FormResult.show(Map.of("refusal", words.toString()));
        }
    }

    /** One worker cluster. Names that the contract rejects never reach an operation. */
    private record ClusterForm(String namespace, String name) {
        OperationRequest question(String operation) throws ApiProblem {
            require("namespace", namespace, 63, "[a-z0-9]([-a-z0-9]*[a-z0-9])?");
            require("name", name, 253, "[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
            return new OperationRequest(operation).path("namespace", namespace).path("name", name);
        }

        private static void require(String field, String value, int longest, String pattern) throws ApiProblem {
            if (value.length() > longest || !value.matches(pattern)) {
                throw ApiProblem.badRequest(RequestError.body(
                        "/" + field,
                        "the " + field + " must consist of lower-case letters, digits and hyphens",
                        "correct it; at most " + longest + " characters"));
            }
        }
    }

    private static String kubeconfig(PageCall call) throws ApiProblem {
        String text = call.form("kubeconfig").orElse("");
        if (text.isBlank() || text.length() > 262_144) {
            throw ApiProblem.badRequest(RequestError.body(
                    "/kubeconfig", "the kubeconfig is missing or larger than 256 KiB", "paste the complete file"));
        }
        return text;
    }

    private static String field(PageCall call, String name) {
        return call.form(name).orElse("").strip();
    }

    static List<Map<String, String>> mistakes(ApiProblem problem) {
        return problem.mistakes().stream()
                .map(mistake -> Map.of(
                        "field", mistake.field().isEmpty() ? mistake.pointer() : mistake.field(),
                        "detail", mistake.detail(),
                        "cure", mistake.cure()))
                .toList();
    }
}
