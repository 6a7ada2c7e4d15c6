package io.osmhub.sim.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.objects.ApiError;
import io.osmhub.sim.objects.JsonPatches;
import io.osmhub.sim.objects.JsonTrees;
import io.osmhub.sim.objects.ObjectOperations;
import io.osmhub.sim.objects.ObjectOperations.DeleteOptions;
import io.osmhub.sim.objects.ObjectOperations.WriteOptions;
import io.osmhub.sim.objects.ResourceCatalog;
import io.osmhub.sim.objects.ResourceKey;
import io.osmhub.sim.objects.ResourceType;
import io.osmhub.sim.objects.Store.StoreEvent;
import io.osmhub.sim.objects.StoredObject;
import io.osmhub.sim.objects.WriteScope;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A simulated machine-controller for one worker cluster. It sets the revision of each MachineDeployment, keeps the requested number of
 * Machines, boots each from its secrets, and creates a Node for each that has joined. The status of a Machine states why it does not boot.
 * All work runs on the given context.
 */
public final class MachineController {
    /** One machine: {@code reason} is what it waits for, empty once it runs. {@code machineDeployment} is {@code namespace/name}. */
    public record MachineState(
            String machineDeployment, String name, String revision, boolean running, String reason, String message) {}

    private record Name(String namespace, String name) {}

    private static final ResourceKey DEPLOYMENTS = new ResourceKey("cluster.k8s.io", "machinedeployments");
    private static final ResourceKey MACHINES = new ResourceKey("cluster.k8s.io", "machines");
    private static final ResourceKey NODES = new ResourceKey("", "nodes");
    private static final String REVISION = "machinedeployment.clusters.k8s.io/revision";
    private static final String OWNER_LABEL = "machine-deployment-name";
    private static final WriteOptions OPTIONS = WriteOptions.by("machine-controller");

    private final ObjectOperations objects;
    private final MachineBoot boot;
    private final Context context;
    private final Duration bootTime;
    private final Set<Name> dirty = new LinkedHashSet<>();
    private final Map<String, Integer> templates = new HashMap<>();
    private final Map<String, MachineState> machines = new ConcurrentHashMap<>();
    private boolean scheduled;
    private boolean waitingToo;

    private MachineController(ObjectOperations objects, MachineBoot boot, Context context, Duration bootTime) {
        this.objects = objects;
        this.boot = boot;
        this.context = context;
        this.bootTime = bootTime;
    }

    /** Starts it. {@code bootTime} is the time from a machine's secrets to Running. */
    public static MachineController start(
            ObjectOperations objects,
            Authenticator authenticator,
            Authorizer authorizer,
            String caPem,
            Context context,
            Duration bootTime) {
        MachineBoot boot = new MachineBoot(objects, authenticator, authorizer, caPem);
        MachineController controller = new MachineController(objects, boot, context, bootTime);
        objects.store().observe(controller::see);
        context.runOnContext(_ -> controller.enqueueAll());
        return controller;
    }

    public List<MachineState> machines() {
        return List.copyOf(machines.values());
    }

    private void runAfter(Duration delay, Runnable task) {
        // A timer runs on the context that starts it.
        context.runOnContext(_ -> context.owner().setTimer(Math.max(1, delay.toMillis()), _ -> task.run()));
    }

    private void see(StoreEvent event) {
        StoredObject object = event.object();
        if (event.resource().equals(DEPLOYMENTS)) {
            enqueue(new Name(object.namespace(), object.name()));
        } else if (event.resource().equals(MACHINES)) {
            enqueue(new Name(object.namespace(), object.labels().getOrDefault(OWNER_LABEL, "")));
        } else if (event.resource().equals(ResourceCatalog.SECRETS)) {
            // A machine may wait for this secret or token.
            enqueueWaiting();
        }
    }

    private Set<Name> waiting() {
        Set<Name> waiting = new LinkedHashSet<>();
        for (MachineState machine : machines.values()) {
            if (!machine.running()) {
                int slash = machine.machineDeployment().indexOf('/');
                waiting.add(new Name(
                        machine.machineDeployment().substring(0, slash),
                        machine.machineDeployment().substring(slash + 1)));
            }
        }
        return waiting;
    }

