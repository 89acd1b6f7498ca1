import { createHash } from 'node:crypto';
import { maxPictureBytes, maxPicturesKept, maxPicturesOfForm, picturesOf, withoutOthers, type FormItem } from '@sheaf/contracts';
import { authorize, canActOnForm, Problem, type AnswerFault, type Client } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import { refusal } from '../content/faults';
import type { Deps } from '../deps';
import { loadForm, lockForm, refuseTrashed } from '../form/load-form';
import { dataUrlOf, readPicture, sizeFault, type Picture } from './picture-bytes';
import * as pictures from './pictures.queries';

/** A picture with its id, as people see it. */
export interface SeenPicture {
  id: string;
  picture: string;
}

const dayMs = 24 * 60 * 60 * 1_000;
/** Rows per statement, so that no statement holds locks for long. */
const batchSize = 1_000;

/** Keeps a picture for the options of a form. It is no part of the form before a draft has it. */
export async function addPicture({ outbox, clock }: Deps, asked: Asked<Client>, given: SeenPicture): Promise<SeenPicture> {
  const picture = readOptionPicture(given.picture);
  if ('fault' in picture) throw Problem.badRequest(`picture: ${picture.fault}`);
  return outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, asked.caller, given.id);
    authorize(role, 'change this form');
    refuseTrashed(form);
    const now = clock.now();
    await pictures.deleteUnused(trx, dayBefore(now), batchSize, form.id);
    if ((await pictures.countOthers(trx, form.id, picture.id)) >= maxPicturesKept)
      throw Problem.badRequest(`picture: is one too many; a form keeps at most ${maxPicturesKept} pictures, with those of its versions`);
    await pictures.insertPictures(trx, form.id, [picture], now);
    return { id: picture.id, picture: dataUrlOf(picture) };
  });
}

/** A picture of a form. Viewers may not read the draft and get those of versions. */
export async function getPicture({ db }: Deps, caller: Client, { formId, id }: { formId: string; id: string }): Promise<SeenPicture> {
  const { form, role } = await loadForm(db, caller, formId);
  authorize(role, 'read this form');
  const picture = await pictures.picture(db, form.id, id);
  if (!picture || !(picture.is_published || canActOnForm(role, 'change this form'))) throw Problem.notFound('picture');
  return { id, picture: dataUrlOf(picture) };
}

/** A picture that options may have, with its id, or the reason why it is none. */
export function readOptionPicture(dataUrl: string): (Picture & { id: string }) | { fault: string } {
  const picture = readPicture(dataUrl, maxPictureBytes);
  if ('fault' in picture) return picture;
  const fault = sizeFault(picture);
  return fault === undefined ? { ...picture, id: createHash('sha256').update(picture.bytes).digest('hex') } : { fault };
}

/**
 * Takes the pictures of a draft into use.
 * @throws Problem `bad_request` for one that the form does not have, and if they are too large together
 */
export async function usePictures(trx: Transaction, formId: string, items: readonly FormItem[], now: Date): Promise<void> {
  const ids = picturesOf(items);
  refuseMissing(items, ids.length === 0 ? [] : await pictures.usePictures(trx, formId, ids, now));
}

/**
 * Keeps the pictures of a new version for as long as the form.
 * @throws Problem `bad_request` for one that the form does not have: an earlier release may have saved or copied its draft
 */
export async function publishPictures(trx: Transaction, formId: string, items: readonly FormItem[]): Promise<void> {
  const ids = picturesOf(items);
  refuseMissing(items, ids.length === 0 ? [] : await pictures.publishPictures(trx, formId, ids));
}

function refuseMissing(items: readonly FormItem[], found: readonly { id: string; bytes: number }[]): void {
  const faults = pictureFaults(items, found, 'the id of a picture that was added to this form');
  if (faults.length > 0) throw refusal(faults);
}

/** The faults of options whose pictures are not there, or too large together. */
export function pictureFaults(
  items: readonly FormItem[],
  found: readonly { id: string; bytes: number }[],
  expected: string,
): AnswerFault[] {
  const known = new Set(found.map(({ id }) => id));
  // Without what is made for *Other*, so that the places are those that people know.
  const missing = withoutOthers(items).flatMap((item, at) =>
    'options' in item
      ? (item.options ?? []).flatMap(({ image }, place) =>
          image && !known.has(image.picture)
            ? [{ key: `fields.${at}.options.${place}.image.picture`, message: `must be ${expected}` }]
            : [],
        )
      : [],
  );
  if (missing.length > 0) return missing.slice(0, maxPicturesOfForm.number);
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0);
  return total > maxPicturesOfForm.bytes
    ? [{ key: 'fields', message: `must have pictures of together at most ${maxPicturesOfForm.bytes} bytes; they have ${total}` }]
    : [];
}

/** Removes pictures that no version and no draft has had for a day. Several processes may do this at once. @returns their number */
export async function removeUnusedPictures({ db, clock }: Pick<Deps, 'db' | 'clock'>, stopping?: AbortSignal): Promise<number> {
  const until = dayBefore(clock.now());
  let removed = 0;
  for (let batch = batchSize; batch > 0 && stopping?.aborted !== true; removed += batch)
    batch = await pictures.deleteUnused(db, until, batchSize);
  return removed;
}

const dayBefore = (now: Date): Date => new Date(now.getTime() - dayMs);
