import { defineWords, plural } from '../words/words';

const days = (count: number) => `${count} ${plural('en', count, { one: 'day', other: 'days' })}`;
const tage = (count: number) => `${count} ${plural('de', count, { one: 'Tag', other: 'Tagen' })}`;
const until = (before: number | undefined) => (before === undefined ? 'Until then they are kept.' : `Until then ${days(before)} apply.`);
const bis = (before: number | undefined) =>
  before === undefined ? 'Bis dahin bleiben sie.' : `Bis dahin gilt die Frist von ${tage(before)}.`;

export const words = defineWords(
  {
    upcoming: 'Shorter soon',
    submissionsFrom: (when: string, count: number, before: number | undefined) =>
      `From ${when} on, submissions older than ${days(count)} are erased. ${until(before)}`,
    filesFrom: (when: string, count: number, before: number | undefined) =>
      `From ${when} on, files older than ${days(count)} are erased. ${until(before)}`,
    trashFrom: (when: string, count: number, before: number | undefined) =>
      `From ${when} on, submissions are erased after ${days(count)} in the trash. ${until(before)}`,
    erasesSubmissions: (count: string, isOne: boolean) =>
      `This erases ${count} ${isOne ? 'submission that is' : 'submissions that are'} kept now.`,
    erasesFiles: (count: string, isOne: boolean) => `This erases ${count} ${isOne ? 'file that is' : 'files that are'} kept now.`,
    erasesNothing: 'Nothing that is kept now is old enough.',
    moreThan: (count: string) => `more than ${count}`,
    undo: 'Undo',
    undoWhat: (sentence: string) => `Undo: ${sentence}`,
  },
  {
    upcoming: 'Bald kürzer',
    submissionsFrom: (when: string, count: number, before: number | undefined) =>
      `Ab ${when} werden Einsendungen nach ${tage(count)} gelöscht. ${bis(before)}`,
    filesFrom: (when: string, count: number, before: number | undefined) =>
      `Ab ${when} werden Dateien nach ${tage(count)} gelöscht. ${bis(before)}`,
    trashFrom: (when: string, count: number, before: number | undefined) =>
      `Ab ${when} werden Einsendungen nach ${tage(count)} im Papierkorb gelöscht. ${bis(before)}`,
    erasesSubmissions: (count: string, isOne: boolean) =>
      `Das löscht ${count} ${isOne ? 'Einsendung, die jetzt noch da ist' : 'Einsendungen, die jetzt noch da sind'}.`,
    erasesFiles: (count: string, isOne: boolean) =>
      `Das löscht ${count} ${isOne ? 'Datei, die jetzt noch da ist' : 'Dateien, die jetzt noch da sind'}.`,
    erasesNothing: 'Nichts von dem, was jetzt da ist, ist alt genug.',
    moreThan: (count: string) => `mehr als ${count}`,
    undo: 'Zurücknehmen',
    undoWhat: (sentence: string) => `Zurücknehmen: ${sentence}`,
  },
);
