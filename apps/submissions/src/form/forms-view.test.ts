import { setTimeout } from 'node:timers/promises';
import type { DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { aUser, callAs, TestClock } from '@sheaf/testing';
import { formsView, MissingVersion, type MadeAgainst } from './forms-view';

const clock = new TestClock();

/** A view of a form whose first version was published now, on a broker that misses no event. */
function aView(more: object = {}, options: { ttlMs?: number } = {}) {
  const formId = newId();
  const of = (key: string) => Buffer.from(JSON.stringify([{ key, label: key, type: 'short_text', required: false }]));
  let version = { id: newId(), version: 1, published_at: clock.now().toISOString(), fields: of('first') };
  let questions = 0;
  const listeners: ((event: DomainEvent) => void)[] = [];
  const asked = () => {
    questions += 1;
    return Promise.resolve(version);
  };
  const view = formsView(
    {
      getVersion: asked,
      getPublishedForm: async () => ({ ...(await asked()), id: formId, version_id: version.id, settings: Buffer.of() }),
      ...more,
    } as never,
    {
      listen: (_: string, { onEvent }: { onEvent: (event: DomainEvent) => void }) => listeners.push(onEvent),
      sightOf: () => ({ isClear: () => true, now: () => clock.now().getTime() }),
    } as never,
    {
      patterns: { matcher: () => () => () => Promise.reject(new Error('no field has a pattern')) },
      clock,
      staleMs: 600_000,
      ...options,
      onVersion: () => undefined,
    },
  );
  const caller = aUser({ instanceId: newId() });
  const made: MadeAgainst = { form_id: formId, schema_version: 1, version_id: null, created_at: clock.now() };
  return {
    view,
    made,
    by: { caller, call: callAs(caller) } as never,
    questions: () => questions,
    fields: version.fields,
    /** Publishes other fields, of which the view has not heard. */
    publish: (items: object[]) => {
      version = { ...version, id: newId(), version: 2, fields: Buffer.from(JSON.stringify(items)) };
    },
    /** The forms are restored, and version 1 is published anew. */
    publishAnew: () => {
      clock.advance(120_000);
      version = { id: newId(), version: 1, published_at: clock.now().toISOString(), fields: of('anew') };
      for (const tell of listeners) tell({ subject: formId } as DomainEvent);
    },
  };
}

it('asks once for the version of all submissions that have only its number', async () => {
  const { view, made, by, fields, questions } = aView();
  for (const _ of [1, 2]) {
    expect((await view.publishedVersionOf(made, by))?.fields.toString()).toBe(fields.toString());
    expect((await view.versionOf({ ...made, created_at: clock.now() }, by)).fields.toString()).toBe(fields.toString());
  }
  expect(questions()).toBe(1);
});

it('gives the fields of a version that a later release has made, and is unavailable for what needs its rules', async () => {
  const later = Buffer.from('[{"key":"scent","label":"Scent","type":"smell","required":false}]');
  const version = { id: newId(), version: 1, published_at: clock.now().toISOString(), fields: later };
  const { view, made, by } = aView({
    getVersion: () => Promise.resolve(version),
    getPublishedForm: () => Promise.resolve({ ...version, version_id: version.id }),
  });
  expect(await view.fieldsOf({ formId: made.form_id, version: 1, versionId: version.id }, by)).toEqual(later);
  for (const needed of [view.publishedVersionOf(made, by), view.versionOf(made, by)])
    await expect(needed).rejects.toMatchObject({ code: 'unavailable' });
});

it('is unavailable once a later release has published a version, and gives the one before no more', async () => {
  const { view, made, by, publish } = aView({}, { ttlMs: 1 });
  expect((await view.published(made.form_id, by)).version).toBe(1);
  publish([{ key: 'scent', label: 'Scent', type: 'smell', required: false }]);
  await setTimeout(5);
  for (const _ of [1, 2]) await expect(view.published(made.form_id, by)).rejects.toMatchObject({ code: 'unavailable' });
});

it('forgets which version has a number once the form changes', async () => {
  const { view, made, by, questions, publishAnew } = aView();
  await view.versionOf(made, by);
  publishAnew();
  expect(await view.publishedVersionOf(made, by)).toBeUndefined();
  await expect(view.versionOf(made, by)).rejects.toBeInstanceOf(MissingVersion);
  expect(questions()).toBe(2);
});

it('knows in which versions a question was a ranking, if not in all', async () => {
  const labelsWith = async (types: readonly { type: string; versions: number[] }[]) => {
    const field = { key: 'c', label: 'Cities', options: {}, type: 'ranking', values: [], types, parts: [] };
    const { view, made, by } = aView({ listFieldKeys: () => Promise.resolve({ keys: ['c'], labels: [field], title: '' }) });
    return (await view.fieldLabels(made.form_id, (by as { call: never }).call)).labels.get('c');
  };
  const types = [
    { type: 'multi_select', versions: [1, 3] },
    { type: 'ranking', versions: [2, 4] },
  ];
  expect(await labelsWith(types)).toMatchObject({ isRanked: true, rankedIn: [2, 4] });
  expect(await labelsWith([])).not.toHaveProperty('rankedIn');
});
