import type { PublishWarningCode } from '@sheaf/contracts';
import { defineWords } from '../../words/words';

type Words = Readonly<Record<PublishWarningCode, string | ((...values: never[]) => string)>>;

/** What the server warns of, by its codes. A code without words does not compile. */
export const warningWords = defineWords(
  {
    no_fields: 'The form has no fields. People could only send it empty.',
    payment_added: (price: string) => `People now have to pay ${price}. If payments are not set up, the form accepts no submissions.`,
    payment_changed: (before: string, price: string) => `People paid ${before} and now pay ${price}.`,
    payment_removed: (before: string) => `People paid ${before} and now pay nothing.`,
    untranslated: (language: string, missing: string, texts: string) =>
      `${language}: ${missing} of ${texts} texts have no translation. People see them in another language.`,
    nothing_changed: (version: number) => `Nothing has changed since version ${version}.`,
    field_removed: (submissions: string, label: string) =>
      `${submissions} with an answer to “${label}”. The answers stay readable. New submissions have no such answer.`,
    field_retyped: (submissions: string, label: string, from: string, to: string) =>
      `${submissions} with an answer to “${label}” as “${from}”. The answers stay as they are. New submissions answer it as “${to}”.`,
    options_removed: (submissions: string, label: string, options: string) =>
      `${submissions} with the choice of ${options} for “${label}”. The answers stay readable. Nobody can choose it any more.`,
  } satisfies Words,
  {
    no_fields: 'Das Formular hat keine Felder. Es könnte nur leer abgeschickt werden.',
    payment_added: (price) =>
      `Ab jetzt müssen ${price} gezahlt werden. Ist die Zahlung nicht eingerichtet, nimmt das Formular keine Einsendungen an.`,
    payment_changed: (before, price) => `Bisher wurden ${before} gezahlt, ab jetzt ${price}.`,
    payment_removed: (before) => `Bisher wurden ${before} gezahlt, ab jetzt nichts.`,
    untranslated: (language, missing, texts) =>
      `${language}: ${missing} von ${texts} Texten sind nicht übersetzt. Sie erscheinen in einer anderen Sprache.`,
    nothing_changed: (version) => `Seit Version ${version} hat sich nichts geändert.`,
    field_removed: (submissions, label) =>
      `${submissions} mit einer Antwort auf „${label}“. Die Antworten bleiben lesbar. Neue Einsendungen haben keine solche Antwort.`,
    field_retyped: (submissions, label, from, to) =>
      `${submissions} mit einer Antwort auf „${label}“ als „${from}“. Die Antworten bleiben, wie sie sind. Neue Einsendungen beantworten es als „${to}“.`,
    options_removed: (submissions, label, options) =>
      `${submissions} mit der Auswahl ${options} bei „${label}“. Die Antworten bleiben lesbar. Neu kann das nicht mehr gewählt werden.`,
  },
);
