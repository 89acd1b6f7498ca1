import { itemsIn, type ContentChanges } from '@sheaf/contracts';
import { authorize, Problem, type Client } from '@sheaf/kernel';
import { contentChanges, type Content } from '../content/content-changes';
import { readPayment } from '../content/payment';
import type { Deps } from '../deps';
import { loadForm } from '../form/load-form';
import type { VersionRow } from '../rows';
import * as versions from './versions.queries';

export type ListedVersion = Omit<VersionRow, 'fields' | 'payment'>;

/** A page of a form's versions, the newest first. Version numbers have no gaps, so the latest number is the total. */
export async function listVersions(
  { db }: Deps,
  caller: Client,
  { id, limit, offset }: { id: string; limit: number; offset: number },
): Promise<{ rows: ListedVersion[]; total: number }> {
  const { form, role } = await loadForm(db, caller, id);
  authorize(role, 'read this form');
  const newest = form.current_version - offset;
  return { rows: newest > 0 ? await versions.versionsUpTo(db, form.id, newest, limit) : [], total: form.current_version };
}

/** A version with its fields and payment. @throws Problem `not_found` unless the text is the number of a version. */
export async function getVersion({ db }: Deps, caller: Client, { id, version }: { id: string; version: string }): Promise<VersionRow> {
  const { form, role } = await loadForm(db, caller, id);
  authorize(role, 'read this form');
  const number = /^[1-9]\d{0,9}$/.test(version) ? Number(version) : Infinity;
  const row = number <= form.current_version ? await versions.version(db, form.id, number) : undefined;
  if (!row) throw Problem.notFound('version');
  return row;
}

/** The differences between two versions of a form. */
export async function diffVersions(
  deps: Deps,
  caller: Client,
  { id, version, other }: { id: string; version: string; other: string },
): Promise<{ from: number; to: number; changes: ContentChanges }> {
  const from = await getVersion(deps, caller, { id, version });
  const to = await getVersion(deps, caller, { id, version: other });
  return { from: from.number, to: to.number, changes: contentChanges(contentOf(from), contentOf(to)) };
}

const contentOf = ({ fields, payment }: VersionRow): Content => ({
  fields: itemsIn(fields),
  payment: readPayment(payment),
});
