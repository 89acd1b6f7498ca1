import type { DomainEvent } from '@sheaf/events';
import type { Log } from '@sheaf/runtime';
import { storeAudit } from './audit-log/store-audit';
import type { Deps } from './deps';
import { storeErasures } from './erasures/store-erasures';

/** Stores the events that every service sends: entries of the audit log, and erasures. */
export async function storeFromEvery(deps: Pick<Deps, 'db'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  await storeAudit(
    deps,
    log,
    events.filter(({ type }) => type === 'audit.recorded'),
  );
  await storeErasures(
    deps,
    log,
    events.filter(({ type }) => type !== 'audit.recorded'),
  );
}
