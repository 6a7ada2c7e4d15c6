package io.osmhub.core.render;

/** What stands in a stored OperatingSystemConfig where a credential would be. */
public enum Placeholder {
    FETCH_TOKEN("fetch-token"),
    BOOTSTRAP_TOKEN("bootstrap-token"),
    REGISTRY_CREDENTIALS("registry-credentials"),
    PROXY_URL("proxy-url"),
    RHEL_SUBSCRIPTION("rhel-subscription"),
    CLOUD_CONFIG("cloud-config"),
    PROVIDER_SPEC("provider-spec");

    private final String text;

    Placeholder(String word) {
        this.text = "<redacted:" + word + ">";
    }

    public String text() {
        return text;
    }

    /** The placeholder in place of a credential; nothing in place of nothing. */
    String of(String credential) {
        return credential.isEmpty() ? "" : text;
    }
}
