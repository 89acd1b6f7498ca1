import { safeName, UniqueNames } from './safe-names';

describe('the name of a file in an archive', () => {
  it.each([
    ['../../etc/passwd', '__.._etc_passwd'],
    ['..\\..\\boot.ini', '__.._boot.ini'],
    ['/etc/passwd', '_etc_passwd'],
    ['C:\\Windows\\a.exe', 'C__Windows_a.exe'],
    ['..', 'file'],
    ['', 'file'],
    ['   ', 'file'],
    ['a\0b\r\n.txt', 'a_b__.txt'],
    ['.htaccess', '_htaccess'],
    ['report. . .', 'report'],
  ])('%j does not lead out of its folder, hide, or end as Windows refuses', (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });

  it.each(['con', 'NUL.txt', 'aux.tar.gz', 'COM1', 'lpt¹.doc', 'CONIN$', 'nul .txt'])('%j is no device of Windows', (name) => {
    expect(safeName(name)).toBe(`_${name}`);
  });

  it.each(['console.txt', 'com10.txt', 'Ünïcode – 履歴書.pdf', 'مرحبا.pdf', '👩‍👩‍👧.png', 'a;b,c=d.csv'])('%j stays as it is', (name) => {
    expect(safeName(name)).toBe(name);
  });

  it('marks of direction do not disguise its extension', () => {
    expect(safeName('invoice\u202Efdp.exe')).toBe('invoice_fdp.exe');
  });

  it('is composed, so that it is the same name on every system', () => {
    expect(safeName('Zoe\u0308.txt')).toBe('Zo\u00EB.txt');
    expect(safeName('lone \uD800.txt')).toBe('lone \uFFFD.txt');
  });

  it('is cut between characters, and keeps its extension', () => {
    const long = safeName(`${'👩‍👩‍👧'.repeat(40)}.jpeg`);
    expect(long).toBe(`${'👩‍👩‍👧'.repeat(8)}.jpeg`);
    expect(Buffer.byteLength(safeName(`a.${'b'.repeat(400)}`))).toBe(150);
  });

  it('is there also if its first character alone is longer than a name', () => {
    const accents = '\u0301'.repeat(100);
    expect(safeName(`x${accents}`)).toBe(`x${'\u0301'.repeat(74)}`);
    const name = safeName(`x${accents}.pdf`);
    expect(name).toBe(`x${'\u0301'.repeat(72)}.pdf`);
    const names = new UniqueNames();
    expect([names.of(name), names.of(name)]).toEqual([name, `x${'\u0301'.repeat(70)} (2).pdf`]);
  });
});

it('two files of a folder have names that differ in more than case', () => {
  const names = new UniqueNames();
  expect(['cv.pdf', 'CV.pdf', 'cv.PDF', 'cv (2).pdf', 'cv'].map((name) => names.of(name))).toEqual([
    'cv.pdf',
    'CV (2).pdf',
    'cv (3).PDF',
    'cv (2) (2).pdf',
    'cv',
  ]);
  const long = `${'x'.repeat(145)}.pdf`;
  expect([names.of(long), names.of(long)].map((name) => Buffer.byteLength(name))).toEqual([149, 150]);
});
