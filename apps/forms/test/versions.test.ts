import { newId } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, refused, TestClock } from '@sheaf/testing';
import { startService, type Service } from './service';

const clock = new TestClock();
const instanceId = newId();
const workspaceId = newId();
const editor = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor' } });
const viewer = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'viewer' } });
const outsider = aUser({ instanceId });
const robot = aServiceAccount({ instanceId });

let service: Service;
beforeAll(async () => {
  service = await startService(clock);
});
afterAll(() => service.stop());

const text = (key: string) => ({ key, label: key, type: 'short_text', required: false });

/** A form with one version for each list of keys, published a minute apart. */
async function published(...versions: string[][]): Promise<string> {
  const { id } = await service.client.createForm(callAs(editor), {});
  for (const [revision, keys] of versions.entries()) {
    clock.advance(60_000);
    await service.client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(keys.map(text))) });
    await service.client.publishForm(callAs(revision % 2 === 0 ? editor : robot), { id });
  }
  return id;
}
const list = (form_id: string, { limit = 25, offset = 0 } = {}, as: Parameters<typeof callAs>[0] = viewer) =>
  service.client.listVersions(callAs(as), { form_id, limit, offset });
const numbers = async (...given: Parameters<typeof list>) => (await list(...given)).versions.map(({ version }) => version);
const version = (form_id: string, number: string, as: Parameters<typeof callAs>[0] = viewer) =>
  service.client.getVersion(callAs(as), { form_id, version: number });

describe('the versions of a form', () => {
  it('are listed with publisher and time, the newest first and without fields', async () => {
    const form = await published(['a'], ['b']);
    const id = expect.any(String) as string;
    expect(await list(form)).toEqual({
      total: 2,
      versions: [
        { id, version: 2, published_at: clock.now().toISOString(), published_by: { kind: 'service_account', id: robot.id } },
        {
          id,
          version: 1,
          published_at: new Date(clock.now().getTime() - 60_000).toISOString(),
          published_by: { kind: 'user', id: editor.id },
        },
      ],
    });
  });

  it('come in pages with the exact total on each, even beyond the end', async () => {
    const id = await published(['a'], ['b'], ['c'], ['d'], ['e']);
    expect(await numbers(id, { limit: 2 })).toEqual([5, 4]);
    expect(await numbers(id, { limit: 2, offset: 2 })).toEqual([3, 2]);
    expect(await numbers(id, { limit: 2, offset: 4 })).toEqual([1]);
    for (const offset of [5, 2 ** 31, Number.MAX_SAFE_INTEGER]) expect(await list(id, { offset })).toEqual({ versions: [], total: 5 });
  });

  it('are empty before the first publication', async () => {
    expect(await list(await published())).toEqual({ versions: [], total: 0 });
  });

  it('keep the fields that they were published with', async () => {
    const id = await published(['a'], ['a', 'b']);
    const { fields, ...rest } = await version(id, '1');
    expect(rest).toMatchObject({ version: 1, published_by: { kind: 'user', id: editor.id } });
    expect(JSON.parse(fields?.toString() ?? '')).toEqual([text('a')]);
    expect(JSON.parse((await version(id, '2')).fields?.toString() ?? '')).toEqual([text('a'), text('b')]);
  });

  it.each(['0', '2', '-1', '01', '1.0', '1e0', ' 1', '', 'x', '2147483648', '99999999999999999999', '١'])(
    'do not include the number %j',
    async (number) => {
      await expect(version(await published(['a']), number)).rejects.toEqual(refused('not_found', 'There is no such version.'));
    },
  );

  it('are readable with every role on the form, even in the trash, and by no other caller', async () => {
    const id = await published(['a']);
    await service.client.trashForm(callAs(editor), { id });
    for (const as of [editor, viewer, robot]) {
      expect(await numbers(id, {}, as)).toEqual([1]);
      expect(await version(id, '1', as)).toMatchObject({ version: 1 });
    }
    for (const act of [list(id, {}, outsider), version(id, '1', outsider), version(id, '7', outsider)])
      await expect(act).rejects.toEqual(refused('forbidden'));
    for (const unknown of [newId(), 'nonsense']) {
      await expect(list(unknown)).rejects.toEqual(refused('not_found', 'There is no such form.'));
      await expect(version(unknown, '1')).rejects.toEqual(refused('not_found', 'There is no such form.'));
    }
    await expect(list(id, {}, aServiceAccount({ instanceId: newId() }))).rejects.toEqual(refused('not_found'));
    await expect(version(id, '1', { kind: 'respondent', instanceId })).rejects.toEqual(refused('forbidden'));
  });

  it('cost two statements, however many there are', async () => {
    const id = await published(['a'], ['b'], ['c']);
    service.statements.length = 0;
    await list(id);
    await version(id, '2');
    expect(service.statements).toHaveLength(4);
  });
});

describe('a form that publishes automatically', () => {
  const automatic = async () => {
    const id = await published();
    await service.client.updateForm(callAs(editor), { id, set: ['publish_mode'], patch: { publish_mode: 'auto' } });
    return id;
  };
  const save = (id: string, revision: number, fields: unknown) =>
    service.client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(fields)) });

  it('publishes nothing for a save from an older revision', async () => {
    const id = await automatic();
    await save(id, 0, [text('a')]);
    await expect(save(id, 0, [text('b')])).rejects.toEqual(refused('conflict'));
    expect(await numbers(id)).toEqual([1]);
  });

  it('does not publish an invalid draft, and lists its faults', async () => {
    const id = await automatic();
    await save(id, 0, [text('a')]);
    await expect(save(id, 1, [text('b'), text('b'), { ...text('c'), type: 'select' }])).rejects.toMatchObject({
      code: 'bad_request',
      details: [{ key: 'fields.1.key' }, { key: 'fields.2.options' }],
    });
    await expect(
      save(
        id,
        1,
        Array.from({ length: 40 }, () => ({ ...text('b'), pattern: '(' })),
      ),
    ).rejects.toMatchObject({ details: { length: 30 } });
    expect(await numbers(id)).toEqual([1]);
    expect(await service.client.getDraft(callAs(editor), { id })).toMatchObject({ revision: 1 });
  });

  it('publishes only one of two drafts that are saved at once', async () => {
    const id = await automatic();
    const outcomes = await Promise.allSettled([save(id, 0, [text('a')]), save(id, 0, [text('b')])]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await numbers(id)).toEqual([1]);
  });

  it('is refused, with the rest of the patch, if its draft no longer satisfies the rules', async () => {
    const id = await published(['a']);
    await service
      .db('draft')
      .where({ form_id: id })
      .update({ fields: JSON.stringify([{ ...text('a'), type: 'select' }]), revision: 2 });
    await expect(
      service.client.updateForm(callAs(editor), { id, set: ['publish_mode', 'title'], patch: { publish_mode: 'auto', title: 'X' } }),
    ).rejects.toMatchObject({ code: 'bad_request', details: [{ key: 'fields.0.options' }] });
    expect(await service.client.getForm(callAs(editor), { id })).toMatchObject({
      publish_mode: 'draft',
      title: 'Untitled Form',
      current_version: 1,
    });
  });

  it('publishes neither in the trash nor when it is restored', async () => {
    const id = await automatic();
    await save(id, 0, [text('a')]);
    await service.client.trashForm(callAs(editor), { id });
    await expect(save(id, 1, [text('b')])).rejects.toEqual(refused('bad_request'));
    await service.client.restoreForm(callAs(editor), { id });
    expect(await numbers(id)).toEqual([1]);
  });
});
