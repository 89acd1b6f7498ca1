import { Problem } from '@sheaf/kernel';
import type { Call } from './call';
import type { Client } from './transport/client';
import type { WorkspacesDefinition } from './transport/protocol';

/** Whether a host belongs to an instance: its custom domain or the host of one of its workspaces. */
export async function isInstanceHost(
  workspaces: Pick<Client<WorkspacesDefinition>, 'resolveHost'>,
  call: Call,
  host: string,
): Promise<boolean> {
  try {
    return (await workspaces.resolveHost(call, { host })).is_named;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return false;
    throw error;
  }
}
