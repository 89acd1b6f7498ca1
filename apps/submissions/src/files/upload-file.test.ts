import { plainName } from './upload-file';

describe('a file name', () => {
  it.each([
    ['plan.pdf', 'plan.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\Ada\\plan.pdf', 'plan.pdf'],
    ['plan\r\nSet-Cookie: x.pdf', 'planSet-Cookie: x.pdf'],
    ['gpj.\u202eexe', 'gpj.exe'],
    ['\0', 'file'],
    ['', 'file'],
    ['..', 'file'],
    ['Grüße \u{1f44b}.txt', 'Grüße \u{1f44b}.txt'],
    ['\u{1f44b}'.repeat(300), '\u{1f44b}'.repeat(255)],
  ])('%j is kept as %j', (name, kept) => {
    expect(plainName(name)).toBe(kept);
  });
});