    private void enqueueAll() {
        objects.store().all(DEPLOYMENTS).forEach(each -> enqueue(new Name(each.namespace(), each.name())));
    }

    // Changes come in bursts, after which each MachineDeployment is reconciled once.
    private synchronized void enqueue(Name name) {
        dirty.add(name);
        schedule();
    }

    private synchronized void enqueueWaiting() {
        waitingToo = true;
        schedule();
    }

    private synchronized void schedule() {
        if (!scheduled) {
            scheduled = true;
            context.runOnContext(_ -> work());
        }
    }

    private void work() {
        Set<Name> todo;
        boolean waiting;
        synchronized (this) {
            todo = new LinkedHashSet<>(dirty);
            waiting = waitingToo;
            dirty.clear();
            waitingToo = false;
            scheduled = false;
        }
        if (waiting) {
            todo.addAll(waiting());
        }
        for (Name name : todo) {
            try {
                reconcile(name);
            } catch (ApiError raced) {
                // Concurrent change: it causes another event.
                runAfter(Duration.ofMillis(50), () -> enqueue(name));
            }
        }
    }

    private void reconcile(Name name) {
        StoredObject deployment = objects.store().get(DEPLOYMENTS, name.namespace(), name.name());
        if (deployment == null) {
            machines.values().removeIf(each -> each.machineDeployment().equals(name.namespace() + "/" + name.name()));
            return;
        }
        ObjectNode tree = deployment.tree();
        if (tree.path("metadata").has("deletionTimestamp")) {
            return;
        }
        String revision = revise(deployment, tree);
        if (revision.isEmpty()) {
            return;
        }
        List<StoredObject> current = new ArrayList<>();
        List<StoredObject> outdated = new ArrayList<>();
        for (StoredObject machine : objects.store().listAfter(MACHINES, name.namespace(), "")) {
            if (machine.owners().contains(deployment.uid())) {
                boolean same = JsonTrees.text(machine.tree(), "metadata", "annotations", REVISION)
                        .equals(revision);
                (same ? current : outdated).add(machine);
            }
        }
        int wanted = JsonTrees.at(tree, "spec", "replicas").asInt(1);
        for (int i = current.size(); i < wanted; i++) {
            createMachine(deployment, tree, revision);
        }
        for (int i = wanted; i < current.size(); i++) {
            remove(current.get(i));
        }
        boolean allRun = current.size() >= wanted;
        for (StoredObject machine : current.subList(0, Math.min(wanted, current.size()))) {
            allRun &= tryToBoot(name, machine, revision);
        }
        if (allRun) {
            outdated.forEach(this::remove);
        }
        reportStatus(name, tree, wanted, current, outdated.size());
    }

    /** Sets or raises the revision; empty if that changed the object, which is then reconciled again. */
    private String revise(StoredObject deployment, ObjectNode tree) {
        int template = JsonTrees.at(tree, "spec", "template").hashCode();
        String revision = JsonTrees.text(tree, "metadata", "annotations", REVISION);
        Integer known = templates.putIfAbsent(deployment.uid(), template);
        boolean changed = known != null && known != template;
        if (!revision.isEmpty() && !changed) {
            return revision;
        }
        templates.put(deployment.uid(), template);
        long next = revision.isEmpty() ? 1 : Long.parseLong(revision) + 1;
        String patch = "{\"metadata\":{\"annotations\":{\"%s\":\"%d\"}}}".formatted(REVISION, next);
        write(DEPLOYMENTS, deployment.namespace(), deployment.name(), WriteScope.MAIN, patch);
        return "";
    }

    private void createMachine(StoredObject deployment, ObjectNode tree, String revision) {
        ObjectNode machine = JsonTrees.object();
        ObjectNode metadata = machine.putObject("metadata").put("generateName", deployment.name() + "-");
        metadata.putObject("labels").put(OWNER_LABEL, deployment.name());
        metadata.putObject("annotations").put(REVISION, revision);
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "cluster.k8s.io/v1alpha1")
                .put("kind", "MachineDeployment")
                .put("name", deployment.name())
                .put("uid", deployment.uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
        machine.set("spec", JsonTrees.at(tree, "spec", "template", "spec").deepCopy());
        objects.create(type(MACHINES), deployment.namespace(), machine, OPTIONS);
    }

