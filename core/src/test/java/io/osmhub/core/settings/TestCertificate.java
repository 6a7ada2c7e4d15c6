package io.osmhub.core.settings;

/** A certificate and its private key, for tests of what becomes of them. */
public final class TestCertificate {
    public static final String PEM = """
        -----BEGIN CERTIFICATE-----
        MIIBOjCB7aADAgECAhRfhUP4nxLkC3bvrylyMJovzcLX8jAFBgMrZXAwEjEQMA4G
        A1UEAwwHdGVzdC1jYTAgFw0yNjExMjIxNjMwNDlaGA8yMTI2MTAyOTE2MzA0OVow
        EjEQMA4GA1UEAwwHdGVzdC1jYTAqMAUGAytlcAMhADmzQoPuraMXJp4ijUJ9u0R7
        7D1IGCViIYgs3Oh0eq+Co1MwUTAdBgNVHQ4EFgQUEMaV1kMLZhD7z5miOpRwLCgc
        tZ0wHwYDVR0jBBgwFoAUEMaV1kMLZhD7z5miOpRwLCgctZ0wDwYDVR0TAQH/BAUw
        AwEB/zAFBgMrZXADQQBOssJWfwA6ltynFN7596rvWjDSjYffFhpbBLF21GqBWEGc
        26tCkUwfvZgfzfCzsVM4tXsmW7P6NZ7dQ83J9nwM
        -----END CERTIFICATE-----
        """;
    public static final String KEY = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEILo73zQAAHEasA7SMaoRFxdW5gsUJuVYkl7eIM4J+M4B
        -----END PRIVATE KEY-----
        """;

    private TestCertificate() {}
}
