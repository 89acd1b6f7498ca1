import { SheafConnectionError, SheafError, SheafTimeoutError } from '@sheaf/client';
import type { Language } from '../words/language';
import { wordsEverywhere } from '../words/loading';

/** An error in plain words. `requestId` leads the operator to it in the logs. */
export interface ProblemSentence {
  title: string;
  details: readonly string[];
  requestId: string | undefined;
  /** Whether another attempt may succeed without any change. */
  mayPass: boolean;
}

/** The server's own message is in English and names the field: shown where it says more than the code does. */
export function problemSentence(error: unknown, language: Language): ProblemSentence {
  const say = wordsEverywhere(language).problems;
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

/** The message of the server, without the name of the operation, which the client puts before it for logs. */
export const serverMessage = ({ message }: SheafError): string => message.replace(/^[A-Z]+ \/\S+: /, '');

/** Whether the error is an answer with this status. */
export const hasStatus = (error: unknown, status: number): error is SheafError => error instanceof SheafError && error.status === status;
