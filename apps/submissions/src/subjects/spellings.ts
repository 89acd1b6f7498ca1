import { domainToASCII, domainToUnicode } from 'node:url';
import { folded, normalAnswer, wholeWordsIn, type SoughtWord } from '@sheaf/contracts';

const blank = /\s+/gu;

/**
 * The keys by which an answer is compared: two that share one of these mean the same. Upper and lower case, accents and white space never
 * matter. The domain of an e-mail address can be written in its own letters or as browsers send it, and a phone number in any groups, with
 * `+` or `00`.
 */
export function meaningsOf(text: string): string[] {
  const [address, phone] = [addressIn(text), phoneIn(text)];
  return [
    folded(text).replace(blank, ' ').trim(),
    ...(address ? [`mail ${folded(address.name)}@${address.domain}`] : []),
    ...(phone === undefined ? [] : [`phone ${phone}`]),
  ];
}

/** Words of a submission: any of the lists, of which all parts, of each of which any word. */
export type SoughtSpellings = readonly (readonly (readonly SoughtWord[])[])[];

/** The words that a submission has in which an answer means the same. Others may have them, too. */
export function spellingsOf(text: string): SoughtSpellings {
  const [address, phone] = [addressIn(text), phoneIn(text)];
  const spellings = address ? [text, `${address.name}@${address.domain}`, `${address.name}@${domainToUnicode(address.domain)}`] : [text];
  const lists = [...new Set(spellings)].map((spelling) => wholeWordsIn(spelling).map((word) => [word]));
  return phone === undefined ? lists : [...lists, groupsOf(phone)];
}

/** Longer than any address or number; a long text is neither. */
const maxLength = 400;

/** An e-mail address with its domain as the network writes it. */
function addressIn(text: string): { name: string; domain: string } | undefined {
  if (text.length > maxLength) return undefined;
  const address = String(normalAnswer({ kind: 'email' }, text));
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return at < 1 || /\s/.test(address) || domain === '' ? undefined : { name: address.slice(0, at), domain };
}

/** The most digits of a phone number, with all that may stand before it. */
const maxDigits = 20;

/** The digits of a phone number after a `+` or `00`, which stay `+`, or with the `0` or parentheses that show that it is one. */
function phoneIn(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  const phone = String(normalAnswer({ kind: 'phone' }, text));
  if (!/^[+(0][0-9 ()./-]{4,40}$/.test(phone)) return undefined;
  // The digits dialled only at home.
  const international = /^(?:\+|00)/.test(phone);
  const digits = (international ? phone.replace(/^00/, '').replace('(0)', '') : phone).replace(/\D/g, '');
  return digits.length < 5 || digits.length > maxDigits ? undefined : `${international ? '+' : ''}${digits}`;
}

/** A word at the beginning and one at the end, as nobody knows how the digits between are grouped. */
function groupsOf(phone: string): SoughtWord[][] {
  const digits = phone.replace('+', '');
  const written = phone.startsWith('+') ? [digits, `00${digits}`] : [digits];
  const first = written.flatMap((whole) => Array.from(whole, (_, index) => whole.slice(0, index + 1)));
  const last = written.flatMap((whole) => Array.from(whole.slice(1), (_, index) => whole.slice(index)));
  return [first, last].map((words) => [...new Set(words)].map((word) => ({ word, isPrefix: false })));
}
