import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { startSubscriber, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { anyone, asOwner, asServiceAccount } from '../../support/people';

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

describe('a delivery', () => {
  it('is signed with a key from the public key set', async () => {
    const form = await given.publishedForm();
    await given.subscription(form, subscriber.url);
    await given.submission(form, { name: 'Zoë ☃' });
    const [received] = await subscriber.waitFor(1);
    const { headers = {}, body = '' } = received ?? {};

    const { keys } = (await anyone.get('/.well-known/webhook-keys.json')).body as { keys: JsonWebKey[] };
    const signed = Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`);
    const signatures = String(headers['webhook-signature'])
      .split(' ')
      .map((entry) => /^v1a,(.+)$/.exec(entry)?.[1] ?? '');
    expect(signatures.length).toBe(keys.length);
    for (const signature of signatures) {
      expect(keys.some((key) => verify(null, signed, createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'base64')))).toBe(
        true,
      );
    }
  });
});

describe('the webhook keys', () => {
  it('are shown to people in the format of Standard Webhooks libraries, and match the public key set', async () => {
    const { keys } = (await anyone.get('/.well-known/webhook-keys.json')).body as { keys: { kid: string; x: string }[] };
    const { data } = (await asOwner.get('/app/v1/webhook-keys')).body as { data: { kid: string; public_key: string }[] };
    expect(data.map(({ kid }) => kid)).toEqual(keys.map(({ kid }) => kid));
    expect(data.map(({ public_key }) => Buffer.from(public_key.replace('whpk_', ''), 'base64'))).toEqual(
      keys.map(({ x }) => Buffer.from(x, 'base64url')),
    );
  });

  it('are shown only to people; a service account can use the public key set', async () => {
    const robot = await asServiceAccount('hooks:manage');
    expect(await robot.get('/app/v1/webhook-keys')).toMatchObject({ status: 403 });
    expect(await robot.get('/.well-known/webhook-keys.json')).toMatchObject({ status: 200 });
  });
});
