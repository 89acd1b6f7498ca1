import type { Transaction } from '@sheaf/postgres';
import { keepFiles } from '../files/keep-files';
import * as saved from './saved.queries';

/** Erases saved answers, if they are there, and keeps their files no longer on their account. */
export async function eraseSaved(trx: Transaction, formId: string, name: Buffer): Promise<void> {
  await saved.lockBytes(trx, formId);
  await keepFiles(trx, formId, await saved.erase(trx, formId, name));
}
