import type { PublishWarning } from '@sheaf/contracts';
import { newId, type Caller } from '@sheaf/kernel';
import { aServiceAccount, callAs, refused } from '@sheaf/testing';
import * as stage from './stage';
import { client, create, db, editor, getDraft, json, owner, publish, putDraft, robot, text, trash, viewer } from './stage';

stage.useService();

const check = async (id: string, as: Caller = editor) => {
  const { changes, warning_details, ...rest } = await client.checkPublication(callAs(as), { id });
  return {
    ...(json(changes) as { changes: object[]; payment?: object }),
    warning_details: json(warning_details) as PublishWarning[],
    ...rest,
  };
};
const diff = async (form_id: string, version: string, other_version: string, as: Caller = viewer) => {
  const { changes, ...rest } = await client.diffVersions(callAs(as), { form_id, version, other_version });
  return { ...(json(changes) as { changes: object[] }), ...rest };
};
const restore = (id: string, version: number, revision: number, as: Caller = editor) =>
  client.restoreDraft(callAs(as), { id, version, revision });
const discard = (id: string, revision: number, as: Caller = editor) => client.discardDraft(callAs(as), { id, revision });
const keysOf = ({ fields }: { fields: Buffer }) => (json(fields) as { key: string }[]).map(({ key }) => key);

/** A form with one version for each list of keys. The draft has as many revisions. */
async function published(...versions: string[][]): Promise<string> {
  const { id } = await create();
  for (const [revision, keys] of versions.entries()) {
    await putDraft(id, keys.map(text), revision);
    await publish(id);
  }
  return id;
}

describe('a check before publishing', () => {
  it('compares the draft with the latest version, and warns as publishing would', async () => {
    const id = await published(['a'], ['name', 'age']);
    await putDraft(id, [{ ...text('age'), type: 'integer' }, text('city')], 2);
    const checked = await check(id);
    expect(checked).toMatchObject({
      changes: [
        { kind: 'retyped', key: 'age' },
        { kind: 'added', key: 'city' },
        { kind: 'removed', key: 'name' },
      ],
      affected_keys: ['age', 'name'],
    });
    expect(checked.warnings).toEqual((await publish(id)).warnings);
    expect(checked.warnings).toEqual(checked.warning_details.map(({ message }) => message));
    const warning = 'Nothing has changed since version 3.';
    expect(await check(id)).toEqual({
      changes: [],
      affected_keys: [],
      affected_options: [],
      warnings: [warning],
      warning_details: [{ code: 'nothing_changed', params: { version: 3 }, message: warning }],
    });
  });

  it('names the options that fields lose, and the languages in which texts are missing', async () => {
    const { id } = await create('Survey');
    await stage.putSettings(id, { languages: ['en', 'de'], default_language: 'en', translations: { de: { title: 'Umfrage' } } });
    const colour = (...options: string[]) => ({ key: 'colour', label: 'Colour', type: 'select', options });
    await putDraft(id, [colour('red', 'blue')]);
    await publish(id);
    await putDraft(id, [colour('blue')], 1);
    expect(await check(id)).toMatchObject({
      affected_options: [{ key: 'colour', options: ['red'] }],
      warning_details: [
        { code: 'untranslated', params: { language: 'de', texts: 3, missing: 2 } },
        { code: 'options_removed', params: { key: 'colour', version: 1, options: 1 } },
      ],
    });
    expect((await publish(id)).warnings).toHaveLength(2);
  });

  it('shows each field of a form that was never published as added', async () => {
    const id = await published();
    await putDraft(id, ['a', 'b'].map(text));
    expect(await check(id)).toMatchObject({ changes: [{ kind: 'added' }, { kind: 'added' }], affected_keys: [] });
  });

  it('publishes and changes nothing', async () => {
    const id = await published(['a']);
    await putDraft(id, [text('b')], 1);
    const [form, draft] = [await stage.get(id), await getDraft(id)];
    await check(id);
    expect([await stage.get(id), await getDraft(id)]).toEqual([form, draft]);
  });

  it('refuses a draft that cannot be published, and lists its faults', async () => {
    const id = await published(['a']);
    await db('draft')
      .where({ form_id: id })
      .update({ fields: JSON.stringify([{ ...text('a'), type: 'select' }]) });
    await expect(check(id)).rejects.toMatchObject({ code: 'bad_request', details: [{ key: 'fields.0.options' }] });
    await trash(id);
    await expect(check(id)).rejects.toEqual(refused('bad_request', 'The form is in the trash and cannot be changed.'));
  });

  it('is for callers who may publish', async () => {
    const id = await published(['a']);
    for (const as of [owner, editor, robot]) expect(await check(id, as)).toMatchObject({ changes: [] });
    await expect(check(id, viewer)).rejects.toEqual(refused('forbidden'));
    await expect(check(newId())).rejects.toEqual(refused('not_found', 'There is no such form.'));
  });
});

