import type { Transaction } from '@sheaf/postgres';
import * as files from './files.queries';

/**
 * Keeps unclaimed files of a form for as long as saved answers name them. Call it for the files that saved answers began or ceased to name,
 * in the same transaction.
 */
export async function keepFiles(trx: Transaction, formId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await files.keepWithSavedAnswers(trx, formId, ids);
}
