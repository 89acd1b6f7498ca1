import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { acceptedInvitation, anyone, asOwner, asServiceAccount, credentials } from '../../support/people';

// Checks the log lines that the processes wrote during all tests of this run.

const logs = join(process.env.E2E_DATA_DIR ?? '', 'log');

async function readLogs(): Promise<string> {
  const files = await readdir(logs);
  return (await Promise.all(files.map((file) => readFile(join(logs, file), 'utf8')))).join('\n');
}

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

it('the logs contain no keys, passwords, e-mail addresses or answers', async () => {
  const { person } = await acceptedInvitation('viewer');
  const { email } = (await person.get('/api/v1/auth/me')).body as { email: string };
  const { credential: accountKey } = await asServiceAccount('forms:read');
  await anyone.post('/app/v1/sessions', { email, password: 'a wrong and traceable password' });
  await anyone.with('sk_a_wrong_and_traceable_key').get('/api/v1/auth/me');

  // Failures are logged: a failing subscriber, rejected input.
  const form = await given.publishedForm();
  await given.subscription(form, `${subscriber.url}/hook-with-a-secret-path`);
  subscriber.answer(500);
  const submission = await given.submission(form, { name: 'Traceable Answer' });
  await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 7, other: 'Traceable Refused' } });
  await subscriber.waitFor(1, ({ body }) => body.includes(submission));
  await asOwner.get(`/api/v1/forms/${form}/submissions`);

  const secrets = [
    credentials.api_key,
    credentials.user.email,
    credentials.user.password,
    email,
    person.credential,
    accountKey,
    'a wrong and traceable password',
    'sk_a_wrong_and_traceable_key',
    'Traceable Answer',
    'Traceable Refused',
  ];
  // Attempts are logged; once their line exists, all earlier ones do too.
  const text = await eventually(async () => {
    const now = await readLogs();
    expect(now).toContain(form);
    return now;
  });
  expect(secrets.filter((secret) => secret === undefined || text.includes(secret))).toEqual([]);
});
