package io.osmhub.tenancy.kubeconfig;

import static io.osmhub.core.problem.Reason.EndpointRefused;
import static io.osmhub.core.problem.Reason.KubeconfigFieldRefused;
import static io.osmhub.core.problem.Reason.KubeconfigInvalid;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.CANARY;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.aKubeconfig;
import static io.osmhub.tenancy.kubeconfig.Kubeconfigs.clientCertificate;

import io.osmhub.core.problem.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Kubeconfigs that try to make the hub run a program, read a file, connect somewhere or reveal a secret, and broken ones, each
 * with the field that its rejection names.
 */
public final class HostileKubeconfigs {
    private static final String SERVER = "clusters[0].cluster.server";
    private static final String USER = "users[0].user";

    private final String canaryFolder;
    private final int canaryPort;
    private final List<Case> cases = new ArrayList<>();

    /** {@code field} is empty if the whole text is invalid. */
    public record Case(String name, String text, Reason reason, String field) {
        @Override
        public String toString() {
            return name;
        }
    }

    private HostileKubeconfigs(String canaryFolder, int canaryPort) {
        this.canaryFolder = canaryFolder;
        this.canaryPort = canaryPort;
    }

    /**
     * @param canaryFolder contains a file {@code secret} that must not be read; a program would create others
     * @param canaryPort port of this host that must not be connected to
     */
    public static List<Case> all(String canaryFolder, int canaryPort) {
        HostileKubeconfigs hostile = new HostileKubeconfigs(canaryFolder, canaryPort);
        hostile.programs();
        hostile.files();
        hostile.weakenedTls();
        hostile.somebodyElse();
        hostile.addresses();
        hostile.servers();
        hostile.credentials();
        hostile.contexts();
        hostile.shapes();
        hostile.texts();
        return hostile.cases;
    }

    private void user(String name, Reason reason, String field, String lines) {
        add(name, reason, USER + "." + field, aKubeconfig().user(lines).text());
    }

    private void alsoCluster(String name, Reason reason, String field, String lines) {
        add(
                name,
                reason,
                "clusters[0].cluster." + field,
                aKubeconfig().alsoCluster(lines).text());
    }

    private void server(Reason reason, String url) {
        add(
                "server " + url,
                reason,
                SERVER,
                aKubeconfig().server("\"" + url + "\"").text());
    }

    private void whole(String name, String text) {
        add(name, KubeconfigInvalid, "", text);
    }

    private void add(String name, Reason reason, String field, String text) {
        cases.add(new Case(name, text, reason, field));
    }

    private String touch(String file) {
        return "\n  apiVersion: client.authentication.k8s.io/v1\n  command: /bin/sh\n  args: [-c, 'touch "
                + canaryFolder + "/" + file + "']\n  env: [{name: T, value: " + CANARY + "}]\n  interactiveMode: Never";
    }

