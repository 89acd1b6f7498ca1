import type { AnswerKind } from '../fields/answer-kinds';
import type { AnswerForm } from '../fields/traits';
import { urlIn } from '@sheaf/kernel';
import { composed, narrow, plainCharacters, withoutInvisible } from './characters';

/** Longer than any answer of these types can be: what is refused anyway is not looked at. */
const maxLength = 4_096;

/**
 * An answer as it is checked and kept, whoever enters it and wherever: the page of a form and its script, the API, a member who enters or
 * corrects a submission, the default in a draft. It stays the same answer; what could be another one is left as it is, and refused. Applying
 * it again changes nothing. It has no dependencies, because the script of a page decides by it what a condition shows.
 */
export function normalAnswer({ kind, trim }: AnswerForm, answer: unknown): unknown {
  if (typeof answer !== 'string') return answer;
  if (kind === 'text') {
    const text = composed(answer);
    return trim === false ? text : text.trim();
  }
  return answer.length <= maxLength ? (normalForms[kind]?.(answer) ?? answer) : answer;
}

/** Also without the brackets around it and the separator after it, which it has in lists of addresses. */
const emailAddress = (typed: string): string =>
  withoutLink(withoutLink(composed(narrow(withoutInvisible(typed))).trim()).replace(/^(?:<([^\s<>;,]+)>|([^\s<>;,]+))[;,]?$/, '$1$2'));

/** A link to an address, as mail programs copy it, is the address; what follows `?` there is about a message. */
const withoutLink = (address: string): string => address.replace(/^(?:mailto:\s*)+([^?]*).*/is, '$1').trim();

/** The beginning of an address up to its path, where full-width characters cannot be meant. */
const beforePath = /^(?:[a-z\uff41-\uff5a]+[:：][/／]{2})?[^/?#／？＃]*[/?#／？＃]?/i;

/** A host with a dot and a name at its end, not an account in front of it, and what may follow it. */
const withoutScheme = /^(?:[^\s/?#:@.]+\.)+\p{L}[^\s/?#:@.]+\.?(?::\d{1,5})?(?:[/?#]\S*)?$/u;

function webAddress(typed: string): string {
  const address = composed(withoutInvisible(typed)).trim().replace(beforePath, narrow);
  const bare = address.replace(/^\/\//, '');
  return withoutScheme.test(bare) && urlIn(`https://${bare}`) ? `https://${bare}` : address;
}

/** Letters of other scripts, of which some become others in upper case, stay as they are. */
function countryCode(typed: string): string {
  const code = plainCharacters(typed);
  return /^[a-z]{2}$/i.test(code) ? code.toUpperCase() : code;
}

const phoneNumber = (typed: string): string => plainCharacters(plainCharacters(typed).replace(/^(?:tel: *)+/i, ''));

/** Of kinds whose answers have one form only, there is none. */
const normalForms: Readonly<Partial<Record<AnswerKind, (typed: string) => string>>> = {
  email: emailAddress,
  url: webAddress,
  phone: phoneNumber,
  country: countryCode,
  date: plainCharacters,
  time: plainCharacters,
  datetime: plainCharacters,
};
