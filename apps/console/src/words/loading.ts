import type { Language } from './language';
import type { Part, Words } from './words';

/**
 * The files with the words of each part, by language. The bundler makes a file of its own of each of these imports and leaves the
 * other parts out of it, so that a page loads the words of its own room, in one language.
 */
const files: { readonly [Each in Part]: Readonly<Record<string, () => Promise<Words[Each]>>> } = {
  everywhere: import.meta.glob<Words['everywhere']>('./languages/*.ts', { query: '?everywhere', import: 'everywhere' }),
  invitation: import.meta.glob<Words['invitation']>('./languages/*.ts', { query: '?invitation', import: 'invitation' }),
  forms: import.meta.glob<Words['forms']>('./languages/*.ts', { query: '?forms', import: 'forms' }),
  tour: import.meta.glob<Words['tour']>('./languages/*.ts', { query: '?tour', import: 'tour' }),
  templates: import.meta.glob<Words['templates']>('./languages/*.ts', { query: '?templates', import: 'templates' }),
  form: import.meta.glob<Words['form']>('./languages/*.ts', { query: '?form', import: 'form' }),
  formSettings: import.meta.glob<Words['formSettings']>('./languages/*.ts', { query: '?formSettings', import: 'formSettings' }),
  retention: import.meta.glob<Words['retention']>('./languages/*.ts', { query: '?retention', import: 'retention' }),
  builder: import.meta.glob<Words['builder']>('./languages/*.ts', { query: '?builder', import: 'builder' }),
  submissions: import.meta.glob<Words['submissions']>('./languages/*.ts', { query: '?submissions', import: 'submissions' }),
  insights: import.meta.glob<Words['insights']>('./languages/*.ts', { query: '?insights', import: 'insights' }),
  share: import.meta.glob<Words['share']>('./languages/*.ts', { query: '?share', import: 'share' }),
  webhooks: import.meta.glob<Words['webhooks']>('./languages/*.ts', { query: '?webhooks', import: 'webhooks' }),
  deliveries: import.meta.glob<Words['deliveries']>('./languages/*.ts', { query: '?deliveries', import: 'deliveries' }),
  settings: import.meta.glob<Words['settings']>('./languages/*.ts', { query: '?settings', import: 'settings' }),
  auditLog: import.meta.glob<Words['auditLog']>('./languages/*.ts', { query: '?auditLog', import: 'auditLog' }),
  account: import.meta.glob<Words['account']>('./languages/*.ts', { query: '?account', import: 'account' }),
  keys: import.meta.glob<Words['keys']>('./languages/*.ts', { query: '?keys', import: 'keys' }),
  help: import.meta.glob<Words['help']>('./languages/*.ts', { query: '?help', import: 'help' }),
};

/** Words that are on their way, or there. React reads `status` and `value` of what it waits for, and goes on at once where they are set. */
type Loading<Each extends Part> = Promise<Words[Each]> & { status?: 'fulfilled'; value?: Words[Each] };

const loading: { [Each in Part]?: Partial<Record<Language, Loading<Each> | undefined>> } = {};

/** The words of a part; the same promise for all who ask. */
export function loadWords<Each extends Part>(part: Each, language: Language): Promise<Words[Each]> {
  const languages: Partial<Record<Language, Loading<Each> | undefined>> = (loading[part] ??= {});
  const begun = languages[language];
  if (begun) return begun;
  const load = files[part][`./languages/${language}.ts`];
  if (!load) throw new Error(`There are no words in ${language}.`);
  const words: Loading<Each> = load();
  languages[language] = words;
  words.then(
    (value) => Object.assign(words, { status: 'fulfilled', value }),
    // The next request loads them anew.
    () => (languages[language] = undefined),
  );
  return words;
}

/** The words that are loaded before everything else. */
export function wordsEverywhere(language: Language): Words['everywhere'] {
  const words = loading.everywhere?.[language]?.value;
  if (!words) throw new Error('The words are not loaded yet.');
  return words;
}

/** All words that the page has asked for so far, in another language too: so that nothing on the screen waits for them. */
export const loadWordsIn = (language: Language): Promise<unknown> =>
  Promise.all((Object.keys(loading) as Part[]).map((part) => loadWords(part, language)));
