import { eventually } from '@sheaf/testing';
import { app, at } from './answers/form';
import { idOf, listOf, signedIn, then } from './answers/people';
import { address, body, deliveries, delivered, delivery, tried, webhook, webhooks, webhooksWith } from './answers/webhooks';
import { inbox, submission } from './answers/submissions';
import { onScreen, onScreens, type Screen } from './support/on-screens';
import { refused } from './support/recorded-server';

const open = onScreens();
const one = `${app}/webhooks/${idOf(7)}`;
const choose = async ({ page }: Screen, item: string) => {
  await page.getByRole('button', { name: /^Actions for / }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

onScreen('a webhook is created, of which faults are said, and tested', async () => {
  const screen = await open(at('webhooks'), webhooksWith([]));
  const { page, server } = screen;
  await page.getByRole('button', { name: 'New webhook' }).first().waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  const post = `POST ${app}/webhooks`;
  server.set({ [post]: refused(400, 'bad_request', 'target_url: must be an https URL') });
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  await page.getByLabel('Address').fill('ftp://nowhere');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page
    .getByRole('alert')
    .getByText(/target_url|https/)
    .first()
    .waitFor();
  expect(screen.problems.take()).toEqual([expect.stringMatching(/^400: /)]);
  server.set({ [post]: webhook(), [webhooks]: listOf([{ ...webhook(), failing: null }]) });
  await page.getByLabel('Address').fill(address);
  await page.getByRole('radio', { name: /^A day/ }).check({ force: true });
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('cell', { name: address, exact: true }).waitFor();
  await eventually(() =>
    expect(server.sent(post).at(-1)).toEqual({ target_url: address, events: ['submission.created'], payload: 'contract', retry: 'day' }),
  );

  server.set({ [`POST ${one}/test`]: tried });
  await choose(screen, 'Send a test');
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('It arrived.').waitFor();
  await page.getByRole('region', { name: 'Headers' }).getByText('webhook-signature').waitFor();
  server.set({ [`POST ${one}/test`]: { ...tried, delivered: false, status: null, error: 'connection_refused', code: 'ECONNREFUSED' } });
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('The connection was refused: nothing listens at this address.').waitFor();
});

onScreen('a webhook hears only of the answers and gets only those that are chosen, and keeps what is removed from the form', async () => {
  const filter = { answers: [{ key: 'gone', equals: 'x' }] };
  const screen = await open(
    at('webhooks'),
    webhooksWith([{ ...webhook({ filter, fields: null, withheld: { count: 12, last_at: then } }) }]),
  );
  const { page, server } = screen;
  await page.getByText('12 events did not match its filter').waitFor();
  await choose(screen, 'Edit');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add condition' }).click();
  await dialog.getByRole('button', { name: 'Remove condition 1' }).click();
  await dialog.getByText('Choose the questions').click();
  await dialog.getByText('Your name', { exact: true }).last().click();
  expect(await screen.accessibilityFaults()).toEqual([]);
  server.set({ [`PATCH ${one}`]: webhook() });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await eventually(() =>
    expect(server.sent(`PATCH ${one}`).at(-1)).toMatchObject({ filter: { answers: [{ key: 'name', answered: true }] }, fields: [] }),
  );
});

onScreen('a webhook is asked to send its events in batches, keeps limits that a program chose, and its attempts name theirs', async () => {
  const limits = { max_events: 20, max_seconds: 30 };
  const batch_id = idOf(12);
  const sent = delivered();
  const screen = await open(at('webhooks'), {
    ...webhooksWith([{ ...webhook(), failing: null }], [delivery()]),
    [`GET ${app}/deliveries/${idOf(10)}`]: { ...sent, attempts: sent.attempts.map((one) => ({ ...one, batch_id })) },
  });
  const { page, server } = screen;
  const dialog = page.getByRole('dialog');
  const saveWith = async (saved: object) => {
    server.set({ [`PATCH ${one}`]: webhook(saved), [webhooks]: listOf([{ ...webhook(saved), failing: null }]) });
    await dialog.getByText('Send events in batches').click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    return server.sent(`PATCH ${one}`).at(-1);
  };
  await choose(screen, 'Edit');
  await dialog.getByText('One request for up to 20 events, or for those of 5 seconds.').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(await saveWith({ batch: limits })).toMatchObject({ batch: { max_events: 20, max_seconds: 5 } });
  await choose(screen, 'Edit');
  await dialog.getByText('One request for up to 20 events, or for those of 30 seconds.').waitFor();
  expect(await saveWith({})).toMatchObject({ batch: null });

  await page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('row')
    .filter({ hasText: 'Delivered' })
    .getByRole('button')
    .first()
    .click();
  const attempt = page.getByRole('region', { name: 'Attempt 1' });
  await attempt.getByText('Sent with other events, in the batch').waitFor();
  await attempt.getByText(batch_id, { exact: true }).waitFor();
  await attempt.getByText('Request', { exact: true }).click();
  await attempt.getByRole('region', { name: 'Headers' }).waitFor();
  expect(await attempt.getByRole('button', { name: 'Copy as curl' }).count()).toBe(0);
});

onScreen('a delivery shows its attempts and the exact bytes, has an address, and is sent again', async () => {
  const screen = await open(at('webhooks'), {
    ...webhooksWith([{ ...webhook(), failing: null }], [delivery()]),
    [`GET ${app}/deliveries/${idOf(10)}`]: delivered(),
    [`POST ${app}/deliveries/${idOf(10)}/redeliver`]: delivered({ state: 'pending' }),
  });
  const { page, server } = screen;
  const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'Delivered' });
  await row.getByRole('button').first().click();
  const attempt = page.getByRole('region', { name: 'Attempt 1' });
  await attempt
    .getByText('DNS 3 ms · connection 4 ms · TLS 5 ms · answer 10 ms · TLSv1.3 · certificate by An Authority · until 15 Jan 2027')
    .waitFor();
  await attempt.getByText('Request', { exact: true }).click();
  await attempt.getByRole('button', { name: 'Copy as curl' }).waitFor();
  expect(JSON.parse(await page.getByRole('region', { name: 'Body' }).innerText())).toEqual(JSON.parse(body));
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(page.url()).toContain('delivery=');
  await page.getByRole('button', { name: 'Send again', exact: true }).click();
  await page.getByText('It is sent again now.').waitFor();
  await page.keyboard.press('Escape');
  await eventually(() => expect(page.url()).not.toContain('delivery='));
  expect(server.asked(`POST ${app}/deliveries/${idOf(10)}/redeliver`)).toHaveLength(1);
});

