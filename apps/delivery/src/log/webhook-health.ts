import type { Client } from '@sheaf/kernel';
import type { Asked, Client as HooksClient, HooksDefinition } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { healthOf, type HealthRow } from './webhook-health.queries';

/**
 * How the webhooks of a form, a workspace or the instance fare, or one of them. `hooks` decides which ones the caller may read, and bounds how many
 * there are, so the request names none that might be somebody else's.
 * @throws Problem `not_found`, `forbidden`
 */
export async function webhookHealth(
  { db, webhooks }: Pick<Deps, 'db'> & { webhooks: Pick<HooksClient<HooksDefinition>, 'getWebhook' | 'listWebhooks'> },
  { call }: Asked<Client>,
  { formId, workspaceId, id }: { formId: string | undefined; workspaceId: string | undefined; id: string | undefined },
): Promise<HealthRow[]> {
  const named = { form_id: formId, workspace_id: workspaceId };
  const readable =
    id === undefined ? (await webhooks.listWebhooks(call, named)).webhooks : [await webhooks.getWebhook(call, { ...named, id })];
  if (readable.length === 0) return [];
  return healthOf(
    db,
    readable.map((webhook) => webhook.id),
  );
}
