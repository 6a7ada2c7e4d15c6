package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What forms of the console change. Each does one operation of the API and answers with what came of it, where it was asked for. A
 * kubeconfig goes in and never comes back: no form is filled with it again.
 */
final class Steering {
    /** What came of a form: a page to go to, or what to add to the page that it stands on. */
    record Outcome(String goTo, Map<String, Object> model) {
        static Outcome goTo(String address) {
            return new Outcome(address, Map.of());
        }

        static Outcome show(Map<String, Object> model) {
            return new Outcome("", model);
        }
    }

    private Steering() {}

    /** The form of the page that registers: test, register, or register paused. */
    static Outcome register(Visit visit) throws ApiProblem {
        PageCall call = visit.call();
        String namespace = field(call, "namespace");
        String name = field(call, "name");
        boolean scoped = field(call, "credential").equals("scoped");
        Map<String, Object> given = Map.of("namespace", namespace, "name", name, "scoped", scoped);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("given", given);
        try {
            Addressed to = new Addressed(namespace, name);
            if (field(call, "do").equals("test")) {
                Answer report = visit.ask(
                        to.question("testWorkerCluster").body(Map.of("kubeconfig", kubeconfig(call), "scoped", false)));
                shown.put("test", TestReports.of(report, visit.now()));
                return Outcome.show(shown);
            }
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("kubeconfig", kubeconfig(call));
            body.put("scoped", scoped);
            body.put("skipTest", false);
            if (field(call, "do").equals("paused")) {
                body.put("spec", Map.of("paused", true));
            }
            visit.ask(to.question("putWorkerCluster").body(body));
            return Outcome.goTo(Addresses.cluster(namespace, name));
        } catch (ApiProblem refused) {
            shown.put("refusal", refused.detail());
            shown.put("mistakes", mistakes(refused));
            return Outcome.show(shown);
        }
    }

    /** Forms of a tenant's page, by the last part of their address. */
    static Outcome tenant(Visit visit, String action) throws ApiProblem {
        PageCall call = visit.call();
        Addressed to = new Addressed(visit.part("namespace"), visit.part("name"));
        String back = Addresses.cluster(to.namespace(), to.name());
        try {
            return switch (action) {
                case "test" ->
                    Outcome.show(
                            Map.of("test", TestReports.of(visit.ask(to.question("testWorkerCluster")), visit.now())));
                case "pause" -> {
                    boolean paused = field(call, "paused").equals("true");
                    visit.ask(to.question("patchWorkerCluster").body(Map.of("spec", Map.of("paused", paused))));
                    yield Outcome.goTo(back);
                }
                case "rotate" -> {
                    boolean scoped = field(call, "scoped").equals("true");
                    visit.ask(to.question("rotateWorkerCluster")
                            .body(Map.of("kubeconfig", kubeconfig(call), "scoped", scoped)));
                    yield Outcome.show(Map.of("done", "The new kubeconfig works and is in use."));
                }
                case "remove" -> {
                    if (!field(call, "confirm").equals(to.name())) {
                        yield Outcome.show(
                                Map.of("done", "Nothing was removed: the name that was typed is another one."));
                    }
                    visit.ask(to.question("deleteWorkerCluster"));
                    yield Outcome.goTo("/");
                }
                default -> throw ApiProblem.notFound("action " + action);
            };
        } catch (ApiProblem refused) {
            if (refused.status() == 404 || refused.status() >= 500) {
                throw refused;
            }
            StringBuilder words = new StringBuilder("Nothing was changed. ").append(refused.detail());
            for (Mistake mistake : refused.mistakes()) {
                words.append("; ").append(mistake.detail());
            }
            return Outcome.show(Map.of("done", words.toString()));
        }
    }

    /** One worker cluster. Names that the contract does not allow never reach an operation. */
    private record Addressed(String namespace, String name) {
        Question question(String operation) throws ApiProblem {
            require("namespace", namespace, 63, "[a-z0-9]([-a-z0-9]*[a-z0-9])?");
            require("name", name, 253, "[a-z0-9]([-a-z0-9.]*[a-z0-9])?");
            return new Question(operation).path("namespace", namespace).path("name", name);
        }

        private static void require(String field, String value, int longest, String pattern) throws ApiProblem {
            if (value.length() > longest || !value.matches(pattern)) {
                throw ApiProblem.badRequest(Mistake.body(
                        "/" + field,
                        "the " + field + " has to be of lower-case letters, digits and hyphens",
                        "correct it; at most " + longest + " characters"));
            }
        }
    }

    private static String kubeconfig(PageCall call) throws ApiProblem {
        String text = call.form("kubeconfig").orElse("");
        if (text.isBlank() || text.length() > 262_144) {
            throw ApiProblem.badRequest(Mistake.body(
                    "/kubeconfig", "the kubeconfig is missing or larger than 256 KiB", "paste the whole file"));
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