onScreen('a webhook that is switched on again offers to send what happened meanwhile', async () => {
  const off = webhook({ active: false, deactivated: { reason: 'switched_off', at: then } });
  const screen = await open(at('webhooks'), webhooksWith([{ ...off, failing: null }]));
  const { page, server } = screen;
  await page.getByText('Switched off.').waitFor();
  const skipped = { count: 2, from: then };
  server.set({ [`PATCH ${one}`]: webhook({ skipped }), [webhooks]: listOf([{ ...webhook(), failing: null }]) });
  await choose(screen, 'Switch on');
  const offer = page.getByRole('dialog', { name: 'Send what happened meanwhile?' });
  await offer.getByText('2 events were not sent while this webhook was off.').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);

  const redeliver = `POST ${app}/deliveries/redeliver`;
  server.set({ [redeliver]: { redelivered: 2, matching: 2 } });
  await offer.getByRole('button', { name: 'Send them now' }).click();
  await offer.waitFor({ state: 'detached' });
  await eventually(() =>
    expect(server.sent(redeliver)).toEqual([{ from: then, to: expect.any(String) as string, state: 'skipped', subscription_id: idOf(7) }]),
  );
});

const failedWith = (attempt: object) => ({
  ...delivered({ state: 'failed' }),
  attempts: [{ number: 1, started_at: delivery().created_at, duration_ms: 22, url: address, ...attempt }],
});

