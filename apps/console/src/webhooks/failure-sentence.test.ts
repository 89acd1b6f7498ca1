import { failedIn, failureCode, failureSentence } from './failure-sentence';
import { deliveries as german } from '../words/languages/de';
import { deliveries } from '../words/languages/en';

const en = deliveries.failures;
const de = german.failures;

it.each([
  ['tls', 'DEPTH_ZERO_SELF_SIGNED_CERT', /self-signed/, /selbst signiert/],
  ['tls', 'CERT_HAS_EXPIRED', /has expired/, /abgelaufen/],
  ['tls', 'ERR_TLS_CERT_ALTNAME_INVALID', /another host/, /anderen Server/],
  ['tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /authority of the certificate is unknown/, /Aussteller/],
  ['connection_refused', 'ECONNREFUSED', /refused/, /abgelehnt/],
  ['reset', 'ECONNRESET', /closed before/, /geschlossen/],
  ['dns', 'ENOTFOUND', /name of the host cannot be found/, /nicht gefunden/],
  ['timeout', undefined, /in time/, /rechtzeitig/],
  ['proxy', 'PROXY_407', /did not accept its name and password/, /Passwort nicht angenommen/],
  ['proxy', 'PROXY_401', /did not accept its name and password/, /Passwort nicht angenommen/],
  ['proxy', 'PROXY_403', /does not allow this address/, /lässt diese Adresse nicht zu/],
  ['proxy', 'PROXY_502', /opened no connection to the host/, /keine Verbindung/],
  ['proxy', 'ETIMEDOUT', /proxy .* in time/, /rechtzeitig/],
  ['protocol', 'HPE_HEADER_OVERFLOW', /64 KB/, /64 KB/],
])('a failure is said in plain words: %s %s', (error, code, english, german) => {
  expect(failureSentence({ error, code }, en)).toMatch(english);
  expect(failureSentence({ error, code }, de)).toMatch(german);
});

it('an unknown code, and an error of a later version, are said in general, and shown', () => {
  expect(failureSentence({ error: 'tls', code: 'ERR_SSL_SOMETHING_NEW' }, en)).toBe(en.tls);
  expect(failureCode({ error: 'tls', code: 'ERR_SSL_SOMETHING_NEW' })).toBe('ERR_SSL_SOMETHING_NEW');
  for (const error of ['quantum', 'constructor']) {
    expect(failureSentence({ error }, en)).toBe(en.unknown);
    expect(failureCode({ error })).toBe(error);
  }
});

it.each([
  [301, 'https://example.org/new', /redirected to https:\/\/example\.org\/new\./],
  [302, undefined, /redirected to another address/],
  [304, undefined, /did not accept/],
  [403, undefined, /refused access/],
  [404, undefined, /nothing at this address/],
  [410, undefined, /gone for good/],
  [418, undefined, /did not accept/],
  [503, undefined, /fault of its own/],
])('an answer is explained: %i', (status, location, sentence) => {
  expect(failureSentence({ status, error: 'status', response: location === undefined ? {} : { location } }, en)).toMatch(sentence);
});

it.each([
  ['HTTP 503', en.theirFault, undefined],
  ['timeout', en.timeout, 'timeout'],
  ['tls (CERT_HAS_EXPIRED)', en.expired, 'CERT_HAS_EXPIRED'],
  ['something else', en.unknown, 'something else'],
])('the last failure of a webhook that was switched off is said in plain words: %s', (detail, sentence, code) => {
  expect([failureSentence(failedIn(detail), en), failureCode(failedIn(detail))]).toEqual([sentence, code]);
});

it('nothing is said about what arrived, and what is still under way', () => {
  expect(failureSentence({ status: 204 }, en)).toBeUndefined();
  expect(failureSentence({}, en)).toBeUndefined();
});
