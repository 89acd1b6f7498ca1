import { wordLanguages, wordsOf } from '../words/languages';
import { sentenceOf } from './counters';

it.each(wordLanguages)('counts characters in the browser as the server does (%s)', (language) => {
  const { charactersLeft, charactersTooMany } = wordsOf(language);
  for (const count of [0, 1, 2, 3, 4, 5, 10, 11, 12, 19, 20, 21, 22, 25, 100, 101, 102, 111, 1_000, 12_345]) {
    expect(sentenceOf(charactersLeft.forms, count, language)).toBe(charactersLeft(count));
    expect(sentenceOf(charactersTooMany.forms, count, language)).toBe(charactersTooMany(count));
  }
});
