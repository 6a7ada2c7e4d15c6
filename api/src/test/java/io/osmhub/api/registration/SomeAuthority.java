package io.osmhub.api.registration;

/** A certificate authority whose key nobody has. */
final class SomeAuthority {
    static final String PEM = """
            -----BEGIN CERTIFICATE-----
            MIIBkzCCATmgAwIBAgIUZJYV8Sm040IAXff5PvE4GWHEWfAwCgYIKoZIzj0EAwIw
            HjEcMBoGA1UEAwwTYXV0aG9yaXR5IG9mIG5vYm9keTAgFw0yNjExMjEyMjIxMTRa
            GA8yMTI2MTAyODIyMjExNFowHjEcMBoGA1UEAwwTYXV0aG9yaXR5IG9mIG5vYm9k
            eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABB46N6oaMmslgQvWFwrfZWlGv0wy
            QDC3nBUMwYqlF7JippB4/QwNgmGLZA/FuXCS50hp2VhvmTWSpdD/LTDDTGGjUzBR
            MB0GA1UdDgQWBBTrX+Cvr/S9/n+4qs3SdjGbtEuZ3zAfBgNVHSMEGDAWgBTrX+Cv
            r/S9/n+4qs3SdjGbtEuZ3zAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gA
            MEUCIDZTORS++q5JVLxTexdpPGSTzU82APlLntoeemmplOEHAiEAphQi+HdwjKyP
            Qv+zMDYjkAwuuRJP2i5Y8qd216SZWqg=
            -----END CERTIFICATE-----
            """;

    private SomeAuthority() {}
}