    private void programs() {
        user("exec", KubeconfigFieldRefused, "exec", "exec:" + touch("exec"));
        add(
                "exec beside a token",
                KubeconfigFieldRefused,
                USER + ".exec",
                aKubeconfig().alsoUser("exec:" + touch("beside")).text());
        user(
                "exec in flow style",
                KubeconfigFieldRefused,
                "exec",
                "exec: {command: touch, args: [" + canaryFolder + "/flow]}");
        user("exec without a command", KubeconfigFieldRefused, "exec", "exec: {}");
        user("exec that is a text", KubeconfigFieldRefused, "exec", "exec: touch " + canaryFolder + "/text");
        user("exec that is a list", KubeconfigFieldRefused, "exec", "exec: [touch, " + canaryFolder + "/list]");
        user("exec with a quoted name", KubeconfigFieldRefused, "exec", "\"exec\":" + touch("quoted"));
        user("exec with an escaped name", KubeconfigFieldRefused, "exec", "\"e\\x78ec\":" + touch("escaped"));
        user("exec with a tag", KubeconfigFieldRefused, "exec", "!!str exec:" + touch("tagged"));
        user("Exec in another case", KubeconfigFieldRefused, "Exec", "Exec:" + touch("case"));
        user(
                "exec by a merge key",
                KubeconfigFieldRefused,
                "exec",
                "<<: {exec: {command: touch, args: [" + canaryFolder + "/merge]}}");
        add(
                "exec by an alias",
                KubeconfigFieldRefused,
                USER + ".exec",
                aKubeconfig()
                        .user("exec: *program")
                        .text()
                        .replace(
                                "preferences: {}",
                                "preferences: &program {command: touch, args: [" + canaryFolder + "/alias]}"));
        add(
                "exec of a user that no context uses",
                KubeconfigFieldRefused,
                "users[1].user.exec",
                aKubeconfig()
                        .text()
                        .replace(
                                "contexts:\n",
                                "- {name: other, user: {exec: {command: touch, args: [" + canaryFolder
                                        + "/other]}}}\ncontexts:\n"));
        user(
                "auth-provider that runs a program",
                KubeconfigFieldRefused,
                "auth-provider",
                "auth-provider:\n  name: gcp\n  config: {cmd-path: /bin/touch, cmd-args: " + canaryFolder + "/gcp}");
        user(
                "auth-provider oidc",
                KubeconfigFieldRefused,
                "auth-provider",
                "auth-provider:\n  name: oidc\n  config:\n    idp-issuer-url: https://127.0.0.1:" + canaryPort
                        + "\n    refresh-token: " + CANARY + "\n    client-secret: " + CANARY + "\n    id-token: "
                        + CANARY);
        user("auth-provider azure", KubeconfigFieldRefused, "auth-provider", "auth-provider: {name: azure}");
        user("auth-provider without a name", KubeconfigFieldRefused, "auth-provider", "auth-provider: {}");
        user("authProvider in another spelling", KubeconfigFieldRefused, "authProvider", "authProvider: {name: gcp}");
        user("auth_provider in another spelling", KubeconfigFieldRefused, "auth_provider", "auth_provider: gcp");
    }

    private void files() {
        String secret = canaryFolder + "/secret";
        user("tokenFile", KubeconfigFieldRefused, "tokenFile", "tokenFile: " + secret);
        add(
                "tokenFile beside a token",
                KubeconfigFieldRefused,
                USER + ".tokenFile",
                aKubeconfig().alsoUser("tokenFile: " + secret).text());
        user(
                "tokenFile of the hub's own account",
                KubeconfigFieldRefused,
                "tokenFile",
                "tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token");
        user("tokenFile as a URL", KubeconfigFieldRefused, "tokenFile", "tokenFile: file://" + secret);
        user("tokenFile that is a list", KubeconfigFieldRefused, "tokenFile", "tokenFile: [" + secret + "]");
        user("token-file in another spelling", KubeconfigFieldRefused, "token-file", "token-file: " + secret);
        user(
                "client-certificate and client-key as files",
                KubeconfigFieldRefused,
                "client-certificate",
                "client-certificate: " + secret + "\nclient-key: " + secret);
        user(
                "client-key as a file",
                KubeconfigFieldRefused,
                "client-key",
                "client-certificate-data: " + Pki.base64(Pki.RSA.certificate()) + "\nclient-key: ../../" + secret);
        add(
                "client-key as a file beside the data",
                KubeconfigFieldRefused,
                USER + ".client-key",
                aKubeconfig()
                        .user(clientCertificate(Pki.RSA.certificate(), Pki.RSA.pkcs8()) + "\nclient-key: /dev/stdin")
                        .text());
        add(
                "certificate-authority as a file",
                KubeconfigFieldRefused,
                "clusters[0].cluster.certificate-authority",
                aKubeconfig().cluster("certificate-authority: " + secret).text());
        alsoCluster(
                "certificate-authority beside the data",
                KubeconfigFieldRefused,
                "certificate-authority",
                "certificate-authority: /proc/self/environ");
        alsoCluster(
                "certificateAuthority in another spelling",
                KubeconfigFieldRefused,
                "certificateAuthority",
                "certificateAuthority: " + secret);
        add(
                "a file of a cluster that no context uses",
                KubeconfigFieldRefused,
                "clusters[1].cluster.certificate-authority",
                aKubeconfig()
                        .text()
                        .replace(
                                "users:\n",
                                "- {name: b, cluster: {server: 'https://b.example.org', certificate-authority: "
                                        + secret + "}}\nusers:\n"));
    }

