import { newId } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aServiceAccount, eventually, refused } from '@sheaf/testing';
import { deactivateGone } from '../src/subscription/deactivate-gone';
import { privateOrigin } from './service';
import {
  aForm,
  announced,
  db,
  deps,
  editor,
  forms,
  gone,
  instanceId,
  person,
  subscribe,
  unsubscribe,
  useService,
  viewer,
  workspaceId,
} from './stage';

useService();

describe('subscribing', () => {
  it('creates an active subscription and announces it to delivery', async () => {
    const form_id = aForm();
    const made = await subscribe({ form_id });

    expect(made).toEqual({
      id: made.id,
      form_id,
      event: 'submission.created',
      url: 'https://hooks.example.org/a',
      active: true,
      source: 'zapier',
    });
    await eventually(() =>
      expect(announced(made.id)).toEqual([
        {
          id: made.id,
          form_id,
          event: 'submission.created',
          events: ['submission.created'],
          url: 'https://hooks.example.org/a',
          state: 'active',
          options: '',
          revision: 1,
        },
      ]),
    );
  });

  it('is allowed with any role on the form, and for service accounts', async () => {
    const friend = person();
    const form_id = aForm({ grants: { [friend.id]: 'viewer' } });

    await expect(subscribe({ form_id }, viewer)).resolves.toMatchObject({ active: true });
    await expect(subscribe({ form_id }, friend)).resolves.toMatchObject({ active: true });
    await expect(subscribe({ form_id }, aServiceAccount({ instanceId, scopes: ['hooks:manage'] }))).resolves.toMatchObject({
      active: true,
    });
  });

  it('is refused without a role on the form, and for respondents', async () => {
    await expect(subscribe({}, person())).rejects.toEqual(refused('forbidden'));
    await expect(subscribe({}, { kind: 'respondent', instanceId })).rejects.toEqual(refused('forbidden'));
  });

  it.each([
    ['unknown', newId()],
    ['malformed', 'nonsense'],
    ['of another instance', aForm({ instanceId: newId() })],
  ])('finds no form that is %s', async (_, form_id) => {
    await expect(subscribe({ form_id })).rejects.toEqual(refused('not_found'));
  });

  it('refuses an unknown source before all other checks', async () => {
    await expect(subscribe({ source: 'ifttt', form_id: newId(), target_url: 'nonsense' })).rejects.toEqual(
      refused('bad_request', 'source: must be one of zapier, make'),
    );
  });

  it('checks the role before it queries a name server', async () => {
    await expect(subscribe({ target_url: 'https://inside.example.org' }, person())).rejects.toEqual(refused('forbidden'));
  });

  it('is refused for a form in the trash', async () => {
    await expect(subscribe({ form_id: aForm({ status: 'trashed' }) })).rejects.toEqual(
      refused('bad_request', 'form_id: the form is in the trash'),
    );
    await expect(subscribe({ form_id: aForm({ status: 'archived' }) })).resolves.toMatchObject({ active: true });
  });

  it.each([
    ['http://hooks.example.org/', 'must be an https URL'],
    ['https://me:secret@hooks.example.org/', 'must not contain credentials'],
    ['https://inside.example.org/', 'its host must have public addresses only'],
    ['https://127.0.0.1/', 'its host must have public addresses only'],
    ['https://[::ffff:10.0.0.1]/', 'its host must have public addresses only'],
    ['https://nowhere.example.org/', 'its host cannot be found'],
    ['nonsense', 'must be a URL'],
  ])('refuses the target %s', async (target_url, why) => {
    await expect(subscribe({ target_url })).rejects.toEqual(refused('bad_request', `target_url: ${why}`));
  });

  it('accepts a private target that the operator has listed', async () => {
    await expect(subscribe({ target_url: `${privateOrigin}/hook` })).resolves.toMatchObject({ url: `${privateOrigin}/hook` });
  });

  it('accepts submission.updated, which is never sent', async () => {
    await expect(subscribe({ event: 'submission.updated' })).resolves.toMatchObject({ event: 'submission.updated', active: true });
  });

  it('accepts an incompressible URL of 2048 characters', async () => {
    const noise = Array.from({ length: 60 }, () => newId().replaceAll('-', '')).join('');
    const target_url = `https://hooks.example.org/${noise}`.padEnd(2_048, 'x');
    const form_id = aForm();
    const first = await subscribe({ form_id, target_url });
    await expect(subscribe({ form_id, target_url })).resolves.toEqual(first);
  });
});

