import { hasFormattedLabel, isCheck, isEnding, isHidden, isOnPages } from '../fields/traits';
import { pipesOfBlocks, pipesOfLine, readFormattedLabel, readFormattedText } from '../texts/formatted-text';
import { escapedPipes, maxPipes, pipesIn, withPipes, type Pipe } from '../texts/piping';
import type { FormItem } from './draft';
import { isOtherText } from './other-option';
import type { FormSettings } from './settings';

type How = 'line' | 'formatted line' | 'formatted';

/** The parts of an item that show answers, and how they are written. Those of a hidden field are read by nobody, and a refusal is about what is entered. */
function pipedParts(item: FormItem): [part: string, how: How][] {
  if (isCheck(item) || isHidden(item)) return [];
  if (isEnding(item))
    return [
      ['title', 'line'],
      ['text', 'formatted'],
    ];
  return [
    ['label', isOnPages(item) && hasFormattedLabel(item) ? 'formatted line' : 'line'],
    ['help', 'formatted'],
  ];
}

type Texts = Readonly<Record<string, unknown>>;

const translationsOf = ({ translations = {} }: FormItem): [language: string, texts: Texts][] => Object.entries(translations);

/** The texts of an item that show answers, with those of its translations. */
function pipedTexts(item: FormItem): [path: string, text: string, how: How][] {
  const textsIn = (texts: Texts, path: string) =>
    pipedParts(item).flatMap(([part, how]): [string, string, How][] => {
      const text = texts[part];
      return typeof text === 'string' && text.includes('{{') ? [[`${path}${part}`, text, how]] : [];
    });
  return [...textsIn(item, ''), ...translationsOf(item).flatMap(([language, texts]) => textsIn(texts, `translations.${language}.`))];
}

/** The keys of the questions whose answers the texts of the item show. */
export const pipedKeys = (item: FormItem): Set<string> =>
  new Set(pipedTexts(item).flatMap(([, text]) => pipesIn(text).map(({ key }) => key)));

/** The parts of an item that show what they cannot, with messages. @param isEarlier whether a question with the key stands before it */
export const pipeFaults = (item: FormItem, isEarlier: (key: string) => boolean): [part: string, message: string][] =>
  // The label of a text of *Other* is made of that of its choice, which has the fault.
  (isOtherText(item) ? [] : pipedTexts(item)).flatMap(([path, text, how]) =>
    textFaults(text, how, isEarlier).map((message): [string, string] => [path, message]),
  );

type Thanks = Pick<FormSettings, 'thank_you' | 'translations'>;

/** The thank-you and its translations. It is no part of a version, so nothing stands before it. */
const thanksIn = ({ thank_you, translations = {} }: Thanks): [path: string, text: string][] =>
  [
    ['thank_you.text', thank_you?.text],
    ...Object.entries(translations).map(([tag, texts]) => [`translations.${tag}.thank_you`, texts.thank_you]),
  ].flatMap(([path = '', text]) => (text === undefined ? [] : [[path, text]]));

/** The keys of the questions whose answers the thank-you shows. */
export const keysInThanks = (settings: Thanks): Set<string> =>
  new Set(thanksIn(settings).flatMap(([, text]) => pipesIn(text).map(({ key }) => key)));

/** The faults of the thank-you, by the path of the setting. */
export const thanksFaults = (settings: Thanks, isKnown: (key: string) => boolean): { key: string; message: string }[] =>
  thanksIn(settings).flatMap(([key, text]) => textFaults(text, 'formatted', isKnown).map((message) => ({ key, message })));

function textFaults(text: string, how: How, isKnown: (key: string) => boolean): string[] {
  const pipes = pipesIn(text);
  if (pipes.length > maxPipes) return [`must show at most ${maxPipes} answers`];
  if (pipes.length > readAs[how](text).length) return ['must not have an answer in the address of a link'];
  const unknown = pipes.find(({ key }) => !isKnown(key));
  return unknown === undefined
    ? []
    : [`must show only answers to fields before it, which "${unknown.key}" is not; \\{{ in place of {{ makes it a text`];
}

const readAs: Readonly<Record<How, (text: string) => Pipe[]>> = {
  line: pipesIn,
  'formatted line': (text) => pipesOfLine(readFormattedLabel(text)),
  formatted: (text) => pipesOfBlocks(readFormattedText(text, true)),
};

/** The item with other keys in place of some, wherever its texts show the answers. */
export const withPipesRenamed = <Item extends FormItem>(item: Item, renamed: ReadonlyMap<string, string>): Item =>
  withTexts(item, (text) =>
    withPipes(text, ({ key, source }) => {
      const now = renamed.get(key);
      return now === undefined ? source : source.replace(key, now);
    }),
  );

/** The item with texts that show no answers, but their places as they are written. */
export const withoutPipes = <Item extends FormItem>(item: Item): Item =>
  withTexts(item, (text) => withPipes(text, ({ source }) => escapedPipes(source)));

function withTexts<Item extends FormItem>(item: Item, change: (text: string) => string): Item {
  const changed = (texts: Texts): Texts =>
    Object.fromEntries(
      pipedParts(item).flatMap(([part]) => {
        const text = texts[part];
        return typeof text === 'string' && text.includes('{{') ? [[part, change(text)]] : [];
      }),
    );
  const languages = translationsOf(item).map(([language, texts]) => [language, { ...texts, ...changed(texts) }] as const);
  return { ...item, ...changed(item), ...(item.translations ? { translations: Object.fromEntries(languages) } : {}) };
}
