import type { Problem } from '@sheaf/kernel';
import { answering, open, strict } from '../test/egresses';
import { createEgress } from './egress';

const whyNot = (url: string, egress = strict()) =>
  egress.vet(url).then(
    () => 'allowed',
    (error: unknown) => (error as Problem).message,
  );

describe('vetting a URL', () => {
  it('allows a public https URL and returns the addresses that it checked', async () => {
    await expect(strict(answering('1.1.1.1', '2606:4700::1')).vet('https://hooks.example.org/x?y=1')).resolves.toMatchObject({
      addresses: ['1.1.1.1', '2606:4700::1'],
    });
  });

  it.each([
    ['text that is not a URL', 'nonsense', 'must be a URL'],
    ['white space that would be dropped', ' https://example.org', 'must be a URL'],
    ['a line break that would be dropped', 'https://example.org/\na', 'must be a URL'],
    ['backslashes that would become slashes', 'https:\\\\example.org', 'must be a URL'],
    ['no host', 'https://', 'must be a URL'],
    ['plain http', 'http://example.org', 'must be an https URL'],
    ['another scheme', 'ftp://example.org', 'must be an https URL'],
    ['a file', 'file:///etc/passwd', 'must be an https URL'],
    ['a user', 'https://me@example.org', 'must not contain credentials'],
    ['a password', 'https://:secret@example.org', 'must not contain credentials'],
    ['2049 characters', `https://example.org/${'x'.repeat(2_029)}`, 'must have at most 2048 characters'],
  ])('refuses %s', async (_, url, why) => {
    await expect(whyNot(url)).resolves.toBe(`target_url: ${why}`);
  });

  it('accepts 2048 characters', async () => {
    await expect(whyNot(`https://example.org/${'x'.repeat(2_028)}`)).resolves.toBe('allowed');
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[100:0:0:1::1]',
    '[2002:7f00:1::]',
    '[fd00::1]',
    '[fe80::1]',
    '[0:0:0:0:0:ffff:a9fe:a9fe]',
  ])('recognizes the private address in https://%s/', async (host) => {
    await expect(whyNot(`https://${host}/`)).resolves.toBe('target_url: its host must have public addresses only');
  });

  it('refuses a name as soon as one of its addresses is not public', async () => {
    await expect(whyNot('https://example.org', strict(answering('1.1.1.1', '10.0.0.1')))).resolves.toBe(
      'target_url: its host must have public addresses only',
    );
  });

  it.each([
    ['https:///example.org/hook', 'target_url: must be a URL with a host after two slashes'],
    ['https:example.org', 'target_url: must be a URL with a host after two slashes'],
    ['https:/example.org', 'target_url: must be a URL with a host after two slashes'],
    ['https://example.org:0/hook', 'target_url: must have a port between 1 and 65535, or none'],
    ['https://example.org:65536/hook', 'target_url: must be a URL'],
    ['https://example.org:443/hook', 'allowed'],
  ])('answers %s with: %s', async (url, answer) => {
    await expect(whyNot(url, strict(answering('1.1.1.1')))).resolves.toBe(answer);
  });

  it('refuses a name that cannot be found', async () => {
    await expect(whyNot('https://example.org', strict(answering()))).resolves.toBe('target_url: its host cannot be found');
    await expect(
      whyNot(
        'https://example.org',
        strict(() => Promise.reject(new Error('ENOTFOUND'))),
      ),
    ).resolves.toBe('target_url: its host cannot be found');
  });

  it('allows the origins that an operator listed, including their port, and no others', async () => {
    const listed = createEgress({ allowPrivateTargets: false, privateOrigins: ['http://127.0.0.1:5678'], resolve: answering('1.1.1.1') });

    await expect(whyNot('http://127.0.0.1:5678/hook', listed)).resolves.toBe('allowed');
    await expect(whyNot('http://127.0.0.1:5679/hook', listed)).resolves.toBe('target_url: must be an https URL');
    await expect(whyNot('https://127.0.0.1:5678/hook', listed)).resolves.toBe('target_url: its host must have public addresses only');
    await expect(whyNot('http://me@127.0.0.1:5678/hook', listed)).resolves.toBe('target_url: must not contain credentials');
  });

  it('allows every http and https URL in development, except with credentials', async () => {
    await expect(whyNot('http://localhost:3000/hook', open)).resolves.toBe('allowed');
    await expect(whyNot('http://me:secret@localhost:3000/hook', open)).resolves.toBe('target_url: must not contain credentials');
    await expect(whyNot('ftp://localhost/', open)).resolves.toBe('target_url: must be an https URL');
  });
});
