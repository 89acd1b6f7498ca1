import { createPublicKey, verify } from 'node:crypto';
import { newId } from '@sheaf/kernel';
import { deriveKey, signatures, thumbprint } from './webhook-key';

const secret = 'a secret of the deployment, long enough';
const instanceId = newId();
const message = { id: 'one', timestamp: '1700000000', body: '{"event":"submission.created","name":"Zoë"}' };

describe('the key of an instance', () => {
  it('is the same in every process, and differs by instance, generation and secret', () => {
    const kid = deriveKey(secret, instanceId, 1).kid;
    expect(deriveKey(secret, instanceId, 1).kid).toBe(kid);
    const others = [deriveKey(secret, newId(), 1), deriveKey(secret, instanceId, 2), deriveKey(`${secret}!`, instanceId, 1)];
    expect(new Set([kid, ...others.map((key) => key.kid)]).size).toBe(4);
  });

  it('is identified by its RFC 7638 thumbprint', () => {
    // The example in RFC 8037, appendix A.3.
    expect(thumbprint('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
    const { kid, x } = deriveKey(secret, instanceId, 1);
    expect(kid).toBe(thumbprint(x));
  });

  it('signs the id, the timestamp and the body', () => {
    const key = deriveKey(secret, instanceId, 1);
    const signature = signatures([key], message);
    expect(isSignedBy(key, signature, message)).toBe(true);
    for (const part of ['id', 'timestamp', 'body'] as const) {
      expect(isSignedBy(key, signature, { ...message, [part]: `${message[part]} ` })).toBe(false);
    }
    expect(isSignedBy(deriveKey(secret, newId(), 1), signature, message)).toBe(false);
  });

  it('signs alongside another key during a rotation', () => {
    const keys = [deriveKey(secret, instanceId, 2), deriveKey(secret, instanceId, 1)];
    const both = signatures(keys, message).split(' ');
    expect(both).toHaveLength(2);
    keys.forEach((key, i) => expect(isSignedBy(key, both[i] ?? '', message)).toBe(true));
  });
});

function isSignedBy({ x }: { x: string }, signature: string, { id, timestamp, body }: typeof message): boolean {
  const [version, encoded = ''] = signature.split(',');
  expect(version).toBe('v1a');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(`${id}.${timestamp}.${body}`), key, Buffer.from(encoded, 'base64'));
}