onScreen('an attempt that failed says why, in plain words, and what the receiver said', async () => {
  const shown = `GET ${app}/deliveries/${idOf(10)}`;
  const said = '<b>no</b> such "field"';
  const screen = await open(`${at('webhooks')}?delivery=${idOf(10)}`, {
    ...webhooksWith([{ ...webhook(), failing: null }], [delivery({ state: 'failed' })]),
    [shown]: failedWith({ status: 422, error: 'status', response: { content_type: 'text/html', body: said, truncated: true } }),
  });
  const { page, server } = screen;
  const attempt = page.getByRole('region', { name: 'Attempt 1' });
  await attempt.getByText('It did not accept the request.').waitFor();
  await attempt.getByText('What it said').click();
  expect(await attempt.getByRole('region', { name: 'What it said' }).innerText()).toBe(said);
  await attempt.getByText('Only the beginning is kept.').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);

  for (const [failure, sentence] of [
    [{ error: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /self-signed.*DEPTH_ZERO_SELF_SIGNED_CERT/],
    [{ error: 'tls', code: 'ERR_SSL_SOMETHING_NEW' }, /no secure connection.*ERR_SSL_SOMETHING_NEW/],
    [
      { status: 308, error: 'status', response: { body: '', truncated: false, location: 'https://crm.example/new' } },
      /redirected to https:\/\/crm\.example\/new/,
    ],
    [{ status: 200, response: { body: 'ok', truncated: false, headers: { 'x-request-id': 'r1' } } }, /x-request-id: r1.*ok/s],
    [{ duration_ms: undefined }, /Under way/],
  ] as const) {
    server.set({ [shown]: failedWith(failure) });
    await page.reload();
    await attempt.filter({ hasText: sentence }).waitFor();
  }
});

onScreen('a delivery that was cancelled, and a webhook that fails, say why, in German too', async () => {
  const failing = { since: webhook().created_at, last_error: 'tls', last_code: 'CERT_HAS_EXPIRED' };
  const screen = await open(
    `${at('webhooks')}?delivery=${idOf(10)}`,
    {
      ...webhooksWith([{ ...webhook(), failing }], [delivery({ state: 'cancelled' })]),
      [`GET ${app}/deliveries/${idOf(10)}`]: { ...delivered({ state: 'cancelled', reason: 'erased' }), body: '' },
    },
    { locale: 'de' },
  );
  await screen.page.getByText('Die Einsendung wurde endgültig gelöscht.').waitFor();
  await screen.page.getByText('Der Inhalt wird nicht mehr aufbewahrt.').waitFor();
  await screen.page.keyboard.press('Escape');
  await screen.page.getByRole('cell').getByText('Das Zertifikat ist abgelaufen.').waitFor();
  const off = webhook({ active: false, deactivated: { reason: 'failing', at: webhook().created_at, detail: 'HTTP 503' } });
  screen.server.set({ [webhooks]: listOf([{ ...off, failing: null }]) });
  await screen.page.reload();
  await screen.page.getByText('Letzte Antwort: 503').waitFor();
  await screen.page.getByText('Beim Empfänger ist ein Fehler aufgetreten.').waitFor();
});

onScreen('a submission shows what webhooks were told of it', async () => {
  const person = submission(1, { name: 'Ada' });
  const screen = await open(`${at('submissions')}?open=${person.id}`, {
    ...inbox([person]),
    ...webhooksWith([{ ...webhook(), failing: null }], [delivery()]),
    [`GET ${app}`]: inbox([person])[`GET ${app}`],
    [`GET ${app}/versions/1`]: inbox([person])[`GET ${app}/versions/1`],
    [`GET ${app}/deliveries/${idOf(10)}`]: delivered(),
  });
  const { page } = screen;
  const told = page.getByRole('region', { name: 'Activity' }).getByRole('listitem').filter({ hasText: 'Sent to crm.example' });
  await told.getByText('Delivered').waitFor();
  expect(screen.server.asked(`GET ${app}/deliveries?submission_id=${person.id}`)).not.toEqual([]);
  await told.getByRole('link').click();
  await page.getByRole('region', { name: 'Attempt 1' }).waitFor();
});

onScreen('a webhook is switched off and on, and deleted after a question', async () => {
  const screen = await open(at('webhooks'), webhooksWith([{ ...webhook(), failing: null }]));
  const { page, server } = screen;
  await page.getByRole('cell', { name: address, exact: true }).waitFor();
  const off = webhook({ active: false, deactivated: { reason: 'switched_off', at: webhook().created_at } });
  server.set({ [`PATCH ${one}`]: off, [webhooks]: listOf([{ ...off, failing: null }]) });
  await choose(screen, 'Switch off');
  await page.getByText('Switched off.').waitFor();
  server.set({ [`PATCH ${one}`]: webhook(), [webhooks]: listOf([{ ...webhook(), failing: null }]) });
  await choose(screen, 'Switch on');
  await page.getByRole('cell', { name: 'Active', exact: true }).waitFor();
  await eventually(() => expect(server.sent(`PATCH ${one}`)).toEqual([{ active: false }, { active: true }]));

  const dialog = page.getByRole('dialog', { name: 'Delete this webhook?' });
  await choose(screen, 'Delete');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(server.asked(`DELETE ${one}`)).toEqual([]);
  await choose(screen, 'Delete');
  server.set({ [`DELETE ${one}`]: undefined, [webhooks]: listOf([]) });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Send submissions to other applications').waitFor();
});

