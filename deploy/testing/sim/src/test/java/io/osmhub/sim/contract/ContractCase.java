package io.osmhub.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.sim.contract.ApiCaller.Reply;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;

/** What all parts of the contract share: a caller and a namespace of each test's own. Nothing that a test leaves behind disturbs another. */
public abstract class ContractCase {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** The caller to use; its user may do everything. */
    protected ApiCaller api;

    /** The namespace of this test alone; also good as a part of names at the cluster scope. */
    protected String namespace;

    /** The server to try. */
    protected abstract ContractTarget target();

    @BeforeEach
    final void createNamespace() {
        api = ApiCaller.of(target());
        namespace = "contract-%d-%d".formatted(ProcessHandle.current().pid(), NUMBER.incrementAndGet());
        created(api.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace)));
    }

    /** The path of a core resource in this test's namespace. */
    final String path(String resource) {
        return "/api/v1/namespaces/%s/%s".formatted(namespace, resource);
    }

    /** Creates a ConfigMap with one value. */
    final Reply configMap(String name, String value) {
        return created(api.create(
                path("configmaps"), "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"v\":\"%s\"}}".formatted(name, value)));
    }

    /** Creates a ConfigMap with labels, given as the inside of a JSON object. */
    final Reply labelled(String name, String labels) {
        return created(api.create(
                path("configmaps"), "{\"metadata\":{\"name\":\"%s\",\"labels\":{%s}}}".formatted(name, labels)));
    }

    /** Defines the kind Widget in a group of this test's own, waits until it is served, and returns its collection's path. */
    final String widgets(String scope, String versionExtras) {
        String group = namespace + ".example.com";
        created(api.create(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.%1$s"},
                 "spec":{"group":"%1$s","scope":"%2$s",
                  "names":{"kind":"Widget","listKind":"WidgetList","plural":"widgets","singular":"widget","shortNames":["wg"]},
                  "versions":[{"name":"v1","served":true,"storage":true%3$s,"schema":{"openAPIV3Schema":{"type":"object",
                   "properties":{"spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
                    "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}""".formatted(group, scope, versionExtras)));
        String base = "/apis/%s/v1".formatted(group);
        String collection =
                scope.equals("Namespaced") ? "%s/namespaces/%s/widgets".formatted(base, namespace) : base + "/widgets";
        ContractAwait.until("Widget is served", () -> api.get(collection).code() == 200);
        return collection;
    }

    /** Widgets with a status subresource, in this test's namespace. */
    final String widgets() {
        return widgets("Namespaced", ",\"subresources\":{\"status\":{}}");
    }

    /** A Widget's JSON; {@code rest} begins with a comma or is empty. */
    final String widget(String name, String rest) {
        return "{\"apiVersion\":\"%s.example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"%s\"}%s}"
                .formatted(namespace, name, rest);
    }

    /** Asserts that a reply is 201 and returns it. */
    static Reply created(Reply reply) {
        assertThat(reply.code()).as(reply.raw()).isEqualTo(201);
        return reply;
    }

    /** Asserts that a reply is 200 and returns it. */
    static Reply ok(Reply reply) {
        assertThat(reply.code()).as(reply.raw()).isEqualTo(200);
        return reply;
    }
}
