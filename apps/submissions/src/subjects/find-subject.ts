import { wholeWordsIn } from '@sheaf/contracts';
import { Problem, type User } from '@sheaf/kernel';
import { cursorAfter, placeOf, timeInPlace, type Asked } from '@sheaf/rpc';
import { z } from 'zod';
import type { Deps } from '../deps';
import { inTime } from '../search/find-places';
import type { Place } from '../search/slice';
import { everything, termsOfAny } from '../search/filter';
import { unsearchedOf } from '../search/reindex.queries';
import { valuesOf } from '../search/terms';
import { meaningsOf, spellingsOf } from './spellings';
import { formsWithEntries, noteLookUps, readAnywhere, type AnywhereRow } from './subjects.queries';

/** A submission of which an answer equals the value. */
export interface SubjectMatch {
  row: AnywhereRow;
  /** The fields of those answers. */
  keys: string[];
}

export interface OwnedForm {
  id: string;
  workspaceId: string;
  isHeld: boolean;
}

interface Walk {
  value: string;
  limit: number;
  cursor?: string | undefined;
}

const formsAtOnce = 100;
const placesAtOnce = 25;
/** After this time a request reads no further. */
const longestMs = 2_000;
/** The answers of a page, which travel in one message. */
const maxBytes = 2_097_152;

const maxWords = 20;

/** @throws Problem `bad_request` for a value that the index cannot look up */
function refuseUnsearchable(value: string): void {
  const { length } = wholeWordsIn(value);
  if (length === 0) throw Problem.badRequest('value: must have a letter or a digit');
  if (length > maxWords) throw Problem.badRequest(`value: must have at most ${maxWords} words`);
}

const first = '00000000-0000-0000-0000-000000000000';
/** The last form that was read to its end, and the place in the one after it; both parts of the place are empty at its beginning. */
const Position = z.union([z.tuple([z.uuid(), timeInPlace(), z.uuid()]), z.tuple([z.uuid(), z.literal(''), z.literal('')])]);

/** Another look of the same caller within this time is not noted again. */
const notedOnceMs = 3_600_000;

/**
 * The submissions of all forms that the caller owns of which an answer means the same as a value, however it is spelled: in the lists, the
 * trash and spam, the newest of each form first. Each tells from then on who has got its answers this way.
 */
export async function findSubject(
  deps: Pick<Deps, 'db' | 'forms' | 'searchBlocks' | 'clock'>,
  asked: Asked<User>,
  { value, limit, cursor }: Walk,
): Promise<{ matches: SubjectMatch[]; nextCursor: string | undefined; isIndexed: boolean }> {
  const { matches, nextCursor, unsearched } = await walk(deps, asked, { value, limit, cursor });
  const at = deps.clock.now();
  const ids = matches.map(({ match }) => match.row.id);
  // Before the answers leave: a disclosure that nobody can see afterwards is worse than one that fails.
  await noteLookUps(deps.db, ids, asked.caller, at, new Date(at.getTime() - notedOnceMs));
  return { matches: matches.map(({ match }) => match), nextCursor, isIndexed: unsearched.length === 0 };
}

interface Position {
  finished: string;
  after: Place | undefined;
}

/**
 * Reads form after form, until there are enough matches or the time is over.
 * @returns `nextCursor` if there is more; `unsearched`: the forms among those that may have more matches than the index knows
 */
export async function walk(
  deps: Pick<Deps, 'db' | 'forms' | 'searchBlocks'>,
  asked: Asked<User>,
  { value, limit, cursor }: Walk,
): Promise<{ matches: { form: OwnedForm; match: SubjectMatch }[]; nextCursor: string | undefined; unsearched: string[] }> {
  refuseUnsearchable(value);
  const until = performance.now() + longestMs;
  const matches: { form: OwnedForm; match: SubjectMatch }[] = [];
  const unsearched = new Set<string>();
  const list = ['subjects', asked.caller.instanceId, asked.caller.id, value];
  const [finished, created, id] = cursor === undefined ? [first, '', ''] : placeOf(Position, cursor, list);
  const at: Position = { finished, after: id === '' ? undefined : { created, id } };
  const toGoOn = () => cursorAfter([at.finished, at.after?.created ?? '', at.after?.id ?? ''], list);
  for (;;) {
    const forms = await deps.forms.owned(at.finished, formsAtOnce, asked);
    const missing = await unsearchedOf(
      deps.db,
      forms.map(({ id }) => id),
    );
    const known = await formsWithEntries(
      deps.db,
      forms.map(({ id: formId }) => formId),
    );
    for (const form of forms) {
      while (known.has(form.id)) {
        if (matches.length >= limit || performance.now() > until) return { matches, nextCursor: toGoOn(), unsearched: [...unsearched] };
        const { found, next } = await step(deps, form.id, value, at.after, Math.min(placesAtOnce, limit - matches.length));
        matches.push(...found.map((match) => ({ form, match })));
        at.after = next;
        if (next === undefined) break;
      }
      if (missing.has(form.id)) unsearched.add(form.id);
      at.finished = form.id;
    }
    if (forms.length < formsAtOnce) return { matches, nextCursor: undefined, unsearched: [...unsearched] };
  }
}

/** The next few submissions of a form with the words of the value, and those of them with an answer that equals it. */
async function step(
  { db, searchBlocks }: Pick<Deps, 'db' | 'searchBlocks'>,
  formId: string,
  value: string,
  after: Place | undefined,
  limit: number,
): Promise<{ found: SubjectMatch[]; next: Place | undefined }> {
  const filter = { ...everything(formId), ...termsOfAny(spellingsOf(value)) };
  const page = await inTime(db, filter, { direction: 'desc', after, limit }, () => searchBlocks.request(formId));
  const rows = await readAnywhere(
    db,
    formId,
    page.places.map(({ id }) => id),
    maxBytes,
  );
  const found = rows.flatMap((row) => {
    const keys = keysOf(JSON.parse(row.data) as Record<string, unknown>, value);
    return keys.length > 0 ? [{ row, keys }] : [];
  });
  const last = rows.at(-1);
  const isCut = rows.length < page.places.length;
  return { found, next: isCut && last ? page.places.find(({ id }) => id === last.id) : page.next };
}

function keysOf(answers: Record<string, unknown>, value: string): string[] {
  const sought = new Set(meaningsOf(value));
  const isSought = (part: unknown) =>
    (typeof part === 'string' || typeof part === 'number') && meaningsOf(String(part)).some((meaning) => sought.has(meaning));
  return Object.entries(answers).flatMap(([key, answer]) => (valuesOf(answer).some(isSought) ? key : []));
}
