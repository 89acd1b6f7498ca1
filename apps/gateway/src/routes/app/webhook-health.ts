import type { Call } from '@sheaf/rpc';
import type { Services } from '../services';

/** How long a request waits to learn how its webhooks fare. */
const timeoutMs = 2_000;

type Wanted = Parameters<Services['deliveries']['getWebhookHealth']>[1];
type Health = Pick<
  Awaited<ReturnType<Services['deliveries']['getWebhookHealth']>>['webhooks'][number],
  'failing' | 'last_delivered_at' | 'skipped' | 'withheld'
>;

/**
 * How webhooks fare, by id. Call it beside the request to `hooks`, which refuses what must be refused: a failure here, or an earlier `delivery` that
 * does not know the method, is no failure of the request.
 */
export async function webhookHealth({ deliveries }: Pick<Services, 'deliveries'>, call: Call, wanted: Wanted) {
  const deadline = Math.min(call.deadline, Date.now() + timeoutMs);
  const { webhooks } = await deliveries.getWebhookHealth({ ...call, deadline }, wanted).catch(() => ({ webhooks: [] }));
  const byId = new Map<string, Health>(webhooks.map((one) => [one.id, one]));
  return (id: string) => {
    const health = byId.get(id);
    if (health === undefined) return undefined;
    const { failing = null, last_delivered_at, skipped = null, withheld = null } = health;
    return { failing, last_delivered_at, skipped, withheld };
  };
}
