import { defineWords } from '../../words/words';

export const words = defineWords(
  {
    publish: 'Publish',
    publishVersion: (version: number) => `Publish version ${version}`,
    isLive: (version: number) => `Version ${version} is live`,
    first: 'This is the first version. From now on, people can fill in the form.',
    whatChanges: 'What changes',
    affected: 'What happens to answers',
    atLeast: (count: string) => `at least ${count}`,
    submissions: (count: number, text: string) => (count === 1 ? `${text} submission` : `${text} submissions`),
    uncounted: 'Submissions',
    quoted: (label: string) => `“${label}”`,
    otherOptions: (count: number, text: string) => (count === 1 ? 'one other option' : `${text} other options`),
    noneAffected: 'No submission has an answer to what is removed or changed.',
    changedMeanwhile: 'Somebody else has changed the draft meanwhile. Look at what changes now, then publish.',
    correctFirst: 'Correct what is marked first. Then publish.',
    notSavedYet: 'Your last changes are not saved yet, so they cannot be published.',
  },
  {
    publish: 'Veröffentlichen',
    publishVersion: (version: number) => `Version ${version} veröffentlichen`,
    isLive: (version: number) => `Version ${version} ist veröffentlicht`,
    first: 'Dies ist die erste Version. Ab jetzt kann das Formular ausgefüllt werden.',
    whatChanges: 'Was sich ändert',
    affected: 'Was mit Antworten geschieht',
    atLeast: (count: string) => `mindestens ${count}`,
    submissions: (count: number, text: string) => (count === 1 ? `${text} Einsendung` : `${text} Einsendungen`),
    uncounted: 'Einsendungen',
    quoted: (label: string) => `„${label}“`,
    otherOptions: (count: number, text: string) => (count === 1 ? 'einer weiteren Option' : `${text} weiteren Optionen`),
    noneAffected: 'Keine Einsendung hat eine Antwort auf das, was entfernt oder geändert wird.',
    changedMeanwhile:
      'Der Entwurf wurde inzwischen von jemand anderem geändert. Sehen Sie nach, was sich jetzt ändert, und veröffentlichen Sie dann.',
    correctFirst: 'Korrigieren Sie zuerst, was markiert ist. Danach können Sie veröffentlichen.',
    notSavedYet: 'Ihre letzten Änderungen sind noch nicht gespeichert und können nicht veröffentlicht werden.',
  },
);
