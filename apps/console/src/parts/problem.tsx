import { TriangleAlert } from 'lucide-react';
import { problemSentence } from '../api/problem-sentence';
import { useLanguage, useWords } from '../words/use-words';
import { Button } from './button';
import { CopyButton } from './copy-button';
import style from './problem.module.css';

/** An error in plain words, with the request's id to copy and, where it may help, a button to try again. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const say = useWords('everywhere').parts;
  const { title, details, requestId, mayPass } = problemSentence(error, useLanguage());
  return (
    <div role="alert" className={style.problem}>
      <TriangleAlert size={18} aria-hidden />
      <div className={style.body}>
        <p>{title}</p>
        {details.length > 0 && (
          <ul className={style.details}>
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
        {requestId !== undefined && (
          <p className={style.request}>
            {say.requestId} <code>{requestId}</code> <CopyButton text={requestId} label={`${say.copy}: ${say.requestId}`} isIcon />
          </p>
        )}
        {onRetry && mayPass && (
          <Button isSmall onPress={onRetry}>
            {say.tryAgain}
          </Button>
        )}
      </div>
    </div>
  );
}
