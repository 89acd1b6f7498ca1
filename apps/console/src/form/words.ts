import { defineWords, plural, type Language } from '../words/words';
import type { FormState } from './form-state';

/** Without states that a later release may have. */
const states: Readonly<Record<Language, Partial<Record<string, string>> & Record<FormState, string>>> = {
  en: {
    active: 'Active',
    archived: 'Archived',
    disabled: 'Disabled',
    trashed: 'In the trash',
    never_published: 'Never published',
    not_yet_open: 'Not open yet',
    closed: 'Closed',
    full: 'Full',
    payments_not_set_up: 'No payments',
  },
  de: {
    active: 'Aktiv',
    archived: 'Archiviert',
    disabled: 'Deaktiviert',
    trashed: 'Im Papierkorb',
    never_published: 'Nie veröffentlicht',
    not_yet_open: 'Noch nicht offen',
    closed: 'Geschlossen',
    full: 'Voll',
    payments_not_set_up: 'Ohne Zahlungen',
  },
};

export const words = defineWords(
  {
    sections: 'Form',
    allForms: 'Forms',
    build: 'Build',
    submissions: 'Submissions',
    insights: 'Insights',
    share: 'Share',
    webhooks: 'Webhooks',
    settings: 'Settings',
    states: (state: string) => states.en[state] ?? state,
    unpublishedChanges: 'Unpublished changes',
    heldAsSpam: (count: number, number: string) =>
      plural('en', count, {
        one: 'One submission is held as spam, and not counted here.',
        other: `${number} submissions are held as spam, and not counted here.`,
      }),
    lookAtSpam: 'Look at the spam',
    spamHeld: (number: string) => `${number} in spam`,
  },
  {
    sections: 'Formular',
    allForms: 'Formulare',
    build: 'Aufbau',
    submissions: 'Einsendungen',
    insights: 'Auswertung',
    share: 'Teilen',
    webhooks: 'Webhooks',
    settings: 'Einstellungen',
    states: (state: string) => states.de[state] ?? state,
    unpublishedChanges: 'Unveröffentlichte Änderungen',
    heldAsSpam: (count: number, number: string) =>
      plural('de', count, {
        one: 'Eine Einsendung gilt als Spam und zählt hier nicht.',
        other: `${number} Einsendungen gelten als Spam und zählen hier nicht.`,
      }),
    lookAtSpam: 'Spam ansehen',
    spamHeld: (number: string) => `${number} im Spam`,
  },
);