describe('the difference between two versions', () => {
  it('can be read in both directions by every role, even in the trash', async () => {
    const id = await published(['a'], ['b'], ['a', 'c']);
    await trash(id);
    expect(await diff(id, '1', '3')).toMatchObject({ from: 1, to: 3, changes: [{ kind: 'added', key: 'c' }] });
    expect(await diff(id, '3', '1')).toMatchObject({ from: 3, to: 1, changes: [{ kind: 'removed', key: 'c' }] });
    expect(await diff(id, '2', '2', robot)).toEqual({ from: 2, to: 2, changes: [] });
    await expect(diff(id, '1', '2', stage.outsider)).rejects.toEqual(refused('forbidden'));
    await expect(diff(id, '1', '2', aServiceAccount({ instanceId: newId() }))).rejects.toEqual(refused('not_found'));
  });

  it.each([
    ['1', '2'],
    ['0', '1'],
    ['1', 'draft'],
  ])('does not exist between %j and %j of a form with one version', async (version, other) => {
    await expect(diff(await published(['a']), version, other)).rejects.toEqual(refused('not_found', 'There is no such version.'));
  });
});

describe('restoring a version into the draft', () => {
  it('replaces the draft and leaves the versions alone', async () => {
    const id = await published(['a'], ['b']);
    const draft = await restore(id, 1, 2);
    expect(draft).toMatchObject({ revision: 3 });
    expect(keysOf(draft)).toEqual(['a']);
    expect(keysOf(await getDraft(id))).toEqual(['a']);
    expect(await stage.get(id)).toMatchObject({ current_version: 2 });
  });

  it('restores the price as well', async () => {
    const id = await published();
    const payment = { amount: 2500, currency: 'eur' };
    await client.putDraft(callAs(editor), { id, revision: 0, fields: Buffer.from(JSON.stringify([text('a')])), payment });
    await publish(id);
    await putDraft(id, [text('a')], 1);
    expect(await restore(id, 1, 2)).toMatchObject({ payment });
  });

  it('publishes if the form publishes automatically', async () => {
    const id = await published(['a'], ['b']);
    await stage.patch(id, { publish_mode: 'auto' });
    await restore(id, 1, 2);
    expect(await diff(id, '1', '3')).toMatchObject({ changes: [] });
  });

  it('is refused for a stale revision, an unknown version, a form in the trash and a viewer, and changes nothing then', async () => {
    const id = await published(['a'], ['b']);
    await expect(restore(id, 1, 1)).rejects.toEqual(refused('conflict'));
    for (const version of [3, 2_147_483_647])
      await expect(restore(id, version, 2)).rejects.toEqual(refused('bad_request', 'version: there is no such version'));
    await expect(restore(id, 1, 2, viewer)).rejects.toEqual(refused('forbidden'));
    expect(await getDraft(id)).toMatchObject({ revision: 2 });
    await trash(id);
    await expect(restore(id, 1, 2)).rejects.toEqual(refused('bad_request'));
  });
});

describe('discarding a draft', () => {
  it('makes it equal to the latest version', async () => {
    const id = await published(['a'], ['b']);
    await putDraft(id, [text('c')], 2);
    const draft = await discard(id, 3);
    expect(draft).toMatchObject({ revision: 4 });
    expect(keysOf(draft)).toEqual(['b']);
    expect(await check(id)).toMatchObject({ changes: [] });
  });

  it('is refused if there is no version to return to', async () => {
    const id = await published();
    await putDraft(id, [text('a')]);
    await expect(discard(id, 1)).rejects.toEqual(
      refused('bad_request', 'The form was never published, so there is no version to return to.'),
    );
    expect(keysOf(await getDraft(id))).toEqual(['a']);
  });

  it('is refused for a stale revision and to a viewer', async () => {
    const id = await published(['a']);
    await putDraft(id, [text('b')], 1);
    await expect(discard(id, 1)).rejects.toEqual(refused('conflict'));
    await expect(discard(id, 2, viewer)).rejects.toEqual(refused('forbidden'));
    expect(keysOf(await getDraft(id))).toEqual(['b']);
  });
});

describe('publishing a draft as it was seen', () => {
  const publishSeen = (id: string, revision: number, as: Caller = editor) => client.publishDraft(callAs(as), { id, revision });

  it('publishes the revision that is named, and no other', async () => {
    const id = await published(['a']);
    await putDraft(id, [text('b')], 1);
    for (const revision of [0, 1, 3]) await expect(publishSeen(id, revision)).rejects.toEqual(refused('conflict'));
    await expect(publishSeen(id, 2)).resolves.toMatchObject({ version: 2 });
    await expect(publishSeen(id, 2, viewer)).rejects.toEqual(refused('forbidden'));
  });

  it('and a change of it at the same moment exclude each other', async () => {
    const id = await published(['a']);
    for (let revision = 1; revision <= 5; revision++) {
      const [seen, saved] = await Promise.allSettled([publishSeen(id, revision), putDraft(id, [text(`f${revision}`)], revision)]);
      expect(saved.status).toBe('fulfilled');
      const { fields } = await client.getVersion(callAs(editor), { form_id: id, version: String((await stage.get(id)).current_version) });
      // Either the draft as it was seen, or nothing.
      if (seen.status === 'rejected') expect(seen.reason).toEqual(refused('conflict'));
      expect(keysOf({ fields: fields ?? Buffer.from('[]') })).not.toEqual([`f${revision}`]);
    }
  });
});
