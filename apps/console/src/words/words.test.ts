import { languages, type Language } from './language';
import type { Words } from './words';

const wordsOf = (language: Language) => jest.requireActual<Words>(`./languages/${language}`);

/** An object that has whatever a sentence of the audit log names. */
const facts = (details: unknown) => new Proxy({}, { get: (_, name) => (name === 'details' ? details : `⟨${String(name)}⟩`) });
const anything = new Proxy({}, { get: (_, name) => `⟨${String(name)}⟩` });

/** Every text of a language, by its path. Functions are given marks that no language contains: once all, and once a count of one first. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'function') {
    return Object.entries(value as object).flatMap(([key, part]) => textsOf(part, path === '' ? key : `${path}.${key}`));
  }
  const write = value as (...given: unknown[]) => string;
  if (path.startsWith('auditLog.sentences.')) {
    return [
      [path, write(facts(anything))],
      [`${path}, without details`, write(facts({}))],
    ];
  }
  const marks = ['⟨0⟩', '⟨1⟩', '⟨2⟩', '⟨3⟩', '⟨4⟩', '⟨5⟩'];
  return [
    [path, write(...marks)],
    [`${path}, of one`, write(1, ...marks.slice(1))],
  ];
}

const marksIn = (text: string): string[] => [...new Set(text.match(/⟨\w+⟩/g))].sort();

const english = new Map(textsOf(wordsOf('en')));

describe.each(languages)('The words in %s', (language) => {
  const texts = textsOf(wordsOf(language));

  it('are the messages that the English ones are', () => {
    expect(texts.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
  });

  it('say whatever they are given', () => {
    const marks = (all: Iterable<[string, string]>) => Object.fromEntries([...all].map(([path, text]) => [path, marksIn(text)]));
    expect(marks(texts)).toEqual(marks(english));
  });

  it('begin and end without a space, have none twice, and are empty only where the English ones are', () => {
    const odd = texts.filter(
      ([path, text]) => /^\s|\s$|\s{2}|\b(?:undefined|null|NaN)\b|\[object|\$\{/.test(text) || (text === '' && english.get(path) !== ''),
    );
    expect(odd).toEqual([]);
  });

  it('end as sentences where the English ones do', () => {
    const ends = (text = '') => /[.?:]$/.exec(text)?.[0];
    const others = texts.filter(([path, text]) => ends(text) !== ends(english.get(path)));
    expect(others).toEqual([]);
  });
});
