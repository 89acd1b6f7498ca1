import { readPipes, type Pipe } from '@sheaf/contracts';
import { useReading, type Reading } from '../reading';
import type { LocalText } from '../words/localized';
import { Lines, ownDirection, useForeign } from './text';

/** A text of the author within a line, isolated as `Written` is, with the answers that it shows. */
export function WithAnswers({ text: { text, lang } }: { text: LocalText }) {
  return (
    <bdi dir={ownDirection(lang)} lang={useForeign(lang)}>
      {readPipes(text).map((part, index) =>
        typeof part === 'string' ? <Lines key={index} lines={part.split('\n')} /> : <Answer key={index} pipe={part} />,
      )}
    </bdi>
  );
}

/** An answer within a text: nothing but text, whatever is in it. The script follows the one to a question of the same page. */
export function Answer({ pipe }: { pipe: Pipe }) {
  const reading = useReading();
  const live = reading.live.get(pipe.key);
  return (
    <bdi data-pipe={live} data-else={live !== undefined && pipe.fallback !== '' ? pipe.fallback : undefined}>
      {answerTo(pipe, reading)}
    </bdi>
  );
}

function answerTo({ key, fallback }: Pipe, { piped }: Reading): string {
  const answer = Object.hasOwn(piped, key) ? piped[key] : undefined;
  return answer === undefined || answer === '' ? fallback : answer;
}

/** The same as plain text, within a sentence of ours. */
export const plainWithAnswers = ({ text }: LocalText, reading: Reading): string => plain(text, (pipe) => answerTo(pipe, reading));

/** The text without any answer, for the title of a window: the history of the browser keeps that. */
export const withoutAnswers = ({ text }: LocalText): string => plain(text, ({ fallback }) => fallback || '…');

const plain = (text: string, write: (pipe: Pipe) => string): string =>
  readPipes(text)
    .map((part) => (typeof part === 'string' ? part : write(part)))
    .join('');
