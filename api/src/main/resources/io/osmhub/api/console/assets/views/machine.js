/** The page of a machine is that of its MachineDeployment, which shows everything. */
import { ApiError, get, pathOf } from "../api.js";
import { machineDeploymentPage, nothing } from "../parts.js";

export const page = "fleet";
export const live = false;
export const title = () => "Machine";
export const content = () => nothing;

export async function load({ path: [tenant, namespace, machine] }) {
  const { machineDeployment } = await get(`/namespaces${pathOf(tenant)}/machines${pathOf(namespace, machine)}/why`);
  if (!machineDeployment) throw new ApiError(404, {});
  location.replace(machineDeploymentPage(tenant, machineDeployment.namespace, machineDeployment.name));
  return new Promise(() => {});
}
