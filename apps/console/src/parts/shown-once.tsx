import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';
import { Code } from './page';
import style from './page.module.css';

/** A key or a link that nobody can read again, with a button that copies it. */
export const ShownOnce = ({ label, value, children }: { label: string; value: string; children: ReactNode }) => (
  <div className={style.shownOnce}>
    {children}
    <Code label={label}>{value}</Code>
    <CopyButton text={value} />
  </div>
);
