import { defineWords, plural } from '../words/words';

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
    active: 'Active',
    archived: 'Archived',
    disabled: 'Disabled',
    trashed: 'In the trash',
    neverPublished: 'Never published',
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
    active: 'Aktiv',
    archived: 'Archiviert',
    disabled: 'Deaktiviert',
    trashed: 'Im Papierkorb',
    neverPublished: 'Nie veröffentlicht',
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
