import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { isGenuine } from '../../dist/nodes/SheafTrigger/signature';
import { signed, signingKey } from '../support/signed';

const key = signingKey();
const now = Date.parse('2026-03-04T16:05:12Z');
const body = Buffer.from('{"event":"submission.created"}');

describe('a signature', () => {
  it('is accepted from the key of the instance', () => {
    assert.equal(isGenuine(signed(key, body, now), [key.public], now), true);
  });

  it('is accepted while keys are rotated, when each of two keys signs', () => {
    const other = signingKey();
    const request = signed(key, body, now);
    const both = [key, other].map((each) => signed(each, body, now).headers['webhook-signature']).join(' ');
    request.headers['webhook-signature'] = both;
    assert.equal(isGenuine(request, [other.public], now), true);
    assert.equal(isGenuine(request, [key.public, other.public], now), true);
  });

  it('is refused for another body, id or time', () => {
    const request = signed(key, body, now);
    assert.equal(isGenuine({ ...request, body: Buffer.from('{}') }, [key.public], now), false);
    for (const name of ['webhook-id', 'webhook-timestamp']) {
      assert.equal(isGenuine({ body, headers: { ...request.headers, [name]: `${Math.floor(now / 1000) + 1}` } }, [key.public], now), false);
    }
  });

  it('is refused from another key', () => {
    assert.equal(isGenuine(signed(signingKey(), body, now), [key.public], now), false);
  });

  it('is refused five minutes after it was made, and five minutes before', () => {
    const request = signed(key, body, now);
    for (const seconds of [-300, 300]) assert.equal(isGenuine(request, [key.public], now + seconds * 1000), true);
    for (const seconds of [-301, 301]) assert.equal(isGenuine(request, [key.public], now + seconds * 1000), false);
  });

  it('is refused if a header is missing or nonsense', () => {
    const { headers } = signed(key, body, now);
    for (const name of Object.keys(headers)) {
      for (const value of [undefined, '', 'v1a,', 'v1,AAAA', 'x'.repeat(10_000), ['a', 'b']]) {
        assert.equal(isGenuine({ body, headers: { ...headers, [name]: value } }, [key.public], now), false, `${name}: ${String(value)}`);
      }
    }
  });

  it('is checked with the keys that it can use, whatever else is published', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
    assert.equal(isGenuine(signed(key, body, now), [{ kty: 'unknown' }, rsa, key.public], now), true);
  });
});
