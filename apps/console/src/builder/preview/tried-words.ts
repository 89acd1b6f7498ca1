import { defineWords } from '../../words/words';

export const triedWords = defineWords(
  {
    title: 'Preview of the form',
    again: 'Start again',
    tryIt: 'Fill in the form and send it to see what would be refused. Nothing is stored.',
    trying: 'Checking the answers …',
    wouldAccept: 'These answers would be accepted. Nothing was stored.',
    wouldRefuse: (count: number) => (count === 1 ? '1 answer would be refused.' : `${count} answers would be refused.`),
    notSaved: 'Your last changes are not saved yet, so they cannot be tried.',
    notHere: 'This does nothing in the preview.',
  },
  {
    title: 'Vorschau des Formulars',
    again: 'Von vorn beginnen',
    tryIt: 'Füllen Sie das Formular aus und senden Sie es ab, um zu sehen, was abgelehnt würde. Nichts wird gespeichert.',
    trying: 'Antworten werden geprüft …',
    wouldAccept: 'Diese Antworten würden angenommen. Nichts wurde gespeichert.',
    wouldRefuse: (count: number) => (count === 1 ? '1 Antwort würde abgelehnt.' : `${count} Antworten würden abgelehnt.`),
    notSaved: 'Ihre letzten Änderungen sind noch nicht gespeichert und können nicht ausprobiert werden.',
    notHere: 'Das tut in der Vorschau nichts.',
  },
);