describe('subscribing again', () => {
  it('returns the existing subscription with a higher revision', async () => {
    const form_id = aForm();
    const first = await subscribe({ form_id });

    await expect(subscribe({ form_id }, viewer)).resolves.toEqual(first);
    await eventually(() =>
      expect(announced(first.id)).toMatchObject([
        { state: 'active', revision: 1 },
        { state: 'active', revision: 2 },
      ]),
    );
    await expect(db('subscription').where({ id: first.id }).first()).resolves.toMatchObject({ revision: 2, subscriber_id: editor.id });
  });

  it('returns the same subscription to concurrent requests', async () => {
    const form_id = aForm();
    const made = await Promise.all(Array.from({ length: 8 }, () => subscribe({ form_id })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });

  it('creates another subscription if anything differs', async () => {
    const form_id = aForm();
    const made = await Promise.all([
      subscribe({ form_id }),
      subscribe({ form_id, event: 'submission.deleted' }),
      subscribe({ form_id, source: 'make' }),
      subscribe({ form_id, target_url: 'https://hooks.example.org/b' }),
      subscribe({}),
    ]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(5);
  });

  it('reactivates the subscription with a higher revision', async () => {
    const form_id = aForm();
    const { id } = await subscribe({ form_id });
    await deactivateGone(deps, silentLog(), [gone(id, 1)]);
    await expect(db('subscription').where({ id }).first()).resolves.toMatchObject({ active: false, revision: 2 });

    await expect(subscribe({ form_id })).resolves.toMatchObject({ id, active: true });
    await eventually(() =>
      expect(announced(id)).toMatchObject([
        { state: 'active', revision: 1 },
        { state: 'inactive', revision: 2 },
        { state: 'active', revision: 3 },
      ]),
    );
  });

  it('creates a new subscription after it was deleted', async () => {
    const form_id = aForm();
    const { id } = await subscribe({ form_id });
    await unsubscribe(id);

    expect((await subscribe({ form_id })).id).not.toBe(id);
    await eventually(() =>
      expect(announced(id)).toMatchObject([
        { state: 'active', revision: 1 },
        { state: 'deleted', revision: 2 },
      ]),
    );
  });
});

describe('unsubscribing', () => {
  it('is allowed for the subscriber, even without a role on the form', async () => {
    const friend = person();
    const form_id = aForm({ grants: { [friend.id]: 'viewer' } });
    const { id } = await subscribe({ form_id }, friend);
    forms.set(form_id, { instanceId, workspaceId, status: 'active', grants: {} });

    await expect(unsubscribe(id, friend)).resolves.toEqual({});
    await expect(unsubscribe(id, friend)).rejects.toEqual(refused('not_found'));
  });

  it('is allowed for service accounts', async () => {
    const robot = aServiceAccount({ instanceId, scopes: ['hooks:manage'] });
    const mine = await subscribe({}, robot);
    const another = await subscribe({}, viewer);

    await expect(unsubscribe(mine.id, robot)).resolves.toEqual({});
    await expect(unsubscribe(another.id, robot)).resolves.toEqual({});
  });

  it('is allowed for owners and editors of the form, and refused for others', async () => {
    const { id } = await subscribe({}, aServiceAccount({ instanceId, scopes: ['hooks:manage'] }));

    await expect(unsubscribe(id, viewer)).rejects.toEqual(refused('forbidden'));
    await expect(unsubscribe(id, person())).rejects.toEqual(refused('forbidden'));
    await expect(unsubscribe(id, editor)).resolves.toEqual({});
  });

  it.each([
    ['unknown', newId()],
    ['malformed', 'nonsense'],
  ])('finds no subscription that is %s', async (_, id) => {
    await expect(unsubscribe(id)).rejects.toEqual(refused('not_found'));
  });

  it('finds no subscription of another instance', async () => {
    const { id } = await subscribe({});
    await expect(unsubscribe(id, aServiceAccount({ instanceId: newId() }))).rejects.toEqual(refused('not_found'));
  });

  it('is refused for a webhook of the application', async () => {
    const { id } = await subscribe({});
    await db('subscription').where({ id }).update({ source: null });

    await expect(unsubscribe(id, person())).rejects.toEqual(refused('forbidden'));
    await expect(unsubscribe(id)).rejects.toEqual(refused('bad_request'));
    await expect(db('subscription').where({ id }).first()).resolves.toMatchObject({ active: true });
  });
});