onScreen('deliveries are found by answer, state, time and the reference of a submission, and the address has the filters', async () => {
  const screen = await open(at('webhooks'), webhooksWith([{ ...webhook(), failing: null }], [delivery({ state: 'failed' })]));
  const { page, server } = screen;
  const list = `GET ${app}/deliveries`;
  const pick = async (label: RegExp, option: string) => {
    await page.getByRole('button', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await page.getByRole('table', { name: 'Deliveries' }).waitFor();
  await pick(/Answer/, 'Fault of the receiver (5xx)');
  await eventually(() => expect(server.asked(`${list}?limit=50&answer=5xx&from=1970-01-01T00%3A00%3A00Z`)).toHaveLength(1));
  server.set({ [list]: { ...deliveries([]), total: undefined, total_at_least: 0, next_cursor: 'further' } });
  await pick(/State/, 'Held back after a restore');
  await page.getByText('None among the newest that were looked through.').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  server.set({ [list]: deliveries([delivery({ state: 'failed', reason: 'restored' })]) });
  await page.getByRole('button', { name: 'Look further back' }).click();
  await page.getByRole('table', { name: 'Deliveries' }).waitFor();
  await page.getByRole('searchbox', { name: 'Reference of a submission' }).fill(idOf(3).replaceAll('-', ''));
  await page.keyboard.press('Enter');
  await page.getByLabel('Planned from').fill('2026-03-01T00:00');
  await eventually(() => expect(new URL(page.url()).search).toMatch(/state=held_back&answer=5xx|answer=5xx&state=held_back/));
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('submission')).toBe(idOf(3).replaceAll('-', ''));
  await page.reload();
  await eventually(async () => expect(await page.getByLabel('Planned from').inputValue()).toBe('2026-03-01T00:00'));
  await page.getByRole('button', { name: /Held back after a restore/ }).waitFor();
});

onScreen('everything from one delivery on is sent again after it was counted, and can be stopped and go on', async () => {
  const many = `POST ${app}/deliveries/redeliver`;
  const step = { redelivered: 1_000, waiting: 1_000, next_cursor: 'after-1000' };
  const screen = await open(`${at('webhooks')}?delivery=${idOf(10)}`, {
    ...webhooksWith([{ ...webhook(), failing: null }], [delivery()]),
    [`GET ${app}/deliveries/${idOf(10)}`]: delivered(),
    [many]: ({ body: sent }: { body: { dry_run?: boolean } }) => (sent.dry_run === true ? { redelivered: 0, matching: 2_500 } : step),
  });
  const { page, server } = screen;
  await page.getByRole('button', { name: 'Send again from here' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send again from here' });
  await dialog.getByText('2,500 deliveries match.').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await dialog.getByText('Everything that is not waiting').click();
  await eventually(() => expect(server.sent(many).at(-1)).not.toHaveProperty('state'));
  await dialog.getByRole('button', { name: 'Send 2,500 again' }).waitFor();
  const releaseStep = server.hold(many);
  await dialog.getByRole('button', { name: 'Send 2,500 again' }).click();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  releaseStep();
  await dialog.getByText('1,000 of 2,500 are sent again.').waitFor();
  await dialog.getByRole('button', { name: 'Go on' }).waitFor();
  await eventually(() => expect(page.url()).toContain('after-1000'));

  await page.reload();
  server.set({
    [many]: ({ body: sent }: { body: { dry_run?: boolean } }) => ({
      redelivered: sent.dry_run === true ? 0 : 500,
      next_cursor: null,
      ...(sent.dry_run === true ? { matching: 1_500 } : {}),
    }),
  });
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('500 deliveries are sent again.').waitFor();
  await eventually(() => expect(page.url()).not.toContain('resend='));
  expect(server.sent(many).at(-1)).toMatchObject({ limit: 1_000, cursor: 'after-1000', subscription_id: idOf(7) });
  expect(server.sent(many).at(-1)).not.toHaveProperty('state');
});

onScreen('many are sent again only after they were counted', async () => {
  const many = `POST ${app}/deliveries/redeliver`;
  const { page, server } = await open(at('webhooks'), {
    ...webhooksWith([{ ...webhook(), failing: null }], [delivery()]),
    [many]: ({ body: sent }: { body: { dry_run?: boolean } }) =>
      sent.dry_run === true ? { redelivered: 0, matching: 1 } : { redelivered: 1, matching: 1 },
  });
  await page.getByRole('button', { name: 'Send many again' }).click();
  await page.getByRole('dialog').getByLabel('From').fill('2026-03-01T00:00');
  await page.getByRole('dialog').getByLabel('To').fill('2026-03-02T00:00');
  await page.getByRole('dialog').getByRole('button', { name: /State/ }).click();
  await page.getByRole('option', { name: 'Delivered' }).click();
  await page.getByRole('button', { name: 'Count first' }).click();
  await page.getByText('1 delivery matches.').waitFor();
  await page.getByRole('button', { name: 'Send 1 again' }).click();
  await page.getByText('1 delivery is sent again.').waitFor();
  await eventually(() => expect(server.sent(many)).toMatchObject([{ state: 'succeeded', dry_run: true }, { state: 'succeeded' }]));
});

onScreen('the code that verifies signatures names this instance, in five languages', async () => {
  const screen = await open(at('webhooks'), webhooksWith([]));
  const { page, server } = screen;
  await page.getByRole('button', { name: 'How to verify' }).click();
  await page.getByRole('region', { name: 'JavaScript' }).getByText(server.origin).waitFor();
  for (const language of ['Python', 'Go', 'PHP', 'Ruby']) {
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Language/ })
      .click();
    await page.getByRole('option', { name: language }).click();
    await page.getByRole('region', { name: language }).waitFor();
  }
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('a viewer sees what is sent, and can change nothing', async () => {
  const screen = await open(at('webhooks'), { ...signedIn('viewer'), ...webhooksWith([], [], 'viewer') }, { dark: true, width: 320 });
  await screen.page.getByText('Nobody has created a webhook for this form.').waitFor();
  for (const name of ['New webhook', 'Send many again']) expect(await screen.page.getByRole('button', { name }).count()).toBe(0);
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('a webhook gets headers of its own, whose values are never shown and kept by a change', async () => {
  const screen = await open(at('webhooks'), webhooksWith([{ ...webhook({ headers: [{ name: 'Authorization' }] }), failing: null }]));
  const { page, server } = screen;
  const patch = `PATCH ${one}`;
  server.set({ [patch]: webhook({ headers: [{ name: 'Authorization' }, { name: 'X-Env' }] }) });
  await choose(screen, 'Edit');
  await page.getByLabel('Name of header 1').waitFor();
  expect(await page.getByLabel('Value of header 1').getAttribute('type')).toBe('password');
  expect(await page.getByLabel('Value of header 1').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Name of header 2').fill('X-Env');
  await page.getByLabel('Value of header 2').fill('test');
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await eventually(() =>
    expect(server.sent(patch).at(-1)).toMatchObject({ headers: [{ name: 'Authorization' }, { name: 'X-Env', value: 'test' }] }),
  );

  await choose(screen, 'Edit');
  await page.getByRole('button', { name: 'Remove header 1' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await eventually(() => expect(server.sent(patch).at(-1)).toMatchObject({ headers: [] }));
});

onScreen('a webhook with a secret of its own shows it once, and gets another one', async () => {
  const screen = await open(at('webhooks'), webhooksWith([]));
  const { page, server } = screen;
  const post = `POST ${app}/webhooks`;
  const [secret, another] = ['whsec_Zmlyc3Q=', 'whsec_c2Vjb25k'];
  server.set({ [post]: webhook({ signature: 'v1', secret }), [webhooks]: listOf([{ ...webhook({ signature: 'v1' }), failing: null }]) });
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  await page.getByLabel('Address').fill(address);
  await page.getByText('Also with a secret of its own').click();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText(secret).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(server.sent(post).at(-1)).toMatchObject({ signature: 'v1' });
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: address, exact: true }).waitFor();
  await page.getByText(secret).waitFor({ state: 'detached' });

  server.set({ [`PATCH ${one}`]: webhook({ signature: 'v1', secret: another }) });
  await choose(screen, 'New secret');
  const dialog = page.getByRole('dialog', { name: 'Make a new secret?' });
  await dialog.getByRole('button', { name: 'New secret' }).click();
  await dialog.getByText(another).waitFor();
  expect(server.sent(`PATCH ${one}`).at(-1)).toEqual({ new_secret: true });
});
