import { audited, record } from '@sheaf/events';
import { newId, operatorIn } from '@sheaf/kernel';
import type { CommandDeps } from '../deps';
import { allInstanceIds } from './record-restore.queries';

/**
 * Tells the readers of the audit logs of all instances that the system was restored from a backup: what it recorded after the backup is
 * missing. All in one transaction, so that a repeated command after a crash adds the entries at most once more.
 * @param backupAt when the backup was made
 * @returns how many instances there are
 */
export async function recordRestore({ outbox, clock }: CommandDeps, backupAt: Date): Promise<number> {
  return outbox.transaction(async (trx) => {
    const ids = await allInstanceIds(trx);
    for (const id of ids) {
      const by = { caller: operatorIn(id), call: { requestId: newId() } };
      const deed = {
        action: 'instance.restored',
        target: { kind: 'instance', id },
        details: { backup_at: backupAt.toISOString() },
      } as const;
      await record(trx, audited(by, deed, clock.now()));
    }
    return ids.length;
  });
}
