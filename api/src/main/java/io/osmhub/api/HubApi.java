package io.osmhub.api;

import io.osmhub.api.access.Access;
import io.osmhub.api.access.AccessReviews;
import io.osmhub.api.access.RateLimits;
import io.osmhub.api.access.ReviewMeter;
import io.osmhub.api.access.Sessions;
import io.osmhub.api.access.Strangers;
import io.osmhub.api.access.TokenReviews;
import io.osmhub.api.certificate.ServingCertificate;
import io.osmhub.api.console.Console;
import io.osmhub.api.contract.Contract;
import io.osmhub.api.docs.Documents;
import io.osmhub.api.docs.PlainProblems;
import io.osmhub.api.http.ApiServer;
import io.osmhub.api.http.CallerOperations;
import io.osmhub.api.http.HttpLimits;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Page;
import io.osmhub.api.http.PageProblems;
import io.osmhub.api.ops.FleetFigures;
import io.osmhub.core.model.Sensitive;
import io.osmhub.workersync.apiserver.KubeApi;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The API with its console and documents, put together: who asks is told by the management cluster, what is answered by operations. */
public final class HubApi {
    /** How long a refused sign-in takes at least. */
    private static final Duration REFUSAL = Duration.ofSeconds(1);

    private final @Nullable Console console;
    private final RateLimits rates;
    private final ApiServer server;

    /**
     * What the operator decides.
     *
     * @param audiences whom tokens have to be for
     * @param reviewLife how long an answer about a caller holds
     * @param sessionLife of a session of the console
     * @param console whether there is one
     * @param audits whether writes are told in audit lines
     * @param sharedProfiles namespace of the profiles that all tenants may use
     */
    public record Terms(
            List<String> audiences,
            Duration reviewLife,
            Duration sessionLife,
            RateLimits.Limit rate,
            long bodyBytes,
            boolean console,
            boolean audits,
            String sharedProfiles) {
        public Terms {
            audiences = List.copyOf(audiences);
        }
    }

    /**
     * What it stands on.
     *
     * @param tenants namespaces of all tenants at each moment, whichever replica serves them
     * @param namespaces likewise, with those that only have profiles; the same object until one comes or goes
     * @param operations those of the contract but for the ones about callers, given who decides what callers may do
     * @param pages operations beside those of the contract, which only pages of the console ask
     * @param changes a number that is another one after anything that the console shows has changed
     * @param threads one virtual thread for each task
     */
    public record Parts(
            Vertx vertx,
            KubeApi management,
            Supplier<? extends Collection<String>> tenants,
            Supplier<Set<String>> namespaces,
            Function<Access, List<Operation>> operations,
            Function<Access, List<Operation>> pages,
            FleetFigures figures,
            LongSupplier changes,
            ServingCertificate certificate,
            HttpObserver observer,
            ReviewMeter reviews,
            ExecutorService threads) {}

    /** An API that does not listen yet. */
    public HubApi(Parts parts, Terms terms) {
        TokenReviews tokens = new TokenReviews(
                parts.management(), terms.audiences(), terms.reviewLife(), System::nanoTime, parts.reviews());
        Access access = new AccessReviews(
                parts.management(),
                parts.namespaces(),
                parts.threads(),
                terms.reviewLife(),
                System::nanoTime,
                parts.reviews());
        Strangers strangers = new Strangers(tokens, System::nanoTime);
        Sessions sessions = new Sessions(strangers, terms.sessionLife(), REFUSAL, InstantSource.system());
        List<Operation> operations = new ArrayList<>(parts.operations().apply(access));
        operations.addAll(new CallerOperations(access, sessions, parts.tenants(), terms.sharedProfiles()).operations());
        Contract contract = Contract.ofThisProgram();
        List<Page> pages = new ArrayList<>(new Documents(contract).pages());
        PageProblems problems = new PlainProblems();
        if (terms.console()) {
            List<Operation> asked = new ArrayList<>(operations);
            asked.addAll(parts.pages().apply(access));
            Console made = new Console(asked, parts.figures(), parts.changes(), InstantSource.system());
            pages.addAll(made.pages());
            problems = made;
            console = made;
        } else {
            console = null;
        }
        rates = new RateLimits(terms.rate(), System::nanoTime);
        server = new ApiServer(
                parts.vertx(),
                new ApiServer.Parts(
                        contract,
                        operations,
                        pages,
                        problems,
                        strangers,
                        sessions,
                        rates,
                        parts.certificate(),
                        HttpLimits.USUAL.withBodyBytes(terms.bodyBytes()),
                        parts.observer(),
                        parts.threads(),
                        terms.audits(),
                        false));
    }

    /** As {@link ApiServer#listen}. */
    public Future<Integer> listen(String host, int port) {
        return server.listen(host, port);
    }

    /** Path of a page of the console that signs in once who holds the token. */
    public String signInLink(Sensitive token) {
        if (console == null) {
            throw new IllegalStateException("the console is switched off");
        }
        return console.signInLink(token);
    }

    /** Holds from now on. */
    public void rate(RateLimits.Limit limit) {
        rates.limit(limit);
    }

    /** Event streams that are open now. */
    public int openStreams() {
        return server.openStreams();
    }

    /** Ends event streams and connections. */
    public Future<Void> close() {
        return server.close();
    }
}
