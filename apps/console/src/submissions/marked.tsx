import { markedIn, soughtIn, type Sought } from '@sheaf/contracts';
import { createContext, use, useMemo, type ReactNode } from 'react';
import style from './list.module.css';

const SoughtContext = createContext<readonly Sought[]>([]);

/** Marks in the answers below it the words that were searched for. */
export function MarkSought({ q = '', children }: { q: string | undefined; children: ReactNode }) {
  const sought = useMemo(() => soughtIn(q), [q]);
  return <SoughtContext value={sought}>{children}</SoughtContext>;
}

/** A text of an answer, with the words that were searched for marked. */
export function Marked({ text }: { text: string }) {
  const sought = use(SoughtContext);
  if (sought.length === 0) return text;
  return markedIn(text, sought).map((part, index) =>
    part.isSought ? (
      <mark key={index} className={style.mark}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
