import { directionOf } from './tags';

/** Characters that change the direction of the text after them, and can hide or reorder it. */
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const rightToLeftLetters = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Text of others within a sentence of ours. If its direction may differ from the sentence's, it is set between the characters FSI and
 * PDI, so that it does not reorder the words around it; its own controls are removed, as one of them could end the isolation.
 */
export function isolated(language: string, text: string): string {
  const plain = text.replace(directionControls, '');
  const isForeign = directionOf(language) === 'rtl' || rightToLeftLetters.test(plain);
  return isForeign ? `\u2068${plain}\u2069` : plain;
}
