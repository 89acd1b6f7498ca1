import { Problem, type Client } from '@sheaf/kernel';
import { cursorAfter, placeOf, type Asked } from '@sheaf/rpc';
import { z } from 'zod';
import type { Deps } from '../deps';
import { getSubmission } from '../submission/read-submissions';
import { findRevision, revisionsBefore, type RevisionRow, type RevisionWithData } from './revisions.queries';

interface Named {
  formId: string;
  id: string;
}

const Place = z.tuple([z.int().min(0).max(2_147_483_647)]);

/** A page of the answers that corrections replaced, newest first, and their number. */
export async function listRevisions(
  deps: Deps,
  asked: Asked<Client>,
  { limit, cursor, ...named }: Named & { limit: number; cursor?: string | undefined },
): Promise<{ rows: RevisionRow[]; total: number; nextCursor: string | undefined }> {
  const { id, revision: total } = await getSubmission(deps, asked, named);
  const list = ['revisions', id];
  const [before] = cursor === undefined ? [total] : placeOf(Place, cursor, list);
  const rows = await revisionsBefore(deps.db, id, before, limit);
  const last = rows.at(-1);
  return { rows, total, nextCursor: last && last.number > 0 ? cursorAfter([last.number], list) : undefined };
}

/** Answers that a correction replaced, with the version that they were made against. */
export async function getRevision(
  deps: Deps,
  asked: Asked<Client>,
  { number, ...named }: Named & { number: number },
): Promise<RevisionWithData & { schema_version: number }> {
  const { id, schema_version } = await getSubmission(deps, asked, named);
  const found = await findRevision(deps.db, id, number);
  if (!found) throw Problem.notFound('revision');
  return { ...found, schema_version };
}
