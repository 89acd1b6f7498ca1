import { created, Instance, signingKey } from '../test/instance';
import type { WebhookReceiver } from './receiver';
import type { HeaderSource, WebhookRequest } from './request';

let instance: Instance;
let receiver: WebhookReceiver;
beforeEach(() => {
  instance = new Instance();
  receiver = instance.receiver();
});

const codeOf = (request: WebhookRequest): Promise<unknown> =>
  receiver.verify(request).then(
    () => 'verified',
    (error: unknown) => (error as { code?: string }).code,
  );

describe('A request is verified', () => {
  it('with its id, time and event', async () => {
    expect(await receiver.verify(instance.request({ id: 'd7' }))).toEqual({
      id: 'd7',
      sentAt: new Date('2026-06-01T12:00:00.000Z'),
      isTest: false,
      event: JSON.parse(created) as unknown,
    });
  });

  it('with headers in any case, as arrays or of the Fetch API', async () => {
    const headers = instance.headers();
    const variants: HeaderSource[] = [
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      new Headers(headers),
    ];
    for (const variant of variants) expect(await codeOf({ headers: variant, body: created })).toBe('verified');
  });

  it('with its body as bytes or as a stream', async () => {
    const { headers, body } = instance.request();
    expect(await codeOf({ headers, body: Buffer.from(body) })).toBe('verified');
    expect(await codeOf(new Request('https://receiver.example.org', { method: 'POST', headers, body }))).toBe('verified');
  });

  it('if one of several signatures is valid, also beside signatures of unknown versions', async () => {
    expect(await codeOf(instance.request({ keys: [signingKey(), ...instance.keys] }))).toBe('verified');
    const { headers, body } = instance.request();
    expect(await codeOf({ headers: { ...headers, 'webhook-signature': `v1,AAAA v9 ${headers['webhook-signature'] ?? ''}` }, body })).toBe(
      'verified',
    );
  });

  it('and marked as a test if it says so', async () => {
    const { headers, body } = instance.request();
    expect(await receiver.verify({ headers: { ...headers, 'sheaf-test': '1' }, body })).toMatchObject({ isTest: true });
  });
});

describe('A request is refused', () => {
  const changed = (patch: Record<string, string | undefined>): WebhookRequest => ({
    headers: { ...instance.headers(), ...patch },
    body: created,
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without the header %s', async (name) => {
    expect(await codeOf(changed({ [name]: undefined }))).toBe('missing_header');
  });

  it('with malformed headers', async () => {
    expect(await codeOf(changed({ 'webhook-id': 'a b' }))).toBe('malformed_header');
    expect(await codeOf(changed({ 'webhook-id': 'a'.repeat(257) }))).toBe('malformed_header');
    expect(await codeOf(changed({ 'webhook-timestamp': 'now' }))).toBe('malformed_header');
    expect(await codeOf(changed({ 'webhook-timestamp': '1e9' }))).toBe('malformed_header');
  });

  it('if it is older or newer than the tolerance', async () => {
    const inSeconds = (seconds: number) => instance.request({ at: instance.time + seconds * 1_000 });
    expect(await codeOf(inSeconds(-300))).toBe('verified');
    expect(await codeOf(inSeconds(300))).toBe('verified');
    expect(await codeOf(inSeconds(-301))).toBe('timestamp_out_of_tolerance');
    expect(await codeOf(inSeconds(301))).toBe('timestamp_out_of_tolerance');
    receiver = instance.receiver({ toleranceSeconds: 10 });
    expect(await codeOf(inSeconds(-11))).toBe('timestamp_out_of_tolerance');
  });

  it('if the id, the time or the body was changed', async () => {
    const { headers, body } = instance.request();
    expect(await codeOf({ headers: { ...headers, 'webhook-id': 'd2' }, body })).toBe('signature_mismatch');
    expect(await codeOf({ headers: { ...headers, 'webhook-timestamp': String(instance.time / 1_000 + 1) }, body })).toBe(
      'signature_mismatch',
    );
    expect(await codeOf({ headers, body: `${body} ` })).toBe('signature_mismatch');
  });

  it('with a signature of another key, or none', async () => {
    expect(await codeOf(instance.request({ keys: [signingKey()] }))).toBe('signature_mismatch');
    expect(await codeOf(changed({ 'webhook-signature': 'v1a,AAAA' }))).toBe('signature_mismatch');
    expect(await codeOf(changed({ 'webhook-signature': `v1,${'A'.repeat(86)}==` }))).toBe('signature_mismatch');
  });

  it('if it is signed but not a known event', async () => {
    expect(await codeOf(instance.request({ body: '{"event":"form.published"}' }))).toBe('unknown_event');
    expect(await codeOf(instance.request({ body: 'null' }))).toBe('unknown_event');
    expect(await codeOf(instance.request({ body: 'not JSON' }))).toBe('malformed_body');
  });

  it('if its body was parsed or read before', async () => {
    const { headers, body } = instance.request();
    expect(await codeOf({ headers, body: JSON.parse(body) as string })).toBe('body_not_raw');
    const request = new Request('https://receiver.example.org', { method: 'POST', headers, body });
    await request.text();
    expect(await codeOf(request)).toBe('body_not_raw');
  });

  it('if its body is larger than allowed', async () => {
    receiver = instance.receiver({ maxBodyBytes: created.length });
    const { headers, body } = instance.request();
    expect(await codeOf({ headers, body })).toBe('body_too_large');
    expect(await codeOf(new Request('https://receiver.example.org', { method: 'POST', headers, body }))).toBe('body_too_large');
  });
});

describe('A hostile header', () => {
  const forged = `v1a,${'A'.repeat(86)}==`;

  it('with many signatures costs no more than one with eight', async () => {
    instance.keys = Array.from({ length: 20 }, signingKey);
    const verify = jest.spyOn(crypto.subtle, 'verify');
    const { headers, body } = instance.request();
    expect(await codeOf({ headers: { ...headers, 'webhook-signature': Array(20).fill(forged).join(' ') }, body })).toBe(
      'signature_mismatch',
    );
    expect(verify).toHaveBeenCalledTimes(8 * 8);
    verify.mockRestore();
  });

  it('that is too long is refused before any key is fetched', async () => {
    const { headers, body } = instance.request();
    expect(await codeOf({ headers: { ...headers, 'webhook-signature': Array(1_000).fill(forged).join(' ') }, body })).toBe(
      'malformed_header',
    );
    expect(instance.fetches).toBe(0);
  });

  it('with a time outside the tolerance causes no fetch', async () => {
    expect(await codeOf(instance.request({ at: 0 }))).toBe('timestamp_out_of_tolerance');
    expect(instance.fetches).toBe(0);
  });
});
