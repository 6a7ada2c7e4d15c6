package io.osmhub.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.sim.contract.ApiCaller.Reply;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Create, read, update, delete: the part of the contract on single objects. */
public abstract class ObjectContract {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** The caller to use. */
    protected ApiCaller api;

    /** The namespace of this test alone. */
    protected String namespace;

    /** The server to try. */
    protected abstract ContractTarget target();

    @BeforeEach
    void createNamespace() {
        api = ApiCaller.of(target());
        namespace = "contract-%d-%d".formatted(ProcessHandle.current().pid(), NUMBER.incrementAndGet());
        Reply created = api.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace));
        assertThat(created.code()).as(created.raw()).isEqualTo(201);
    }

    /** The path of a core resource in this test's namespace. */
    protected String path(String resource) {
        return "/api/v1/namespaces/%s/%s".formatted(namespace, resource);
    }

    /** Creates a ConfigMap with one value. */
    protected Reply configMap(String name, String value) {
        Reply created = api.create(
                path("configmaps"), "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"v\":\"%s\"}}".formatted(name, value));
        assertThat(created.code()).as(created.raw()).isEqualTo(201);
        return created;
    }

    @Test
    void createAnswers201WithWhatTheServerFillsIn() {
        Reply created = configMap("a", "1");

        assertThat(created.text("/kind")).isEqualTo("ConfigMap");
        assertThat(created.text("/apiVersion")).isEqualTo("v1");
        assertThat(created.text("/metadata/uid")).hasSize(36);
        assertThat(created.text("/metadata/creationTimestamp")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(Long.parseLong(created.revision())).isPositive();
        assertThat(created.text("/metadata/managedFields/0/manager")).isEqualTo("contract");
        assertThat(created.text("/metadata/managedFields/0/operation")).isEqualTo("Update");
    }

    @Test
    void aSecondObjectOfTheSameNameIsRefused() {
        configMap("a", "1");

        Reply again = api.create(path("configmaps"), "{\"metadata\":{\"name\":\"a\"}}");

        assertThat(again.refusal()).isEqualTo("409 AlreadyExists");
        assertThat(again.text("/message")).isEqualTo("configmaps \"a\" already exists");
        assertThat(again.text("/details/name")).isEqualTo("a");
        assertThat(again.text("/details/kind")).isEqualTo("configmaps");
    }
}
