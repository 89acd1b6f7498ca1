import { codeOf, Failure, nameOf, OwnFailure, ownFailure } from './failure';

const thrown = (code: string, address?: string) => Object.assign(new Error(code), { code, ...(address === undefined ? {} : { address }) });

describe('a failure before anything was sent', () => {
  it.each(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS'])('is ours when it is %s', (code) => {
    expect(ownFailure(thrown(code))).toMatchObject({ stage: 'socket' });
  });

  it('is ours when all our ports are in use, but not when this machine has no IPv6', () => {
    expect(ownFailure(thrown('EADDRNOTAVAIL', '1.1.1.1'))).toMatchObject({ stage: 'socket' });
    expect(ownFailure(thrown('EADDRNOTAVAIL', '2606:4700::1'))).toBeUndefined();
  });

  it('is ours when it is a fault in our code', () => {
    expect(ownFailure(new TypeError('undefined is not a function'))).toMatchObject({ stage: 'egress' });
  });

  it('is ours when our own name server does not answer', () => {
    const cause = new OwnFailure('name', thrown('ECONNREFUSED'));
    expect(ownFailure(new Failure('dns', 'its host cannot be found', { cause }))).toBe(cause);
  });

  it('is ours when no address could be tried, but not when one of them refused', () => {
    expect(ownFailure(new AggregateError([thrown('EMFILE'), thrown('EMFILE')]))).toMatchObject({ stage: 'socket' });
    expect(ownFailure(new AggregateError([thrown('EMFILE'), thrown('ECONNREFUSED')]))).toBeUndefined();
  });

  it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ECONNRESET'])('is theirs when it is %s', (code) => {
    expect(ownFailure(thrown(code))).toBeUndefined();
  });

  it('is theirs when their name cannot be found', () => {
    expect(ownFailure(new Failure('dns', 'its host cannot be found', { cause: thrown('ENOTFOUND') }))).toBeUndefined();
  });
});

describe('a failure of the other side', () => {
  it.each([
    ['ECONNRESET', 'reset'],
    ['HPE_HEADER_OVERFLOW', 'protocol'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls'],
    ['ESOMETHING', 'unknown'],
  ])('has a code and a name: %s is %s', (code, name) => {
    expect([nameOf(thrown(code)), codeOf(thrown(code))]).toEqual([name, code]);
  });

  it('has the code of its cause, and none if nothing had one', () => {
    expect(codeOf(new Failure('tls', 'has no valid TLS', { cause: thrown('CERT_HAS_EXPIRED') }))).toBe('CERT_HAS_EXPIRED');
    expect(codeOf(new Failure('url_not_allowed', 'must be a URL'))).toBeUndefined();
    expect([nameOf(new Error('?')), codeOf(new Error('?'))]).toEqual(['unknown', undefined]);
  });
});
