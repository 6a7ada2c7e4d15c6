package io.osmhub.core.render;

/** Replaces a credential in a stored OperatingSystemConfig. */
public enum CredentialPlaceholder {
    FETCH_TOKEN("fetch-token"),
    BOOTSTRAP_TOKEN("bootstrap-token"),
    REGISTRY_CREDENTIALS("registry-credentials"),
    PROXY_URL("proxy-url"),
    RHEL_SUBSCRIPTION("rhel-subscription"),
    CLOUD_CONFIG("cloud-config"),
    PROVIDER_SPEC("provider-spec");

    private final String text;

    CredentialPlaceholder(String word) {
        this.text = "<redacted:" + word + ">";
    }

    public String text() {
        return text;
    }

    /** The placeholder, or an empty text for an empty credential. */
    String redact(String credential) {
        return credential.isEmpty() ? "" : text;
    }
}
