package io.osmhub.api.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.contract.ContractParameter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The contract as a page: operations by subject, then schemas. */
final class ContractPage {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ApiContract contract;

    ContractPage(ApiContract contract) {
        this.contract = contract;
    }

    /** Its sections. */
    List<DocumentSection> sections() {
        List<DocumentSection> sections = new ArrayList<>();
        for (JsonNode tag : contract.document().path("tags")) {
            String name = tag.path("name").asText();
            sections.add(new DocumentSection(name, 2, Markdown.anchor(name)));
        }
        sections.add(new DocumentSection("Schemas", 2, "schemas"));
        return sections;
    }

    HtmlBuilder body() {
        JsonNode info = contract.document().path("info");
        HtmlBuilder html = new HtmlBuilder()
                .element("h1", info.path("title").asText())
                .raw(Markdown.html("api", info.path("description").asText()))
                .open("p")
                .text("For programs: ")
                .link("/openapi.yaml", "openapi.yaml")
                .text(", ")
                .link("/openapi.json", "openapi.json")
                .text(". Problems are explained in ")
                .link("/docs/reference/reasons", "Conditions and reasons")
                .text(".")
                .close("p");
        for (JsonNode tag : contract.document().path("tags")) {
            String name = tag.path("name").asText();
            html.element("h2", name, "id", Markdown.anchor(name))
                    .element("p", tag.path("description").asText());
            contract.operations().forEach(operation -> {
                JsonNode node = node(operation);
                if (node.path("tags").path(0).asText().equals(name)) {
                    operation(html, operation, node);
                }
            });
        }
        html.element("h2", "Schemas", "id", "schemas");
        contract.document()
                .path("components")
                .path("schemas")
                .properties()
                .forEach(schema -> schema(html, schema.getKey(), schema.getValue()));
        return html;
    }

    private JsonNode node(ContractOperation operation) {
        return contract.document()
                .path("paths")
                .path(operation.path())
                .path(operation.method().toLowerCase(Locale.ROOT));
    }

    private static void operation(HtmlBuilder html, ContractOperation operation, JsonNode node) {
        html.open("details", "id", operation.id()).open("summary");
        html.element("span", operation.method(), "class", "method")
                .element("code", ApiContract.BASE + operation.path())
                .text(" " + node.path("summary").asText())
                .close("summary")
                .raw(Markdown.html("api", node.path("description").asText()));
        if (!operation.parameters().isEmpty()) {
            html.open("table", "tabindex", "0").open("tr");
            for (String head : new String[] {"Parameter", "In", "For example", "Meaning"}) {
                html.element("th", head, "scope", "col");
            }
            html.close("tr");
            operation.parameters().forEach(parameter -> parameter(html, parameter));
            html.close("table");
        }
        JsonNode body = node.path("requestBody")
                .path("content")
                .path("application/json")
                .path("schema");
        if (!body.isMissingNode()) {
            html.open("p").text("Body: ");
            reference(html, body).close("p");
        }
        node.path("responses").properties().forEach(answer -> {
            html.open("p").element("code", answer.getKey()).text(" ");
            JsonNode content = answer.getValue().path("content");
            html.text(answer.getValue().path("description").asText() + " ");
            content.properties().forEach(type -> {
                html.text(type.getKey() + " ");
                reference(html, type.getValue().path("schema"));
            });
            if (answer.getValue().has("$ref")) {
                html.text(name(answer.getValue()));
            }
            html.close("p");
        });
        html.close("details");
    }

    private static void parameter(HtmlBuilder html, ContractParameter parameter) {
        html.open("tr")
                .open("td")
                .element("code", parameter.name())
                .text(parameter.required() ? " required" : "")
                .close("td")
                .element("td", parameter.in().name().toLowerCase(Locale.ROOT))
                .open("td")
                .element("code", parameter.example())
                .close("td")
                .element("td", parameter.description())
                .close("tr");
    }

    private static String name(JsonNode reference) {
        String text = reference.path("$ref").asText();
        return text.substring(text.lastIndexOf('/') + 1);
    }

    private static HtmlBuilder reference(HtmlBuilder html, JsonNode schema) {
        String name = name(schema);
        return name.isEmpty() ? html.text("JSON") : html.link("#schema-" + name, name);
    }

    private static void schema(HtmlBuilder html, String name, JsonNode schema) {
        html.open("details", "id", "schema-" + name)
                .open("summary")
                .element("code", name)
                .text(" " + schema.path("description").asText().replace("`", ""))
                .close("summary");
        try {
            html.open("pre", "tabindex", "0")
                    .element("code", JSON.writerWithDefaultPrettyPrinter().writeValueAsString(schema))
                    .close("pre");
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
        html.close("details");
    }
}
