import type { Field, messageKinds } from '@sheaf/contracts';
import { translated } from '../translations/translated';

export type MessageKind = (typeof messageKinds)[number];

/** The parts of a field with another message of the author's own; an empty one is taken away, with its translations. */
export function withMessage(field: Field, kind: MessageKind, text: string): Partial<Field> {
  const kept = Object.entries({ ...field.messages, [kind]: text }).filter(([, each]) => each !== '');
  const messages = kept.length === 0 ? undefined : (Object.fromEntries(kept) as Field['messages']);
  return text === '' ? { messages, ...withoutTranslation(field, `messages.${kind}`) } : { messages };
}

function withoutTranslation(field: Field, part: string): Partial<Field> {
  const languages = Object.keys(field.translations ?? {});
  if (languages.length === 0) return {};
  const next = languages.reduce((item, language) => ({ ...item, translations: translated(item, language, part, '') }) as Field, field);
  return { translations: next.translations };
}