    private void weakenedTls() {
        add(
                "insecure-skip-tls-verify",
                KubeconfigFieldRefused,
                "clusters[0].cluster.insecure-skip-tls-verify",
                aKubeconfig().cluster("insecure-skip-tls-verify: true").text());
        alsoCluster(
                "insecure-skip-tls-verify beside a CA",
                KubeconfigFieldRefused,
                "insecure-skip-tls-verify",
                "insecure-skip-tls-verify: true");
        alsoCluster(
                "insecure-skip-tls-verify: yes",
                KubeconfigFieldRefused,
                "insecure-skip-tls-verify",
                "insecure-skip-tls-verify: yes");
        alsoCluster(
                "insecure-skip-tls-verify as a text",
                KubeconfigInvalid,
                "insecure-skip-tls-verify",
                "insecure-skip-tls-verify: \"true\"");
        alsoCluster(
                "insecure-skip-tls-verify as a number",
                KubeconfigInvalid,
                "insecure-skip-tls-verify",
                "insecure-skip-tls-verify: 1");
        alsoCluster("insecureSkipTLSVerify", KubeconfigInvalid, "insecureSkipTLSVerify", "insecureSkipTLSVerify: true");
        alsoCluster("proxy-url", KubeconfigFieldRefused, "proxy-url", "proxy-url: http://127.0.0.1:" + canaryPort);
        alsoCluster(
                "proxy-url with a password",
                KubeconfigFieldRefused,
                "proxy-url",
                "proxy-url: socks5://u:" + CANARY + "@127.0.0.1:" + canaryPort);
        alsoCluster(
                "proxy-url that is not a string", KubeconfigFieldRefused, "proxy-url", "proxy-url: [http://127.0.0.1]");
        alsoCluster(
                "tls-server-name",
                KubeconfigFieldRefused,
                "tls-server-name",
                "tls-server-name: kubernetes.default.svc");
        alsoCluster("tlsServerName", KubeconfigFieldRefused, "tlsServerName", "tlsServerName: evil.example.org");
    }

    private void somebodyElse() {
        for (String field : List.of(
                "as: system:admin", "as-uid: '0'", "as-groups: ['system:masters']", "as-user-extra: {scopes: [all]}")) {
            add(
                    "impersonation, " + field,
                    KubeconfigFieldRefused,
                    USER + "." + field.substring(0, field.indexOf(':')),
                    aKubeconfig().alsoUser(field).text());
        }
        user("username and password", KubeconfigFieldRefused, "password", "username: admin\npassword: " + CANARY);
        user("username", KubeconfigFieldRefused, "username", "username: admin\npassword: " + CANARY);
        user("a number as password", KubeconfigFieldRefused, "password", "password: 123456");
    }

    private void addresses() {
        for (String host : List.of(
                "127.0.0.1",
                "127.1.2.3",
                "127.0.0.1.",
                "[::1]",
                "[0:0:0:0:0:0:0:1]",
                "[::ffff:127.0.0.1]",
                "[::ffff:7f00:1]",
                "[::127.0.0.1]",
                "[64:ff9b::127.0.0.1]",
                "[64:ff9b::7f00:1]",
                "[64:ff9b:1::7f00:1]",
                "[64:ff9b:1:7f00:0:100::]",
                "[2002:7f00:1::]",
                "[2001:0:7f00:1::]",
                "[2001:0:1:1::80ff:fffe]",
                "[2001:db8::5efe:127.0.0.1]",
                "[2001:db8::200:5efe:7f00:1]",
                "[::ffff:0:127.0.0.1]",
                "169.254.169.254",
                "169.254.0.1",
                "[fe80::1]",
                "[febf::1]",
                "[::ffff:169.254.169.254]",
                "[64:ff9b::a9fe:a9fe]",
                "[2002:a9fe:a9fe::1]",
                "[fd00:ec2::254]",
                "[fd20:ce::254]",
                "100.100.100.200",
                "168.63.129.16",
                "192.0.0.192",
                "0.0.0.0",
                "0.1.2.3",
                "[::]",
                "224.0.0.1",
                "255.255.255.255",
                "[ff02::1]")) {
            server(EndpointRefused, "https://" + host + ":" + canaryPort);
        }
    }

