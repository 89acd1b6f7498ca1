import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { classes } from './classes';
import style from './states.module.css';

/** In place of a list that has nothing in it: says why, and what to do next. */
export function Empty({
  icon: Icon,
  title,
  children,
  actions,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={style.empty}>
      <Icon size={32} strokeWidth={1.5} aria-hidden />
      <h2>{title}</h2>
      {children !== undefined && <div className="muted">{children}</div>}
      {actions !== undefined && <div className={style.actions}>{actions}</div>}
    </div>
  );
}

/** In place of what is loading: nothing for 200 ms, then its outline. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  const say = useWords('everywhere').parts;
  return (
    <div className={style.skeleton} role="status" aria-label={say.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={style.line} />
      ))}
    </div>
  );
}

export type Tone = 'neutral' | 'good' | 'bad' | 'waiting' | 'active';

/** A status: a word, and a colour that repeats it. */
export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={classes(style.badge, tone !== 'neutral' && style[tone])}>{children}</span>
);

/** How long ago something was, with the exact time on hover. */
export function Since({ time }: { time: string }) {
  const formats = useFormats();
  return (
    <time dateTime={time} title={formats.exact(time)}>
      {formats.since(time)}
    </time>
  );
}