    /** Whether the machine runs. */
    private boolean tryToBoot(Name owner, StoredObject machine, String revision) {
        MachineState known = machines.get(machine.uid());
        if (known != null && known.running()) {
            return true;
        }
        String of = owner.namespace() + "/" + owner.name();
        try {
            boot.boot(owner.namespace(), owner.name(), revision, machine);
        } catch (MachineBoot.Stuck stuck) {
            String message = String.valueOf(stuck.getMessage());
            MachineState now = new MachineState(of, machine.name(), revision, false, stuck.reason(), message);
            if (!now.equals(machines.put(machine.uid(), now))) {
                writeMachineStatus(machine, "Pending", "False", stuck.reason(), message);
            }
            return false;
        }
        if (bootTime.isZero()) {
            run(of, machine, revision);
            return true;
        }
        if (known == null || !known.reason().equals("Booting")) {
            machines.put(
                    machine.uid(), new MachineState(of, machine.name(), revision, false, "Booting", "it is starting"));
            runAfter(bootTime, () -> finish(of, machine, revision));
        }
        return false;
    }

    private void finish(String owner, StoredObject machine, String revision) {
        if (objects.store().get(MACHINES, machine.namespace(), machine.name()) != null) {
            run(owner, machine, revision);
        }
    }

    private void run(String owner, StoredObject machine, String revision) {
        machines.put(machine.uid(), new MachineState(owner, machine.name(), revision, true, "", ""));
        if (objects.store().get(NODES, "", machine.name()) == null) {
            ObjectNode node = JsonTrees.object();
            node.putObject("metadata").put("name", machine.name());
            node.putObject("spec");
            objects.create(type(NODES), "", node, OPTIONS);
            String ready =
                    "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"reason\":\"KubeletReady\"}]}}";
            write(NODES, "", machine.name(), WriteScope.STATUS, ready);
        }
        writeMachineStatus(machine, "Running", "True", "Joined", "the machine joined as node " + machine.name());
    }

    private void remove(StoredObject machine) {
        machines.remove(machine.uid());
        objects.delete(type(MACHINES), machine.namespace(), machine.name(), DeleteOptions.NONE);
        if (objects.store().get(NODES, "", machine.name()) != null) {
            objects.delete(type(NODES), "", machine.name(), DeleteOptions.NONE);
        }
    }

    private void writeMachineStatus(StoredObject machine, String phase, String booted, String reason, String message) {
        ObjectNode patch = JsonTrees.object();
        ObjectNode status = patch.putObject("status").put("phase", phase);
        if (phase.equals("Running")) {
            status.putObject("nodeRef").put("kind", "Node").put("name", machine.name());
        }
        status.putArray("conditions")
                .addObject()
                .put("type", "Booted")
                .put("status", booted)
                .put("reason", reason)
                .put("message", message)
                .put("lastTransitionTime", objects.now());
        write(MACHINES, machine.namespace(), machine.name(), WriteScope.STATUS, patch.toString());
    }

    private void reportStatus(Name name, ObjectNode tree, int wanted, List<StoredObject> current, int outdated) {
        long ready = current.stream()
                .filter(each -> Optional.ofNullable(machines.get(each.uid()))
                        .filter(MachineState::running)
                        .isPresent())
                .count();
        ObjectNode status = JsonTrees.object();
        status.put("replicas", wanted + outdated)
                .put("updatedReplicas", Math.min(wanted, current.size()))
                .put("readyReplicas", (int) ready)
                .put("availableReplicas", (int) ready)
                .put(
                        "observedGeneration",
                        JsonTrees.at(tree, "metadata", "generation").asInt());
        if (!status.equals(tree.path("status"))) {
            ObjectNode patch = JsonTrees.object();
            patch.set("status", status);
            write(DEPLOYMENTS, name.namespace(), name.name(), WriteScope.STATUS, patch.toString());
        }
    }

    private void write(ResourceKey kind, String namespace, String name, WriteScope part, String mergePatch) {
        ObjectNode patch = JsonTrees.read(mergePatch);
        objects.patch(type(kind), namespace, name, part, body -> JsonPatches.applyMergePatch(body, patch), OPTIONS);
    }

    private ResourceType type(ResourceKey key) {
        return objects.catalog().any(key);
    }
}
