import { SheafConnectionError, SheafError, SheafTimeoutError } from '@sheaf/client';
import { defineWords, type Language, type WordList } from '../words/words';

/** An error in plain words. `requestId` leads the operator to it in the logs. */
export interface ProblemSentence {
  title: string;
  details: readonly string[];
  requestId: string | undefined;
  /** Whether another attempt may succeed without any change. */
  mayPass: boolean;
}

export const words = defineWords(
  {
    offline: 'Sheaf cannot be reached. Check your connection.',
    slow: 'Sheaf took too long to answer.',
    tooMany: 'Too many requests. Wait a moment and try again.',
    unavailable: 'Part of Sheaf is not available at the moment. Nothing was lost; try again shortly.',
    internal: 'Something is not working on our side.',
    forbidden: 'You are not allowed to do this.',
    notFound: 'It no longer exists, or you have no access to it.',
    signedOut: 'You are signed out.',
    unexpected: 'Something unexpected happened in this page. Reload it and try again.',
  },
  {
    offline: 'Sheaf ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
    slow: 'Sheaf hat zu lange gebraucht, um zu antworten.',
    tooMany: 'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es dann noch einmal.',
    unavailable: 'Ein Teil von Sheaf ist gerade nicht verfügbar. Es ging nichts verloren; versuchen Sie es gleich noch einmal.',
    internal: 'Bei uns funktioniert etwas nicht.',
    forbidden: 'Dazu sind Sie nicht berechtigt.',
    notFound: 'Es existiert nicht mehr, oder Sie haben keinen Zugriff darauf.',
    signedOut: 'Sie sind abgemeldet.',
    unexpected: 'Auf dieser Seite ist etwas Unerwartetes passiert. Laden Sie sie neu und versuchen Sie es noch einmal.',
  },
);

/** The server's own message is in English and names the field: shown where it says more than the code does. */
export function problemSentence(error: unknown, language: Language): ProblemSentence {
  const say = words[language] satisfies WordList<unknown>[Language];
  const plain = (title: string, mayPass: boolean) => ({ title, details: [], requestId: undefined, mayPass });
  if (error instanceof SheafTimeoutError) return plain(say.slow, true);
  if (error instanceof SheafConnectionError) return plain(say.offline, true);
  if (!(error instanceof SheafError)) return plain(say.unexpected, false);

  const details = error.details.map(({ key, message }) => (message.startsWith(key) ? message : `${key}: ${message}`));
  const facts = { details: details.length > 1 ? details : [], requestId: error.requestId };
  if (error.status === 429) return { ...facts, title: say.tooMany, mayPass: true };
  if (error.status === 503 || error.status === 502 || error.status === 504) return { ...facts, title: say.unavailable, mayPass: true };
  if (error.status >= 500) return { ...facts, title: say.internal, mayPass: true };
  if (error.status === 401) return { ...facts, title: say.signedOut, mayPass: false };
  if (error.status === 404) return { ...facts, title: say.notFound, mayPass: false };
  if (error.code === 'forbidden' || error.code === 'insufficient_scope') return { ...facts, title: say.forbidden, mayPass: false };
  return { ...facts, title: serverMessage(error), mayPass: false };
}

/** What the server says, without the name of the operation, which the client puts before it for logs. */
export const serverMessage = ({ message }: SheafError): string => message.replace(/^[A-Z]+ \/\S+: /, '');

/** Whether the error is an answer with this status. */
export const hasStatus = (error: unknown, status: number): error is SheafError => error instanceof SheafError && error.status === status;