    private void servers() {
        for (String url : List.of(
                "http://api.example.org",
                "http://127.0.0.1:8080",
                "api.example.org:6443",
                "//api.example.org",
                "ftp://api.example.org",
                "file:///etc/passwd",
                "jar:https://api.example.org!/",
                "https:api.example.org",
                "https:/api.example.org",
                "https://",
                "https://:6443",
                "https://?x",
                "https://admin:" + CANARY + "@api.example.org",
                "https://" + CANARY + "@127.0.0.1",
                "https://api.example.org@127.0.0.1",
                "https://api.example.org\\\\@127.0.0.1",
                "https://api.example.org#@127.0.0.1",
                "https://api.example.org?token=" + CANARY,
                "https://api.example.org/#" + CANARY,
                "https://api.example.org/a/../../metrics",
                "https://api.example.org/./",
                "https://api.example.org//k8s",
                "https://api.example.org/%2e%2e/",
                "https://api.example.org/a b",
                "https://api.example.org/a\\r\\nX-Evil: 1",
                "https://api.example.org\\u0000.evil.org",
                "https://2130706433",
                "https://2130706433:6443",
                "https://017700000001",
                "https://0x7f000001",
                "https://0x7f.0.0.1",
                "https://0177.0.0.1",
                "https://127.0.0.01",
                "https://127.1",
                "https://127.0.1",
                "https://1.2.3.4.5",
                "https://256.1.1.1",
                "https://127.0.0.1..",
                "https://api.0x7f",
                "https://[fe80::1%25eth0]",
                "https://[fe80::1%eth0]",
                "https://[::1",
                "https://::1",
                "https://[127.0.0.1]",
                "https://[::ffff:0177.0.0.1]",
                "https://[]",
                "https://[::1]x:6443",
                "https://\\u24db\\u24de\\u24d2\\u24d0l",
                "https://\\uff11\\uff12\\uff17.0.0.1",
                "https://127\\u30020\\u30020\\u30021",
                "https://m\\u00fcnchen.example.org",
                "https://%6c%6f%63alhost",
                "https://api..example.org",
                "https://-api.example.org",
                "https://api_1.example.org",
                "https://api.example.org:0",
                "https://api.example.org:65536",
                "https://api.example.org:99999999999999999999",
                "https://api.example.org:+443",
                "https://api.example.org:",
                "https://api.example.org:443:443",
                "https://*.example.org",
                "https://${HOST}",
                "https://" + "a".repeat(64) + ".example.org",
                "https://" + "a.".repeat(130) + "org",
                "https://api.example.org/" + "a".repeat(3000))) {
            server(KubeconfigInvalid, url);
        }
        add(
                "server that is missing",
                KubeconfigInvalid,
                SERVER,
                aKubeconfig().text().replaceFirst("    server: .*\n", ""));
        add(
                "server that is a list",
                KubeconfigInvalid,
                SERVER,
                aKubeconfig().server("[https://127.0.0.1]").text());
        add(
                "server that is a number",
                KubeconfigInvalid,
                SERVER,
                aKubeconfig().server("2130706433").text());
    }

