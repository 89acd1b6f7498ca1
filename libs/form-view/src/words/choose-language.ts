import { wordLanguages } from './languages';
import { closestTag } from './tags';

export interface LanguageWish {
  /** The value of `?lang`. */
  asked: string | undefined;
  /** The `Accept-Language` header. */
  acceptLanguage: string | undefined;
  /** The languages that the form's author offers; undefined if the author has not chosen any. */
  offered: readonly string[] | undefined;
  /** The language in which the author wrote the form; if undefined, the first of the offered ones. */
  authorLanguage: string | undefined;
}

/**
 * The language of the page: what `?lang` asks for, else the first wish of the browser that is offered, else the author's. It is always one
 * of the offered tags, never text from the request. Offered languages are binding, because an author who names them has translated the form
 * or wants it in these only. Otherwise our own words follow the respondent through all languages that we have: buttons and errors that people
 * understand help them even where the questions are not translated.
 */
export function chooseLanguage({ asked, acceptLanguage, offered, authorLanguage }: LanguageWish): string {
  const own = authorLanguage ?? offered?.[0] ?? 'en';
  const choices = offered && offered.length > 0 ? offered : [...new Set([own, ...wordLanguages])];
  for (const wanted of [asked ?? '', ...acceptedLanguages(acceptLanguage ?? '')]) {
    const match = wanted === '*' ? undefined : closestTag(wanted, choices);
    if (match !== undefined) return match;
  }
  return closestTag(own, choices) ?? choices[0] ?? 'en';
}

/** Longer headers are not from browsers. */
const maxHeader = 1_000;

/** The tags of the header, the most wanted first. */
function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, maxHeader)
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part.split(';').map((piece) => piece.trim());
      const weight = params.find((param) => /^q=/i.test(param))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
