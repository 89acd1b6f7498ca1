import { maxViews, type ViewColumns, type ViewSearch } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, newId, Problem, type Client } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { loadForm, lockForm, type LoadedForm } from '../form/load-form';
import { authorizeToChange, changedAt, deedOf, lockKept, ownerOf, refuseStale, refuseTooMany } from './sharing';
import * as views from './views.queries';
import type { ViewRow } from './views.queries';

/** A list of submissions, as it is kept. */
interface Content {
  name: string;
  shared: boolean;
  pinned: boolean;
  search: ViewSearch;
  columns?: ViewColumns | null | undefined;
}

/** Absent properties stay as they are. */
type Patch = { [Part in keyof Content]?: Content[Part] | undefined } & {
  position?: number | undefined;
  /** The change is wanted only if the last one was then. */
  if_updated_at?: string | undefined;
};

/** The shared views of a form, and those of the caller. */
export async function listViews({ db }: Pick<Deps, 'db'>, caller: Client, { formId }: { formId: string }): Promise<ViewRow[]> {
  const { form, role } = await loadForm(db, caller, formId);
  authorize(role, 'read submissions of this form');
  return views.viewsSeenBy(db, form.id, caller.id);
}

/** Keeps a list under a name, as the last one. */
export async function createView(deps: Deps, asked: Asked<Client>, wanted: Content & { formId: string }): Promise<ViewRow> {
  const { caller } = asked;
  return deps.outbox.transaction(async (trx) => {
    const loaded = await lockForm(trx, caller, wanted.formId);
    const ownerId = await ownerOf(trx, caller, wanted.shared, 'view');
    authorizeToChange(loaded, ownerId);
    const beside = await viewsBeside(trx, caller, loaded, ownerId);
    refuseMore(beside, wanted);
    const now = deps.clock.now();
    const view: ViewRow = {
      id: newId(),
      form_id: loaded.form.id,
      owner_id: ownerId,
      name: wanted.name,
      pinned: wanted.pinned,
      position: lastPlace(beside),
      search: JSON.stringify(wanted.search),
      columns: wanted.columns ? JSON.stringify(wanted.columns) : null,
      created_at: now,
      updated_at: now,
    };
    await views.insertViews(trx, [view]);
    if (view.owner_id === null) await record(trx, audited(asked, deedOf('view', 'view.created', loaded, view), now));
    return view;
  });
}

/** @throws Problem `conflict` if it has changed since `if_updated_at` */
export async function updateView(
  deps: Deps,
  asked: Asked<Client>,
  { formId, id, patch: { if_updated_at: expected, ...patch } }: { formId: string; id: string; patch: Patch },
): Promise<ViewRow> {
  const { caller } = asked;
  return deps.outbox.transaction(async (trx) => {
    const { kept: view, loaded } = await lockKept(trx, caller, { formId, id }, 'view', views.viewsSeenBy);
    refuseStale(view, expected, 'view');
    const { position, search, columns, shared = view.owner_id === null, ...named } = patch;
    const ownerId = await ownerOf(trx, caller, shared, 'view');
    if (ownerId !== view.owner_id) authorizeToChange(loaded, ownerId);
    if (Object.keys(patch).length === 0) return view;
    const beside = (await viewsBeside(trx, caller, loaded, ownerId)).filter((other) => other.id !== view.id);
    const now = deps.clock.now();
    const after: ViewRow = {
      ...view,
      ...(named.name !== undefined && { name: named.name }),
      ...(named.pinned !== undefined && { pinned: named.pinned }),
      ...(search && { search: JSON.stringify(search) }),
      ...(columns !== undefined && { columns: columns && JSON.stringify(columns) }),
      ...(ownerId !== view.owner_id && { owner_id: ownerId, position: lastPlace(beside) }),
      updated_at: changedAt(view, now),
    };
    refuseMore(beside, after);
    await views.updateView(trx, after);
    if (position !== undefined) await views.placeViews(trx, beside.map((other) => other.id).toSpliced(position, 0, view.id));
    if (view.owner_id === null || ownerId === null)
      await record(trx, audited(asked, deedOf('view', 'view.updated', loaded, view, { changed: Object.keys(patch) }), now));
    return after;
  });
}

export async function deleteView(deps: Deps, asked: Asked<Client>, wanted: { formId: string; id: string }): Promise<void> {
  await deps.outbox.transaction(async (trx) => {
    const { kept: view, loaded } = await lockKept(trx, asked.caller, wanted, 'view', views.viewsSeenBy);
    await views.deleteView(trx, view.id);
    if (view.owner_id === null) await record(trx, audited(asked, deedOf('view', 'view.deleted', loaded, view), deps.clock.now()));
  });
}

/** The shared views of a form, for a copy of it. */
export async function copySharedViews(
  trx: Transaction,
  { from, to, by, at }: { from: string; to: string; by: Client; at: Date },
): Promise<void> {
  const shared = (await views.viewsSeenBy(trx, from, by.id)).filter(({ owner_id }) => owner_id === null);
  await views.insertViews(
    trx,
    shared.map((view) => ({ ...view, id: newId(), form_id: to, created_at: at, updated_at: at })),
  );
}

const viewsBeside = async (trx: Transaction, caller: Client, { form }: LoadedForm, ownerId: string | null): Promise<ViewRow[]> =>
  (await views.viewsSeenBy(trx, form.id, caller.id)).filter(({ owner_id }) => owner_id === ownerId);

const lastPlace = (beside: readonly ViewRow[]): number => (beside.at(-1)?.position ?? 0) + 1;

function refuseMore(beside: readonly ViewRow[], { name, pinned }: Pick<ViewRow, 'name' | 'pinned'>): void {
  refuseTooMany(beside, name, { kind: 'view', most: maxViews.kept });
  if (pinned && beside.filter((other) => other.pinned).length >= maxViews.pinned)
    throw Problem.badRequest(`pinned: ${maxViews.pinned} views are pinned already, the maximum`);
}