    private void credentials() {
        add("no credential", KubeconfigInvalid, USER, aKubeconfig().user("{}").text());
        add(
                "an empty credential",
                KubeconfigInvalid,
                USER,
                aKubeconfig().user("token: ''\nusername: ''").text());
        user("token with a line break", KubeconfigInvalid, "token", "token: |\n  " + CANARY + "\n  X-Evil: 1");
        user(
                "token with a header",
                KubeconfigInvalid,
                "token",
                "token: \"" + CANARY + "\\r\\nImpersonate-User: admin\"");
        user("token with a blank", KubeconfigInvalid, "token", "token: Bearer " + CANARY);
        user("token with a letter beyond ASCII", KubeconfigInvalid, "token", "token: \"" + CANARY + "\\u00e9\"");
        user("token with NUL", KubeconfigInvalid, "token", "token: \"" + CANARY + "\\0\"");
        user("token that is a number", KubeconfigInvalid, "token", "token: 123456789");
        user("token that is an object", KubeconfigInvalid, "token", "token: {value: " + CANARY + "}");
        add(
                "token and client certificate",
                KubeconfigInvalid,
                USER + ".token",
                aKubeconfig()
                        .alsoUser(clientCertificate(Pki.RSA.certificate(), Pki.RSA.pkcs8()))
                        .text());
        user(
                "certificate without key",
                KubeconfigInvalid,
                "client-key-data",
                "client-certificate-data: " + Pki.base64(Pki.RSA.certificate()));
        user(
                "key without certificate",
                KubeconfigInvalid,
                "client-certificate-data",
                "client-key-data: " + Pki.base64(Pki.RSA.pkcs8()));
        user(
                "certificate in PEM",
                KubeconfigInvalid,
                "client-certificate-data",
                "client-certificate-data: |\n" + Pki.RSA.certificate().indent(2) + "client-key-data: "
                        + Pki.base64(Pki.RSA.pkcs8()));
        user(
                "key in PEM",
                KubeconfigInvalid,
                "client-key-data",
                "client-certificate-data: " + Pki.base64(Pki.RSA.certificate()) + "\nclient-key-data: |\n"
                        + Pki.RSA.pkcs8().indent(2));
        user(
                "key that is not base64",
                KubeconfigInvalid,
                "client-key-data",
                "client-certificate-data: " + Pki.base64(Pki.RSA.certificate()) + "\nclient-key-data: '" + CANARY
                        + "!'");
        key("key of another certificate", Pki.RSA.certificate(), Pki.OTHER_RSA.pkcs8());
        key("key of another EC certificate", Pki.EC.certificate(), Pki.OTHER_EC.traditional());
        key("key with another public exponent", Pki.RSA.certificate(), Pki.RSA.withLongExponent());
        key("long public exponent", Pki.RSA_LONG_EXPONENT.certificate(), Pki.RSA_LONG_EXPONENT.pkcs8());
        key("EC key with an RSA certificate", Pki.RSA.certificate(), Pki.EC.pkcs8());
        key("RSA key with an EC certificate", Pki.EC.certificate(), Pki.RSA.traditional());
        key("key of another curve", Pki.EC.certificate(), Pki.EC_384.pkcs8());
        key("Ed25519 key", Pki.ED25519.certificate(), Pki.ED25519.pkcs8());
        key("two keys", Pki.RSA.certificate(), Pki.RSA.pkcs8() + Pki.RSA.traditional());
        key("no key", Pki.RSA.certificate(), Pki.RSA.certificate());
        key("key of a kind that there is not", Pki.RSA.certificate(), PemBlocks.write("DSA PRIVATE KEY", new byte[] {
            0x30, 0
        }));
        key("encrypted key", Pki.RSA.certificate(), PemBlocks.write("ENCRYPTED PRIVATE KEY", new byte[] {0x30, 0}));
        key(
                "key encrypted the old way",
                Pki.RSA.certificate(),
                Pki.RSA
                        .traditional()
                        .replace("KEY-----\nMI", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nMI"));
        key("key nested without end", Pki.RSA.certificate(), PemBlocks.write("PRIVATE KEY", nested()));
        key("key cut short", Pki.RSA.certificate(), Pki.RSA.pkcs8().replaceFirst("\n.*\n-----END", "\n-----END"));
        add(
                "certificate that is none",
                KubeconfigInvalid,
                USER + ".client-certificate-data",
                aKubeconfig().user(clientCertificate("hello", Pki.RSA.pkcs8())).text());
        add(
                "certificate nested without end",
                KubeconfigInvalid,
                USER + ".client-certificate-data",
                aKubeconfig()
                        .user(clientCertificate(PemBlocks.write("CERTIFICATE", nested()), Pki.RSA.pkcs8()))
                        .text());
        authority("authority that is none", Pki.base64("hello"));
        authority("authority that is a key", Pki.base64(Pki.RSA.pkcs8()));
        authority("authority that is broken", Pki.base64(PemBlocks.write("CERTIFICATE", new byte[] {0x30, 0})));
        authority("authority that is not base64", "'" + CANARY + "?'");
        authority("authority that is empty", "''");
        add(
                "authority that is missing",
                KubeconfigInvalid,
                "clusters[0].cluster.certificate-authority-data",
                aKubeconfig().cluster("extensions: []").text());
    }

    private static byte[] nested() {
        byte[] der = new byte[20_000];
        for (int i = 0; i < der.length; i += 2) {
            der[i] = 0x30;
            der[i + 1] = (byte) 0x80;
        }
        return der;
    }

    private void key(String name, String certificate, String key) {
        add(
                name,
                KubeconfigInvalid,
                USER + ".client-key-data",
                aKubeconfig().user(clientCertificate(certificate, key)).text());
    }

    private void authority(String name, String data) {
        add(
                name,
                KubeconfigInvalid,
                "clusters[0].cluster.certificate-authority-data",
                aKubeconfig().cluster("certificate-authority-data: " + data).text());
    }

    private void contexts() {
        add(
                "current-context that is not there",
                KubeconfigInvalid,
                "current-context",
                aKubeconfig().rest("current-context: other").text());
        add(
                "several contexts, none current",
                KubeconfigInvalid,
                "current-context",
                aKubeconfig()
                        .rest("- {name: second, context: {cluster: shop, user: admin@shop}}")
                        .text());
        add(
                "context with a user that is not there",
                KubeconfigInvalid,
                "contexts[0].context.user",
                aKubeconfig().text().replace("    user: admin@shop\n    name", "    user: nobody\n    name"));
        add(
                "context with a cluster that is not there",
                KubeconfigInvalid,
                "contexts[0].context.cluster",
                aKubeconfig().text().replace("cluster: shop\n", "cluster: none\n"));
        add(
                "no contexts",
                KubeconfigInvalid,
                "contexts",
                aKubeconfig().rest("").text().replaceFirst("(?s)contexts:.*", "contexts: []\n"));
        add(
                "two users of one name",
                KubeconfigInvalid,
                "users[1].name",
                aKubeconfig()
                        .text()
                        .replace("contexts:\n", "- {name: admin@shop, user: {token: " + CANARY + "}}\ncontexts:\n"));
        add(
                "two clusters of one name",
                KubeconfigInvalid,
                "clusters[1].name",
                aKubeconfig()
                        .text()
                        .replace("users:\n", "- {name: shop, cluster: {server: 'https://127.0.0.1'}}\nusers:\n"));
        add(
                "a context without a name",
                KubeconfigInvalid,
                "contexts[0].name",
                aKubeconfig().rest("").text().replace("- name: admin\n", "- name: ''\n"));
    }

    private void shapes() {
        user("unknown field", KubeconfigInvalid, "tokn", "tokn: " + CANARY);
        add(
                "unknown field that may be a secret",
                KubeconfigInvalid,
                USER,
                aKubeconfig().user("{" + CANARY + "-0123: }").text());
        add(
                "unknown field at the top",
                KubeconfigInvalid,
                "usres",
                aKubeconfig().rest("current-context: admin\nusres: []").text());
        add(
                "exec at the wrong place",
                KubeconfigFieldRefused,
                "users[0].exec",
                aKubeconfig().text().replace("- name: admin@shop\n", "- name: admin@shop\n  exec: {command: touch}\n"));
        add("another kind", KubeconfigInvalid, "kind", aKubeconfig().text().replace("kind: Config", "kind: Secret"));
        add(
                "another version",
                KubeconfigInvalid,
                "apiVersion",
                aKubeconfig().text().replace("apiVersion: v1", "apiVersion: v2"));
        add(
                "clusters that are an object",
                KubeconfigInvalid,
                "clusters",
                aKubeconfig().text().replaceFirst("(?s)clusters:.*users:", "clusters: {}\nusers:"));
        add(
                "users that are a text",
                KubeconfigInvalid,
                "users",
                aKubeconfig().text().replaceFirst("(?s)users:.*contexts:", "users: " + CANARY + "\ncontexts:"));
        add(
                "a user that is a text",
                KubeconfigInvalid,
                "users[0]",
                aKubeconfig().text().replaceFirst("(?s)users:.*contexts:", "users: [" + CANARY + "]\ncontexts:"));
        add(
                "a user without a user",
                KubeconfigInvalid,
                "users[0].user",
                aKubeconfig().text().replaceFirst("(?s)users:.*contexts:", "users: [{name: admin@shop}]\ncontexts:"));
        add(
                "a name that is a number",
                KubeconfigInvalid,
                "users[0].name",
                aKubeconfig().text().replace("- name: admin@shop", "- name: 7"));
    }

    private void texts() {
        String good = aKubeconfig().text();
        whole("nothing", "");
        whole("blanks", " \n\t\n");
        whole("a comment", "# " + CANARY);
        whole("null", "null");
        whole("a text", CANARY);
        whole("a list", "[" + CANARY + "]");
        whole("two documents", good + "---\n" + good);
        whole("a token twice", aKubeconfig().alsoUser("token: " + CANARY).text());
        whole(
                "a key twice that may be a secret",
                aKubeconfig().user("{" + CANARY + ": 1, " + CANARY + ": 2}").text());
        whole(
                "a key that is a list",
                aKubeconfig().user("? [" + CANARY + "]\n: 1").text());
        whole("a colon too many", aKubeconfig().user("token: " + CANARY + ": x").text());
        whole("an alias of nothing", aKubeconfig().user("token: *" + CANARY).text());
        whole("a quote that does not end", good + "x: \"" + CANARY);
        whole("a tab", good.replace("    user", "\tuser"));
        whole("a directive", "%" + CANARY + "\n---\n" + good);
        whole("an unknown tag", aKubeconfig().user("token: !" + CANARY + "! x").text());
        whole(
                "a class of Java",
                "!!javax.script.ScriptEngineManager [!!java.net.URL [\"http://127.0.0.1:" + canaryPort + "/\"]]");
        whole("an alias in itself", good + "preferences2: &a [*a]");
        whole("laughs", laughs());
        whole("brackets without end", "[".repeat(100_000));
        whole("braces without end", "{a: ".repeat(50_000));
        whole("dashes without end", "- ".repeat(100_000) + "a");
        whole("questions without end", "? ".repeat(100_000) + "a");
        whole("colons without end", ": ".repeat(100_000) + "a");
        whole("steps without end", steps());
        whole("a megabyte", good + "#" + "x".repeat(1 << 20));
        whole("a megabyte of entries", "users:\n" + "- {name: a, user: {token: b}}\n".repeat(40_000));
        whole("bytes", "\u0000\u0001\u0002" + CANARY);
        whole(
                "half a character",
                aKubeconfig().user("token: \"" + CANARY + "\ud800\"").text());
    }

    private static String laughs() {
        StringBuilder text = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (int i = 1; i < 12; i++) {
            String before = "*a" + (i - 1);
            text.append("a").append(i).append(": &a").append(i).append(" [");
            text.append(String.join(", ", Collections.nCopies(9, before))).append("]\n");
        }
        return text.toString();
    }

    private static String steps() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 900; i++) {
            text.append(" ".repeat(i)).append("a:\n");
        }
        return text.toString();
    }
}
